"""The measures of a tree that filters judge by: how much text and how many links each element holds.

One pass over the tree, so that the time grows with the page and not with how deep it is nested.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from turbohtml import Element, Text

from webward.content.words import count, find_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from turbohtml import Document, Node

INLINE = frozenset({
    *("a", "abbr", "acronym", "b", "basefont", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn", "em"),
    *("font", "i", "img", "ins", "kbd", "label", "mark", "picture", "q", "rb", "rp", "rt", "ruby", "s", "samp"),
    *("small", "source", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
})  # fmt: skip
"""Elements within a line (HTML standard, phrasing content): their text belongs to the block around them."""

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

BLOCKS = HEADINGS | {
    *("p", "div", "article", "section", "main", "li", "blockquote", "pre", "td", "nav", "footer", "header", "aside"),
}
"""What a filter counts as a block."""

_BLOCK_SELECTOR = ", ".join(sorted(BLOCKS))

_MARK_CHARS = 8
"""Shorter pieces of text are searched for a letter or digit: bars, dots and arrows between links are no text."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The elements of a tree in document order, and what they hold.

    Attributes:
        elements: The root first.
        index: Where each of them is.
        tags: Their names.
        ends: Index after the last descendant of each.
        chars_before: Characters of text ahead of each one's start tag or, for text between elements, of its parent's.
        link_places: Indices of the links that have text.
        link_chars: Running total of their characters, from 0.
        link_words: Running total of their words, from 0.
    """

    elements: Sequence[Element]
    _: KW_ONLY
    index: Mapping[Node | None, int]
    tags: Sequence[str]
    ends: Sequence[int]
    chars_before: Sequence[int]
    link_places: Sequence[int]
    link_chars: Sequence[int]
    link_words: Sequence[int]

    def chars_of(self, index: int) -> int:
        """Characters of text in an element."""
        return self.chars_before[self.ends[index]] - self.chars_before[index]

    def blocks_of(self, index: int) -> int:
        """Blocks in an element, itself included."""
        return sum(tag in BLOCKS for tag in self.tags[index : self.ends[index]])

    def outermost(self, indices: Iterable[int]) -> list[int]:
        """These indices in order, without those that lie within another one."""
        found: list[int] = []
        end = 0
        for index in sorted(indices):
            if index >= end:
                found.append(index)
                end = self.ends[index]
        return found


def body_of(tree: Document) -> Element | None:
    """What a page shows: its body, or its root where there is none (a page of frames)."""
    body = tree.select_one("body")
    return tree.root if body is None else body


def count_blocks(node: Node) -> int:
    """Blocks in a node, itself included."""
    if not isinstance(node, Element):
        return 0
    return len(node.select(_BLOCK_SELECTOR)) + (node.tag in BLOCKS)


def measure(root: Element) -> Outline:
    """Measure a tree."""
    elements = [root, *root.select("*")]
    index: dict[Node | None, int] = dict(zip(elements, range(len(elements)), strict=True))
    ends = _ends([0, *(index[element.parent] for element in elements[1:])])
    chars_before = list(accumulate(_own_chars(root, index), initial=0))
    places, chars, words = [], [], []
    after = 0
    for link in root.select("a"):
        here = index[link]
        size = chars_before[ends[here]] - chars_before[here]
        if size and here >= after:  # a link in a link (tables and frames make them) is read once
            places.append(here)
            chars.append(size)
            words.append(count(link.text))
            after = ends[here]
    return Outline(
        elements,
        index=index,
        tags=[element.tag for element in elements],
        ends=ends,
        chars_before=chars_before,
        link_places=places,
        link_chars=list(accumulate(chars, initial=0)),
        link_words=list(accumulate(words, initial=0)),
    )


def _own_chars(root: Element, index: Mapping[Node | None, int]) -> list[int]:
    """Characters of text that stand in each element itself."""
    chars = [0] * len(index)
    for node in root.descendants:
        if type(node) is Text:
            text = node.data
            if not text.isspace() and (len(text) >= _MARK_CHARS or find_word(text)):
                chars[index[node.parent]] += len(text)
    return chars


def _ends(parents: Sequence[int]) -> list[int]:
    ends = list(range(1, len(parents) + 1))
    for index in range(len(parents) - 1, 0, -1):
        parent = parents[index]
        ends[parent] = max(ends[parent], ends[index])
    return ends
