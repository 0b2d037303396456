"""Whether declarations hide the text of an element, and how: what a person would not see, and nothing else."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from webward.content.declarations import INHERITING, four_sides, pixels

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webward.content.declarations import Declarations

FAINT = 0.05
"""Opacity up to which nobody reads a text."""

ABOUT_TO_SHOW = 0.001
"""Opacity at which the animations of a site builder start, on most of the text of its pages."""

TINY_PX = 2.0
"""Font size in pixels up to which nobody reads a text."""

TINY_SCALE = 0.02
"""Part of its size up to which nobody reads a text."""

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


Ways = dict[HidingRule, frozenset[str]]
"""Rules by which something hides, each with the properties on which that depends."""


class _Way(Struct, frozen=True):
    """A rule: how to tell that it hides, by what it does, and on what else that depends, wherever it is set."""

    rule: HidingRule
    hides: Callable[[Declarations], bool]
    causes: frozenset[str]
    conditions: frozenset[str] = frozenset()


UNDOING_PROPERTY: Mapping[str, str] = {
    HidingRule.VISIBILITY: "visibility",
    HidingRule.TINY: "font-size",
    HidingRule.COLOR: "color",
}
"""Rules that are inherited, and the property by which an element within is shown all the same (CSS Cascade 4)."""

_FAR = re.compile(r"-\d\d")
_SMALL = re.compile(r"font(?:-size)?\s*:[^;]*(?<![\w.#])(?:0|[12](?!\d)|\.)")
_CLEAR_COLOR = re.compile(r"color\s*:\s*(?:transparent|#|[a-z]+\()")
_NUMBER = re.compile(r"[-+]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:e[-+]?\d{1,2})?")
_CLIP = re.compile(r"rect\(([^()]*)\)")
_INSET = re.compile(r"inset\(([^()]*)\)")
_CLIP_PATH = re.compile(
    r"(?:circle|ellipse)\(\s*(?:0+(?:\.0*)?|\.0+)(?:px|%)?[\s)]|path\(\s*(?:\"\s*\"|'\s*')\s*\)"
    r"|polygon\(\s*0(?:px|%)?\s+0(?:px|%)?\s*(?:,\s*0(?:px|%)?\s+0(?:px|%)?\s*)*\)"
)
_MOVED = re.compile(r"translate(?:x|y|3d)?\(\s*-\d{4}|translate\(\s*[^,()]*,\s*-\d{4}")
_SCALED = re.compile(r"scale(?:x|y|3d)?\(([^()]*)\)")
_FILTERED = re.compile(r"opacity\(\s*0(?:\.0+)?%?\s*\)")
_HEX = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})")
_HEX_ALPHA = re.compile(r"#(?:[0-9a-f]{3}([0-9a-f])|[0-9a-f]{6}([0-9a-f]{2}))")
_ALPHA = re.compile(r"(?:rgb|hsl)a?\((?:[^(),/]*,){3}([^(),/]*)\)|[a-z]+\([^()/]*/([^()/]*)\)")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*(?:[,/]\s*1(?:\.0+)?\s*)?\)")
_RELATIVE = re.compile(r"(?:%|(?<!r)em|ex|ch|er)$")
_TAKING_OVER = INHERITING | {"currentcolor"}
_NAMED = {"white": "#ffffff", "black": "#000000", "red": "#ff0000", "yellow": "#ffff00", "blue": "#0000ff"}

_OFFSETS = ("left", "right", "top", "bottom")
_SHIFTS = ("text-indent", "margin-left", "margin-top")
_HEIGHTS = ("height", "max-height")
_SIZES = (*_HEIGHTS, "width", "max-width")
_OVERFLOWS = ("overflow-x", "overflow-y")
_IN_FLOW = frozenset({"static", "relative", "sticky", "-webkit-sticky"})
_OUT_OF_FLOW = frozenset({"absolute", "fixed"})
_PAINTED = ("background-clip", "-webkit-text-fill-color", "-webkit-text-stroke", "text-shadow")


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
        or ("font" in style and _SMALL.search(style) is not None)
        or ("overflow" in style and ("height" in style or "width" in style or "indent" in style or "size" in style))
        or ("color" in style and ("background" in style or _CLEAR_COLOR.search(style) is not None))
        or "\\" in style
        or "/*" in style
    )


def hiding_rule(found: Declarations) -> HidingRule | None:
    """Name the first rule by which declarations hide an element, or None when they show it."""
    return next(iter(ways_to_hide(found)), None)


def ways_to_hide(found: Declarations) -> Ways:
    """All rules by which declarations hide an element."""
    return {
        way.rule: way.conditions | _decisive(way, found)
        for way in _WAYS
        if not way.causes.isdisjoint(found) and way.hides(found)
    }


def _decisive(way: _Way, found: Declarations) -> frozenset[str]:
    """What hides by itself, or else all that does together."""
    causes = way.causes.intersection(found)
    alone = frozenset(name for name in causes if way.hides({name: found[name]})) if len(causes) > 1 else causes
    return alone or causes


def hides(rule: HidingRule, found: Declarations) -> bool:
    """Whether declarations hide an element by a rule."""
    return next(way for way in _WAYS if way.rule is rule).hides(found)


def shows(name: str, value: str) -> bool:
    """Whether a value, for all that a single one says, is on the side of showing."""
    if name in _OVERFLOWS:
        return value not in {"hidden", "clip"}
    if name in _SIZES:
        return not _is_point(value)
    return value in _IN_FLOW if name == "position" else hiding_rule({name: value}) is None


def shows_again(name: str, value: str) -> bool:
    """Whether a value of an inherited property shows an element within one that this property hides."""
    return value not in _TAKING_OVER and not (name == "font-size" and _RELATIVE.search(value)) and shows(name, value)


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
    size = pixels(found.get("font-size"))
    return size is not None and 0 <= size <= TINY_PX


def _away(found: Declarations) -> bool:
    names = _SHIFTS if found.get("position") == "static" else (*_OFFSETS, *_SHIFTS)
    if any(_is_far(found[name]) for name in names if name in found):
        return True
    if "transform" in found and _MOVED.search(found["transform"]):
        return True
    return any(map(_is_far, found.get("translate", "").split()[:2])) or _is_indented_away(found)


def _is_far(value: str) -> bool:
    return (pixels(value) or 0.0) <= AWAY_PX


def _is_indented_away(found: Declarations) -> bool:
    """Whether a line begins where its box ends, and is cut off there."""
    indent = found.get("text-indent", "")
    is_cut = found.get("white-space") == "nowrap" and found.get("overflow-x") in {"hidden", "clip"}
    return is_cut and indent.endswith("%") and (_number(indent) or 0) >= 1


def _clipped(found: Declarations) -> bool:
    match = _CLIP.search(found["clip"]) if "clip" in found and found.get("position") not in _IN_FLOW else None
    if match is not None:
        sides = [pixels(side) for side in re.split(r"[\s,]+", match[1].strip())]
        if len(sides) == len(_OFFSETS) and (_is_closed(sides[0], sides[2]) or _is_closed(sides[3], sides[1])):
            return True
    path = found.get("clip-path", "")
    insets = _INSET.search(path)
    return _CLIP_PATH.search(path) is not None or (insets is not None and _is_all_cut(insets[1].split("round")[0]))


def _is_closed(start: float | None, end: float | None) -> bool:
    return start is not None and end is not None and end - start <= POINT_PX


def _is_all_cut(insets: str) -> bool:
    """Whether the parts that are cut off, from the top clockwise, leave nothing between two sides."""
    parts = [_share(part) for part in insets.split()]
    if not parts:
        return False
    top, right, bottom, left = four_sides(parts)
    return top + bottom >= 1 or left + right >= 1


def _share(inset: str) -> float:
    if inset.endswith("%"):
        return _number(inset) or 0.0
    return float((pixels(inset) or 0.0) >= -AWAY_PX)


def _no_box(found: Declarations) -> bool:
    if _is_scaled_away(found):
        return True
    if not any(found.get(name) in {"hidden", "clip"} for name in _OVERFLOWS):
        return False
    # A box without height is gone. One without width may be stretched, unless it stands outside the flow.
    names = _SIZES if found.get("position") in _OUT_OF_FLOW else _HEIGHTS
    return any(_is_point(found[name]) for name in names if name in found) and not _is_stretched(found)


def _is_scaled_away(found: Declarations) -> bool:
    scales = [part.split(",")[:2] for part in _SCALED.findall(found.get("transform", ""))]
    scales.append(found.get("scale", "").split()[:2])
    factors = [_number(factor.strip()) for scale in scales for factor in scale]
    return any(factor is not None and abs(factor) <= TINY_SCALE for factor in factors)


def _is_point(value: str) -> bool:
    size = pixels(value)
    return size is not None and 0 <= size <= POINT_PX and not value.endswith("%")


def _is_stretched(found: Declarations) -> bool:
    """Whether something gives the box a size after all; a padding in percent keeps the shape of a picture."""
    if any(found.get(name, "0")[0] in "123456789a" for name in ("flex", "flex-grow")):  # 1, auto
        return True
    sizes = (found.get(name, "0") for name in ("min-height", "padding-top", "padding-bottom"))
    return any("(" in size or ((_number(size) or 0) > 0 and not _is_point(size)) for size in sizes)


def _color(found: Declarations) -> bool:
    color = found.get("color")
    if color is None:
        return False
    # Text that shows its background through itself, or is painted by another property, is seen.
    if any(name in found for name in _PAINTED):
        return False
    background = found.get("background-color", "")
    return _is_clear(color) or (_plain_color(color) is not None and _plain_color(color) == _plain_color(background))


def _is_clear(color: str) -> bool:
    match = _HEX_ALPHA.fullmatch(color)
    if match is not None:
        return int(match[1] * 2 if match[1] else match[2], 16) <= FAINT * 255
    match = _ALPHA.fullmatch(color)
    alpha = _number((match[1] or match[2]).strip()) if match else None
    return color == "transparent" or (alpha is not None and alpha <= FAINT)


def _plain_color(value: str) -> str | None:
    """A color as ``#rrggbb``; None for what needs more than a table."""
    if _HEX.fullmatch(value):
        return value if len(value) == len("#rrggbb") else "#" + "".join(digit * 2 for digit in value[1:])
    match = _RGB.fullmatch(value)
    if match is not None:
        return "#" + "".join(f"{int(part):02x}" for part in match.groups())
    return _NAMED.get(value)


_WAYS = (
    _Way(HidingRule.DISPLAY, _display, frozenset({"display", "content-visibility"})),
    _Way(HidingRule.VISIBILITY, _visibility, frozenset({"visibility"})),
    _Way(HidingRule.OPACITY, _opacity, frozenset({"opacity", "filter"})),
    _Way(HidingRule.TINY, _tiny, frozenset({"font-size"})),
    _Way(HidingRule.AWAY, _away, frozenset({*_OFFSETS, *_SHIFTS, "transform", "translate"}), frozenset({"position"})),
    _Way(HidingRule.CLIPPED, _clipped, frozenset({"clip", "clip-path"}), frozenset({"position"})),
    _Way(
        HidingRule.NO_BOX,
        _no_box,
        frozenset({*_SIZES, *_OVERFLOWS, "transform", "scale"}),
        frozenset({"padding-bottom"}),  # where another rule makes a box of a certain shape
    ),
    _Way(HidingRule.COLOR, _color, frozenset({"color", "background-color"}), frozenset(_PAINTED)),
)
