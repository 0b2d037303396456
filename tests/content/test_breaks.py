from __future__ import annotations

import pytest

from webward.config import Rendition
from webward.content.document import parse
from webward.content.render import render

ROWS = [
    ("one", "<p>a<br>b", "a  \nb"),
    ("with-blanks", "<p>a <br> \n b", "a  \nb"),
    ("two", "<p>a<br><br>b", "a\n\nb"),
    ("two-and-a-blank", "<p>a<br>&nbsp;<br>b", "a\n\nb"),
    ("many", "<p>a<br><br> <br>\n<br>b<br>c", "a\n\nb  \nc"),
    ("first", "<p><br>a", "a"),
    ("last", "<p>a<br></p>b", "a\n\nb"),
    ("alone", "<p>a<p><br><p>b", "a\n\nb"),
    ("behind-a-block", "<div>a<ul><li>b</ul><br>c</div>", "a\n\n- b\n\nc"),
    ("first-in-bold", "<p>a<b><br>b</b>", "a  \n**b**"),
    ("last-in-bold", "<p><b>a<br></b>b", "**a**  \nb"),
    ("last-in-bold-and-first-behind", "<p><b>a<br></b><br>b", "**a**\n\nb"),
    ("last-in-a-link", "<p><a href=/x>a<br></a>b", "[a](https://site.test/x)  \nb"),
    ("first-in-a-link-in-bold", "<p><b><a href=/x><br>a</a></b>", "**[a](https://site.test/x)**"),
    ("two-last-in-a-link", "<p>a <a href=/x>b<br><br></a>c", "a [b](https://site.test/x)\n\nc"),
    ("alone-in-a-span", "<p>a<span><br></span><span><br></span>b", "a\n\nb"),
    ("two-in-bold", "<p><b>a<br><br>b</b>", "**a**\n\n**b**"),
    ("two-in-an-item", "<ul><li>a<br><br>b</ul>", "- a\n\n  b"),
    ("two-in-a-quote", "<blockquote>a<br><br>b</blockquote>", "> a\n>\n> b"),
    ("two-in-a-heading", "<h2>a<br><br>b</h2>", "## a b"),
    ("two-in-a-cell", "<table><tr><th>a<th>b<tr><td>c<br><br>d<td>e</table>", "| a | b |\n| --- | --- |\n| c d | e |"),
    ("behind-an-image", "<p><img src=/i alt=A><br>a", "![A](https://site.test/i)  \na"),
    ("in-code", "<pre>a<br><br>b</pre>", "```\na\n\nb\n```"),
    ("in-an-unnamed-link", "<p>a<a href=/x><br></a>b", "a b"),
]


def rendered(page: str, rendition: Rendition) -> str:
    return render(parse(page, url="https://site.test/"), rendition)


@pytest.mark.parametrize(("page", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_breaks(page: str, expected: str) -> None:
    assert rendered(page, Rendition.MARKDOWN) == expected


@pytest.mark.parametrize("page", [row[1] for row in ROWS if row[0] != "in-code"])
def test_plain_text_holds_no_mark_of_a_break(page: str) -> None:
    text = rendered(page, Rendition.TEXT)

    assert "a" in text
    assert not any(mark in text for mark in ("\\", "<br>", " \n", "\n\n\n"))


def test_an_image_that_plain_text_leaves_out_begins_no_line() -> None:
    assert rendered("<p><img src=/i alt=A><br>a<br><img src=/i alt=A>b", Rendition.TEXT) == "a\nb"


def test_breaks_by_the_thousand_are_linear() -> None:
    text = rendered("<p>" + "<b>" * 400 + "a<br>" * 50_000, Rendition.TEXT)

    assert text.count("a") == 50_000
