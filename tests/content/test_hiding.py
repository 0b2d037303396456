from __future__ import annotations

import pytest

from webward.content.declarations import declarations
from webward.content.hiding import HidingRule, hiding_rule, may_hide

HIDING = {
    HidingRule.DISPLAY: [
        "display:none",
        "color:red; DISPLAY : None ;",
        "display:/**/none",
        "display:n\\6f ne",
        "display:none!important;display:block",
        "display:block;display:none",
        "content-visibility:hidden",
    ],
    HidingRule.VISIBILITY: ["visibility:hidden", "visibility: collapse"],
    HidingRule.OPACITY: ["opacity:0", "opacity: .0", "opacity:0%", "opacity:0.01", "filter:opacity(0)"],
    HidingRule.TINY: ["font-size:0", "font-size:1px", "font-size:0.1em", "font-size: 0px"],
    HidingRule.AWAY: [
        "position:absolute;left:-9999px;top:auto",
        "text-indent:-9999px",
        "top:-1000em",
        "margin-left:-10000px",
        "transform:translateX(-9999px)",
    ],
    HidingRule.CLIPPED: [
        "clip:rect(0,0,0,0)",
        "clip:rect(1px 1px 1px 1px)",
        "clip-path:inset(100%)",
        "clip-path:inset(50%)",
        "clip-path:circle(0)",
        "-webkit-clip-path:polygon(0 0, 0 0, 0 0)",
    ],
    HidingRule.NO_BOX: [
        "height:0;overflow:hidden",
        "max-height:1px;overflow-y:hidden",
        "position:absolute;width:1px;overflow:clip",
        "transform:scale(0)",
    ],
    HidingRule.COLOR: [
        "color:#ffffff;background-color:#fff",
        "color:white;background:#FFF",
        "color:rgb(255, 255, 255);background-color:white",
        "color:transparent",
        "color:rgba(0,0,0,0)",
        "color:rgb(0 0 0 / 0)",
    ],
}
SHOWING = [
    "",
    "display:block",
    "display:none;display:block",
    "display:none;display:block!important",
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


def test_declarations() -> None:
    assert declarations("A: B ;c:d!IMPORTANT;c:e;nonsense;a:f") == {"a": "f", "c": "d", "nonsense": ""}


@pytest.mark.parametrize(
    "style",
    [
        "display:none;/*" * 100_000,
        "\\" * 100_000,
        "clip-path:polygon(" + "0 0," * 100_000,
        "color:rgb(" + "0," * 100_000,
    ],
    ids=["comments", "escapes", "polygon", "color"],
)
def test_a_flood_is_cut(style: str) -> None:
    found = declarations(style)

    assert sum(map(len, found.values())) <= MAX_STYLE_CHARS
    assert hiding_rule(found) in {None, HidingRule.DISPLAY, HidingRule.CLIPPED}
