from __future__ import annotations

import json
import time

import pytest

from webward.content.json_ld import MAX_BLOCK_CHARS, MAX_BLOCKS, Graph

ARTICLE = {"@type": "NewsArticle", "headline": "H", "author": [{"name": "Ann"}, {"name": "Bob"}]}
PAGE = {"@type": "WebPage", "name": "Page", "author": "Site"}

PLACES = [
    ("object", json.dumps(ARTICLE)),
    ("list", json.dumps([PAGE, ARTICLE])),
    ("graph", json.dumps({"@context": "https://schema.org", "@graph": [PAGE, {"@type": "Thing"}, ARTICLE]})),
    ("main-entity", json.dumps({**PAGE, "mainEntity": ARTICLE})),
    ("several-types", json.dumps({**ARTICLE, "@type": ["Thing", "BlogPosting"]})),
    ("full-type", json.dumps({**ARTICLE, "@type": "https://schema.org/Article"})),
    ("line-break-in-text", json.dumps({**ARTICLE, "description": "a~b"}).replace("~", "\n")),
    ("comment-around", f"<!-- {json.dumps(ARTICLE)} -->"),
]


@pytest.mark.parametrize("block", [row[1] for row in PLACES], ids=[row[0] for row in PLACES])
def test_what_the_page_is_about_comes_first(block: str) -> None:
    graph = Graph([block])

    assert graph.text("headline", "name") == "H"
    assert graph.texts("author") == ["Ann", "Bob"]


VALUES = [
    ("text", "x", "x"),
    ("name", {"name": "x"}, "x"),
    ("value", {"@value": "x"}, "x"),
    ("list", ["", {"name": "x"}, "y"], "x"),
    ("names", {"name": ["x", "y"]}, "x"),
    ("reference", {"@id": "#n"}, "Known"),
    ("number", 5, None),
    ("nothing", None, None),
    ("blank", " ", None),
    ("deep", [[["x"]]], None),
]


@pytest.mark.parametrize(("value", "expected"), [row[1:] for row in VALUES], ids=[row[0] for row in VALUES])
def test_values(value: object, expected: str | None) -> None:
    nodes = [{"@type": "Article", "author": value}, {"@id": "#n", "@type": "Person", "name": "Known"}]

    assert Graph([json.dumps(nodes)]).text("author") == expected


IMAGES = [
    ("https://a.test/x", "https://a.test/x"),
    ({"@type": "ImageObject", "url": "u"}, "u"),
    ([{"contentUrl": "c"}], "c"),
]


@pytest.mark.parametrize(("value", "expected"), IMAGES, ids=["text", "object", "list"])
def test_urls(value: object, expected: str) -> None:
    assert Graph([json.dumps({"@type": "Product", "image": value})]).url("image") == expected


BROKEN = [
    "",
    "{",
    "null",
    "[1, 2]",
    '{"@type": 5}',
    '{"@type": {}}',
    '{"@type": "Thing", "headline": "H"}',
    "[" * 100_000,
]


@pytest.mark.parametrize("block", BROKEN, ids=[block[:20] for block in BROKEN])
def test_broken_blocks_hurt_no_other(block: str) -> None:
    assert Graph([block]).text("headline") is None
    assert Graph([block, json.dumps(ARTICLE)]).text("headline") == "H"


def test_bounds() -> None:
    assert Graph([json.dumps({**ARTICLE, "x": "y" * MAX_BLOCK_CHARS})]).text("headline") is None
    assert Graph(["{}"] * MAX_BLOCKS + [json.dumps(ARTICLE)]).text("headline") is None


def test_hostile_blocks_end_in_linear_time() -> None:
    blocks = ['{"@graph":[' + ",".join(['{"@type":"Article","author":[]}'] * 15_000) + "]}"] * 40
    started = time.perf_counter()
    assert Graph(blocks).texts("author") == []

    assert time.perf_counter() - started < 10
