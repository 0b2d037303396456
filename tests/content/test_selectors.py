from __future__ import annotations

import pytest
import turbohtml

from webward.content.selectors import (
    MAX_SELECTOR_CHARS,
    costly_parts,
    is_for_some_browsers,
    needed_names,
    of_elements,
    readable,
    separate,
    steps,
)

LISTS = [
    ("", []),
    (" , ,", []),
    ("a", ["a"]),
    ("a, .b ,c > d", ["a", ".b", "c > d"]),
    (":is(a,b),c", [":is(a,b)", "c"]),
    (":not(:is(a,b),c) d,e", [":not(:is(a,b),c) d", "e"]),
    ("[x='a,b'],c", ["[x='a,b']", "c"]),
    (r".a\,b,c", [r".a\,b", "c"]),
    (r".a\(,b", [r".a\(", "b"]),
    (":is(a,b", [":is(a,b"]),
    ("a),b", ["a)", "b"]),
]
PARTS = [
    ("a", True),
    ("a:hover", True),
    ("a:not(:focus)", True),
    (r".a\:before", True),
    ("a::before", False),
    ("a:BEFORE", False),
    ("a:first-letter", False),
    ("a:first-child", True),
    ("x-a:not(:defined)", False),
    ("a:-webkit-autofill", False),
    ("a" * (MAX_SELECTOR_CHARS + 1), False),
]
NEEDS = [
    ("a", []),
    (".A > #b.c", ["a", "b", "c"]),
    (r".md\:flex", ["md:flex"]),
    (r".\31 0.a", []),
    (".größe", ["größe"]),
    (":is(.a, .b) .c", ["c"]),
    (".a:not(.b:is(.c))", ["a"]),
    ("[class='.x'] .y", ["y"]),
]


@pytest.mark.parametrize(("selectors", "parted"), LISTS)
def test_separate(selectors: str, parted: list[str]) -> None:
    assert separate(selectors) == parted


@pytest.mark.parametrize(("selector", "stands"), PARTS)
def test_selectors_of_elements(selector: str, stands: bool) -> None:  # noqa: FBT001 - a table row
    assert of_elements(f"x, {selector}") == (["x", selector] if stands else ["x"])


@pytest.mark.parametrize(("selector", "names"), NEEDS)
def test_needed_names(selector: str, names: list[str]) -> None:
    assert needed_names(selector) == names


def test_what_cannot_be_read_is_left_out() -> None:
    assert readable([("a, b", 1), ("", 2), ("c", 3)]) == [("a, b", 1), ("c", 3)]
    assert readable([("a, b:nope", 1), ("[", 2), ("c", 3)]) == [("a", 1), ("c", 3)]
    assert readable([]) == []


@pytest.mark.parametrize("selector", [":is(.a, b)", ":where(.a)", "p:not(.b, #c)", "p:nth-child(2)", "p:has(a)"])
def test_turbohtml_reads(selector: str) -> None:
    tree = turbohtml.parse("<b></b><p class=a><a></a></p>")

    assert [element.tag for element in tree.select(selector)] in (["b", "p"], ["p"])


def test_foreign_parts() -> None:
    assert is_for_some_browsers(".a, b::-moz-x")
    assert not is_for_some_browsers(".a, b::-webkit-x, .-moz-c")


def test_costs() -> None:
    assert costly_parts("a ~ b:has(c), d:nth-child(2), e > f:first-child") == 3
    costs = [steps(selector, elements=1_000, levels=9) for selector in (".a", ".a .b", ":not(.a)", "a:nth-child(2)")]
    assert costs == [1_000, 9_000, 9_000, 1_000_000]
