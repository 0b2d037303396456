"""HTML text to a document: the tree that a browser with scripting builds, and what its links are resolved against."""

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

_DESCRIPTIONS = ('meta[name="description" i][content]', 'meta[property="og:description" i][content]')

# BCP 47 in shape; 35 characters hold any tag in use (RFC 5646 section 4.4.1).
_LANGUAGE = re.compile(r"(?=.{1,35}\Z)[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed page.

    Attributes:
        tree: The page.
        base_url: What its links are resolved against (HTML standard, "document base URL").
    """

    tree: turbohtml.Document
    _: KW_ONLY
    base_url: str

    @property
    def title(self) -> str | None:
        """Of the page, if it has one."""
        return _title(self.tree)

    @property
    def description(self) -> str | None:
        """Of the page, from its meta element or else its Open Graph one."""
        return _description(self.tree)

    @property
    def language(self) -> str | None:
        """As the root element declares it (BCP 47)."""
        return _language(self.tree)


def parse(text: str, *, url: str) -> Document:
    """Parse a page as a browser with scripting builds it (HTML standard); nothing is removed.

    Args:
        text: The page.
        url: Where it came from; its ``base`` is resolved against it.
    """
    tree = turbohtml.parse(text, positions=False, scripting=True)
    return Document(tree, base_url=_base_url(tree, url))


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
