from __future__ import annotations

import pytest

from webward.content.declarations import MAX_VALUE_CHARS, by_importance, declarations, four_sides, pixels, setters

MARGINS = ("margin-top", "margin-right", "margin-bottom", "margin-left")
READ = [
    ("", {}),
    ("nonsense;;:;display", {}),
    ("DISPLAY : Block ;color:Red", {"display": "block", "color": "red"}),
    ("display:none;display:block", {"display": "block"}),
    ("display:none!important;display:block", {"display": "none"}),
    ("display:none ! IMPORTANT ;display:block", {"display": "none"}),
    ("display:none !ie", {}),
    ("display:/**/none/* ; */", {"display": "none"}),
    ("/* never closed: display:none", {}),
    (r"d\69splay:n\6f ne", {"display": "none"}),
    (r"d\isplay:none", {"display": "none"}),
    (r"clip\2dpath:none", {"clip-path": "none"}),
    (r"display:none\9", {}),
    ("display:none;display:-ms-flexbox", {"display": "none"}),
    ("display:none;display:foo", {"display": "none"}),
    ("display:-webkit-box", {"display": "-webkit-box"}),
    ("display:inline flow-root", {"display": "inline flow-root"}),
    ("display:none;display:var(--x)", {"display": "var(--x)"}),
    ("visibility:hidden;visibility:shown", {"visibility": "hidden"}),
    ("visibility:inherit", {"visibility": "inherit"}),
    ("left:-9999px;left:10 px;left:wide", {"left": "-9999px"}),
    ("left:auto", {"left": "auto"}),
    ("font-size:0;font-size:2\\0", {"font-size": "0"}),
    ("--display:none;*display:none;_display:none;-moz-display:none", {}),
    ("inset:1px", dict.fromkeys(("top", "right", "bottom", "left"), "1px")),
    ("inset:1px 2px", {"top": "1px", "right": "2px", "bottom": "1px", "left": "2px"}),
    ("inset:1px 2px 3px", {"top": "1px", "right": "2px", "bottom": "3px", "left": "2px"}),
    ("inset:initial", dict.fromkeys(("top", "right", "bottom", "left"), "initial")),
    ("left:1px;inset:auto", dict.fromkeys(("top", "right", "bottom", "left"), "auto")),
    ("margin:0 1px 2px -3px", dict(zip(MARGINS, ("0", "1px", "2px", "-3px"), strict=True))),
    ("overflow:hidden", {"overflow-x": "hidden", "overflow-y": "hidden"}),
    ("overflow:clip auto", {"overflow-x": "clip", "overflow-y": "auto"}),
    ("overflow:", {}),
    ("font:0/0 a", {"font-size": "0"}),
    ("font:italic 700 12px/1.5 serif", {"font-size": "12px"}),
    ("font:inherit", {"font-size": "inherit"}),
    ("font:menu", {}),
    ("all:none", {}),
    ("background:#fff", {"background-color": "#fff"}),
    ("-webkit-transform:none", {"transform": "none"}),
    ("inset-inline-start:1px;block-size:2px", {"left": "1px", "height": "2px"}),
]  # fmt: skip
ALL = [("all:unset", "unset"), ("display:none;all:REVERT", "revert"), ("all:initial;display:none", "none")]
LENGTHS = [
    ("0", 0.0),
    ("-9999px", -9999.0),
    ("+.5em", 8.0),
    ("2rem", 32.0),
    ("100vw", 1000.0),
    ("50%", 8.0),
    ("1e3px", 1000.0),
    ("calc(-9999px)", -9999.0),
    ("calc( 1em )", 16.0),
    ("calc(1em + 1px)", None),
    ("1 px", None),
    ("1foo", None),
    ("auto", None),
    ("", None),
    (None, None),
]


@pytest.mark.parametrize(("style", "found"), READ)
def test_declarations(style: str, found: dict[str, str]) -> None:
    assert declarations(style) == found


@pytest.mark.parametrize(("style", "display"), ALL)
def test_all_sets_every_property(style: str, display: str) -> None:
    found = declarations(style)

    assert found["display"] == display
    assert set(found) > {"visibility", "left", "color"}


def test_importance_stands_apart() -> None:
    assert by_importance("color:red!important;top:1px;color:blue;top:2px!important;top:3px!important") == (
        {"top": "1px", "color": "blue"},
        {"color": "red", "top": "3px"},
    )


@pytest.mark.parametrize(("value", "number"), LENGTHS)
def test_pixels(value: str | None, number: float | None) -> None:
    assert pixels(value) == number


def test_setters() -> None:
    assert setters("margin-left") == ("margin-left", "margin", "all")
    assert setters("display") == ("display", "all")


def test_four_sides() -> None:
    assert four_sides([1, 2, 3, 4, 5]) == [1, 2, 3, 4]
    assert four_sides([]) == []


@pytest.mark.parametrize(
    "style",
    ["display:none;/*" * 100_000, "\\" * 100_000, "color:rgb(" + "0," * 100_000, "inset:" + "1px " * 100_000],
    ids=["comments", "escapes", "color", "sides"],
)
def test_a_flood_is_cut(style: str) -> None:
    assert all(len(value) <= MAX_VALUE_CHARS for value in declarations(style).values())


def test_nothing_hides_behind_a_flood() -> None:
    assert declarations("--x:1;" * 100_000 + "display:none") == {"display": "none"}
    assert declarations("display:" + " " * 100_000 + "none") == {"display": "none"}
