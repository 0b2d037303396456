"""Whether declarations hide the text of an element, and by which rule: what a person would not see, and nothing else.

Lengths are judged roughly, as no page is laid out here: an em is 16 pixels, a percentage of a font as well.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Declarations = dict[str, str]
"""Property to value, both in lower case: what is left after later and important ones have won."""

MAX_STYLE_CHARS = 10_000
"""How much of a style is read; honest ones are a line, and only a flood is longer."""

FAINT = 0.05
"""Opacity up to which nobody reads a text."""

ABOUT_TO_SHOW = 0.001
"""Opacity at which the animations of a site builder start, on most of the text of its pages."""

TINY_PX = 2.0
"""Font size in pixels up to which nobody reads a text."""

POINT_PX = 1.0
"""Width or height in pixels of a box that is there for machines only; those for screen readers have one pixel."""

AWAY_PX = -900.0
"""Offset in pixels that puts a box off any screen, but no slide of a carousel."""


class HidingRule(StrEnum):
    """How text is hidden; the names stand in reports."""

    DISPLAY = "display-none"
    VISIBILITY = "visibility-hidden"
    OPACITY = "opacity-zero"
    TINY = "tiny-text"
    AWAY = "off-screen"
    CLIPPED = "clipped"
    NO_BOX = "zero-size"
    COLOR = "same-color"


UNDOING_PROPERTY: Mapping[str, str] = {
    HidingRule.VISIBILITY: "visibility",
    HidingRule.TINY: "font-size",
    HidingRule.COLOR: "color",
}
"""Rules that are inherited, and the property by which an element within is shown all the same (CSS Cascade 4)."""

_FAR = re.compile(r"-\d\d")
_SMALL = re.compile(r"font-size\s*:\s*[012.]")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})")
_LENGTH = re.compile(rf"({_NUMBER.pattern})\s*(px|r?em|ex|ch|pt|v[wh]|%)?")
_PX_PER_UNIT = {
    None: 1.0, "px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "%": 0.16, "vw": 10.0, "vh": 10.0,
}  # fmt: skip
_CLIP = re.compile(r"rect\(([^()]*)\)")
_CLIP_PATH = re.compile(
    r"inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%|circle\(\s*0|polygon\(\s*0(?:px|%)?\s+0(?:px|%)?\s*(?:,\s*0(?:px|%)?\s+0(?:px|%)?\s*)*\)"
)
_MOVED = re.compile(r"translate(?:x|y|3d)?\(\s*-\d{4}|translate\(\s*[^,()]*,\s*-\d{4}")
_SCALED = re.compile(r"scale(?:x|y|3d)?\(\s*0(?:\.0+)?\s*[,)]")
_FILTERED = re.compile(r"opacity\(\s*0(?:\.0+)?%?\s*\)")
_CLEAR = re.compile(
    r"transparent|#(?:[0-9a-f]{3}0|[0-9a-f]{6}00)"
    r"|(?:rgb|hsl)a?\((?:[^(),/]*,){3}\s*0*\.?0+%?\s*\)|(?:rgb|hsl)a?\([^(),/]*/\s*0*\.?0+%?\s*\)"
)
_HEX = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*(?:[,/]\s*1(?:\.0+)?\s*)?\)")
_OFFSETS = ("left", "right", "top", "bottom", "text-indent", "margin-left")
_HEIGHTS = ("height", "max-height")
_SIZES = (*_HEIGHTS, "width", "max-width")
_NAMED = {"white": "#ffffff", "black": "#000000", "red": "#ff0000", "yellow": "#ffff00", "blue": "#0000ff"}


def may_hide(style: str) -> bool:
    """Whether it is worth reading declarations: most have nothing to do with hiding, and reading takes long."""
    style = style.lower()
    return (
        ("none" in style and "display" in style)
        or "visib" in style
        or "opacity" in style
        or "clip" in style
        or "scale" in style
        or ("-" in style and _FAR.search(style) is not None)
        or ("font-size" in style and _SMALL.search(style) is not None)
        or ("overflow" in style and ("height" in style or "width" in style))
        or ("color:" in style and ("background" in style or "transparent" in style or "a(" in style or "/" in style))
        or "\\" in style
        or "/*" in style
    )


def declarations(style: str) -> Declarations:
    """Read declarations: of equal names the last wins, an important one over all (CSS Cascade 4, section 6)."""
    style = style[:MAX_STYLE_CHARS]
    if "\\" in style:  # `display:n\6f ne` hides as well
        style = _ESCAPE.sub(_unescaped, style)
    if "/*" in style:
        style = _COMMENT.sub("", style)
    winners: Declarations = {}
    important: set[str] = set()
    for declaration in style.lower().split(";"):
        name, _, value = declaration.partition(":")
        value, _, flag = value.partition("!")
        name = name.strip()
        if flag.strip() == "important":
            important.add(name)
        elif name in important:
            continue
        winners[name] = value.strip()
    return winners


def hiding_rule(found: Declarations) -> HidingRule | None:
    """Name the first rule by which declarations hide an element, or None when they show it."""
    for rule, hides in _RULES.items():
        if hides(found):
            return rule
    return None


def _unescaped(match: re.Match[str]) -> str:
    code = int(match[1], 16) if match[1] else 0
    return chr(code) if 0 < code < 0xD800 else match[2] or ""  # noqa: PLR2004 - the surrogates begin there


def _pixels(value: str | None) -> float | None:
    match = _LENGTH.fullmatch(value) if value else None
    return float(match[1]) * _PX_PER_UNIT[match[2]] if match else None


def _number(value: str) -> float | None:
    match = _NUMBER.match(value)
    if match is None:
        return None
    return float(match[0]) / (100 if value.endswith("%") else 1)


def _display(found: Declarations) -> bool:
    return found.get("display") == "none" or found.get("content-visibility") == "hidden"


def _visibility(found: Declarations) -> bool:
    return found.get("visibility") in {"hidden", "collapse"}


def _opacity(found: Declarations) -> bool:
    opacity = _number(found["opacity"]) if "opacity" in found else None
    if opacity is not None and opacity <= FAINT and opacity != ABOUT_TO_SHOW:
        return True
    return "filter" in found and _FILTERED.search(found["filter"]) is not None


def _tiny(found: Declarations) -> bool:
    size = _pixels(found.get("font-size"))
    return size is not None and 0 <= size <= TINY_PX


def _away(found: Declarations) -> bool:
    if any((_pixels(found[name]) or 0.0) <= AWAY_PX for name in _OFFSETS if name in found):
        return True
    return "transform" in found and _MOVED.search(found["transform"]) is not None


def _clipped(found: Declarations) -> bool:
    if "clip" in found:
        match = _CLIP.search(found["clip"])
        sides = [_pixels(side) for side in re.split(r"[\s,]+", match[1].strip())] if match else [None]
        if all(side is not None and abs(side) <= POINT_PX for side in sides):
            return True
    return any(name in found and _CLIP_PATH.search(found[name]) for name in ("clip-path", "-webkit-clip-path"))


def _no_box(found: Declarations) -> bool:
    if "transform" in found and _SCALED.search(found["transform"]):
        return True
    if not any(found.get(name, "").startswith(("hidden", "clip")) for name in ("overflow", "overflow-x", "overflow-y")):
        return False
    # A box without height is gone. One without width may be stretched, unless it stands outside the flow.
    names = _SIZES if found.get("position") in {"absolute", "fixed"} else _HEIGHTS
    sizes = (_pixels(found.get(name)) for name in names)
    return any(size is not None and 0 <= size <= POINT_PX for size in sizes) and not _is_stretched(found)


def _is_stretched(found: Declarations) -> bool:
    """Whether something gives the box a size after all; a padding in percent keeps the shape of a picture."""
    if any(name in found for name in ("flex", "flex-grow", "min-height")):
        return True
    return any("%" in found.get(name, "") for name in ("padding", "padding-top", "padding-bottom"))


def _color(found: Declarations) -> bool:
    color = found.get("color")
    if color is None:
        return False
    # Text that shows its background through itself, or is painted by another property, is seen.
    if any(name.endswith(("background-clip", "text-fill-color", "text-stroke", "text-shadow")) for name in found):
        return False
    background = found.get("background-color") or found.get("background", "")
    return _CLEAR.fullmatch(color) is not None or (
        _plain_color(color) is not None and _plain_color(color) == _plain_color(background)
    )


def _plain_color(value: str) -> str | None:
    """A color as ``#rrggbb``; None for what needs more than a table."""
    if _HEX.fullmatch(value):
        return value if len(value) == len("#rrggbb") else "#" + "".join(digit * 2 for digit in value[1:])
    match = _RGB.fullmatch(value)
    if match is not None:
        return "#" + "".join(f"{int(part):02x}" for part in match.groups())
    return _NAMED.get(value)


_RULES: Mapping[HidingRule, Callable[[Declarations], bool]] = {
    HidingRule.DISPLAY: _display,
    HidingRule.VISIBILITY: _visibility,
    HidingRule.OPACITY: _opacity,
    HidingRule.TINY: _tiny,
    HidingRule.AWAY: _away,
    HidingRule.CLIPPED: _clipped,
    HidingRule.NO_BOX: _no_box,
    HidingRule.COLOR: _color,
}
