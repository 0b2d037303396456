"""Whether a condition of a style sheet holds where a page is looked at: always, never on a desk, or perhaps.

A window on a desk is from 1280 to 1920 pixels wide. What holds in some of these alone, or not on a telephone, perhaps
holds, and so does what needs more than a table to tell (a container, a browser's own extension).
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from operator import eq, ge, gt, le, lt
from typing import TYPE_CHECKING

from webward.content.declarations import is_taken, pixels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

Holds = bool | None
"""Whether something holds; None for perhaps."""

MAX_CONDITION_CHARS = 1_000
"""A longer condition is generated, and perhaps holds."""

MAX_NESTED = 8
"""Parentheses within parentheses; what is deeper perhaps holds."""

_MARK = re.compile(r"[()]|\s+")
_NEGATED_TYPE = re.compile(r"\s*not\s+(?=[a-z])")
_TYPES = frozenset({"all", "screen"})

_ON_A_DESK: Mapping[str, tuple[float, float]] = {
    "width": (1280.0, 1920.0),
    "device-width": (1280.0, 1920.0),
    "height": (600.0, 1200.0),
    "device-height": (720.0, 1200.0),
    "-webkit-device-pixel-ratio": (1.0, 2.0),
    "color": (8.0, 10.0),
    "monochrome": (0.0, 0.0),
}
"""From where to where a media feature can be, in pixels if it is a length."""

_ANYWHERE = {**_ON_A_DESK, "width": (320.0, 1920.0), "device-width": (320.0, 1920.0)}
"""The same with telephones."""

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
_SIGNS: Mapping[str, Callable[[float, float], bool]] = {"<": lt, "<=": le, "=": eq, ">=": ge, ">": gt}
_TURNED = str.maketrans("<>", "><")

_SUPPORTED = frozenset({
    "display", "position", "color", "background", "width", "height", "margin", "padding", "float", "object-fit", "gap",
    "aspect-ratio", "opacity", "transform", "filter", "visibility", "flex", "grid", "grid-area",
    "grid-template-columns", "clip-path", "mask-image", "inset",
})  # fmt: skip
_UNSURE_VALUE = re.compile(r"(?:^|[\s(])-[a-z]|masonry|lanes")


@lru_cache(maxsize=256)
def media_holds(queries: str) -> Holds:
    """Whether one of some media queries holds (Media Queries 4); none at all always does."""
    if not queries.strip():
        return True
    each = queries.lower().split(",")
    if _any(_query(query, _ANYWHERE) for query in each):
        return True
    return False if _any(_query(query, _ON_A_DESK) for query in each) is False else None


@lru_cache(maxsize=256)
def supports_holds(condition: str) -> Holds:
    """Whether browsers of today support what a condition asks for (CSS Conditional Rules 3, section 6)."""
    return _condition(condition.lower(), _is_supported)


def both(first: Holds, second: Holds) -> Holds:
    """Whether two things hold."""
    return _all((first, second))


def _any(each: Iterable[Holds]) -> Holds:
    found = set(each)
    return True if True in found else None if None in found else False


def _all(each: Iterable[Holds]) -> Holds:
    found = set(each)
    return False if False in found else None if None in found else True


def _not(holds: Holds) -> Holds:
    return None if holds is None else not holds


def _query(query: str, ranges: Mapping[str, tuple[float, float]]) -> Holds:
    """A query; its `not` before a media type is about all of it."""
    positive = _NEGATED_TYPE.sub("", query, count=1)
    holds = _condition(positive, partial(_feature, ranges=ranges))
    return holds if positive == query else _not(holds)


def _condition(text: str, leaf: Callable[[str], Holds], nested: int = 0) -> Holds:
    """Terms with `and`, `or` and `not` between them, each a word or in parentheses; a leaf has none of these."""
    if len(text) > MAX_CONDITION_CHARS or nested > MAX_NESTED:
        return None
    found: list[Holds] = []
    combine, is_negated = _all, False
    for term in _terms(text):
        if term == "or":
            combine = _any
        elif term == "not":
            is_negated = not is_negated
        elif term not in {"and", "only"}:
            holds = _term(term, leaf, nested)
            found.append(_not(holds) if is_negated else holds)
            is_negated = False
    return combine(found)


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
        return leaf(term)
    inner = term[1:].removesuffix(")").strip()
    return _condition(inner, leaf, nested + 1) if inner.startswith(("(", "not ", "not(")) else leaf(f"({inner}")


def _feature(text: str, *, ranges: Mapping[str, tuple[float, float]]) -> Holds:
    if not text.startswith("("):
        return None if "(" in text else text in _TYPES
    name, colon, value = (part.strip() for part in text[1:].partition(":"))
    if colon:
        for prefix, sign in (("min-", ">="), ("max-", "<=")):
            if prefix in name:
                return _compare(ranges.get(name.replace(prefix, "", 1)), sign, value)
        return value == _VALUES[name] if name in _VALUES else _compare(ranges.get(name), "=", value)
    match = _COMPARISON.fullmatch(name)
    if match is None:
        return _VALUES[name] not in _OFF if name in _VALUES else _not(_compare(ranges.get(name), "=", "0"))
    left, sign, right, second_sign, rest = match.groups()
    if left in ranges:
        return _compare(ranges[left], sign, right)
    holds = _compare(ranges.get(right), sign.translate(_TURNED), left)
    return both(holds, _compare(ranges.get(right), second_sign, rest)) if second_sign else holds


def _compare(limits: tuple[float, float] | None, sign: str, value: str) -> Holds:
    """Whether all that is between two limits, or nothing of it, compares like this."""
    size = pixels(value)
    if limits is None or size is None:
        return None
    found = {_SIGNS[sign](limit, size) for limit in (*limits, min(max(size, limits[0]), limits[1]))}
    return None if len(found) > 1 else True in found


def _is_supported(text: str) -> Holds:
    name, colon, value = (part.strip() for part in text.removeprefix("(").partition(":"))
    is_known = text.startswith("(") and bool(colon) and (name in _SUPPORTED or name.startswith("--"))
    if not is_known or _UNSURE_VALUE.search(value):
        return None
    return is_taken(name, value)
