"""Renditions without the blank lines and empty bullets of what stood on a page only for the looks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = "```"
_END = "\n."  # of a text, so that each line has a next one

# Each begins with a character of its own, which makes the search several times as fast.
_FENCED = re.compile(r"\n[ >]*(?:(?:[-*+]|\d+[.)]) )*(`{3,})[^`\n]*\n(?:[^\n]*\n)*?[ >]*\1`*[ ]*(?=\n)")
_BLANK = "\xa0\u1680\u2000-\u200b\u202f\u205f\u3000\ufeff"
_EMPTY_LINE = re.compile(rf"\n([ >]*)(?:[{_BLANK}][ {_BLANK}]*|((?:[-*]|\d+[.)]) ))(?=\n)")
_BARE_MARKS = ("- \n", "* \n", ". \n", ") \n")  # and blanks at the start of a line, without which none is empty
_BLANK_LINE = re.compile(rf"\n[ >]*[{_BLANK}]")
_MANY_NEWLINES = re.compile(r"\n\n\n+")
_CONTENT = re.compile(r"\n([ >]*)[^ >\n]")
_BULLETS = ("-", "*")
_LAST_BULLET = re.compile(r"\n[ >]*[-*]\Z")
_SPACES = re.compile(r"\A(?:\n +)+(?=\n)")
_BLANKS = re.compile(r"\A(?:\n[ >]*)+(?=\n|\Z)")


def tidy(text: str) -> str:
    """Drop lines of blanks, bullets that nothing hangs on, and all but one of the empty lines in a row; code stays."""
    text = f"\n{text}"
    is_cut = text.endswith(_BULLETS) and _LAST_BULLET.search(text)
    text += f" {_END}" if is_cut else _END  # the renderer took the blank off the last bullet
    is_bare = " \n" in text and any(mark in text for mark in _BARE_MARKS)
    if is_bare or (not text.isascii() and _BLANK_LINE.search(text)):
        lines = [line for start, end in _prose(text) for line in _EMPTY_LINE.finditer(text, start, end)]
        text = _without(lines, text) if lines else text
    return (_with_fewer_newlines(text) if "\n\n\n" in text else text)[: -len(_END)].strip("\n")


def _with_fewer_newlines(text: str) -> str:
    pieces: list[str] = []
    done = 0
    for start, end in _prose(text):
        pieces += (text[done:start], _MANY_NEWLINES.sub("\n\n", text[start:end]))
        done = end
    return "".join(pieces)


def _prose(text: str) -> Iterator[tuple[int, int]]:
    """Where the text between blocks of code begins, and where it ends, the newline before the next block included."""
    start = 0
    for block in _FENCED.finditer(text) if "`" in text and _FENCE in text else ():
        yield start, block.start() + 1
        start = block.end()
    yield start, len(text)


def _without(lines: list[re.Match[str]], text: str) -> str:
    """Drop these lines, from the last on, but for marks of items that hold what is below; numbers stay as well."""
    pieces: list[str] = []
    end, below = len(text), ""
    for line in reversed(lines):
        following, indent, mark = text[line.end() : end], line[1], line[2]
        content = _CONTENT.search(following)
        below = content[1] if content else below
        if mark and below.startswith(f"{indent} "):  # an empty line would end the item
            if not content and pieces:
                pieces[-1] = _BLANKS.sub("", pieces[-1])
            following = line[0] + _BLANKS.sub("", following)
            below = indent
        elif mark and mark[0] not in "-*":
            following = line[0] + following
            below = indent
        else:
            following = _SPACES.sub("", following)
        pieces.append(following)
        end = line.start()
    return text[:end] + "".join(reversed(pieces))
