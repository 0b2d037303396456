"""What to look for in style sheets: where a rule may hide, where one may show, and whether what was found does hide."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from webward.content.declarations import setters
from webward.content.hiding import HidingRule, ways_to_hide

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webward.content.declarations import Declarations
    from webward.content.hiding import Ways
    from webward.content.stylesheet import Search

_DISPLAY = re.compile(r"display\s*:")
_VISIBILITY = re.compile(r"visibility\s*:")
_FIRST: Mapping[str, re.Pattern[str]] = {
    "display": _DISPLAY,
    "visibility": _VISIBILITY,
    "clip-path": re.compile(r"clip-path\s*:"),  # -webkit- may stand before these
    "transform": re.compile(r"transform\s*:"),
    "filter": re.compile(r"filter\s*:"),
    "background-clip": re.compile(r"background-clip\s*:"),
}

_GOES_ON = re.compile(r"\d\d|\d?(?:r?em|[sld]?v|pt|pc|ch|ex|in|cm)|(?<=9\d)\d")
"""How a number of two digits goes on that is far."""

SUSPECTS: tuple[Search, ...] = (
    (_DISPLAY, re.compile(r"\s*none")),
    (_VISIBILITY, re.compile(r"\s*(?:hidden|collapse)")),
    (re.compile(r"overflow(?:-[xy])?\s*:"), re.compile(r"\s*(?:hidden|clip)")),
    (re.compile(r"clip(?:-path)?\s*:"), re.compile(r"\s*[ceiprx]")),
    (re.compile(r":\s*-\d\d"), _GOES_ON),
    (re.compile(r" -\d\d"), _GOES_ON),
    (re.compile(r"transform\s*:"), re.compile(r"[^;{}]{0,200}?(?:-\d{4}|scale(?:x|y|3d)?\(\s*[0.])")),
)
"""Where a rule may hide. What begins with letters is found about as fast as plain text."""

_SHOWING_VALUE: Mapping[str, str] = {
    "display": r"(?!\s*none)",
    "visibility": r"(?!\s*(?:hidden|collapse))",
    "position": r"\s*static",
    "padding": r"[^;{}]{0,40}%",
    "padding-bottom": r"[^;{}]{0,40}%",
}
"""How the value of a property begins that shows, where not every one may."""

_NOT_DISPLAYED = re.compile(r"(?<![\w-])display\s*:\s*none\s*(?:!\s*important\s*)?(?:;|\Z)")
_FAR = re.compile(r"[:(\s,]-(?:9\d\d|\d{4}|\d{2,3}(?:r?em|[sld]?v|pt|pc|ch|ex|in|cm))")
_FOLDED = tuple(map(re.compile, (
    r"height\s*:\s*(?:0|\.|1px)", r"width\s*:\s*(?:0|\.|1px)", r"-size\s*:\s*(?:0|\.|1px)", r"indent\s*:\s*\d{3}",
)))  # fmt: skip

_BY_RULE = {HidingRule.DISPLAY, HidingRule.VISIBILITY, HidingRule.AWAY, HidingRule.CLIPPED, HidingRule.NO_BOX}
"""Ways to hide that count in a rule. The others mostly serve another end there: an animation starts at opacity 0, a
clear color shows a background through, a font size of 0 takes out the blanks between items with a size of their own."""


@lru_cache(maxsize=128)
def showing(name: str, *, important: bool) -> tuple[Search, ...]:
    """Searches for the rules that may show by a property: all, or those that say so importantly."""
    flag = r"[^;{}!]{0,200}!" if important else ""
    return tuple(
        (
            _FIRST.get(setter) or re.compile(rf"{setter}(?<![\w-]{setter})\s*:"),
            re.compile(_SHOWING_VALUE.get(setter, "") + flag),
        )
        for setter in setters(name)
    )


def may_hide_by_rule(body: str) -> bool:
    """Whether it is worth reading the body of a rule, in lower case: most that are suspected hide nothing."""
    return (
        ("display" in body and "none" in body)
        or "visib" in body
        or "clip" in body
        or "scale" in body
        or _FAR.search(body) is not None
        or ("overflow" in body and any(pattern.search(body) for pattern in _FOLDED))
    )


def is_not_displayed(body: str) -> bool:
    """Whether the body of a rule, in lower case, says so plainly; most that hide do."""
    return body.count("display") == 1 and _NOT_DISPLAYED.search(body) is not None


def ways_of_rule(body: str, found: Declarations) -> Ways:
    """How the declarations of a rule hide.

    A box that folds and opens is a panel of questions, steps or terms, the page itself at times. It moves then.
    """
    ways = ways_to_hide(found)
    if not ways:
        return ways
    body = body.lower()
    if "transition" in body or "animation" in body:
        still = {name: value for name, value in found.items() if name != "clip-path"}
        ways = {rule: names for rule, names in ways_to_hide(still).items() if rule is not HidingRule.NO_BOX}
    return {rule: names for rule, names in ways.items() if rule in _BY_RULE}
