from __future__ import annotations

import pytest

from webward.config import Rendition
from webward.content.document import parse
from webward.content.render import render

ROWS = [
    ("power", "10<sup>6</sup>", "10^6"),
    ("negative-power", "10<sup>\u22123</sup> m", "10^\u22123 m"),
    ("square", "m<sup>2</sup>", "m^2"),
    ("variable", "2<sup>n</sup>", "2^n"),
    ("expression", "x<sup>n+1</sup> y<sup>2n - 1</sup>", "x^(n+1) y^(2n - 1)"),
    ("behind-an-element", "<i>x</i><sup>2</sup>", "*x*^2"),
    ("behind-parentheses", "(a+b)<sup>2</sup>", "(a+b)^2"),
    ("number-of-a-note", "in 2020<sup>1</sup>.", "in 2020^1."),
    ("link-to-a-note", "word<sup><a href=#n>1</a></sup>", "word[1](https://site.test/#n)"),
    ("ordinals", "1<sup>st</sup> XIX<sup>e</sup> n<sup>o</sup>", "1st XIXe no"),
    ("sign", "Name<sup>\u00ae</sup> Name<sup>TM</sup>", "Name\u00ae NameTM"),
    ("apart", "see <sup>2</sup>", "see 2"),
    ("element", "H<sub>2</sub>O", "H2O"),
    ("index", "x<sub>1</sub> v<sub>max</sub>", "x1 vmax"),
    ("base", "101<sub>2</sub>", "101\\_2"),
]


@pytest.mark.parametrize(("page", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_raised_and_lowered(page: str, expected: str) -> None:
    assert render(parse(f"<p>{page}", url="https://site.test/"), Rendition.MARKDOWN) == expected
