from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webward.content.document import parse
from webward.content.select import MAX_SELECTOR_CHARS, select
from webward.errors import InvalidInput

if TYPE_CHECKING:
    from turbohtml import Document

PAGE = """<nav><a href=/>Home</a></nav>
<main id=top><article class=post>First <p>one</p><aside>note</aside></article><article class=post><p>two</p></article>
<ul><li>red<li class=x>green<li>blue</ul><table><tr><th>k<th>v<tr class=x><td>a<td>b</table></main>
<footer>Imprint</footer>"""


def selected(page: str, targets: tuple[str, ...] = (), excluded: tuple[str, ...] = ()) -> Document:
    document = parse(page, url="https://site.test/")
    select(document, target_elements=targets, excluded_tags=excluded)
    return document.tree


def pieces(tree: Document) -> str:
    return " ".join(tree.stripped_strings)


WHOLE = "Home First one note two red green blue k v a b Imprint"

CASES = [
    ("nothing-asked", (), (), WHOLE),
    ("target", ("article",), (), "First one note two"),
    ("targets-and-exclusions", ("article",), ("aside", "nav"), "First one two"),
    ("exclusions-alone", (), ("nav", "footer", "ul, table"), "First one note two"),
    ("document-order", ("footer", "nav"), (), "Home Imprint"),
    ("nested-targets-once", ("article", "p", "main article"), (), "First one note two"),
    ("one-selector-twice", ("nav", "nav"), (), "Home"),
    ("child", ("main > article:first-child > p",), (), "one"),
    ("sibling", ("article + article",), (), "two"),
    ("id-and-class", ("#top .x",), (), "green a b"),
    ("attribute", ("a[href$='/']",), (), "Home"),
    ("negation", ("main > :not(article):not(table)",), (), "red green blue"),
    ("has", ("article:has(aside)",), (), "First one note"),
    ("comma-list", ("nav, footer",), (), "Home Imprint"),
    ("target-within-excluded", ("aside", "nav"), ("article",), "Home"),
    ("body", ("body", "p"), (), WHOLE),
    ("root", (":root", "p"), (), WHOLE),
    ("selector-in-blanks", ("  nav  ",), (), "Home"),
    ("one-matches-nothing", (".none", "nav"), (), "Home"),
    ("nothing-matches", (".none",), (), WHOLE),
    ("excluded-matches-nothing", (), (".none",), WHOLE),
    ("all-targets-excluded", ("nav",), ("nav",), WHOLE.removeprefix("Home ")),
    ("everything-excluded", ("p",), ("*",), ""),
    ("body-excluded", ("p",), ("body",), ""),
]


@pytest.mark.parametrize(("targets", "excluded", "text"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_selection(targets: tuple[str, ...], excluded: tuple[str, ...], text: str) -> None:
    assert pieces(selected(PAGE, targets, excluded)) == text


def test_a_target_in_the_head_leaves_the_page_whole() -> None:
    assert pieces(selected("<title>T</title><p>x", ("title",))) == "T x"


def test_targets_keep_their_table_and_list() -> None:
    tree = selected(PAGE, (".x",))
    assert tree.select_one("table tr.x td") is not None
    assert [item.text for item in tree.select("ul > li")] == ["green"]


def test_targets_within_a_line_stay_apart() -> None:
    assert selected("<p><b>one</b><i>two</i><b>three</b>", ("b",)).text.split() == ["one", "three"]


def test_what_is_left_out_of_a_line_leaves_words_apart() -> None:
    assert selected("<p>one<span class=x>and</span>two", (), (".x",)).text == "one two"


BAD = [
    ("blank", "", "blank"),
    ("white-space", " \n", "blank"),
    ("unclosed", "a[href", "a[href"),
    ("unknown-pseudo-class", "p:sometimes", "p:sometimes"),
    ("dangling", "main >", "main >"),
    ("too-long", "a" * (MAX_SELECTOR_CHARS + 1), "1000 characters"),
]


@pytest.mark.parametrize(("selector", "said"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
@pytest.mark.parametrize("option", ["target_elements", "excluded_tags"])
def test_a_bad_selector_is_named_with_its_option(option: str, selector: str, said: str) -> None:
    document = parse(PAGE, url="https://site.test/")
    options = {"target_elements": ["nav"], "excluded_tags": ["footer"]} | {option: ["p", selector]}
    with pytest.raises(InvalidInput) as caught:
        select(document, **options)
    assert option in caught.value.message
    assert said in caught.value.message
    assert pieces(document.tree) == WHOLE


def test_the_longest_selector() -> None:
    assert pieces(selected(PAGE, ("nav" + " " * (MAX_SELECTOR_CHARS - 3),))) == "Home"


HOSTILE = [
    ("deep", "<div>no " * 500 + "<b>yes</b>", 1),
    ("deep-targets", "<b>yes " * 10_000, 10_000),
    ("many-targets", "<p>no<b>yes</b>" * 50_000, 50_000),
]


@pytest.mark.parametrize(("page", "count"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE])
def test_hostile_pages(page: str, count: int) -> None:
    assert selected(page, ("b", "div > b")).text.split() == ["yes"] * count
