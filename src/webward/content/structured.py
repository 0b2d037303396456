"""JSON to indented JSON: order, names and numbers as they were written; what is no JSON stays as it is."""

from __future__ import annotations

import re
from itertools import accumulate

import msgspec

from webward.content.rendered import Rendered

INDENT_CHARS = 2
"""Of each level."""

MAX_ADDED_CHARS = 8 * 1024 * 1024
"""Blanks that indenting may add; more is machine data, which deep nesting would make the square of its length."""

# One that is not closed goes to the end: else each quote in it would be tried as a beginning.
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)'
_TEXT = re.compile(_STRING, re.DOTALL)
_NO_NUMBER = re.compile(rf"{_STRING}|-?\b(?:NaN|Infinity)\b", re.DOTALL)
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}
_LEVELS = re.compile(r"[][{},]")

# Stands for NaN and Infinity, which are no JSON but are written, while the text is indented.
_PRIVATE = "\ue0f0"
_PRIVATE_TEXT = re.compile(f'"{_PRIVATE}(-?[A-Za-z]+)"')


def render_json(text: str) -> Rendered:
    """Indent JSON (RFC 8259); text that is none, or would grow beyond measure, is given as it is."""
    body = text.removeprefix("\ufeff").strip()
    if _added_chars(body) > MAX_ADDED_CHARS:
        return Rendered(text)
    indented = _indented(body)
    if indented is None and _PRIVATE not in body:
        indented = _indented(_NO_NUMBER.sub(_as_text, body))
        indented = _PRIVATE_TEXT.sub(r"\1", indented) if indented is not None else None
    return Rendered(text if indented is None else indented)


def _indented(text: str) -> str | None:
    try:
        return msgspec.json.format(text, indent=INDENT_CHARS)
    except (ValueError, RecursionError):
        return None


def _as_text(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else f'"{_PRIVATE}{found[0]}"'


def _added_chars(text: str) -> int:
    """Blanks and line breaks that indenting would add at most."""
    marks = _LEVELS.findall(_TEXT.sub("", text))
    return sum(1 + INDENT_CHARS * depth for depth in accumulate(_STEPS.get(mark, 0) for mark in marks))
