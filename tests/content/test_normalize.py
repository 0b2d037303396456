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
    ("definitions-without-a-term", "<dl><dd>d<dd>e</dl>", "d\n\ne"),
    ("empty-heading", "<h2></h2><h3> <b></b></h3><p>a", "a"),
    ("heading-of-an-image", "<h1><img src=/x alt=A></h1>", "# ![A](https://site.test/x)"),
    ("heading-with-a-break", "<h2>a<br>b</h2>", "## a b"),
    ("heading-in-a-heading", "<h3>a<div><h4>b</h4></div></h3>", "a\n\n#### b"),
    ("heading-in-an-item", "<ul><li><h3>a</h3>b</ul>", "- ### a\n  b"),
    ("touching-emphasis", "<p><b>a</b><b>b</b> <i>c</i><i>d</i>", "**ab** *cd*"),
    ("legend", "<fieldset><legend>a</legend><label>b</label><label>c</label></fieldset>", "a\n\nb c"),
    (
        "formula",
        "<p>a <math><mi>x</mi><annotation encoding='application/x-tex'>x_1^{2}\\alpha</annotation></math> b",
        "a $`x_1^{2}\\alpha`$ b",
    ),
    ("formula-block", "<math display=block alttext='x^2'><mi>x</mi></math>", "```math\nx^2\n```"),
    (
        "formula-without-tex",
        "<p>a <math><mi>x</mi><mo>=</mo><mn>1</mn><annotation encoding=x>no</annotation></math>",
        "a x=1",
    ),
    ("formula-in-a-formula", "<math><mtext>a <math><mi>b</mi></math></mtext></math>", "a b"),
    (
        "headings-of-a-link",
        "<a href=/x><h2></h2><h2>a</h2><h3>b</h3></a>",
        "## [a](https://site.test/x)\n\n### [b](https://site.test/x)",
    ),
    (
        "heading-of-an-image-in-a-link",
        "<a href=/x><h2><img src=/y alt=A></h2></a>",
        "[![A](https://site.test/y)](https://site.test/x)",
    ),
    (
        "items-of-a-link",
        "<ul><a href=/x><li></li><li>a</li><li>b</li></a></ul>",
        "-\n- [a](https://site.test/x)\n- [b](https://site.test/x)",
    ),
    ("ruby", "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
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


def test_html_keeps_its_elements() -> None:
    page = '<center>a</center><h2></h2><table><tr><td>b</td></tr></table><pre class="x">c</pre>'

    assert "<center>a</center><h2></h2><table>" in render(parse(page, url="https://site.test/"), Rendition.HTML)
