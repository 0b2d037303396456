from __future__ import annotations

import pytest

from webward.content.declarations import declarations
from webward.content.hiding import HidingRule
from webward.content.searches import SUSPECTS, is_not_displayed, may_hide_by_rule, showing, ways_of_rule
from webward.content.stylesheet import Sheet, Stylesheets

HIDING = {
    HidingRule.DISPLAY: ["display:none", "color:red;display : none !important", "content-visibility:hidden"],
    HidingRule.VISIBILITY: ["visibility:hidden", "opacity:0;visibility: collapse;transition:all 1s"],
    HidingRule.AWAY: [
        "position:absolute;left:-10000px",
        "left: -900px",
        "left:-99em",
        "left:-100vw",
        "text-indent: -9999px",
        "text-indent:100%;white-space:nowrap;overflow:hidden",
        "margin:0 0 0 -9999px",
        "inset:0 auto auto -9999px",
        "translate:0 -9999px",
        "inset:-9999px auto auto",
        "transform:translate(0, -9999px)",
        "translate:-9999px 0",
        "opacity:0;position:absolute;left:-9999px",
    ],
    HidingRule.CLIPPED: ["clip:rect(0, 0, 0, 0)", "clip-path:inset(50%)", "-webkit-clip-path:circle(0)"],
    HidingRule.NO_BOX: [
        "height: 0;overflow:hidden",
        "overflow:clip;max-height:1px",
        "position:absolute;width:0;overflow:hidden",
        "block-size:.5px;overflow-y:hidden",
        "transform:rotate(1deg) scale(0)",
        "transform:scaleY(.001)",
    ],
}
SHOWING = [
    "",
    "display:block",
    "display:none;display:block",
    "--display:none",
    "visibility:visible",
    "opacity:0",
    "color:transparent;clip-path:none",
    "font-size:0",
    "left:-20px",
    "margin:-112px",
    "height:0",
    "overflow:hidden",
    "max-height:0;overflow:hidden;transition:max-height .3s",
    "transform:scale(0);animation:pop .5s forwards",
    "clip-path:inset(100%);transition:clip-path 1s",
    "transform:scale(.6)",
]


@pytest.mark.parametrize(("rule", "body"), [(rule, body) for rule, bodies in HIDING.items() for body in bodies])
def test_hiding(rule: HidingRule, body: str) -> None:
    assert list(ways_of_rule(body, declarations(body))) == [rule]
    assert may_hide_by_rule(body)
    assert list(Stylesheets([Sheet(f".a{{{body}}}")]).rules(SUSPECTS))


@pytest.mark.parametrize("body", SHOWING)
def test_showing(body: str) -> None:
    assert ways_of_rule(body, declarations(body)) == {}
    assert not is_not_displayed(body)


@pytest.mark.parametrize(
    ("body", "is_plain"),
    [
        ("display:none", True),
        ("a:b;display : none ! important;", True),
        ("x-display:none", False),
        ("display:none\\9", False),
        ("display:none;display:block", False),
    ],
)
def test_plain_bodies(body: str, is_plain: bool) -> None:  # noqa: FBT001 - a table row
    assert is_not_displayed(body) is is_plain


@pytest.mark.parametrize(
    ("name", "body", "shows"),
    [
        ("display", "display : block", (True, False)),
        ("display", "display:block!important", (True, True)),
        ("display", "display: none!important", (False, False)),
        ("visibility", "visibility:visible", (True, False)),
        ("visibility", "visibility:hidden", (False, False)),
        ("position", "position: static !important", (True, True)),
        ("position", "position:absolute", (False, False)),
        ("left", "left:0", (True, False)),
        ("left", "margin-left:0", (False, False)),
        ("left", "inset:0", (True, False)),
        ("margin-left", "margin:0 auto!important", (True, True)),
        ("padding-bottom", "padding:0 0 56%", (True, False)),
        ("padding-bottom", "padding:9px", (False, False)),
    ],
)
def test_rivals(name: str, body: str, shows: tuple[bool, bool]) -> None:
    sheets = Stylesheets([Sheet(f".a{{{body};color:red}}")])

    assert tuple(bool(list(sheets.rules(showing(name, important=flag)))) for flag in (False, True)) == shows
