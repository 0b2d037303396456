from __future__ import annotations

import pytest

from webward.config import Rendition
from webward.content.clean import clean
from webward.content.document import parse
from webward.content.render import render
from webward.content.shadow import flatten

URL = "https://site.test/"
OPEN = "<template shadowrootmode=open>"
END = "</template>"
TREES = [
    ("in place of what the host holds", f"<div>light{OPEN}shade{END}light</div>", "shade"),
    ("closed", "<div><template ShadowRootMode=CLOSED>shade</template>light</div>", "shade"),
    ("custom element", f"<x-a>{OPEN}shade{END}light</x-a>", "shade"),
    ("slot", f"<div>{OPEN}[<slot></slot>]{END}light</div>", "[light]"),
    (
        "named slots",
        f"<x-a>{OPEN}<slot name=b></slot>-<slot name=a></slot>{END}<i slot=a>A</i><i slot=b>B</i></x-a>",
        "B-A",
    ),
    ("element without a slot", f"<x-a>{OPEN}<slot></slot>{END}A<i slot=no>light</i></x-a>", "A"),
    ("fallback of a slot", f"<x-a>{OPEN}<slot name=a>shade</slot>{END}light</x-a>", "shade"),
    ("first of equal slots", f"<x-a>{OPEN}<slot></slot>|<slot>twice</slot>{END}A</x-a>", "A|twice"),
    ("first of two trees", f"<x-a>{OPEN}one{END}{OPEN}two{END}</x-a>", "one"),
    ("within each other", f"<x-a>{OPEN}1<x-b>{OPEN}2<slot></slot>{END}3<slot></slot></x-b>{END}4</x-a>", "1234"),
    (
        "slot handed on",
        f"<x-a>{OPEN}<x-b>{OPEN}<slot name=b></slot>.{END}<slot name=a slot=b></slot></x-b>{END}<i slot=a>A</i></x-a>",
        "A.",
    ),
    ("inert template within", f"<x-a>{OPEN}shade<template><slot></slot></template>{END}light</x-a>", "shade"),
    ("no host", f"<ul>{OPEN}shade{END}<li>light</li></ul>", "light"),
    ("no mode", "<div><template shadowrootmode=off>shade</template>light</div>", "light"),
    ("no tree", "<div><template>shade</template>light</div>", "light"),
]


def shown(page: str) -> str:
    document = parse(page, url=URL)
    clean(document)
    return " ".join(render(document, Rendition.TEXT).split())


@pytest.mark.parametrize(("page", "text"), [row[1:] for row in TREES], ids=[row[0] for row in TREES])
def test_declared_shadow_trees_are_shown(page: str, text: str) -> None:
    document = parse(page, url=URL)
    clean(document)

    assert document.tree.text == text


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (f"<x-a>{OPEN}<style>p{{display:none}}</style><p>secret</p>in{END}</x-a><p>out", "in out"),
        (f"<x-a>{OPEN}<b class=k>in</b>{END}<style>.k{{display:none}}</style></x-a><p class=k>secret<p>out", "out"),
        (f"<style>.k{{display:none}}</style><x-a>{OPEN}<p class=k>secret</p>in{END}</x-a> <p>out", "in out"),
    ],
    ids=["of the tree", "beside the tree", "of the page"],
)
def test_style_sheets_in_a_shadow_tree_hold_for_it_alone(page: str, text: str) -> None:
    assert shown(f"{page} and more words that all readers see") == f"{text} and more words that all readers see"


def test_shadow_trees_are_cleaned() -> None:
    page = shown(f"<x-a>{OPEN}<script>no()</script>words <p hidden>no</p> of the page{END}</x-a>")

    assert page == "words of the page"


def test_the_hosts_are_told() -> None:
    document = parse(f"<x-a>{OPEN}a{END}</x-a><x-b>b</x-b>", url=URL)

    assert [host.tag for host in document.shadow_hosts] == ["x-a"]
    assert flatten(document.tree) == frozenset()
