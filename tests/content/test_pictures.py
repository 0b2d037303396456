from __future__ import annotations

import pytest

from webward.config import Rendition
from webward.content.document import parse
from webward.content.pictures import MAX_ALT_CHARS
from webward.content.render import render

URL = "https://site.test/a/"
IMAGES = [
    ("plain", "<img src=x.png alt=A>", "![A](https://site.test/a/x.png)"),
    ("absolute", "<img src=https://cdn.test/x.png alt=A>", "![A](https://cdn.test/x.png)"),
    ("no-alt", "<img src=/x.png>", "![](https://site.test/x.png)"),
    ("title", "<img src=/x.png alt=A title=no>", "![A](https://site.test/x.png)"),
    ("lazy", "<img src=data:image/gif;base64,R0 data-src=/x.png alt=A>", "![A](https://site.test/x.png)"),
    ("lazy-behind-a-dot", "<img src=/dot.gif data-src=/x.png alt=A>", "![A](https://site.test/x.png)"),
    ("set", "<img srcset='/s.png 320w, /l.png 1024w, /m.png 640w' src=/s.png alt=A>", "![A](https://site.test/l.png)"),
    ("bare-attributes", "<img srcset title src=/s.png alt=A><img src alt=B>", "![A](https://site.test/s.png) B"),
    ("set-only", "<img srcset='/1.png, /2.png 2x' alt=A>", "![A](https://site.test/2.png)"),
    ("lazy-set", "<img data-srcset='/1.png 1x, /2.png 2x' src=data:x alt=A>", "![A](https://site.test/2.png)"),
    (
        "picture",
        "<picture><source srcset='/1.webp, /2.webp 2x'><img src=data:x alt=A></picture>",
        "![A](https://site.test/2.webp)",
    ),
    ("placeholder", "<p>a <img src=data:image/png;base64,R0 alt='A picture'> b", "a A picture b"),
    ("placeholder-without-alt", "<p>a<img src=data:x>b", "ab"),
    ("no-source", "<p>a <img alt=A>", "a A"),
    ("script", "<p>a <img src=javascript:x alt=A>", "a A"),
    ("point", "<p>a<img src=/count.gif width=1 height=1 alt=no>", "a"),
]


@pytest.mark.parametrize(("page", "expected"), [row[1:] for row in IMAGES], ids=[row[0] for row in IMAGES])
def test_images(page: str, expected: str) -> None:
    assert render(parse(page, url=URL), Rendition.MARKDOWN) == expected


def test_alternative_text_is_bounded() -> None:
    text = render(
        parse(f"<img src=x alt='{'x' * 1_000_000}'><img alt='{'y' * 1_000_000}'>", url=URL), Rendition.MARKDOWN
    )

    assert text.count("x") <= MAX_ALT_CHARS + 1
    assert text.count("y") <= MAX_ALT_CHARS


def test_html_has_the_same_sources() -> None:
    html = render(
        parse("<img srcset='/s.png 1x, /l.png 2x' src=/s.png title=no><video src=v>", url=URL), Rendition.HTML
    )

    assert '<img src="https://site.test/l.png"><video src="https://site.test/a/v">' in html
