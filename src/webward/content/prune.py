"""The pruning filter: drops what surrounds the content of a page, and leaves the content whole.

Containers are judged, never the paragraphs, headings, lists, tables, code and inline elements within them: those belong
to the content they stand in. A score lies between 0 and 1; what scores below the threshold goes.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from webward.content import words
from webward.content.blocks import HEADINGS, INLINE, Outline, body_of, count_blocks, measure
from webward.content.region import find_region, isolate
from webward.model import FilterOutcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webward.content.document import Document

LANDMARK_SCORE = 0.25
"""Of navigation, page headers and footers, asides: they surround content by their very meaning (WAI-ARIA landmarks)."""

NAMED_SCORE = 0.4
"""Of a container whose class or id names it as such, and of a form: names are less certain than meanings."""

OUTSIDE_SCORE = 0.4
"""Of what lies outside the main element, or the article, that holds the content."""

LINK_EXPONENT = 4
"""A container of links scores 1 - share**4, with the share of its text in links: 0.48 is passed up to 85 % links."""

MAX_LINK_WORDS = 6
"""Links of more words, on the average, are headlines, and so content."""

MIN_LINKS = 2
"""A line with one link may be a byline, or name who wrote the comment below."""

# Shares of the text of a region. An element with more of it is no surrounding, whatever it is called.
_LANDMARK_SHARE = 0.8
_FORM_SHARE = 0.1
_NAMED_SHARE = 0.2

_FEW_CHARS = 200
_FEW_SHARE = 0.5
"""On a page of few words everything is a large part of it: there, so much may be a surrounding."""

_LIST_SHARE = 1 / 3
_SHORT_LIST_SHARE = 2 / 3
"""A page with more of its text in lists of links is read for them; a few links on a short page are none."""

_LANDMARKS = "nav, footer, aside, header, [role]"
_LANDMARK_TAGS = frozenset({"nav", "footer", "aside"})
_LANDMARK_ROLES = frozenset({
    *("navigation", "contentinfo", "banner", "complementary", "search", "dialog", "alertdialog"),
})  # fmt: skip
_CONTENT_TAGS = frozenset({"main", "article"})
_FORMS = frozenset({"form", "fieldset"})
_NAMED = frozenset({"div", "section", "ul", "ol", "dl", "table", "p", "figure"})
_LINK_HOLDERS = frozenset({"div", "section", "ul", "ol", "dl", "table"})
_JUDGED = _FORMS | _NAMED
_CODE = frozenset({"pre", "code"})
_WHOLE = frozenset({"p", "ul", "ol", "dl", "table", "blockquote", "figure"})
_COMPANIONS = HEADINGS | {"pre"}

# Words of class and id that name what surrounds content. Words such as "comment", "header", "author" and "more" are no
# part of it: whole forums stand in elements that bear them.
_NAMES = frozenset({
    *("ad", "ads", "advert", "advertisement", "breadcrumb", "breadcrumbs", "buttons", "comments", "consent", "cookie"),
    *("cookies", "copyright", "disclaimer", "footer", "login", "menu", "modal", "nav", "navbar", "navbox"),
    *("navigation", "newsletter", "overlay", "pager", "pagination", "popup", "promo", "promotion"),
    *("recommended", "recommendations", "related", "share", "sharing", "sidebar", "signature", "signup", "social"),
    *("submenu", "subscribe"),
})  # fmt: skip
_SEPARATORS = {code: " " for code in range(1, 128) if not chr(code).isalnum()}

# How far `dynamic` eases the threshold for likely content.
_WEIGHTS = {"section": 1.0, "p": 1.0, "ul": 0.8, "ol": 0.8, "dl": 0.8, "table": 0.8, "div": 0.7}
_LEAST_WEIGHT = 0.5
_EASE = 0.3


def prune(
    document: Document, *, threshold: float, threshold_type: str, min_word_threshold: int | None
) -> FilterOutcome:
    """Drop what surrounds the content of a page.

    Navigation, footers, asides and page headers score 0.25; containers named as such, forms, and all that is outside
    the page's main content 0.4; lists and containers of short links by their share of links; the rest 1.

    Args:
        document: Cleaned; its tree is changed, unless nothing would be left.
        threshold: Between 0 and 1; what scores less goes.
        threshold_type: ``fixed``, or ``dynamic``: up to 15 % lower for containers that are likely content.
        min_word_threshold: Paragraphs, lists and tables of fewer words go; headings and code stay with the rest.
    """
    body = body_of(document.tree)
    if body is None:
        return FilterOutcome(type="pruning", kept_blocks=0, dropped_blocks=0, fell_back=True)
    dynamic = threshold_type == "dynamic"
    region = find_region(body) if _least(threshold, "section", dynamic=dynamic) > OUTSIDE_SCORE else body
    outline = measure(region)
    doomed = _surroundings(outline, threshold, dynamic=dynamic)
    if min_word_threshold:
        doomed = outline.outermost([*doomed, *_short(outline, doomed, min_word_threshold)])
    if not _words_remain(outline, doomed, with_headings=not min_word_threshold):
        return FilterOutcome(type="pruning", kept_blocks=count_blocks(body), dropped_blocks=0, fell_back=True)
    for index in doomed:
        outline.elements[index].extract()
    dropped = sum(map(outline.blocks_of, doomed))
    kept = outline.blocks_of(0) - dropped
    dropped += isolate(body, region)
    return FilterOutcome(type="pruning", kept_blocks=kept, dropped_blocks=dropped, fell_back=False)


def _surroundings(outline: Outline, threshold: float, *, dynamic: bool) -> list[int]:
    """Outermost elements that score below the threshold."""
    total = outline.chars_of(0)
    landmarks = _landmarks(outline)
    candidates = _candidates(outline, landmarks)
    named = _named(outline, candidates)
    doomed: list[int] = []
    lists: list[int] = []
    end = list_end = 0
    for index in candidates:
        if index < end:
            continue
        tag, chars = outline.tags[index], outline.chars_of(index)
        least = _least(threshold, tag, dynamic=dynamic)
        if (
            (index in landmarks and least > LANDMARK_SCORE and chars < _LANDMARK_SHARE * total)
            or (index in named and least > NAMED_SCORE and _is_minor(chars, total, _NAMED_SHARE))
            or (tag in _FORMS and least > NAMED_SCORE and _is_minor(chars, total, _FORM_SHARE))
        ):
            doomed.append(index)
            end = outline.ends[index]
        elif index >= list_end and tag in _LINK_HOLDERS and _link_score(outline, index) < least:
            lists.append(index)
            list_end = outline.ends[index]
    left = total - sum(map(outline.chars_of, doomed))
    listed = sum(map(outline.chars_of, lists))
    share = _SHORT_LIST_SHARE if listed < _FEW_CHARS else _LIST_SHARE
    return doomed if listed > share * left else outline.outermost([*doomed, *lists])


def _is_minor(chars: int, total: int, share: float) -> bool:
    """Whether a part of the text is small enough to be no content."""
    return chars < share * total or chars < min(_FEW_CHARS, _FEW_SHARE * total)


def _candidates(outline: Outline, landmarks: set[int]) -> list[int]:
    """Elements with text that may surround content; none within code."""
    code_end = 0
    found = []
    before, ends = outline.chars_before, outline.ends
    for index, tag in enumerate(outline.tags):
        if tag in _JUDGED or index in landmarks:
            if index >= code_end and before[index] < before[ends[index]]:
                found.append(index)
        elif tag in _CODE:
            code_end = max(code_end, ends[index])
    return found


def _least(threshold: float, tag: str, *, dynamic: bool) -> float:
    """The score that an element needs."""
    return threshold * (1 - _EASE * (_WEIGHTS.get(tag, _LEAST_WEIGHT) - _LEAST_WEIGHT)) if dynamic else threshold


def _landmarks(outline: Outline) -> set[int]:
    """Landmarks; a header that holds a heading is the beginning of content."""
    found = set()
    headings: list[int] | None = None
    for element in outline.elements[0].select(_LANDMARKS):
        index = outline.index[element]
        tag = outline.tags[index]
        if tag in _LANDMARK_TAGS:
            found.add(index)
        elif tag == "header":
            if headings is None:
                headings = [place for place, name in enumerate(outline.tags) if name in HEADINGS]
            place = bisect_left(headings, index)
            if place == len(headings) or headings[place] >= outline.ends[index]:
                found.add(index)
        elif tag not in _CONTENT_TAGS and (element.attr("role") or "").strip().lower() in _LANDMARK_ROLES:
            found.add(index)
    return found


def _named(outline: Outline, candidates: Sequence[int]) -> set[int]:
    """Those whose class or id has a name of what surrounds content."""
    if not candidates:
        return set()
    elements = [outline.elements[index] for index in candidates]
    # One string for all, as most of the cost is in the calls; no attribute holds the NUL (HTML standard, tokenization).
    names = "\0".join([f"{element.attr('class') or ''} {element.attr('id') or ''}" for element in elements])
    lines = names.lower().translate(_SEPARATORS).split("\0")
    return {index for index, line in zip(candidates, lines, strict=True) if not _NAMES.isdisjoint(line.split())}


def _link_score(outline: Outline, index: int) -> float:
    """By the share of text in links; 1 for a byline, and for links of many words."""
    end = outline.ends[index]
    first = bisect_left(outline.link_places, index)
    last = bisect_left(outline.link_places, end, first)
    links = last - first
    if links < MIN_LINKS or outline.link_words[last] - outline.link_words[first] > MAX_LINK_WORDS * links:
        return 1
    chars = outline.chars_before[end] - outline.chars_before[index]
    return 1 - ((outline.link_chars[last] - outline.link_chars[first]) / chars) ** LINK_EXPONENT


def _short(outline: Outline, doomed: Sequence[int], minimum: int) -> Iterator[int]:
    """Paragraphs, lists, tables, quotations and lines of text with fewer words; headings and code are left alone."""
    gone = iter([*doomed, len(outline.tags)])
    ahead, index = next(gone), 1
    while index < len(outline.tags):
        tag, end = outline.tags[index], outline.ends[index]
        if index >= ahead:
            ahead, index = next(gone), outline.ends[ahead]
            continue
        if tag in _COMPANIONS:
            index = end
        elif tag in _WHOLE or _is_line(outline, index):
            if outline.chars_of(index) and words.count(outline.elements[index].text) < minimum:
                yield index
            index = end
        else:
            index += 1


def _is_line(outline: Outline, index: int) -> bool:
    """Whether an element is a block without blocks in it."""
    within = range(index, outline.ends[index])
    return all((outline.tags[place] in INLINE) == (place > index) for place in within)


def _words_remain(outline: Outline, doomed: Sequence[int], *, with_headings: bool) -> bool:
    headings = () if with_headings else (index for index, tag in enumerate(outline.tags) if tag in HEADINGS)
    return outline.chars_of(0) > sum(map(outline.chars_of, outline.outermost([*doomed, *headings])))
