"""HTML text to a document: the tree that a browser with scripting builds, and what its links are resolved against."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

import ada_url
import turbohtml

from webward.content import taming

if TYPE_CHECKING:
    from turbohtml import Node


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


def parse(text: str, *, url: str) -> Document:
    """Parse a page as a browser with scripting builds it (HTML standard); nothing is removed.

    Args:
        text: The page.
        url: Where it came from; its ``base`` is resolved against it.
    """
    tree = turbohtml.parse(taming.tame(text), positions=False, scripting=True)
    taming.shorten_breaks(tree)
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
