"""Renditions without the blank lines and empty bullets of what stood on a page only for the looks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_DEPTH = 8
"""How deep bullets without an item are looked for in each other; each level costs one more pass."""

_FENCE = "```"
_SUSPECTS = ("\n\n\n", "\xa0\n", "- \n", "* \n", ". \n", ") \n")
_LAST = ("\xa0", "- ", "* ")
_END = "\n."  # of a text, so that each line has a next one

# Each begins with a character of its own, which makes the search several times as fast.
_FENCED = re.compile(r"\n[ >]*(?:(?:[-*+]|\d+[.)]) )*(`{3,})[^`\n]*\n(?:[^\n]*\n)*?[ >]*\1`*[ ]*(?=\n)")
_BLANK_LINE = re.compile(r"\n[ >]*\xa0[ \xa0]*(?=\n|\Z)")
_EMPTY_BULLET = re.compile(r"\n([ >]*)[-*] (?=\n(?:[ >]*\n)*(?!\1 )[ >]*[^ >\n])")
_HANGING_ITEM = re.compile(r"\n([ >]*)([-*]|\d+[.)]) (?:\n[ >]*)+(?=\n\1 +\S)")  # an empty line would end the item


def tidy(text: str) -> str:
    """Drop lines of blanks, bullets that nothing hangs on, and all but one of the empty lines in a row; code stays."""
    if not any(suspect in text for suspect in _SUSPECTS) and not text.endswith(_LAST):
        return text
    return "".join(_pieces(f"\n{text}{_END}"))[1 : -len(_END)].strip("\n")


def _pieces(text: str) -> Iterator[str]:
    done = 0
    for block in _FENCED.finditer(text) if _FENCE in text else ():
        yield _tidied(text[done : block.start()])
        yield block[0]
        done = block.end()
    yield _tidied(text[done:])


def _tidied(text: str) -> str:
    if "\xa0" in text:
        text = _BLANK_LINE.sub("", text)
    for _ in range(MAX_DEPTH):
        text, count = _EMPTY_BULLET.subn("", text)
        if not count:
            break
    text = _HANGING_ITEM.sub(r"\n\1\2 ", text)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text
