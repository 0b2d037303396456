"""Document to rendition: Markdown, plain text or HTML, all through one native renderer."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from turbohtml import Markdown

from webward.config import Rendition
from webward.content.normalize import normalize
from webward.content.tidy import tidy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from turbohtml import Node

    from webward.content.document import Document

_MARKDOWN = Markdown(tables=Markdown.Tables(cell_blocks="text"))

# Plain text is Markdown with its marks left out: the parser's own text renderer loses whole blocks on some pages
# (layouts built from inline elements), its Markdown renderer none.
_PLAIN = Markdown(
    links=Markdown.Links(ignore=True),
    images=Markdown.Images(mode="ignore"),
    inline=Markdown.Inline(ignore_emphasis=True),
    escaping=Markdown.Escaping(mode="none", asterisks=False, underscores=False),
    tables=Markdown.Tables(mode="strip", cell_blocks="text"),
    code=Markdown.Code(block_style="indented"),
    strip=("code", "kbd", "samp"),
)
_HARD_BREAK = "  \n"

_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "del": "~~", "s": "~~", "code": "`"}
_TAGS = {f"<{end}{tag}>": mark for tag, mark in _MARKS.items() for end in ("", "/")} | {"<br>": " "}
# Two searches that each know their first character are ten times as fast as one for either.
_TAG = re.compile(r"</?(?:strong|b|em|i|del|s|code|br)>")
_REFERENCE = re.compile(r"&#\d{2,5};")
# An escaped character, backticks that may begin code, or markup.
_TOKEN = re.compile(rf"\\.|`+|{_TAG.pattern}|{_REFERENCE.pattern}", re.DOTALL)
_BACKTICKS = re.compile("`+")
_FENCE = "```"


def render(document: Document, rendition: Rendition) -> str:
    """Render a document; links are absolute in Markdown and HTML, and plain text has their words only."""
    normalize(document, rendition)
    return _RENDERERS[rendition](document.tree)


def _markdown(tree: Node) -> str:
    return tidy(_without_markup(tree.to_markdown(_MARKDOWN)))


def _without_markup(markdown: str) -> str:
    """Undo the HTML that the renderer resorts to.

    It writes tags where CommonMark would not see the marks of an emphasis, and references for white space that
    CommonMark would drop. Models read the marks and the white space; tags and references only cost them tokens.
    """
    tokens = [*_TAG.finditer(markdown)] if "<" in markdown else []
    tokens += _REFERENCE.finditer(markdown) if "&#" in markdown else ()
    if not tokens:
        return markdown
    tokens.sort(key=re.Match.start)
    if _FENCE in markdown:  # a line alone does not tell whether it is code
        return _outside_code(markdown)
    pieces: list[str] = []
    done = plain_to = 0
    for token in tokens:
        place = token.start()
        if place < done:
            continue
        if place >= plain_to:  # a line is looked at once, however many tokens it has
            start = markdown.rfind("\n", done, place) + 1 or done
            end = markdown.find("\n", place)
            line = markdown[start : end if end >= 0 else len(markdown)]
            if "`" in line or "\\" in line:
                pieces += (markdown[done:start], _outside_code(line))
                done = start + len(line)
                continue
            plain_to = start + len(line)
        pieces += (markdown[done:place], _plain_token(token))
        done = token.end()
    return "".join([*pieces, markdown[done:]])


def _outside_code(markdown: str) -> str:
    """Undo markup where it is no code; where code ends is looked up, as to search for it would be a square."""
    closing: dict[int, list[int]] = {}
    for run in _BACKTICKS.finditer(markdown):
        closing.setdefault(len(run[0]), []).append(run.start())
    pieces: list[str] = []
    done = place = 0
    while token := _TOKEN.search(markdown, place):
        place = token.end()
        if token[0][0] == "`":
            ends = closing.get(len(token[0]), [])
            index = bisect_left(ends, place)
            place = ends[index] + len(token[0]) if index < len(ends) else place
        else:
            pieces += (markdown[done : token.start()], _plain_token(token))
            done = place
    return "".join([*pieces, markdown[done:]])


def _plain_token(token: re.Match[str]) -> str:
    text = token[0]
    if text.startswith("&"):
        character = chr(int(text[2:-1]))
        return " ".join(character.splitlines()) or " "
    return _TAGS.get(text, text)


def _plain(tree: Node) -> str:
    return tidy(tree.to_markdown(_PLAIN).replace(_HARD_BREAK, "\n"))


def _html(tree: Node) -> str:
    return tree.serialize()


_RENDERERS: Mapping[Rendition, Callable[[Node], str]] = {
    Rendition.MARKDOWN: _markdown,
    Rendition.TEXT: _plain,
    Rendition.HTML: _html,
}
