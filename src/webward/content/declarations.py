r"""CSS declarations: what a style attribute or the body of a rule sets, as far as it can hide or show text.

Shorthands are read as the properties they set. What no browser takes (`display:none\9`, for an old one) sets nothing.
Lengths are judged roughly, as no page is laid out here: an em is 16 pixels, a percentage of a font as well.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Declarations = dict[str, str]
"""Property to value, both in lower case."""

Part = TypeVar("Part")

MAX_VALUE_CHARS = 300
"""How much of a value is read; honest ones are a few words, and only a flood is longer."""

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPED = re.compile(r"\\(?:0{0,4}(4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a]|2d)(?:\s|(?![0-9a-f]))|([g-z]))", re.IGNORECASE)
"""A letter or hyphen that is written as an escape; of other characters no name is made."""

_NUMBER = r"[-+]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:e[-+]?\d{1,2})?"
_LENGTH = re.compile(rf"(?:calc\(\s*)?({_NUMBER})(px|r?em|ex|ch|pt|pc|in|cm|mm|[sld]?v(?:[wh]|min|max)|%)?(?:\s*\))?")
_FONT = re.compile(r"(?:^|\s)(0|[\d.]+(?:[a-z]+|%))(?=[\s/])")
_PX_PER_UNIT = {
    None: 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78,
    "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "%": 0.16,
}  # fmt: skip
_PX_PER_VIEWPORT_UNIT = 10.0

INHERITING = frozenset({"inherit", "unset", "revert", "revert-layer"})
"""What a property that is inherited says when it adds nothing to what the parent says."""

_GLOBAL = INHERITING | {"initial"}
_DISPLAYED = frozenset({
    "none", "contents", "block", "inline", "flow", "flow-root", "flex", "grid", "table", "ruby", "math",
    "list-item", "run-in", "inline-block", "inline-flex", "inline-grid", "inline-table", "table-row-group",
    "table-header-group", "table-footer-group", "table-row", "table-cell", "table-column-group", "table-column",
    "table-caption", "ruby-base", "ruby-text", "ruby-base-container", "ruby-text-container", "-webkit-box",
    "-webkit-inline-box", "-webkit-flex", "-webkit-inline-flex", "grid-lanes", "inline-grid-lanes",
})  # fmt: skip
_OVERFLOWS = frozenset({"visible", "hidden", "clip", "scroll", "auto", "overlay"})
_SIZES = frozenset({
    "auto", "none", "min-content", "max-content", "fit-content", "stretch", "-webkit-fill-available",
    "-moz-available", "xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large",
    "smaller", "larger",
})  # fmt: skip
_WORDS: Mapping[str, frozenset[str]] = {
    "display": _DISPLAYED,
    "visibility": frozenset({"visible", "hidden", "collapse"}),
    "content-visibility": frozenset({"visible", "hidden", "auto"}),
    "position": frozenset({"static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky"}),
    "overflow-x": _OVERFLOWS,
    "overflow-y": _OVERFLOWS,
}
"""Properties whose value is made of these words and nothing else."""

_LENGTHS = frozenset({
    "left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top", "width", "max-width", "height",
    "max-height", "min-height", "font-size", "padding-top", "padding-bottom",
})  # fmt: skip
_OTHERS = frozenset({
    "opacity", "filter", "transform", "translate", "scale", "clip", "clip-path", "flex", "flex-grow", "color",
    "background-color", "background-clip", "-webkit-text-fill-color", "-webkit-text-stroke", "text-shadow",
    "white-space",
})  # fmt: skip
_READ = _WORDS.keys() | _LENGTHS | _OTHERS
_ALIASES = {
    "-webkit-transform": "transform",
    "-webkit-clip-path": "clip-path",
    "-webkit-filter": "filter",
    "-webkit-background-clip": "background-clip",
    "-webkit-flex": "flex",
    "background": "background-color",
    "inline-size": "width",
    "max-inline-size": "max-width",
    "block-size": "height",
    "max-block-size": "max-height",
    "min-block-size": "min-height",
    "inset-inline-start": "left",
    "inset-inline-end": "right",
    "inset-block-start": "top",
    "inset-block-end": "bottom",
    "margin-inline-start": "margin-left",
    "margin-block-start": "margin-top",
    "padding-block-start": "padding-top",
    "padding-block-end": "padding-bottom",
}  # fmt: skip


def declarations(style: str) -> Declarations:
    """Read declarations: of equal names the last wins, an important one over all (CSS Cascade 4, section 6)."""
    normal, important = by_importance(style)
    return normal | important


def by_importance(style: str) -> tuple[Declarations, Declarations]:
    """Read declarations, those that are marked as important apart; of equal names the last wins."""
    style = unescaped(style)
    if "/*" in style:
        style = _COMMENT.sub(" ", style)
    normal: Declarations = {}
    important: Declarations = {}
    for declaration in style.lower().split(";"):
        written, _, value = declaration.partition(":")
        name = _NAMES.get(written.strip())
        if name is None:
            continue
        value, mark, flag = value.strip()[:MAX_VALUE_CHARS].partition("!")
        if not mark:
            normal.update(_longhands(name, value))
        elif flag.strip() == "important":
            important.update(_longhands(name, value.rstrip()))
    return normal, important


def unescaped(text: str) -> str:
    r"""A text whose letters are letters: `display:n\6f ne` hides as well."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if match[1] else match[2], text) if "\\" in text else text


@lru_cache(maxsize=1_024)
def pixels(value: str | None) -> float | None:
    """A length in pixels; None for what is none, or needs a layout."""
    match = _LENGTH.fullmatch(value) if value else None
    return float(match[1]) * _PX_PER_UNIT.get(match[2], _PX_PER_VIEWPORT_UNIT) if match else None


def is_taken(name: str, value: str) -> bool:
    """Whether browsers take the value of a property that is read; what is computed later is taken as it stands."""
    if not value:
        return False
    if value in _GLOBAL or "(" in value:
        return True
    if name in _WORDS:
        return _WORDS[name].issuperset(value.split())
    return name not in _LENGTHS or value in _SIZES or pixels(value) is not None


def setters(name: str) -> tuple[str, ...]:
    """A property, and the shorthands that set it too."""
    return (name, *(shorthand for shorthand, (names, _) in _SHORTHANDS.items() if name in names))


def four_sides(parts: list[Part]) -> list[Part]:
    """Values for top, right, bottom and left: one stands for all, two and three for those across as well."""
    return parts + parts[1:2] if len(parts) == len(("top", "sides", "bottom")) else (parts * 4)[:4]


@lru_cache(maxsize=1_024)
def _longhands(name: str, value: str) -> Mapping[str, str]:
    if name not in _SHORTHANDS:
        return {name: value} if is_taken(name, value) else {}
    names, values_of = _SHORTHANDS[name]
    values = [value] * len(names) if value in _GLOBAL or "(" in value else values_of(value)
    return {inner: part for inner, part in zip(names, values, strict=False) if is_taken(inner, part)}


def _sides(value: str) -> list[str]:
    return four_sides(value.split())


def _overflows(value: str) -> list[str]:
    parts = value.split()
    return [parts[0], parts[-1]] if parts else []


def _font_size(value: str) -> list[str]:
    match = _FONT.search(value)
    return [match[1]] if match else []


_SHORTHANDS: Mapping[str, tuple[tuple[str, ...], Callable[[str], list[str]]]] = {
    "inset": (("top", "right", "bottom", "left"), _sides),
    "margin": (("margin-top", "margin-right", "margin-bottom", "margin-left"), _sides),
    "padding": (("padding-top", "padding-right", "padding-bottom", "padding-left"), _sides),
    "overflow": (("overflow-x", "overflow-y"), _overflows),
    "font": (("font-size",), _font_size),
    "all": (tuple(sorted(_READ)), lambda _: []),
}
"""Shorthands: the properties they set, and how their value is told apart."""

_NAMES: Mapping[str, str] = {name: name for name in (*_READ, *_SHORTHANDS)} | _ALIASES
"""Properties that are read, with the one as which each is."""
