"""Document to rendition: Markdown, plain text or HTML, all through one native renderer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turbohtml import Markdown

from webward.config import Rendition

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from turbohtml import Node

    from webward.content.document import Document

_MARKDOWN = Markdown()

# Plain text is Markdown with its marks left out: the parser's own text renderer loses whole blocks on some pages
# (layouts built from inline elements), its Markdown renderer none.
_PLAIN = Markdown(
    links=Markdown.Links(ignore=True),
    images=Markdown.Images(mode="ignore"),
    inline=Markdown.Inline(ignore_emphasis=True),
    escaping=Markdown.Escaping(mode="none", asterisks=False, underscores=False),
    tables=Markdown.Tables(mode="strip", cell_blocks="text"),
    code=Markdown.Code(block_style="indented"),
    strip=("h1", "h2", "h3", "h4", "h5", "h6", "code", "kbd", "samp", "hr"),
)
_HARD_BREAK = "  \n"


def render(document: Document, rendition: Rendition) -> str:
    """Render a document; links are absolute in Markdown and HTML, and plain text has their words only."""
    return _RENDERERS[rendition](document.tree)


def _markdown(tree: Node) -> str:
    return tree.to_markdown(_MARKDOWN)


def _plain(tree: Node) -> str:
    return tree.to_markdown(_PLAIN).replace(_HARD_BREAK, "\n")


def _html(tree: Node) -> str:
    return tree.serialize()


_RENDERERS: Mapping[Rendition, Callable[[Node], str]] = {
    Rendition.MARKDOWN: _markdown,
    Rendition.TEXT: _plain,
    Rendition.HTML: _html,
}
