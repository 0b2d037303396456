"""Whether a condition of a style sheet holds in a browser on a desk: always, never, or perhaps.

The window is as wide as those of desktop screens are, from 1280 to 1920 pixels; what holds in a part of them alone, or
needs more than a table to tell (a container, a browser's own extension), perhaps holds.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from webward.content.declarations import pixels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Holds = bool | None
"""Whether something holds; None for perhaps."""

MAX_CONDITION_CHARS = 1_000
"""A longer condition is generated, and perhaps holds."""

MAX_NESTED = 8
"""Parentheses within parentheses; what is deeper perhaps holds."""

_MARK = re.compile(r"[()]|\s+")
_NEGATED_TYPE = re.compile(r"\s*not\s+(?=[a-z])")
_TYPES: Mapping[str, Holds] = {"all": True, "screen": True}
_RANGES: Mapping[str, tuple[float, float]] = {
    "width": (1280.0, 1920.0),
    "device-width": (1280.0, 1920.0),
    "height": (600.0, 1200.0),
    "device-height": (720.0, 1200.0),
    "-webkit-device-pixel-ratio": (1.0, 2.0),
    "color": (8.0, 10.0),
    "monochrome": (0.0, 0.0),
}
"""From where to where a media feature can be, in pixels if it is a length."""

_VALUES: Mapping[str, str] = {
    "orientation": "landscape",
    "hover": "hover",
    "any-hover": "hover",
    "pointer": "fine",
    "any-pointer": "fine",
    "update": "fast",
    "scripting": "enabled",
    "display-mode": "browser",
    "prefers-color-scheme": "light",
    "prefers-contrast": "no-preference",
    "prefers-reduced-motion": "no-preference",
    "prefers-reduced-data": "no-preference",
    "prefers-reduced-transparency": "no-preference",
    "forced-colors": "none",
    "inverted-colors": "none",
    "-ms-high-contrast": "no browser of today",
}
_OFF = frozenset({"none", "no-preference", _VALUES["-ms-high-contrast"]})
_COMPARISON = re.compile(r"([^<>=]*?)\s*([<>]=?|=)\s*([^<>=]*?)(?:\s*([<>]=?)\s*([^<>=]*))?")
_TURNED = str.maketrans("<>", "><")

_SUPPORTED = frozenset({
    "display", "position", "color", "background", "width", "height", "margin", "padding", "float", "object-fit",
    "gap", "aspect-ratio", "opacity", "transform", "filter", "visibility", "flex", "grid", "grid-area",
    "grid-template-columns", "clip-path", "mask-image", "inset",
})  # fmt: skip
_UNSURE_VALUE = re.compile(r"(?:^|[\s(])-[a-z]|masonry|lanes")


@lru_cache(maxsize=256)
def media_holds(queries: str) -> Holds:
    """Whether one of some media queries holds (Media Queries 4); none at all always does."""
    return _any(map(_query, queries.lower().split(","))) if queries.strip() else True


@lru_cache(maxsize=256)
def supports_holds(condition: str) -> Holds:
    """Whether browsers of today support what a condition asks for (CSS Conditional Rules 3, section 6)."""
    return _condition(condition.lower(), _is_supported)


def both(first: Holds, second: Holds) -> Holds:
    """Whether two things hold."""
    if first is False or second is False:
        return False
    return None if first is None or second is None else True


def _any(all_holds: Iterator[Holds]) -> Holds:
    holds = set(all_holds)
    return True if True in holds else None if None in holds else False


def _not(holds: Holds) -> Holds:
    return None if holds is None else not holds


def _query(query: str) -> Holds:
    """A query; its `not` before a media type is about all of it."""
    positive = _NEGATED_TYPE.sub("", query, count=1)
    holds = _condition(positive, _feature)
    return holds if positive == query else _not(holds)


def _condition(text: str, leaf: Callable[[str], Holds], nested: int = 0) -> Holds:
    """Terms with `and`, `or` and `not` between them, each a word or in parentheses; a leaf has none of these."""
    if len(text) > MAX_CONDITION_CHARS or nested > MAX_NESTED:
        return None
    found: list[Holds] = []
    joined_by, is_negated = "and", False
    for term in _terms(text):
        if term in {"and", "or"}:
            joined_by = term
        elif term == "not":
            is_negated = not is_negated
        elif term != "only":
            holds = _term(term, leaf, nested)
            found.append(_not(holds) if is_negated else holds)
            is_negated = False
    if joined_by == "or":
        return _any(iter(found))
    return False if False in found else None if None in found else True


def _terms(text: str) -> Iterator[str]:
    start = depth = 0
    for mark in _MARK.finditer(text):
        depth += (mark[0] == "(") - (mark[0] == ")")
        if depth == 0:
            yield from filter(None, [text[start : mark.end()].strip()])
            start = mark.end()
    yield from filter(None, [text[start:].strip()])


def _term(term: str, leaf: Callable[[str], Holds], nested: int) -> Holds:
    if not term.startswith("("):
        return _TYPES.get(term, False) if leaf is _feature and "(" not in term else None
    inner = term[1:].removesuffix(")").strip()
    return _condition(inner, leaf, nested + 1) if inner.startswith(("(", "not ", "not(")) else leaf(inner)


def _feature(text: str) -> Holds:
    name, colon, value = (part.strip() for part in text.partition(":"))
    if colon:
        for prefix, sign in (("min-", ">="), ("max-", "<=")):
            if prefix in name:
                return _compare(name.replace(prefix, "", 1), sign, value)
        return value == _VALUES[name] if name in _VALUES else _compare(name, "=", value)
    match = _COMPARISON.fullmatch(text)
    if match is None:
        return _VALUES[name] not in _OFF if name in _VALUES else None
    left, sign, right, second_sign, rest = match.groups()
    if left in _RANGES:
        return _compare(left, sign, right)
    holds = _compare(right, sign.translate(_TURNED), left)
    return both(holds, _compare(right, second_sign, rest)) if second_sign else holds


def _compare(name: str, sign: str, value: str) -> Holds:
    """Whether all that a feature can be, or nothing of it, compares like this."""
    size = pixels(value)
    if name not in _RANGES or size is None:
        return None
    low, high = _RANGES[name]
    if sign == "=":
        return False if not low <= size <= high else None if low < high else True
    is_less = sign.startswith("<")
    near, far = (high, low) if is_less else (low, high)
    compares = partial(_is_beyond, size=size, is_less=is_less, or_equal=sign.endswith("="))
    return True if compares(near) else None if compares(far) else False


def _is_beyond(number: float, *, size: float, is_less: bool, or_equal: bool) -> bool:
    return (or_equal and number == size) or (number < size if is_less else number > size)


def _is_supported(text: str) -> Holds:
    name, colon, value = (part.strip() for part in text.partition(":"))
    known = bool(colon) and (name in _SUPPORTED or name.startswith("--"))
    return True if known and not _UNSURE_VALUE.search(value) else None
