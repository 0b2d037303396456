"""HTML text to a document: the tree that a browser with scripting builds, and what its links are resolved against."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

import turbohtml

from webward.content import shadow, taming
from webward.content.image_sources import ImageSources
from webward.content.references import WEB_SCHEMES, References, absolute

if TYPE_CHECKING:
    from turbohtml import Element, Node


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed page.

    Attributes:
        tree: The page.
        base_url: What its links are resolved against (HTML standard, "document base URL").
        references: They, resolved.
        images: The sources of its images.
        shadow_hosts: Elements that show a shadow tree in place of what they held.
    """

    tree: turbohtml.Document
    _: KW_ONLY
    base_url: str
    references: References
    images: ImageSources
    shadow_hosts: frozenset[Element] = frozenset()


def parse(text: str, *, url: str) -> Document:
    """Parse a page as a browser with scripting builds it (HTML standard); nothing is removed.

    Args:
        text: The page.
        url: Where it came from; its ``base`` is resolved against it.
    """
    tree = turbohtml.parse(taming.tame(text), positions=False, scripting=True, allow_declarative_shadow_roots=False)
    hosts = shadow.flatten(tree)
    taming.shorten_breaks(tree)
    base_url = _base_url(tree, url)
    references = References(base_url)
    return Document(tree, base_url=base_url, references=references, images=ImageSources(references), shadow_hosts=hosts)


def _base_url(tree: Node, url: str) -> str:
    element = tree.select_one("base[href]")
    joined = absolute(element.attr("href") or "", base_url=url) if element is not None else None
    return joined if joined is not None and joined.startswith(WEB_SCHEMES) else url
