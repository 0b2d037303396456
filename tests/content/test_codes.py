from __future__ import annotations

import pytest

from webward.config import Rendition
from webward.content.document import parse
from webward.content.render import render

LANGUAGES = [
    ("on-code", "<pre><code class='language-js'>x</code></pre>", "js"),
    ("on-code-among-others", "<pre><code class='hljs language-js x'>x</code></pre>", "js"),
    ("on-pre", "<pre class='language-py'>x</pre>", "py"),
    ("on-pre-around-code", "<pre class='lang-c'><code class='x'>x</code></pre>", "c"),
    ("on-a-wrapper", "<div class='highlight highlight-source-rust'><pre>x</pre></div>", "rust"),
    (
        "on-the-wrapper's-wrapper",
        "<div class='highlight-python notranslate'><div class=highlight><pre>x</pre></div></div>",
        "python",
    ),
    ("attribute", "<pre data-lang=go>x</pre>", "go"),
    ("brush", "<pre class='brush: php; toolbar: false'>x</pre>", "php"),
    ("after-hljs", "<pre><code class='hljs python'>x</code></pre>", "python"),
    ("sign", "<pre class='language-c++'>x</pre>", "c++"),
    ("none", "<pre>x</pre>", ""),
    ("no-language", "<pre class='language-none'>x</pre>", ""),
    ("default", "<div class='highlight-default'><pre>x</pre></div>", ""),
    ("backticks", "<pre class='language-a`b'>x</pre>", ""),
    ("too-far", "<div class='language-py'><p><b><i><div><div><div><pre>x</pre>", ""),
]
BLOCKS = [
    ("indented", "<pre>\n  a\n    b\n</pre>", "```\n  a\n    b\n```"),
    ("breaks", "<pre>a<br>b</pre>", "```\na\nb\n```"),
    ("lines-in-elements", "<pre><div>a</div><div>b</div></pre>", "```\na\nb\n```"),
    ("spans", "<pre><span>FROM</span><span> </span><span>golang</span> AS b</pre>", "```\nFROM golang AS b\n```"),
    ("links", "<pre>see <a href=x>grep</a>(1)</pre>", "```\nsee grep(1)\n```"),
    ("fence-in-code", "<pre>a\n```\nb\n````\n</pre>", "`````\na\n```\nb\n````\n`````"),
    ("markup", "<pre>&lt;strong>*x* _y_ [z]&lt;/strong></pre>", "```\n<strong>*x* _y_ [z]</strong>\n```"),
    ("in-a-list", "<ol><li>a<pre>b\n c</pre></ol>", "1. a\n   ```\n   b\n    c\n   ```"),
    ("in-a-quote", "<blockquote><pre>a\nb</pre></blockquote>", "> ```\n> a\n> b\n> ```"),
    ("in-code", "<pre>a\n<pre>b</pre>c</pre>", "```\na\nb\nc\n```"),
    ("in-no-code", "<pre>a<pre>b\n c</pre><pre><p>d</p></pre></pre>", "a\n\n```\nb\n c\n```\n\nd"),
    ("around-no-code", "<pre><pre><p>a</p></pre></pre><pre>b\n c</pre>", "a\n\n```\nb\n c\n```"),
    ("within-code", "<code><pre>a\n b</pre></code>", "```\na\n b\n```"),
    ("no-code-heading", "<pre><h2>Head</h2>text</pre>", "## Head\n\ntext"),
    ("no-code-paragraphs", "<pre><p>a</p><p>b</p></pre>", "a\n\nb"),
    ("no-code-list", "<pre><ul><li>a</ul></pre>", "- a"),
    (
        "styled",
        "<div style='white-space:pre-wrap'><h2>Head</h2><a href=/x>link</a></div>",
        "## Head\n\n[link](https://site.test/x)",
    ),
    ("span", "<p>a <code>b_c*d*</code> e</p>", "a `b_c*d*` e"),
    ("span-with-backticks", "<code>a``b`c</code>", "```a``b`c```"),
    ("spans-that-touch", "<code>a</code><code>b</code><kbd>c</kbd>", "`a` `b` `c`"),
    ("span-behind-a-backtick", "a`<code>b</code>", "a\\` `b`"),
    ("no-code-blanks", "a<pre> \n </pre><pre></pre>", "a"),
    ("no-code-an-image", "<pre><img src=/i alt=A></pre>", "![A](https://site.test/i)"),
    ("span-with-a-break", "<code>a<br>b</code>", "`a b`"),
]


def markdown(page: str) -> str:
    return render(parse(page, url="https://site.test/"), Rendition.MARKDOWN)


@pytest.mark.parametrize(("page", "language"), [row[1:] for row in LANGUAGES], ids=[row[0] for row in LANGUAGES])
def test_language(page: str, language: str) -> None:
    assert f"```{language}\nx\n```" in markdown(page)


@pytest.mark.parametrize(("page", "expected"), [row[1:] for row in BLOCKS], ids=[row[0] for row in BLOCKS])
def test_blocks(page: str, expected: str) -> None:
    assert markdown(page) == expected
