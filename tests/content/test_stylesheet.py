from __future__ import annotations

import re

import pytest

from webward.content.stylesheet import MAX_NESTED, Rule, Sheet, Stylesheets

SOUGHT = ((re.compile(r"x\s*:"), re.compile(r"\s*y")),)
RULES = [
    ("", []),
    ("x:y", []),
    (".a{x:y}", [".a"]),
    (".A{X : Y}", [".A"]),
    ("body  #a , b{\n x : y }", ["body  #a , b"]),
    (".a{x:z}.b{x:y}.c{y:x}", [".b"]),
    (".a{x:y", [".a"]),
    (".a{x:y;x:y}", [".a"]),
    ("/* .c{ */.a/* } */{z:z;/* x */x:y}", [".a"]),
    ("/* it's */.a{x:y}/* don't */.b{x:y}", [".a", ".b"]),
    (".c{z:'/*'}.a{x:y}.c{z:'*/'}", [".a"]),
    (""".c{z:'"/*'}.a{x:y}.c{z:'*/"'}""", [".a"]),
    (".c{z:'{'}.a{x:y}", [".a"]),
    (".c{z:'}'}.a{x:y}", [".a"]),
    (r""".c{z:"{\"\""}.a{x:y}""", [".a"]),
    (r""".c{z:"}\""}.a{x:y}""", [".a"]),
    (""".c{z:'"' "}"}.a{x:y}""", [".a"]),
    ("@media print{.c{z:'}'}.b{x:y}}.a{x:y}", [".a"]),
    ("@media print{.c{z:'it\n}.b{x:y}}.a{x:y}", [".a"]),
    (r".\{{z:z}.a{x:y}", [".a"]),
    (r".\}{z:z}.a{x:y}", [".a"]),
    ("}}.c{z:z}}.a{x:y}", [".a"]),
    ("@import 'x.css';.a{x:y}", [".a"]),
    ("@charset 'utf-8';@layer q;.a{x:y}", [".a"]),
    ("@font-face{x:y}.a{x:y}", [".a"]),
    ("@keyframes k{from{x:y}to{x:y}}.a{x:y}", [".a"]),
    ("@page{x:y}@unknown{.b{x:y}}.a{x:y}", [".a"]),
    ("@media print{.b{x:y}@media screen{.b{x:y}}}.a{x:y}", [".a"]),
    ("@media{.a{x:y}}", [".a"]),
    ("İ{z:z}.ﬀ{x:y}", [".ﬀ"]),
    (r".a{\78:y}", [".a"]),
    (".a{.b{x:y}}", [":is(.a) .b"]),
    (".a{.b,.c{x:y}}", [":is(.a) .b, :is(.a) .c"]),
    (".a,.b{& > .c{x:y}}", [":is(.a,.b) > .c"]),
    (".a{> .c{x:y}}", [":is(.a) > .c"]),
    (".a{.c &{x:y}}", [".c :is(.a)"]),
    (r".a{.\&{x:y}}", [r":is(.a) .\&"]),
    (".a{x:y;.b{z:z}}", [".a"]),
    (".a{.b{z:z}x:y}", [".a"]),
    (".a{z:z;.b{.c{x:y}z:z}x:y}", [":is(:is(.a) .b) .c", ".a"]),
    (".a{@media screen{x:y}}", [".a"]),
    (".a{@media print{x:y}}", []),
    (".a{@media print{.b{x:y}}.c{x:y}}", [":is(.a) .c"]),
]
HOLDS = [
    ("@media screen{.a{x:y}}", True),
    ("@MEDIA SCREEN{.a{x:y}}", True),
    ("@media all{.a{x:y}}", None),
    ("@media (min-width:700px){.a{x:y}}", None),
    ("@supports(display:grid){.a{x:y}}", True),
    ("@supports (display:grid){@media screen{.a{x:y}}}", True),
    ("@supports (-x-y:z){@media screen{.a{x:y}}}", None),
    ("@container (width>9px){.a{x:y}}", None),
    ("@scope (.b){.a{x:y}}", None),
    ("@layer b{.a{x:y}}", True),
]


def found(*texts: str) -> list[Rule]:
    return list(Stylesheets([Sheet(text) for text in texts]).rules(SOUGHT))


@pytest.mark.parametrize(("text", "selectors"), RULES)
def test_rules(text: str, selectors: list[str]) -> None:
    assert [rule.selectors for rule in found(text) if "x:y" in rule.body.replace(" ", "").lower()] == selectors


@pytest.mark.parametrize(("text", "holds"), HOLDS)
def test_conditions(text: str, holds: bool | None) -> None:  # noqa: FBT001 - a table row
    assert [(rule.selectors, rule.holds) for rule in found(text)] == [(".a", holds)]


def test_layers() -> None:
    text = "@layer a,b.c;@layer b{.a{x:y}@layer c{.a{x:y}}}@layer{.a{x:y}}.a{x:y}"

    assert [rule.layer for rule in found(text)] == [("b",), ("b", "c"), ("",), ()]


def test_places_are_in_order() -> None:
    places = [rule.place for rule in found(".a{x:y;.b{x:y}x:y}", ".a{x:y}@media screen{.a{x:y}}")]

    assert len(places) == 5
    assert places == sorted(set(places))


def test_sheets_stand_apart() -> None:
    sheets = Stylesheets(
        [
            Sheet("@media print{.b{z:z"),
            Sheet(".a{x:y}"),
            Sheet("/*"),
            Sheet(".c{z:'", holds=None),
            Sheet(".d{x:y", holds=None),
            Sheet("}}.e{x:y}"),
        ]
    )

    assert [(rule.selectors, rule.holds) for rule in sheets.rules(SOUGHT)] == [(".a", True), (".d", None), (".e", True)]


@pytest.mark.parametrize(
    ("text", "selectors"),
    [
        (".a{x:y}", [".a"]),
        ("@media screen{.a{x:y}.b{x:y}}", [".a", ".b"]),
        (".a{.b{x:y}& .c{x:y}.d{x:y}>.e{x:y}}", [":is(.a) .b", ":is(.a) .c", ".d", ":is(.a) >.e"]),
        ("@import 'q';.a{x:y}", [".a"]),
        ("@font-face{x:y}", []),
    ],
)
def test_selectors_match_at_least_what_the_rules_do(text: str, selectors: list[str]) -> None:
    sheets = Stylesheets([Sheet(text)])
    pairs = sheets.selectors(SOUGHT)

    assert [selector for selector, _ in pairs] == selectors
    assert all(list(sheets.read(piece)) for _, piece in pairs)


FLOODS = {
    "rules": "".join(f".a{number}{{x:y}}" for number in range(20_000)),
    "needles": ".a{" + "x:y;" * 100_000,
    "layers": "@layer x{" * 20_000 + ".a{x:y}",
    "nested": ".a{" * 20_000 + "x:y",
    "growing": ".a{" + "&,&,&{" * 20 + "x:y",
    "opened": "@media screen{.a{x:y}}" * 20_000,
    "open": "{" * 200_000 + "x:y",
    "closed": "}" * 200_000 + "x:y",
    "turned": "}{" * 200_000 + "x:y",
    "selectors": "a," * 200_000 + ".a{x:y}",
    "selector": "a" * 200_000 + "{x:y}",
    "quotes": '"{' * 100_000 + ".a{x:y}",
    "no-end": "'\n" * 100_000 + "'{.a{x:y}",
    "escapes": "\\" * 200_000 + '"{.a{x:y}',
    "comments": "/*" * 100_000 + ".a{x:y}",
}


@pytest.mark.parametrize("text", FLOODS.values(), ids=FLOODS)
def test_a_flood_is_bounded(text: str) -> None:
    rules = found(text, text)

    assert len(rules) <= 2 * text.count("x:y")
    assert all(rule.selectors.count(":is(") < MAX_NESTED for rule in rules)
