from __future__ import annotations

import pytest

from webward.config import Rendition
from webward.content.clean import clean
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
    document = parse(page, url="https://tea.test/list")
    clean(document)
    return render(document, rendition)


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


ROWS = [
    ("nested-lists", "<ol><li>a<ul><li>b<ul><li>c</ul></ul><li>d</ol>", "1. a\n   - b\n     - c\n2. d"),
    ("start", "<ol start=3><li>a<li>b</ol>", "3. a\n4. b"),
    ("value", "<ol><li>a<li value=7>b<li>c</ol>", "1. a\n7. b\n8. c"),
    ("loose-item", "<ol start=3><li>a<li><p>b</p><pre>c</pre></ol>", "3. a\n4. b\n   ```\n   c\n   ```"),
    ("list-in-list", "<ul><li>a<ul><li>b</ul></ul>", "- a\n  - b"),
    ("list-right-in-list", "<ul><li>a</li><ul><li>b</ul></ul>", "- a\n  - b"),
    ("paragraphs-in-item", "<ul><li><p>a</p><p>b</p></ul>", "- a\n\n  b"),
    ("quote", "<blockquote><p>a<p>b<blockquote>c</blockquote></blockquote>", "> a\n>\n> b\n>\n> > c"),
    ("details", "<details><summary>S</summary>body</details>", "S\n\nbody"),
    ("figure", "<figure><img src=/x alt=A><figcaption>cap</figcaption></figure>", "![A](https://tea.test/x)\n\ncap"),
    ("rule", "a<hr>b", "a\n\n---\n\nb"),
    ("inline-spaces", "<p>a<b> b </b>c <i> d</i>", "a **b** c *d*"),
    ("blank-bold", "<p>a<b> </b>b<b></b>", "a b"),
    ("inside-a-word", "<p>a<em>b</em>c", "a*b*c"),
    ("mis-nested", "<p>a<b>b<i>c</b>d</i>", "a**b*c***_d_"),
    ("paragraph-in-bold", "<p>a<b>b<p>c</b>d", "a**b**\n\n**c**d"),
    (
        "bold-beside-signs",
        "<p>\u4f60<b>\u300c\u597d\u300d</b>\u5417 <i>(a)</i>b <s>(c)</s>d",
        "\u4f60**\u300c\u597d\u300d**\u5417 *(a)*b ~~(c)~~d",
    ),
    (
        "tags-in-code",
        "<p><code>&lt;strong></code> \u4f60<b>\u300c\u597d\u300d</b>\u5417 &lt;em>",
        "`<strong>` \u4f60**\u300c\u597d\u300d**\u5417 \\<em>",
    ),
    (
        "tags-in-a-block",
        "<pre>&lt;em>\n\n`</pre><p>\u4f60<b>\u300c</b>\u5417",
        "```\n<em>\n\n`\n```\n\n\u4f60**\u300c**\u5417",
    ),
    ("spaces-at-edges", "<p>a&nbsp;<p>&emsp;b&nbsp;", "a\n\n\u2003b"),
    ("invisible-at-edges", "<p>\ufeffa<p>b\ufeff", "\ufeffa\n\nb\ufeff"),
    ("references-in-code", "<p><code>&amp;#160;</code>&nbsp;<p>&amp;#160;", "`&#160;`\n\n\\&#160;"),
    (
        "line-starts",
        "<p>1. a<p># b<p>- c<p>+ d<p>> e<p>1) f<p>===",
        "1\\. a\n\n\\# b\n\n\\- c\n\n\\+ d\n\n\\> e\n\n1\\) f\n\n\\===",
    ),
    (
        "marks",
        "<p>*a* _b_ `c` [d](e) ~~f~~ &lt;b> &amp;amp;",
        "\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\~\\~f\\~\\~ \\<b> \\&amp;",
    ),
    ("legacy-entities", "<p>&copy 2 &#150; &notit;", "\u00a9 2 \u2013 \u00acit;"),
    ("nul", "<p>a\0b", "ab"),
    ("fallback-in-the-head", "<head><noscript><img src=x></noscript><title>t</title></head><p>a", "a"),
    ("text-in-the-body", "a<p>b</p>c", "a\n\nb\n\nc"),
    ("page-in-a-form", "<form><h1>a</h1><p>b<input></p></form>", "# a\n\nb"),
    ("link-after-tag", "<p>a <a href=/x>b</a>, <b>c</b> d", "a [b](https://tea.test/x), **c** d"),
]


@pytest.mark.parametrize(("page", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_rows(page: str, expected: str) -> None:
    assert "\n".join(lines(rendered(page, Rendition.MARKDOWN))) == expected
