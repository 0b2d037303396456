from __future__ import annotations

import pytest

from webward.config import Rendition
from webward.content.document import parse
from webward.content.render import render

# Each block of a browser that the renderer takes for inline, and each thing that stands between words.
BLOCKS = ["center", "dialog", "fieldset", "form", "hgroup", "search"]
APART = ["label", "output", "meter", "progress", "option"]

ROWS = [
    ("definitions", "<dl><dt>T<dd>d<dd>e<dt>U<dd>f</dl>", "T\n\n: d\n\n: e\n\nU\n\n: f"),
    ("definition-groups", "<dl><div><dt>T<dd><div><p>d</p></div></div></dl>", "T\n\n: d"),
    ("definition-paragraphs", "<dl><dt>T<dd><p>d</p><p>e</p></dl>", "T\n\n: d\n\ne"),
    ("definition-list", "<dl><dt>T<dd><ul><li>d</ul></dl>", "T\n\n- d"),
    ("definition-of-nothing", "<dl><dt>T<dd><dd>d</dl>", "T\n\n: d"),
    ("definitions-without-a-term", "<dl><dd>d<dd>e</dl>", "d\n\ne"),
    ("empty-heading", "<h2></h2><h3> <b></b></h3><p>a", "a"),
    ("heading-of-an-image", "<h1><img src=/x alt=A></h1>", "# ![A](https://site.test/x)"),
    ("heading-with-a-break", "<h2>a<br>b</h2>", "## a b"),
    ("heading-in-a-heading", "<h3>a<div><h4>b</h4></div></h3>", "a\n\n#### b"),
    ("heading-in-an-item", "<ul><li><h3>a</h3>b</ul>", "- ### a\n  b"),
    ("legend", "<fieldset><legend>a</legend><label>b</label><label>c</label></fieldset>", "a\n\nb c"),
    ("formula-in-a-formula", "<math><mtext>a <math><mi>b</mi></math></mtext></math>", "a b"),
    ("ruby", "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
    ("ruby-without-parentheses", "<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>", "漢(かん)字(じ)"),
    ("counting-down", "<ol reversed><li>a<li>b<li>c</ol>", "3. a\n2. b\n1. c"),
    ("counting-down-from", "<ol reversed start=9><li>a<li value=5>b<li>c</ol>", "9. a\n5. b\n4. c"),
    ("counting-down-from-nothing", "<ol reversed start=x><li>a<li value=-1>b</ol>", "2. a\n1. b"),
    ("old-code", "<listing>a\n b</listing><xmp><b>c</b></xmp>", "```\na\n b\n```\n\n```\n<b>c</b>\n```"),
    ("teletype", "<p>a <tt>b</tt>", "a `b`"),
    ("old-list", "<dir><li>a<li>b</dir>", "- a\n- b"),
    ("rule-in-an-item", "<ul><li>a<hr></ul>", "- a\n\n  ---"),
    (
        "quotes-in-an-item",
        "<ul><li>a<blockquote>b</blockquote><blockquote>c</blockquote></ul>",
        "- a\n\n  > b\n\n  > c",
    ),
    (
        "table-behind-a-list-in-an-item",
        "<ul><li>a<ol><li>b</ol><table><tr><th>c<th>d<tr><td>e<td>f</table></ul>",
        "- a\n\n  1. b\n\n  | c | d |\n  | --- | --- |\n  | e | f |",
    ),
    (
        "table-behind-a-list-alone-in-an-item",
        "<ul><li><ol><li>b</ol><table><tr><th>c<th>d<tr><td>e<td>f</table></ul>",
        "-\n  1. b\n\n  | c | d |\n  | --- | --- |\n  | e | f |",
    ),
    ("item-of-nothing", "<ul><li><span> </span><li>a<li><i class=icon></i></ul>", "- a"),
    ("paragraph-of-blanks", "<p>a<p>&nbsp;<p>b", "a\n\nb"),
]


def markdown(page: str) -> str:
    return "\n".join(
        line.rstrip() for line in render(parse(page, url="https://site.test/"), Rendition.MARKDOWN).splitlines()
    )


@pytest.mark.parametrize(("page", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_normalize(page: str, expected: str) -> None:
    assert markdown(page) == expected


@pytest.mark.parametrize("tag", BLOCKS)
def test_blocks_part_words(tag: str) -> None:
    assert markdown(f"a<{tag}>b</{tag}>c") == "a\n\nb\n\nc"
    assert markdown(f"<a href=/x>a<{tag}>b</{tag}>c</a>") == "[a b c](https://site.test/x)"


@pytest.mark.parametrize("tag", APART)
def test_things_part_words(tag: str) -> None:
    assert markdown(f"<p>a<{tag}>b</{tag}>c") == "a b c"


@pytest.mark.parametrize("tag", ["span", "x-card", "a href=/x"])
def test_headings_part_words_in_plain_text(tag: str) -> None:
    page = f"<{tag}>a<h2>b</h2>c<hr>d</{tag.partition(' ')[0]}>"

    assert render(parse(page, url="https://site.test/"), Rendition.TEXT).split() == ["a", "b", "c", "d"]


def test_the_links_of_a_menu_are_apart_in_plain_text() -> None:
    page = "<nav><a href=/a>one</a><a href=/b>two</a> <a href=/c>three</a>s</nav>"

    assert render(parse(page, url="https://site.test/"), Rendition.TEXT) == "one two threes"


def test_html_keeps_its_elements() -> None:
    page = '<center>a</center><h2></h2><table><tr><td>b</td></tr></table><pre class="x">c</pre>'

    assert "<center>a</center><h2></h2><table>" in render(parse(page, url="https://site.test/"), Rendition.HTML)
