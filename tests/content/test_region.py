from __future__ import annotations

import pytest
import turbohtml

from webward.content.blocks import body_of
from webward.content.region import MAX_CANDIDATES, find_region, isolate

W = "word " * 20

REGIONS = [
    ("none", f"<div>{W}</div>", "body"),
    ("main", f"<p>{W}</p><main id=a>{W}</main>", "a"),
    ("role", f"<p>{W}</p><div id=a role=main>{W}</div>", "a"),
    ("article", f"<p>{W}</p><article id=a>{W}</article>", "a"),
    ("article-in-main", f"<main id=a><article id=b>{W}</article><p>x</p></main>", "b"),
    ("small-main", f"<p>{W * 5}</p><main id=a>{W}</main>", "body"),
    ("main-just-large-enough", f"<p>{W * 4}</p><main id=a>{W}</main>", "a"),
    ("empty-main", f"<main></main><p>{W}</p>", "body"),
    ("largest-main", f"<main id=a>{W}</main><main id=b>{W * 2}</main>", "b"),
    ("small-article", f"<main id=a><article>{W}</article>{W * 3}</main>", "a"),
    ("half-an-article", f"<article id=a>{W}</article>{W}", "a"),
    ("less-than-half-an-article", f"<article>{W}</article>{W} x", "body"),
    ("article-with-a-teaser", f"<article id=a>{W * 4}</article><article>{W}</article>", "a"),
    ("articles-of-a-list", f"<article>{W}</article><article>{W}</article>", "body"),
    ("many-articles", f"<article>{W * 20}</article>" + "<article>x</article>" * MAX_CANDIDATES, "body"),
    ("article-outside-main", f"<article>{W}</article><main id=a>{W}</main>", "a"),
    ("no-text", "<main></main>", "body"),
]


@pytest.mark.parametrize(("page", "found"), [row[1:] for row in REGIONS], ids=[row[0] for row in REGIONS])
def test_the_region_of_content(page: str, found: str) -> None:
    body = body_of(turbohtml.parse(page))
    assert body is not None
    region = find_region(body)
    assert (region.attr("id") or region.tag).replace("main", "body") == found


TITLES = [
    ("above", "<div><h1>Title</h1><p>x</p></div><main>text</main>", "Title text"),
    ("nearest", "<h1>Logo</h1><h1>Title</h1><main>text</main>", "Title text"),
    ("in-a-header", "<header><p>x</p><h1>Title</h1></header><div><p>y</p><main>text</main></div>", "Title text"),
    ("in-the-region", "<h1>Logo</h1><main><h1>Title</h1>text</main>", "Title text"),
    ("below", "<main>text</main><h1>End</h1>", "text"),
    ("in-navigation", "<h1>Title</h1><nav><h1>Menu</h1></nav><main>text</main>", "Title text"),
    ("around", "<h1>Title<main>text</main></h1>", "text"),
    ("none", "loose<main>text</main><footer>end</footer>", "text"),
    ("article", "<h1>Title</h1><main><p>x</p><article>text</article></main>", "Title text"),
]


@pytest.mark.parametrize(("page", "text"), [row[1:] for row in TITLES], ids=[row[0] for row in TITLES])
def test_the_region_and_its_title_are_left(page: str, text: str) -> None:
    tree = turbohtml.parse(page)
    body = body_of(tree)
    region = tree.select_one("article") or tree.select_one("main")
    assert body is not None
    assert region is not None
    isolate(body, region)
    assert " ".join(tree.stripped_strings) == text


def test_removed_blocks_are_counted() -> None:
    tree = turbohtml.parse("<div><p>x</p><span>y</span><main>z</main></div><nav><ul><li>n</ul></nav>")
    body, region = body_of(tree), tree.select_one("main")
    assert body is not None
    assert region is not None
    assert isolate(body, region) == 3


def test_the_body_as_region_is_left_alone() -> None:
    tree = turbohtml.parse("<p>x</p>")
    body = body_of(tree)
    assert body is not None
    assert isolate(body, body) == 0
    assert tree.text == "x"
