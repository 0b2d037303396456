from __future__ import annotations

import pytest

from webward.content.cascade import stylesheets
from webward.content.document import parse
from webward.content.hiding import HidingRule
from webward.content.stylesheet import Rule
from webward.content.suspects import find_suspects, said_by


def suspects_of(sheet: str, body: str) -> list[tuple[str, list[str]]]:
    tree = parse(f"<style>{sheet}</style>{body}", url="https://site.test/").tree
    found = find_suspects(tree, stylesheets(tree.select("style")))
    return [
        (element.attr("id") or element.tag, [selector.text for selector in each]) for element, each in found.items()
    ]


@pytest.mark.parametrize(
    ("sheet", "suspects"),
    [
        ("", []),
        (".a{color:red}", []),
        (".c{display:none}", []),
        (".b{display:none}p{visibility:hidden}", [("x", ["p"]), ("y", [".b", "p"])]),
        ("p,.b,.c{display:none}", [("x", ["p"]), ("y", ["p", ".b"])]),
        (".b{display:none}.b{color:red;display:none}", [("y", [".b", ".b"])]),
        (".b{display:none}.b{display:none}", [("y", [".b"])]),
        ("b~p{display:none}p:nth-child(3){display:none}", [("x", ["b~p"]), ("y", ["b~p", "p:nth-child(3)"])]),
        ("p:nth-child(1){display:none}p:has(b){display:none}", []),
        ("@media print{p{display:none}}", []),
        ("@media (max-width:9px){p{display:none}}", []),
        ("p::after{display:none}", []),
    ],
)
def test_suspects(sheet: str, suspects: list[tuple[str, list[str]]]) -> None:
    assert suspects_of(sheet, "<b>t</b><p id=x class=a>u</p><p id=y class='a b'>v</p>") == suspects


def test_all_rules_of_a_large_sheet_count() -> None:
    sheet = "".join(f".h{number}{{display:none}}" for number in range(5_000))
    body = "".join(f"<p id=p{number} class='q h{number}'>t</p>" for number in range(0, 5_000, 500))

    assert suspects_of(sheet, body) == [(f"p{number}", [f".h{number}"]) for number in range(0, 5_000, 500)]


@pytest.mark.parametrize("selector", [r".md\:h", r".\31 h", ":is(.h)", "[class~=h]", ".größe", "p:not(.q)", "#id"])
def test_a_selector_among_many_counts(selector: str) -> None:
    sheet = "".join(f".h{number}{{display:none}}" for number in range(100)) + f"{selector}{{display:none}}"

    assert suspects_of(sheet, "<b class=q></b><p id=id class='md:h 1h h größe'>t") == [("id", [selector])]


@pytest.mark.parametrize(
    ("body", "holds", "ways"),
    [
        ("display:none;visibility:hidden", True, {HidingRule.DISPLAY, HidingRule.VISIBILITY}),
        ("display:none;visibility:hidden", None, set()),
        ("opacity:0", True, set()),
    ],
)
def test_what_rules_say(body: str, holds: bool | None, ways: set[HidingRule]) -> None:  # noqa: FBT001 - a table row
    assert set(said_by(Rule("p", body, holds, (), (0, 0))).ways) == ways


def test_where_a_rule_perhaps_holds_what_shows_counts() -> None:
    rule = Rule("p", "display:none;visibility:visible;left:-9999px;top:0;height:0!important", None, (), (0, 0))
    said = said_by(rule)

    assert (said.normal, said.important) == ({"visibility": "visible", "top": "0"}, {})
