from __future__ import annotations

import pytest

from webward.config import Rendition
from webward.content.document import parse
from webward.content.render import render

ROWS = [
    ("touching", "<b>a</b><b>b</b>", "**ab**"),
    (
        "touching-of-one-kind",
        "<b>a</b><strong>b</strong> <i>c</i><em>d</em> <s>e</s><del>f</del>",
        "**ab** *cd* ~~ef~~",
    ),
    ("apart", "<b>a</b> <b>b</b>", "**a** **b**"),
    ("of-two-kinds", "<b>a <i>b</i></b> <i>c</i>", "**a *b*** *c*"),
    ("within-each-other", "<b>a<strong>b</strong>c<b>d</b></b>", "**abcd**"),
    ("within-and-touching", "<i><em>a</em><i>b</i></i>", "*ab*"),
    ("far-within", "<b>a<a href=/x><i><strong>b</strong></i></a></b>", "**a[*b*](https://site.test/x)**"),
    ("blank-before", "x<b>&nbsp;a</b>b", "x\u00a0**a**b"),
    ("blank-behind", "<b>Name:&nbsp;</b>a", "**Name:**\u00a0a"),
    ("blanks-of-all-kinds", "x<i>\n&emsp;a \u00a0</i>b", "x \u2003*a* \u00a0b"),
    ("blank-in-an-inner-one", "x<b><i>&nbsp;a</i>b</b>", "x\u00a0***a*b**"),
    ("blank-alone", "a<b>&nbsp;</b>b", "a\u00a0b"),
    ("blank-and-an-image", "<b>&nbsp;<img src=/i alt=A></b>b", "![A](https://site.test/i)b"),
    ("empty", "a<b></b>b<i class=icon></i>", "ab"),
    ("a-break", "<b>a<br></b>b", "**a**  \nb"),
    ("strike", "<strike>a</strike>", "~~a~~"),
]


@pytest.mark.parametrize(("page", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_emphases(page: str, expected: str) -> None:
    assert render(parse(f"<p>{page}", url="https://site.test/"), Rendition.MARKDOWN).strip() == expected


@pytest.mark.parametrize("page", [row[1] for row in ROWS], ids=[row[0] for row in ROWS])
def test_plain_text_has_no_marks(page: str) -> None:
    text = render(parse(f"<p>{page}", url="https://site.test/"), Rendition.TEXT)

    assert not any(mark in text for mark in ("*", "~", "<", "_"))
