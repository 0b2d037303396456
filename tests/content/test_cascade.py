from __future__ import annotations

import pytest

from webward.content.cascade import Cascade, stylesheets
from webward.content.document import parse
from webward.content.hiding import HidingRule

DISPLAY, VISIBILITY, AWAY, CLIPPED, NO_BOX = (
    HidingRule.DISPLAY,
    HidingRule.VISIBILITY,
    HidingRule.AWAY,
    HidingRule.CLIPPED,
    HidingRule.NO_BOX,
)
URL = "https://site.test/"


def cascade_of(sheet: str, body: str = "<p id=x class=a>text</p>") -> tuple[Cascade, dict[str, HidingRule | None]]:
    """The cascade, and how each element with an id is hidden."""
    tree = parse(f"<style>{sheet}</style><div>{body}</div>", url=URL).tree
    cascade = Cascade(tree, stylesheets(tree.select("style")))
    return cascade, {element.attr("id") or "": cascade.rule_of(element) for element in tree.select("[id]")}


def rule_of(sheet: str, body: str = "<p id=x class=a>text</p>") -> HidingRule | None:
    return cascade_of(sheet, body)[1]["x"]


RULES = [
    ("", None),
    (".a{display:none}", DISPLAY),
    (".a{visibility:hidden}", VISIBILITY),
    # order
    (".a{display:none}.a{display:block}", None),
    (".a{display:block}.a{display:none}", DISPLAY),
    (".a{display:none}.a{color:red}", DISPLAY),
    (".a{visibility:hidden}.a{visibility:visible}", None),
    (".a{display:none}.a{visibility:visible}", DISPLAY),
    (".a{display:none;visibility:hidden}.a{display:block}", VISIBILITY),
    # specificity
    (".a{display:none}#x{display:block}", None),
    ("#x{display:block}.a{display:none}", None),
    ("#x{display:none}.a{display:block}", DISPLAY),
    (".a{display:none}p{display:block}", DISPLAY),
    ("p{display:none}div p{display:block}", None),
    (".a{display:none}[class]{display:block}", None),
    (".b,#x{display:none}.a{display:block}", DISPLAY),
    (".a{display:none}p,#x{display:block}", None),
    # weight
    (".a{display:none!important}#x{display:block}", DISPLAY),
    (".a{display:none!important}#x{display:block!important}", None),
    ("#x{display:none}.a{display:block!important}", None),
    # conditions
    (".a{display:none}@media screen{.a{display:block}}", None),
    (".a{display:none}@media print{.a{display:block}}", DISPLAY),
    (".a{display:none}@media (min-width:700px){.a{display:block}}", None),
    (".a{display:none}@media (max-width:700px){.a{display:block}}", DISPLAY),
    (".a{display:none}@media (min-width:3000px){.a{display:block}}", DISPLAY),
    (".a{display:none}@media (hover:none){.a{display:block}}", DISPLAY),
    (".a{display:none}@supports (display:grid){.a{display:block}}", None),
    (".a{display:none}@supports not (display:grid){.a{display:block}}", DISPLAY),
    (".a{display:none}@container (width>9px){.a{display:block}}", None),
    ("@media (max-width:700px){.a{display:none}}", None),
    ("@media (min-width:700px){.a{display:none}}", None),
    ("@media (min-width:200px){.a{display:none}}", DISPLAY),
    ("@media screen{@layer x{.a{display:none}}}", DISPLAY),
    ("@supports (display:grid){@media screen{.a{display:none}}}", DISPLAY),
    ("@supports (-x-y:z){.a{display:none}}", None),
    ("@container (width>9px){.a{display:none}}", None),
    ("@media all{.a{display:none}}", None),
    (".a{display:block}@media (min-width:700px){#x{display:none}}", None),
    # layers
    ("@layer x{#x{display:none}}.a{display:block}", None),
    ("@layer x{#x{display:block}}.a{display:none}", DISPLAY),
    ("@layer x,y;@layer y{.a{display:none}}@layer x{#x{display:block}}", DISPLAY),
    ("@layer y{.a{display:none}}@layer x{.a{display:block}}", None),
    ("@layer x{@layer y{#x{display:none}}.a{display:block}}", None),
    ("@layer x.y{#x{display:none}}@layer x{.a{display:block}}", None),
    ("@layer x,y;@layer y{#x{display:none!important}}@layer x{.a{display:block!important}}", None),
    ("@layer x{.a{display:none!important}}#x{display:block!important}", DISPLAY),
    # selectors
    (":is(.a,.b){display:none}", DISPLAY),
    (":is(#y,.a){display:none}.a.a{display:block}", DISPLAY),
    (":where(#x){display:none}p{display:block}", None),
    ("p:not(.b){display:none}", DISPLAY),
    ("p:not(.a){display:none}", None),
    ("p:not(#y){display:none}.a{display:block}", DISPLAY),
    (".a:not(:focus):not(:hover){display:none}", DISPLAY),
    (".a:hover{display:none}", None),
    (".a{display:none}.a:hover{display:block}", DISPLAY),
    (".a::before{display:none}", None),
    (".a,.b::before{display:none}", DISPLAY),
    (".a,.b::-moz-x{display:none}", None),
    (".a:not(:defined){display:none}", None),
    ("[,.b{display:none}.a{display:none}", DISPLAY),
    (".a{display:none}.b:nope,.a{display:block}", None),
    (".a.open{display:none}", None),
    # nesting
    ("div{.a{display:none}}", DISPLAY),
    (".b{.a{display:none}}", None),
    (".a{@media screen{display:none}}", DISPLAY),
    (".a{display:none}div{& .a{display:block}}", None),
    (".a{display:none;.b{color:red}display:block}", None),
    (".a{display:none;div &{display:block}}", None),
    # off the screen
    (".a{position:absolute;left:-9999px}", AWAY),
    (".a{position:absolute;left:-9999px}.a{left:auto}", None),
    (".a{position:absolute;left:-9999px}.a{inset:0}", None),
    (".a{position:absolute;left:-9999px}.a{position:static}", None),
    (".a{position:absolute;left:-9999px}.a{top:0}", AWAY),
    (".a{margin-left:-9999px}.a{margin:0}", None),
    (".a{text-indent:-9999px}.a{text-indent:0}", None),
    (".a{text-indent:100%;white-space:nowrap;overflow:hidden}", AWAY),
    # clipped
    (".a{position:absolute;clip:rect(0,0,0,0)}", CLIPPED),
    (".a{position:absolute;clip:rect(0,0,0,0)}.a{clip:auto}", None),
    (".a{position:absolute;clip:rect(0,0,0,0)}.a{position:static}", None),
    (".a{clip-path:inset(50%)}.a{-webkit-clip-path:none}", None),
    # without a box
    (".a{height:0;overflow:hidden}", NO_BOX),
    (".a{height:0;overflow:hidden}.a{height:auto}", None),
    (".a{height:0;overflow:hidden}.a{overflow:visible}", None),
    (".a{height:0;overflow:hidden}.a{overflow-x:visible}", NO_BOX),
    (".a{height:0;overflow:hidden}.a{padding-bottom:56%}", None),
    (".a{height:0;overflow:hidden}.a{padding:9px}", NO_BOX),
    (".a{transform:scale(0)}.a{transform:none}", None),
    # what is written for other ends
    (".a{opacity:0}", None),
    (".a{color:transparent}", None),
    (".a{font-size:0}", None),
]
STYLES = [
    ("", "display:none", DISPLAY),
    (".a{display:block}", "display:none", DISPLAY),
    (".a{display:block!important}", "display:none", None),
    (".b{display:block!important}", "display:none", DISPLAY),
    (".a{display:block!important}", "display:none!important", DISPLAY),
    (".a{display:none}", "display:block", None),
    (".a{display:none}", "color:red", DISPLAY),
    (".a{display:none!important}", "display:block", DISPLAY),
    (".a{display:none!important}", "display:block!important", None),
    (".a{display:none}", "visibility:hidden", VISIBILITY),
    (".a{visibility:visible!important}", "visibility:hidden", None),
    (".a{visibility:hidden}", "visibility:visible", None),
    (".a{opacity:1!important}", "opacity:0", None),
    (".a{opacity:1}", "opacity:0", HidingRule.OPACITY),
    (".a{font-size:16px!important}", "font-size:0", None),
    (".a{left:0!important}", "left:-9999px", None),
    (".a{position:static}", "left:-9999px", None),
    (".a{left:-9999px;position:absolute}", "left:0", None),
    (".a{clip:auto!important}", "clip:rect(0,0,0,0)", None),
    (".a{height:auto!important}", "height:0;overflow:hidden", None),
    (".a{color:red!important}", "color:transparent", None),
    (".a{background-clip:text}", "color:transparent", None),
    (".a{color:red}", "color:transparent", HidingRule.COLOR),
]


@pytest.mark.parametrize(("sheet", "rule"), RULES)
def test_rules(sheet: str, rule: HidingRule | None) -> None:
    assert rule_of(sheet) is rule


@pytest.mark.parametrize(("sheet", "style", "rule"), STYLES)
def test_styles(sheet: str, style: str, rule: HidingRule | None) -> None:
    assert rule_of(sheet, f"<p id=x class=a style='{style}'>text</p><p class=a style='{style}'>more</p>") is rule


@pytest.mark.parametrize(
    ("sheet", "body"),
    [
        ("", "<p id=x style='display:block'>"),
        (".a{display:flex}", "<p id=x class=a>"),
        ("[hidden]{display:none}.a{display:flex}", "<p id=x class=a hidden>"),
        ("p.a{display:flex}[hidden]{display:none}", "<p id=x class=a hidden>"),
    ],
)
def test_displayed(sheet: str, body: str) -> None:
    assert is_displayed(sheet, body)


@pytest.mark.parametrize(
    ("sheet", "body"),
    [
        ("", "<p id=x>"),
        (".a{display:flex}", "<p id=x>"),
        (".a{display:flex}", "<p id=x class=a style='display:none'>"),
        (".a{display:flex}[hidden]{display:none}", "<p id=x class=a hidden>"),
        ("@media print{.a{display:flex}}", "<p id=x class=a>"),
    ],
)
def test_not_displayed(sheet: str, body: str) -> None:
    assert not is_displayed(sheet, body)


def is_displayed(sheet: str, body: str) -> bool:
    tree = parse(f"<style>{sheet}</style>{body}text", url=URL).tree
    element = tree.select_one("#x")
    assert element is not None
    return Cascade(tree, stylesheets(tree.select("style"))).is_displayed(element)


@pytest.mark.parametrize(
    ("sheet", "name", "within", "shown"),
    [
        ("", "visibility", "<b style='visibility:visible'><i style='visibility:hidden'></i></b>", ["b"]),
        (".v{visibility:visible}", "visibility", "<b class=v></b><i></i>", ["b"]),
        (".v{visibility:visible}.h{visibility:hidden}", "visibility", "<b class='v h'></b><i class=v></i>", ["i"]),
        (".v{visibility:inherit}", "visibility", "<b class=v></b>", []),
        ("@media print{.v{visibility:visible}}", "visibility", "<b class=v></b>", []),
        (".v{font:16px x}", "font-size", "<b class=v></b><i style='font-size:2em'></i>", ["b"]),
        ("", "font-size", "<b style='font:9px x'></b><i style='font-size:1%'></i>", ["b"]),
        (".v{color:red}", "color", "<b class=v></b><i class=v style='color:#0000'></i>", ["b"]),
    ],
)  # fmt: skip
def test_shown_within(sheet: str, name: str, within: str, shown: list[str]) -> None:
    tree = parse(f"<style>{sheet}</style><p id=x>{within}</p>", url=URL).tree
    element = tree.select_one("#x")
    assert element is not None

    assert [
        inner.tag for inner in Cascade(tree, stylesheets(tree.select("style"))).shown_within(element, name)
    ] == shown


PLACES = [
    (".p{display:none}.p:first-child{display:block}", "<p class=p id=x>a<p class=p id=y>b", (None, DISPLAY)),
    (".p{display:none}#t:checked~.p{display:block}", "<input id=t type=checkbox checked><p class=p id=x>a", (None,)),
    (".p{display:none}#t:checked~.p{display:block}", "<input id=t type=checkbox><p class=p id=x>a", (DISPLAY,)),
    (".p:nth-child(2){display:none}", "<p class=p id=x>a<p class=p id=y>b", (None, DISPLAY)),
    ("b~.p{display:none}", "<p class=p id=x>a</p><b></b><p class=p id=y>b", (None, DISPLAY)),
    ("div:has(b) .p{display:none}", "<b></b><p class=p id=x>a", (DISPLAY,)),
]


@pytest.mark.parametrize(("sheet", "body", "rules"), PLACES)
def test_places(sheet: str, body: str, rules: tuple[HidingRule | None, ...]) -> None:
    found = cascade_of(sheet, body)[1]

    assert tuple(found[name] for name in "xy" if name in found) == rules


def test_what_goes_anyway_is_judged_when_it_stays() -> None:
    cascade, rules = cascade_of(
        ".o,.i{display:none}.i{display:block}",
        "<div class=o id=o>a<p class=i id=x>b</p></div><p hidden><b class=o id=y>c",
    )

    assert rules == {"o": DISPLAY, "x": None, "y": DISPLAY}
    assert [element.attr("id") for element in cascade.suspects] == ["o", "x", "y"]


def test_an_empty_element_is_hidden_by_the_rule_alone() -> None:
    assert rule_of(".a{display:none}.a{display:block}", "<p id=x class=a> <b> </b></p>") is DISPLAY
    assert rule_of(".a{display:none}.a{display:block}", "<p id=x class=a><img src=a></p>") is None


@pytest.mark.parametrize(
    ("tag", "rule"),
    [
        ("<style>", DISPLAY),
        ("<style media=all>", DISPLAY),
        ("<style media='screen, print'>", DISPLAY),
        ("<style type=' TEXT/CSS '>", DISPLAY),
        ("<style type>", DISPLAY),
        ("<style media=print>", None),
        ("<style media='(max-width:600px)'>", None),
        ("<style media='(min-width:600px)'>", None),
        ("<style media='not all'>", None),
        ("<style type=text/less>", None),
        ("<svg><style>", DISPLAY),
        ("<noscript><style>", None),
        ("<template><style>", None),
    ],
)
def test_sheets(tag: str, rule: HidingRule | None) -> None:
    tree = parse(f"<div>{tag}.a{{display:none}}</style></svg></noscript></template><p class=a>text", url=URL).tree
    cascade = Cascade(tree, stylesheets(tree.select("style")))

    assert [cascade.rule_of(element) for element in tree.select("p")] == [rule]


def test_a_null_character_ends_no_sheet() -> None:
    assert rule_of("@media print{.b{color:red}\n}\0}.a{display:none}") is DISPLAY
    assert rule_of("@media print{.b{color:red}\n\0}.a{display:none}") is DISPLAY
    assert rule_of("@media print{.b{color:red}\n}\0.a{display:none}") is None


FLOODS = {
    "shows": ".a{display:none}" + "".join(f".a:not(.b{number}){{display:block}}" for number in range(2_000)),
    "absent-shows": ".a{display:none}" + "".join(f".b{number}{{display:block}}" for number in range(5_000)),
    "hides": "".join(f".a:not(.b{number}){{display:none}}" for number in range(2_000)),
    "has": ".a{display:none}" + "".join(f":root:has(.b{number}) .a{{display:block}}" for number in range(200)),
    "siblings": ".a{display:none}" + "".join(f".b{number} ~ .a{{display:block}}" for number in range(200)),
    "places": "".join(f".a:nth-child({number}n){{display:none}}" for number in range(2_000)),
    "layers": "".join(f"@layer b{number}{{.a{{display:none}}}}" for number in range(2_000)),
    "layer-names": "@layer " + "b.c.d," * 20_000 + "e;@layer e{.a{display:none}}",
    "importances": ".a{display:block!important}" * 2_000,
    "visible": ".a{visibility:visible}" * 2_000,
}


@pytest.mark.parametrize("sheet", FLOODS.values(), ids=FLOODS)
def test_a_flood_is_bounded(sheet: str) -> None:
    body = "<p class=a>text" * 2_000 + "<p class=a style='display:none'>text" * 2_000 + "<p id=x class=c>text"
    cascade, rules = cascade_of(sheet, body)

    assert rules == {"x": None}
    assert len(cascade.suspects) <= 4_000
