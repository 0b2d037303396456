"""Our Markdown, read back by a strict parser, says what the page says."""

from __future__ import annotations

import re
from typing import Any

import turbohtml
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from turbohtml import Element, Text

from webward.config import Rendition
from webward.content.document import parse
from webward.content.references import absolute
from webward.content.render import render

URL = "https://site.test/"
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
BLOCKS = frozenset({"br", "p", "div", "li", "ul", "ol", "td", "th", "tr", "pre", "blockquote", "h2", "h4"})

words = st.sampled_from([
    *("alpha", "beta", "gamma", "x", "1.", "2)", "10.", "#", "-", "+", "*", "a*b", "_c_", "d_e", "[z]", "(y)", "![i]"),
    *("&lt;b>", "&amp;amp;", "&nbsp;", "<br>", "~~", "|", ">", "=", "===", "---", "***", "\\", "\\*", "[k]: v", "`"),
    *("^", "http://e.test/a_b", "\u4e2d\u6587", ":", "!"),
])  # fmt: skip
texts = st.lists(words, min_size=1, max_size=4).map(" ".join)
targets = st.sampled_from(["/a", "/b(c", "/d)e", "/f g", "/h_i*j", "/k?l=m&amp;n", "/p&quot;q"])
links = st.builds('<a href="{}">{}</a>'.format, targets, texts)
runs = st.recursive(
    texts | st.just("<code>a*b</code>"),
    lambda inner: (
        links | st.builds("<{0}> {1}</{0}>".format, st.sampled_from(["b", "strong", "i", "s", "span"]), inner)
    ),
    max_leaves=3,
)
lines = st.lists(runs, max_size=3).map(" ".join)
rows = st.builds("<tr><td>{}<td>{}".format, lines, lines)
tables = st.builds("<table><tr><th>{}<th>c{}{}</table>".format, lines, rows, rows)
blocks = st.recursive(
    st.builds("<{0}>{1}</{0}>".format, st.sampled_from(["p", "h2", "h4", "div", "blockquote"]), lines)
    | tables
    | st.sampled_from(["<hr>", "<pre><code class=language-py>a\n\n  b `c`\n```\n</code></pre>"]),
    lambda inner: (
        st.builds(
            "<{0}><li>{1}{2}<li>{3}</{0}>".format,
            st.sampled_from(["ul", "ol start=3"]),
            lines,
            inner,
            st.just("c") | inner,
        )
        | st.builds("<blockquote>{}{}</blockquote>".format, inner, inner)
    ),
    max_leaves=4,
)


def words_of(element: Element) -> str:
    """The words of an element, without what marks of emphasis may look like."""
    found = []
    for node in element.descendants:
        if isinstance(node, Text):
            found.append(node.data)
        elif isinstance(node, Element) and node.tag in BLOCKS:
            found.append(" ")
    return re.sub(r"[\s*_~]+", "", "".join(found))


def depth_of(item: Element) -> int:
    return sum(isinstance(holder, Element) and holder.tag in {"ul", "ol"} for holder in item.ancestors)


def facts(page: str) -> dict[str, Any]:
    tree = turbohtml.parse(page)
    body, cells = tree.select_one("body"), [tree_row.select("td, th") for tree_row in tree.select("tr")]
    assert body is not None
    return {
        "words": words_of(body),
        "headings": [(found.tag, words_of(found)) for found in tree.select("h2, h4") if words_of(found)],
        "links": [
            (absolute(link.attr("href") or "", base_url=URL), words_of(link))
            for link in tree.select("a")
            if words_of(link)
        ],
        "items": [depth_of(item) for item in tree.select("li") if words_of(item)],
        "rows": [[words_of(cell) for cell in row] for row in cells],
        "code": [block.text.strip("\n") for block in tree.select("pre")],
    }


@given(st.lists(blocks, min_size=1, max_size=3).map("\n".join))
@example("<ul><li>a<hr><li>b<blockquote>c</blockquote><blockquote>d</blockquote></ul>")
def test_the_markdown_says_what_the_page_says(page: str) -> None:
    markdown = render(parse(page, url=URL), Rendition.MARKDOWN)

    assert facts(PARSER.render(markdown)) == facts(page)
