"""The query filter: keeps the blocks of a page that match a query best, by BM25 (Robertson and Zaragoza, 2009).

A block is what a reader takes in at once: a paragraph, a list item, a heading, a table, a piece of code, a line.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from msgspec import Struct
from turbohtml import Text

from webward.content import words
from webward.content.blocks import INLINE, body_of, count_blocks
from webward.content.stemming import beginning, stemmer_for
from webward.model import FilterOutcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from turbohtml import Element, Node

    from webward.content.document import Document
    from webward.content.stemming import Stemmer

SATURATION = 1.2
"""k1: how much a further occurrence of a term still adds."""

LENGTH_NORMALIZATION = 0.75
"""b: how much a long block must say more than a short one."""

MIN_BLOCKS = 10
"""A page counts as having at least so many blocks: in fewer, a word that half of them hold is not yet a common one."""

MAX_STEMS = 20_000
"""Different words of a page that are stemmed; more are no language, and stemming them takes seconds."""

MAX_LINK_SHARE = 0.5
"""A block with more of its text in links leads elsewhere; headings may be links."""

MAX_LINK_WORDS = 6
"""Links of more words, on the average, are headlines."""

_SURROUNDINGS = frozenset({"nav", "footer", "aside"})
_LEVELS = {**{f"h{level}": level for level in range(1, 7)}, "dt": 7}
"""What stands above other blocks, and how high: it is kept with the blocks it stands above."""

_WHOLE = frozenset({"pre", "table"})
_LAYOUT = "table, h1, h2, h3, h4, h5, h6, article, section, main, nav, form"
"""What a table of data does not hold; one that does is there for the looks, and its cells are blocks."""


class _Piece(Struct, frozen=True, gc=False):
    """A text of a block: what stands between two tags. A page can have a million, so they are made the fastest way.

    Attributes:
        node: Of the tree.
        holder: Index of the element it stands in.
        linked: Whether it is in a link.
    """

    node: Text
    holder: int
    linked: bool


@dataclass(frozen=True, slots=True)
class _Layout:
    """The elements of a page in document order, and its text by blocks; all sequences are of one length.

    Attributes:
        elements: The body first.
        parents: Index of the parent of each.
        blocks: Index of the block that the text of each belongs to.
        surrounding: Whether each is, or is in, navigation, a footer or an aside.
        pieces: The text of the blocks that have any, in page order.
    """

    elements: Sequence[Element]
    _: KW_ONLY
    parents: Sequence[int]
    blocks: Sequence[int]
    surrounding: Sequence[bool]
    pieces: Mapping[int, Sequence[_Piece]]


def keep_matching(
    document: Document, *, query: str | None, threshold: float, fallback_query: str, language: str | None
) -> FilterOutcome:
    """Keep the blocks that match a query, and the headings above them.

    A term in one block of many weighs about ln(blocks / 1.5), once found about as much is scored, often found up to 2.2
    times as much: at the threshold 1.0 one rare term is enough, and words that most blocks hold are not.

    Args:
        document: Cleaned; its tree is changed, unless no block matches or the query has no terms.
        query: What is looked for.
        threshold: The least score of a block that is kept.
        fallback_query: What is looked for when there is no query.
        language: Of the page (BCP 47), for the stems of its words.
    """
    body = body_of(document.tree)
    stemmer = stemmer_for(language)
    wanted = words.terms((query or "").strip() or fallback_query)
    if body is None:
        return FilterOutcome(type="bm25", kept_blocks=0, dropped_blocks=0, fell_back=True)
    if not wanted:
        return FilterOutcome(type="bm25", kept_blocks=count_blocks(body), dropped_blocks=0, fell_back=False)
    layout = _lay_out(body)
    scores = _scores(layout, Counter(map(stemmer.stem, wanted)), stemmer)
    matching = {block for block, score in scores.items() if score >= threshold and _is_content(layout, block)}
    if not matching:
        return FilterOutcome(type="bm25", kept_blocks=len(layout.pieces), dropped_blocks=0, fell_back=True)
    kept_blocks = _with_headings(layout, matching)
    _remove_others(layout, kept_blocks)
    dropped = len(layout.pieces) - len(kept_blocks)
    return FilterOutcome(type="bm25", kept_blocks=len(kept_blocks), dropped_blocks=dropped, fell_back=False)


def _lay_out(body: Element) -> _Layout:
    elements = [body, *body.select("*")]
    index: dict[Node | None, int] = dict(zip(elements, range(len(elements)), strict=True))
    parents, blocks, surrounding, linked = [0], [0], [False], [False]
    whole_blocks: set[int] = set()
    for here, element in enumerate(elements[1:], start=1):
        tag, parent = element.tag, index[element.parent]
        block = blocks[parent]
        if block not in whole_blocks and tag not in INLINE:
            block = here
            if tag == "pre" or (tag == "table" and element.select_one(_LAYOUT) is None):
                whole_blocks.add(here)
        parents.append(parent)
        blocks.append(block)
        surrounding.append(surrounding[parent] or tag in _SURROUNDINGS)
        linked.append(linked[parent] or tag == "a")
    pieces: dict[int, list[_Piece]] = {}
    for node in body.descendants:
        if type(node) is Text and not node.data.isspace():
            holder = index[node.parent]
            pieces.setdefault(blocks[holder], []).append(_Piece(node, holder, linked[holder]))
    return _Layout(elements, parents=parents, blocks=blocks, surrounding=surrounding, pieces=pieces)


def _scores(layout: _Layout, wanted: Counter[str], stemmer: Stemmer) -> dict[int, float]:
    """BM25 of the blocks that hold a term: idf = ln(1 + (N - n + 0.5) / (n + 0.5)), which is never negative."""
    counts, lengths = _counts(layout, wanted, stemmer)
    total = max(len(lengths), MIN_BLOCKS)
    average = max(1.0, sum(lengths.values()) / len(lengths)) if lengths else 1.0
    holding = Counter(term for found in counts.values() for term in found)
    weights = {
        term: times * math.log(1 + (total - holding[term] + 0.5) / (holding[term] + 0.5))
        for term, times in wanted.items()
    }
    scores = {}
    for block, found in counts.items():
        norm = SATURATION * (1 - LENGTH_NORMALIZATION + LENGTH_NORMALIZATION * lengths[block] / average)
        scores[block] = sum(weights[term] * times * (SATURATION + 1) / (times + norm) for term, times in found.items())
    return scores


def _counts(layout: _Layout, wanted: Counter[str], stemmer: Stemmer) -> tuple[dict[int, Counter[str]], dict[int, int]]:
    """How often each block holds the wanted terms, and how many terms it has."""
    sizes = {len(term) for term in wanted}
    beginnings = {beginning(term) for term in wanted}
    stems: dict[str, str] = {}
    counts, lengths = {}, {}
    for block, pieces in layout.pieces.items():
        terms = _terms(pieces, sizes)
        lengths[block] = len(terms)
        for term in set(terms).difference(stems):
            may_match = len(stems) < MAX_STEMS and (stemmer.strips_beginnings or beginning(term) in beginnings)
            stems[term] = stemmer.stem(term) if may_match else term
        found = [stem for term in terms if (stem := stems[term]) in wanted]
        if found:
            counts[block] = Counter(found)
    return counts, lengths


def _terms(pieces: Sequence[_Piece], sizes: set[int]) -> list[str]:
    """The terms of a block, both with and without a word's end where an element begins or ends."""
    texts = [piece.node.data for piece in pieces]
    apart = words.terms(" ".join(texts), sizes)
    if len(texts) == 1:
        return apart
    together = words.terms("".join(texts), sizes)
    return apart if together == apart else list((Counter(apart) | Counter(together)).elements())


def _is_content(layout: _Layout, block: int) -> bool:
    """Whether a block does not lead elsewhere."""
    if layout.surrounding[block]:
        return False
    if layout.elements[block].tag in _LEVELS:
        return True
    pieces = layout.pieces[block]
    links = [piece.node.data for piece in pieces if piece.linked]
    share = sum(map(len, links)) / sum(len(piece.node.data) for piece in pieces)
    return share < MAX_LINK_SHARE or sum(map(words.count, links)) > MAX_LINK_WORDS * len(links)


def _with_headings(layout: _Layout, matching: set[int]) -> set[int]:
    kept: set[int] = set()
    above: list[int] = []
    levels: list[int] = []
    for block in layout.pieces:
        level = _LEVELS.get(layout.elements[block].tag)
        if level is not None and not layout.surrounding[block]:
            while levels and levels[-1] >= level:
                levels.pop()
                above.pop()
            levels.append(level)
            above.append(block)
        if block in matching:
            kept.add(block)
            kept.update(above)
    return kept


def _remove_others(layout: _Layout, kept: set[int]) -> None:
    """Remove all but the kept blocks and the elements around them."""
    holds = [False] * len(layout.elements)
    for block in kept:
        for piece in layout.pieces[block]:
            holds[piece.holder] = True
    for index in range(len(holds) - 1, 0, -1):
        if holds[index]:
            holds[layout.parents[index]] = True
    for index in range(1, len(holds)):
        block = layout.blocks[index]
        is_part = block in kept and block != index  # an image in a paragraph, an empty cell of a table
        if holds[layout.parents[index]] and not holds[index] and not is_part:
            layout.elements[index].extract()
    for block, pieces in layout.pieces.items():
        for piece in pieces:
            if block not in kept and holds[piece.holder]:
                piece.node.extract()
