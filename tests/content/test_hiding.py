from __future__ import annotations

import pytest

from webward.content.declarations import declarations
from webward.content.hiding import HidingRule, hides, hiding_rule, may_hide, shows, shows_again, ways_to_hide

HIDING = {
    HidingRule.DISPLAY: [
        "display:none",
        "color:red; DISPLAY : None ;",
        "display:/**/none",
        "display:n\\6f ne",
        "display:none!important;display:block",
        "display:block;display:none",
        "content-visibility:hidden",
        "display:none;display:foo",
    ],
    HidingRule.VISIBILITY: ["visibility:hidden", "visibility: collapse"],
    HidingRule.OPACITY: ["opacity:0", "opacity: .0", "opacity:0%", "opacity:0.01", "filter:opacity(0)"],
    HidingRule.TINY: [
        "font-size:0",
        "font-size:1px",
        "font-size:0.1em",
        "font-size: 0px",
        "font:0/0 a",
        "font: 1px x",
        "font-size:.1px",
    ],
    HidingRule.AWAY: [
        "position:absolute;left:-9999px;top:auto",
        "text-indent:-9999px",
        "top:-1000em",
        "margin-left:-10000px",
        "transform:translateX(-9999px)",
        "position:absolute;left:-99em",
        "left:calc(-9999px)",
        "inset:0 auto auto -9999px",
        "translate:0 -9999px",
        "text-indent:120%;white-space:nowrap;overflow:hidden",
        "position:static;text-indent:-9999px",
    ],
    HidingRule.CLIPPED: [
        "clip:rect(0,0,0,0)",
        "clip:rect(1px 1px 1px 1px)",
        "clip-path:inset(100%)",
        "clip-path:inset(50%)",
        "clip-path:circle(0)",
        "-webkit-clip-path:polygon(0 0, 0 0, 0 0)",
        "clip:rect(0, 0, 99px, 0)",
        "clip-path:inset(0 0 100% 0)",
        "clip-path:inset(10% 60% 10% 40%)",
        "clip-path:inset(9999px)",
        "clip-path:circle(0%)",
        "clip-path:ellipse(0 0)",
        "clip-path:circle(.0px at 0 0)",
    ],
    HidingRule.NO_BOX: [
        "height:0;overflow:hidden",
        "max-height:1px;overflow-y:hidden",
        "position:absolute;width:1px;overflow:clip",
        "transform:scale(0)",
        "transform:scale(1, 0)",
        "transform:scaleX(.01)",
        "scale:0",
        "height:0;overflow:hidden;min-height:0;flex:none",
        "height:0;overflow:hidden;padding:0",
    ],
    HidingRule.COLOR: [
        "color:#ffffff;background-color:#fff",
        "color:white;background:#FFF",
        "color:rgb(255, 255, 255);background-color:white",
        "color:transparent",
        "color:rgba(0,0,0,0)",
        "color:rgb(0 0 0 / 0)",
        "color:#0000",
        "color:#ffffff05",
        "color:rgb(1,2,3,0.01)",
        "color:hsl(0 0% 0% / 1%)",
    ],
}
SHOWING = [
    "",
    "display:block",
    "display:none;display:block",
    "display:none;display:block!important",
    "display:none\\9",
    "display:none !ie",
    "visibility:collapsed",
    "font:12px/0 a",
    "font-size:14px",
    "position:static;left:-9999px",
    "text-indent:100%",
    "clip:rect(0,0,0,0);position:relative",
    "clip-path:inset(60% 0 0 0)",
    "clip-path:circle()",
    "clip-path:circle(0.5px)",
    "height:1%;overflow:hidden",
    "height:0;overflow:hidden;flex:1",
    "height:0;overflow:hidden;min-height:9px",
    "height:0;overflow:hidden;padding-top:calc(1em + 9%)",
    "transform:scale3d(1,1,0)",
    "color:#000f",
    "color:#0008",
    "--display:none",
    "/* display:none */",
    "visibility:visible",
    "opacity:0.9",
    "opacity:1",
    "opacity:0.001",
    "font-size:10px",
    "font-size:0.9em",
    "font-size:120%",
    "left:-20px",
    "margin-left:-15px",
    "clip:auto",
    "clip:rect(0,100px,100px,0)",
    "clip-path:inset(5%)",
    "height:0",
    "overflow:hidden",
    "width:1px;overflow:hidden",
    "height:1px;flex:1 0 0;overflow:hidden",
    "height:10px;overflow:hidden",
    "height:0;padding-bottom:56.25%;overflow:hidden",
    "transform:scale(0.5)",
    "color:#fff;background-color:#000",
    "color:rgb(0, 0, 0)",
    "color:rgba(0,0,0,0.5)",
    "color:transparent;background-clip:text",
    "color:transparent;-webkit-text-fill-color:red",
    "background-color:#fff",
]


@pytest.mark.parametrize(("rule", "style"), [(rule, style) for rule, styles in HIDING.items() for style in styles])
def test_hiding(rule: HidingRule, style: str) -> None:
    assert hiding_rule(declarations(style)) is rule
    assert may_hide(style)


@pytest.mark.parametrize("style", SHOWING)
def test_showing(style: str) -> None:
    assert hiding_rule(declarations(style)) is None


WAYS = [
    ("display:none;visibility:hidden;color:red", {"display-none": {"display"}, "visibility-hidden": {"visibility"}}),
    ("position:absolute;left:-9999px;top:0", {"off-screen": {"left", "position"}}),
    (
        "text-indent:100%;white-space:nowrap;overflow:hidden",
        {"off-screen": {"text-indent", "position"}},
    ),
    (
        "height:0;overflow:hidden;top:0",
        {"zero-size": {"height", "overflow-x", "overflow-y", "padding-bottom"}},
    ),
    ("top:0", {}),
]
ALONE = [
    ("display", "block", True),
    ("display", "none", False),
    ("left", "0", True),
    ("left", "-9999px", False),
    ("overflow-x", "visible", True),
    ("overflow-x", "hidden", False),
    ("height", "auto", True),
    ("height", "1px", False),
    ("position", "static", True),
    ("position", "absolute", False),
    ("color", "red", True),
]
AGAIN = [
    ("visibility", "visible", True),
    ("visibility", "collapse", False),
    ("visibility", "inherit", False),
    ("font-size", "16px", True),
    ("font-size", "1rem", True),
    ("font-size", "medium", True),
    ("font-size", "1em", False),
    ("font-size", "120%", False),
    ("font-size", "larger", False),
    ("font-size", "1px", False),
    ("color", "red", True),
    ("color", "currentcolor", False),
    ("color", "#0000", False),
]


@pytest.mark.parametrize(("style", "ways"), WAYS)
def test_all_ways_to_hide(style: str, ways: dict[str, set[str]]) -> None:
    found = declarations(style)

    assert ways_to_hide(found) == ways
    assert all(hides(rule, found) for rule in ways_to_hide(found))


@pytest.mark.parametrize(("name", "value", "is_shown"), ALONE)
def test_a_single_value(name: str, value: str, is_shown: bool) -> None:  # noqa: FBT001 - a table row
    assert shows(name, value) is is_shown


@pytest.mark.parametrize(("name", "value", "is_shown"), AGAIN)
def test_an_inherited_value(name: str, value: str, is_shown: bool) -> None:  # noqa: FBT001 - a table row
    assert shows_again(name, value) is is_shown
