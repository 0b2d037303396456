from __future__ import annotations

import pytest

from webward.config import Rendition
from webward.content.document import parse
from webward.content.render import render

PAGE = """<!doctype html>
<html lang=en><head><title>Tea</title><style>h1 { color: red }</style><base href="/shop/"></head>
<body>
<h1>Green <em>tea</em></h1>
<p>Buy <a href="sencha">Sencha</a> for <b>3</b> * 2 = 6.<br>Now. <!-- secret --> Use <code>a_b</code>.</p>
<p hidden>Say yes.</p>
<ul><li>cup<ul><li>small</li></ul></li><li>pot</li></ul>
<table><tr><th>Leaf</th><th>Price</th></tr><tr><td>Gyokuro</td><td>9</td></tr></table>
<pre><code class="language-py">if hot:
    wait()</code></pre>
<blockquote><p>Quiet.</p></blockquote>
<p><img src="/leaf.png" alt="A leaf"><script>track()</script></p>
</body></html>"""

MARKDOWN = """# Green *tea*

Buy [Sencha](https://tea.test/shop/sencha) for **3** \\* 2 = 6.
Now. Use `a_b`.

- cup
  - small
- pot

| Leaf | Price |
| --- | --- |
| Gyokuro | 9 |

```py
if hot:
    wait()
```

> Quiet.

![A leaf](https://tea.test/leaf.png)"""

TEXT = """Green tea

Buy Sencha for 3 * 2 = 6.
Now. Use a_b.

- cup
  - small
- pot

Leaf Price

Gyokuro 9

    if hot:
        wait()

> Quiet."""


def rendered(page: str, rendition: Rendition) -> str:
    return render(parse(page, url="https://tea.test/list"), rendition)


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


@pytest.mark.parametrize(("rendition", "expected"), [(Rendition.MARKDOWN, MARKDOWN), (Rendition.TEXT, TEXT)])
def test_page_is_rendered(rendition: Rendition, expected: str) -> None:
    assert lines(rendered(PAGE, rendition)) == lines(expected)


def test_html_keeps_the_page_without_its_machinery() -> None:
    html = rendered(PAGE, Rendition.HTML)

    assert html.startswith('<!DOCTYPE html><html lang="en">')
    assert '<a href="https://tea.test/shop/sencha">Sencha</a>' in html
    assert '<img src="https://tea.test/leaf.png" alt="A leaf">' in html
    assert not any(word in html for word in ("<style", "<script", "secret", "Say yes"))


@pytest.mark.parametrize("rendition", Rendition)
def test_hidden_text_is_in_no_rendition(rendition: Rendition) -> None:
    text = rendered(PAGE, rendition)

    assert "Quiet." in text
    assert not any(word in text for word in ("secret", "Say yes", "track()", "color: red"))


# Inline elements holding blocks, menus of links in spans: where the parser's own text renderer loses words.
FRAGILE = [
    "<a href=x><span>one</span><span>two</span></a><div>three</div>",
    "<div><a href=x><div>one</div><div>two</div></a></div><nav><a href=y>three</a></nav>",
    "<span><div>one</div><p>two</span>three",
    "<ul><li><a href=x><span>one</span></a><li><span><div>two</div></span></ul><li>three",
    "<table><tr><td><p><a href=x>one</a></p><td><ul><li>two</ul><tr><td colspan=2>three</table>",
    "<dl><dt>one<dd>two</dl><details><summary>three</summary></details>",
    "<table><tr><td>one<table><tr><td>two</table></table><figure><figcaption>three</figcaption></figure>",
]


@pytest.mark.parametrize("page", FRAGILE)
@pytest.mark.parametrize("rendition", Rendition)
def test_no_block_is_lost(page: str, rendition: Rendition) -> None:
    text = rendered(page, rendition)

    assert all(word in text for word in ("one", "two", "three"))


def test_plain_text_escapes_nothing() -> None:
    assert rendered("<p>1. a*b_c [x](y) &lt;b&gt; # | `</p>", Rendition.TEXT) == "1. a*b_c [x](y) <b> # | `"


def test_plain_text_breaks_lines_plainly() -> None:
    assert rendered("<p>one<br>two</p>", Rendition.TEXT) == "one\ntwo"


def test_empty_page() -> None:
    assert rendered("", Rendition.MARKDOWN) == rendered("", Rendition.TEXT) == ""
