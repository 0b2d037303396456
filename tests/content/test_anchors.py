from __future__ import annotations

import pytest

from webward.config import Rendition
from webward.content.anchors import runs_code
from webward.content.document import parse
from webward.content.render import render

URL = "https://site.test/a/b?q#f"
CODE = [
    "javascript:x",
    "JavaScript:x",
    " java\nscript:x",
    "\x01vbscript:x",
    "data:text/html,x",
    "blob:https://x",
    "livescript:x",
]
NO_CODE = ["mailto:a@b", "tel:1", "/javascript:x", "x?javascript:", "javascript", "datax:y"]


def markdown(page: str) -> str:
    return render(parse(page, url=URL), Rendition.MARKDOWN)


@pytest.mark.parametrize("target", CODE, ids=ascii)
def test_targets_that_run_code_are_text(target: str) -> None:
    page = f'<p>a <a href="{target}">b</a> c</p>'

    assert runs_code(target)
    assert markdown(page) == "a b c"
    assert "href" not in render(parse(page, url=URL), Rendition.HTML)


@pytest.mark.parametrize("target", NO_CODE)
def test_other_targets_are_links(target: str) -> None:
    assert not runs_code(target)
    assert markdown(f'<a href="{target}">b</a>').startswith("[b](")


LINKS = [
    ("base", "<base href=https://cdn.test/r/><a href=f.pdf>x</a>", "[x](https://cdn.test/r/f.pdf)"),
    ("title", "<a href=/x title='say yes'>x</a>", "[x](https://site.test/x)"),
    ("heading", "<a href=/x><h3>Head</h3><p>text</p></a>", "### [Head](https://site.test/x)\n\ntext"),
    ("headings", "<a href=/x><h2>A</h2><h3>B</h3></a>", "## [A](https://site.test/x)\n\n### [B](https://site.test/x)"),
    ("empty-heading", "<a href=/x><h3></h3><p>text</p></a>", "[text](https://site.test/x)"),
    ("within-a-heading", "<h3><a href=/x>Head</a></h3>", "### [Head](https://site.test/x)"),
    ("paragraphs", "<a href=/x><p>a</p><p>b</p></a>", "[a b](https://site.test/x)"),
    (
        "items",
        "<ul><a href=/x><li>a</li></a><a href=/y><li>b</li></a></ul>",
        "- [a](https://site.test/x)\n- [b](https://site.test/y)",
    ),
    ("image", "<a href=/x><img src=/i.png alt=I></a>", "[![I](https://site.test/i.png)](https://site.test/x)"),
    ("own-address", "<a href=https://x.test/y>https://x.test/y</a>", "<https://x.test/y>"),
    ("no-target", "<a name=x>a</a>", "a"),
    ("parentheses", "<a href='/a(b'>x</a>", r"[x](https://site.test/a\(b)"),
    ("brackets", "<a href=/x>a]b[c</a>", r"[a\]b\[c](https://site.test/x)"),
    ("footnote", "text<sup id=r><a href=#n>1</a></sup>", "text[1](https://site.test/a/b?q#n)"),
]


@pytest.mark.parametrize(("page", "expected"), [row[1:] for row in LINKS], ids=[row[0] for row in LINKS])
def test_links(page: str, expected: str) -> None:
    assert markdown(page) == expected


@pytest.mark.parametrize("bad", ["//[", "http://[", "https://x.test:port/", "\ud800", "http://a\u2100b/"], ids=ascii)
def test_a_bad_link_costs_only_itself(bad: str) -> None:
    text = markdown(f"<a href='1'>a</a> <a href='{bad}'>b</a> <a href='2'>c</a>")

    assert text.startswith("[a](https://site.test/a/1) [b](")
    assert text.endswith(") [c](https://site.test/a/2)")


def test_html_has_absolute_sources_and_maps() -> None:
    page = "<video src=v></video><map><area href=x><area href=javascript:x></map>"

    assert '<video src="https://site.test/a/v"></video><map><area href="https://site.test/a/x"><area></map>' in render(
        parse(page, url=URL), Rendition.HTML
    )


def test_a_link_around_several_items_leaves_their_list_whole() -> None:
    page = "<ul><a href=/x><li>one</li><li>two</li></a></ul>"

    assert markdown(page) == "- [one](https://site.test/x)\n- [two](https://site.test/x)"


def test_no_link_holds_a_user_name() -> None:
    page = '<a href="http://u:p@h.test/x">t</a><a href="//u@h.test/y@z">s</a>'

    text = render(parse(page, url="https://a.test/"), Rendition.MARKDOWN)

    assert text == "[t](http://h.test/x)[s](https://h.test/y@z)"
