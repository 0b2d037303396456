"""Windows over a long text: cut where no character that a person sees is torn apart."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import KW_ONLY, dataclass

from webward.errors import InvalidInput

LOOK_BACK_CHARS = 64
"""How far a cut moves back: longer than any honest sequence, so that piled-up marks cannot hold a window up."""

# Code points that extend what stands before them, besides the marks of general category M (Unicode Annex 29, Extend,
# SpacingMark, V, T): joiners, medial and final Hangul jamo, skin tones, tag characters.
_EXTENDING = re.compile("[\u200c\u200d\u1160-\u11ff\ud7b0-\ud7ff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_JOINER = "\u200d"
_FENCE = "`~"  # half a fence of code is none


ASCII_CHARS_PER_TOKEN = 4
"""Of English prose and markup."""

TOKENS_PER_OTHER_CHAR = 0.7
"""Between accented Latin letters (less) and rare scripts (more)."""


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a text.

    Attributes:
        text: The part.
        start: Where it begins in the whole, in characters (code points).
        next_start: Where the next window begins, or None at the end.
        total_chars: Characters of the whole.
    """

    text: str
    _: KW_ONLY
    start: int
    next_start: int | None
    total_chars: int


def cut(text: str, *, start: int, max_chars: int | None) -> Window:
    """Cut a window of at most ``max_chars`` characters (code points); None means up to the end.

    Windows that follow each other by ``next_start`` make up the whole. A start beyond the end gives an empty window.

    Raises:
        InvalidInput: ``start`` is negative or ``max_chars`` is below 1.
    """
    if start < 0:
        raise InvalidInput("start must not be negative")
    if max_chars is not None and max_chars < 1:
        raise InvalidInput("max_chars must be at least 1")
    total = len(text)
    end = total if max_chars is None else min(start + max_chars, total)
    if end < total:
        end = _boundary(text, start, end)
    return Window(text[start:end], start=start, next_start=end if end < total else None, total_chars=total)


def _boundary(text: str, start: int, end: int) -> int:
    """The last place at or before ``end`` that tears nothing, or ``end`` itself when there is none near."""
    for place in range(end, max(start, end - LOOK_BACK_CHARS), -1):
        if not _belongs_together(text[place - 1], text[place]):
            return place
    return end


def _belongs_together(before: str, after: str) -> bool:
    return (
        before == _JOINER
        or (before == "\r" and after == "\n")
        or (before == after and after in _FENCE)
        or unicodedata.category(after)[0] == "M"
        or _EXTENDING.match(after) is not None
    )


def token_estimate(text: str) -> int:
    """About how many tokens a model makes of a text: four ASCII characters are one, any other is most of one."""
    ascii_chars = len(text.encode("ascii", "ignore"))
    return round(ascii_chars / ASCII_CHARS_PER_TOKEN + (len(text) - ascii_chars) * TOKENS_PER_OTHER_CHAR)
