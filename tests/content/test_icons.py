from __future__ import annotations

import pytest

from webward.config import Rendition
from webward.content.clean import clean
from webward.content.document import parse
from webward.content.icons import MAX_NAME_CHARS
from webward.content.links import links_of
from webward.content.render import render

URL = "https://site.test/p"
AWAY = "position:absolute;left:-9999px"
CLIP = "position:absolute;clip:rect(0,0,0,0)"


def cleaned_markdown(page: str) -> str:
    document = parse(page, url=URL)
    clean(document)
    return render(document, Rendition.MARKDOWN)


NAMED = [
    "<a href=/x aria-label=Name><svg></svg></a>",
    "<a href=/x aria-label='  Na\nme '><i class=icon></i></a>",
    "<a href=/x title=Name><i></i></a>",
    "<a href=/x title=Other aria-label=Name></a>",
    "<a href=/x><i title=Name></i></a>",
    "<a href=/x><span aria-label=Name></span></a>",
    "<a href=/x><svg><title>Name</title><text>no</text></svg></a>",
    "<a href=/x><span><svg aria-label=Name></svg></span></a>",
    f"<a href=/x><span style='{CLIP}'>Name</span><svg></svg></a>",
    f"<a href=/x><span style='{AWAY}'>Name</span></a>",
    f"<style>.sr{{{CLIP}}}</style><a href=/x><span class=sr>Name</span></a>",
    "<a href=/x aria-label=Name>\u200b</a>",
    "<a href=/x aria-label=Name><span>&nbsp;</span></a>",
    "<a href=/x aria-label=Name><img src=data:image/gif;base64,R0></a>",
]
NOT_NAMED = [
    "<a href=/x><svg></svg></a>",
    "<a href=/x><i class=icon></i></a>",
    "<a href=/x></a>",
    "<a href='#top' aria-label=Name></a>",
    "<a href=javascript:go() aria-label=Name></a>",
    "<a href=/x><span style='display:none'>Name</span></a>",
    "<a href=/x><span style='font-size:0'>Name</span></a>",
    "<a href=/x><span style='color:#fff;background:#fff'>Name</span></a>",
]


@pytest.mark.parametrize("link", NAMED)
def test_a_link_without_words_has_its_name(link: str) -> None:
    assert cleaned_markdown(f"<p>a{link}b").replace("Na me", "Name") == "a [Name](https://site.test/x) b"


@pytest.mark.parametrize("link", NOT_NAMED)
def test_a_link_without_words_or_name_is_left_out(link: str) -> None:
    assert cleaned_markdown(f"<p>a{link}b") in {"a b", "ab"}


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<a href=/x title=no aria-label=no>word</a>", "[word](https://site.test/x)"),
        ("<a href=/x title=no><img src=/i alt=word></a>", "[![word](https://site.test/i)](https://site.test/x)"),
        ("<a href=/x title=Name><img src=/i></a>", "[![Name](https://site.test/i)](https://site.test/x)"),
        ("<a href=/x><img src=/i></a>", "[![](https://site.test/i)](https://site.test/x)"),
        ("<h2>Part<a href='#p' aria-label='Link to Part'></a></h2>", "## Part"),
        ("<ul><li><a href=/x></a></li><li>a</ul>", "- a"),
        ("<ul><li><a href=/x></a><a href=/y title=Name></a><li>a</ul>", "- [Name](https://site.test/y)\n- a"),
        ("<ol><li><a href=/x></a></li><li>a</ol>", "1. \n2. a"),
        ("<p><a href=/x aria-label='[a](b) *c*'></a>", "[\\[a\\](b) \\*c\\*](https://site.test/x)"),
    ],
)
def test_rows(page: str, expected: str) -> None:
    assert cleaned_markdown(page) == expected


def test_a_name_is_short() -> None:
    page = cleaned_markdown(f"<a href=/x aria-label='{'long ' * 100}'></a>")

    assert page == f"[{('long ' * 100)[:MAX_NAME_CHARS].strip()}](https://site.test/x)"


@pytest.mark.parametrize("link", NAMED)
def test_links_have_the_same_name(link: str) -> None:
    document = parse(link, url=URL)
    clean(document)

    assert [found.text.replace("Na me", "Name").strip() for found in links_of(document, url=URL).internal] == ["Name"]
