"""HTML text to a document: the tree without machinery, its links absolute, and what it says about itself.

What a person would not see never becomes text: scripts, templates, fallbacks, comments, hidden elements.
"""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

import ada_url
import turbohtml

if TYPE_CHECKING:
    from turbohtml import Node

MAX_TITLE_CHARS = 500
"""Titles are a line; a longer one is a page hiding its text, or a mistake."""

MAX_DESCRIPTION_CHARS = 2_000
"""Descriptions are a paragraph at most."""

MAX_RAW_CHARS = 20_000
"""How much of an attribute or title is looked at before its white space is folded, so that folding stays cheap."""

# Machinery and its fallbacks. The page's own root and body are never dropped: scripts of many sites hide them at first
# and show them later. `hidden=until-found` is text that a search in the page opens.
_MACHINERY = (
    "script, style, template, noscript, noembed, noframes, iframe, object, embed, "
    "[hidden]:not(html, body, [hidden=until-found i])"
)
_STYLED = "[style]:not(html, body)"

_DESCRIPTIONS = ('meta[name="description" i][content]', 'meta[property="og:description" i][content]')

# BCP 47 in shape; 35 characters hold any tag in use (RFC 5646 section 4.4.1).
_LANGUAGE = re.compile(r"(?=.{1,35}\Z)[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")

_SURROGATE = re.compile("[\ud800-\udfff]")
_CSS_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed page.

    Attributes:
        tree: What is left of the page, links absolute.
        base_url: What its links were resolved against (HTML standard, "document base URL").
        title: Of the page, if it has one.
        description: Of the page, from its meta element or else its Open Graph one.
        language: As the root element declares it (BCP 47).
    """

    tree: turbohtml.Document
    _: KW_ONLY
    base_url: str
    title: str | None
    description: str | None
    language: str | None


def parse(text: str, *, url: str) -> Document:
    """Parse a page as a browser with scripting builds it (HTML standard), and keep what a person would see.

    Args:
        text: The page.
        url: Where it came from; relative links and ``base`` are resolved against it.
    """
    tree = turbohtml.parse(_encodable(text), positions=False, scripting=True)
    document = Document(
        tree,
        base_url=_base_url(tree, url),
        title=_title(tree),
        description=_description(tree),
        language=_language(tree),
    )
    _clear(tree)
    _resolve_links(tree, document.base_url)
    return document


def _encodable(text: str) -> str:
    """Lone surrogates cannot be written as UTF-8, by us or by whoever is handed the text."""
    try:
        text.encode()  # the quickest search there is for them: a pattern costs as much as the whole parse
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def _base_url(tree: Node, url: str) -> str:
    element = tree.select_one("base[href]")
    joined = _joined(url, element.attr("href") or "") if element is not None else None
    return joined if joined is not None and joined.startswith(("http://", "https://")) else url


def _joined(base_url: str, reference: str) -> str | None:
    try:
        return ada_url.join_url(base_url, reference)
    except ValueError:
        return None


def _title(tree: Node) -> str | None:
    # A drawing may have a title of its own.
    element = next((title for title in tree.select("title") if title.namespace is turbohtml.Namespace.HTML), None)
    return _folded(element.text, MAX_TITLE_CHARS) if element is not None else None


def _description(tree: Node) -> str | None:
    for selector in _DESCRIPTIONS:
        element = tree.select_one(selector)
        text = _folded(element.attr("content") or "", MAX_DESCRIPTION_CHARS) if element is not None else None
        if text is not None:
            return text
    return None


def _language(tree: turbohtml.Document) -> str | None:
    declared = (tree.root.attr("lang") or "") if tree.root is not None else ""
    tag = declared.strip().replace("_", "-")
    return tag if _LANGUAGE.fullmatch(tag) else None


def _folded(text: str, limit: int) -> str | None:
    return " ".join(text[:MAX_RAW_CHARS].split())[:limit].rstrip() or None


def _clear(tree: Node) -> None:
    tree.remove(_MACHINERY)
    for element in tree.select(_STYLED):
        if _is_not_displayed(element.attr("style") or ""):
            element.decompose()
    for comment in [node for node in tree.xpath_iter("//comment()") if isinstance(node, turbohtml.Comment)]:
        comment.decompose()


def _is_not_displayed(style: str) -> bool:
    """Whether an inline style ends up as ``display: none``: the last declaration wins, an important one over all."""
    if "display" not in style.lower():
        return False
    winner, winner_important = "", False
    for declaration in _CSS_COMMENT.sub("", style).lower().split(";"):
        name, _, value = declaration.partition(":")
        value, _, flag = value.partition("!")
        important = flag.strip() == "important"
        if name.strip() == "display" and important >= winner_important:
            winner, winner_important = value.strip(), important
    return winner == "none"


def _resolve_links(tree: Node, base_url: str) -> None:
    """Make links absolute natively; one that the native way chokes on costs only itself."""
    try:
        tree.resolve_links(base_url)
    except ValueError:  # "//[" stops the native pass half-way, which would leave all later links relative
        tree.rewrite_links(lambda reference: _joined(base_url, reference))
