"""Long answers as several messages of a chat, none of which tears a code fence (CommonMark, section 4.5)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webward.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator

DISCORD_CHARS = 2000
"""The most that Discord takes in a message."""

LEAST_CHARS = 100
"""Room for a fence, its language and a line of code."""

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^`\n]*)")
_MAX_INFO_CHARS = 30


def split_reply(text: str, max_chars: int = DISCORD_CHARS - 1) -> list[str]:
    """The messages that a text makes, in order; none is blank.

    They part at line ends: outside code fences where that is possible, and else the fence is closed at the end of one
    message and opened anew in the next. A line that is too long parts at a blank, or anywhere.

    Args:
        text: Markdown.
        max_chars: The most characters of a message.

    Raises:
        InvalidInput: ``max_chars`` is below 100.
    """
    if max_chars < LEAST_CHARS:
        raise InvalidInput(f"max_chars must be at least {LEAST_CHARS}")
    messages: list[str] = []
    held = ""
    for block in _blocks(text):
        if len(held) + len(block) + 1 > max_chars:
            messages.append(held)
            held = ""
        last = block
        if len(block) > max_chars:
            *whole, last = _pieces(block, max_chars)
            messages += whole
        held = f"{held}\n{last}" if held else last
    return [message.strip("\n") for message in (*messages, held) if message.strip()]


def _blocks(text: str) -> Iterator[str]:
    """Lines outside fences one by one, and each fence with all that is in it."""
    fence: list[str] = []
    closing = ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if fence:
            fence.append(line)
            if found and found[1].startswith(closing) and not found[2].strip():
                yield "\n".join(fence)
                fence = []
        elif found:
            fence, closing = [line], found[1]
        else:
            yield line
    if fence:
        yield "\n".join((*fence, closing))


def _pieces(block: str, max_chars: int) -> list[str]:
    """A block that is too long: the lines of a fence in fences of their own, or a line in parts."""
    found = _FENCE.match(block)
    if found is None or "\n" not in block:
        return list(_parts(block, max_chars))
    closing = found[1][:_MAX_INFO_CHARS]
    opening = closing + found[2].strip()[:_MAX_INFO_CHARS]
    room = max_chars - len(opening) - len(closing) - 2
    pieces: list[list[str]] = [[]]
    used = 0
    for line in block.split("\n")[1:-1]:
        for part in _parts(line, room):
            if used + len(part) + 1 > room and pieces[-1]:
                pieces.append([])
                used = 0
            pieces[-1].append(part)
            used += len(part) + 1
    return ["\n".join((opening, *lines, closing)) for lines in pieces]


def _parts(line: str, max_chars: int) -> Iterator[str]:
    while len(line) > max_chars:
        end = line.rfind(" ", max_chars // 2, max_chars + 1)
        end = end if end > 0 else max_chars
        yield line[:end]
        line = line[end:].removeprefix(" ")
    yield line
