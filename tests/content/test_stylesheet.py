from __future__ import annotations

import pytest

from webward.content.hiding import HidingRule
from webward.content.stylesheet import MAX_SELECTORS, hiding_selectors

HIDING = [
    ("class", ".a{display:none}", {".a": HidingRule.DISPLAY}),
    ("spaces", "body  #a {\n margin : 0; display : none }", {"body  #a": HidingRule.DISPLAY}),
    ("upper-case", ".A{DISPLAY:NONE}", {".A": HidingRule.DISPLAY}),
    ("list", "h1,.b , .a{visibility:hidden}", dict.fromkeys(("h1", ".b", ".a"), HidingRule.VISIBILITY)),
    ("off-screen", ".a{position:absolute;left:-10000px}", {".a": HidingRule.AWAY}),
    ("text-indent", ".a{text-indent: -9999px}", {".a": HidingRule.AWAY}),
    ("clipped", ".a{clip:rect(0, 0, 0, 0)}", {".a": HidingRule.CLIPPED}),
    ("no-height", ".a{height: 0;overflow:hidden}", {".a": HidingRule.NO_BOX}),
    ("comment", "/* .x{ */.a/* } */{color:red;/* x */display:none}", {".a": HidingRule.DISPLAY}),
    ("brace-in-a-string", ".x{content:'{'}.a{display:none}", {".a": HidingRule.DISPLAY}),
    ("behind-a-stray-brace", "}.x{color:red}} .a{display:none}", {".a": HidingRule.DISPLAY}),
    ("behind-print", "@media print{.x{display:none}}.a{display:none}", {".a": HidingRule.DISPLAY}),
    ("screen", "@media screen{.a{display:none}}", {".a": HidingRule.DISPLAY}),
    ("layer", "@layer base {.a{display:none}}", {".a": HidingRule.DISPLAY}),
    ("import", "@import 'x.css';.a{display:none}", {".a": HidingRule.DISPLAY}),
    ("unclosed", ".a{display:none", {".a": HidingRule.DISPLAY}),
]
SHOWING = [
    ("nothing", ""),
    ("visible", ".a{display:block}"),
    ("undone", ".a{display:none;display:block}"),
    ("print", "@media print{.a{display:none}}"),
    ("narrow", "@media (max-width:600px){.b{color:red}.a{display:none}}"),
    ("all", "@media all{.a{display:none}}"),
    ("state", ".a:hover{display:none}"),
    ("part", ".a::before{display:none}"),
    ("opacity", ".a{opacity:0}"),
    ("clear-color", ".a{color:transparent;clip-path:none}"),
    ("panel", ".a{max-height:0;height:0;overflow:hidden;transition:max-height .3s}"),
    ("no-font", ".a{font-size:0}"),
    ("no-rule", "display:none"),
]


@pytest.mark.parametrize(("sheet", "expected"), [row[1:] for row in HIDING], ids=[row[0] for row in HIDING])
def test_hiding(sheet: str, expected: dict[str, HidingRule]) -> None:
    assert hiding_selectors([sheet]) == expected


@pytest.mark.parametrize("sheet", [row[1] for row in SHOWING], ids=[row[0] for row in SHOWING])
def test_showing(sheet: str) -> None:
    assert hiding_selectors([sheet]) == {}


def test_sheets_stand_apart() -> None:
    assert list(hiding_selectors(["@media print{", ".a{display:none}", "/*", ".b{display:none}"])) == [".a", ".b"]


FLOODS = {
    "rules": "".join(f".a{number}{{display:none}}" for number in range(20_000)),
    "needles": "display:none;" * 100_000,
    "nested": "@layer x{" * 20_000 + ".a{display:none}",
    "opened": "@media screen{.a{display:none}}" * 20_000,
    "braces": "{" * 200_000 + "display:none",
    "selector": "a," * 200_000 + ".a{display:none}",
    "long-selector": "a" * 200_000 + "{display:none}",
    "strings": '"{' * 100_000 + ".a{display:none}",
}


@pytest.mark.parametrize("sheet", FLOODS.values(), ids=FLOODS)
def test_a_flood_is_bounded(sheet: str) -> None:
    assert len(hiding_selectors([sheet] * 3)) <= MAX_SELECTORS
