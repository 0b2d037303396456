"""JSON-LD of a page: the things it describes, and the one that the page is about.

Read as plain JSON with the names of schema.org; contexts are not fetched, broken blocks are passed over.
"""

from __future__ import annotations

import json
from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_BLOCK_CHARS = 512 * 1024
"""Shops list hundreds of offers in one block; a longer one is passed over."""

MAX_BLOCKS = 32
"""Blocks that are looked at: pages with one for each comment put what matters first."""

MAX_NODES = 2_000
"""Objects that are looked at, over all blocks."""

MAX_NAMES = 20
"""Names of authors that are taken."""

# What the page is about, before what it is a part of.
_RANKS = {
    **dict.fromkeys(
        ("NewsArticle", "Article", "BlogPosting", "TechArticle", "ScholarlyArticle", "Report", "ReportageNewsArticle"),
        0,
    ),
    **dict.fromkeys(
        ("Product", "ProductGroup", "Recipe", "VideoObject", "DiscussionForumPosting", "QAPage", "Event", "JobPosting"),
        1,
    ),
    **dict.fromkeys(("Book", "Movie", "SoftwareApplication", "Course", "Dataset", "HowTo", "PodcastEpisode"), 1),
    **dict.fromkeys(("WebPage", "ItemPage", "AboutPage", "FAQPage", "CollectionPage", "ProfilePage", "ContactPage"), 2),
}
_UNRANKED = 3
# Edges that lead from a page to what it is about, or hold several things side by side.
_EDGES = ("@graph", "mainEntity", "mainEntityOfPage", "hasPart")

Node = dict[str, Any]


class Graph:
    """The described things of a page, the one that it is about first."""

    __slots__ = ("_by_id", "_nodes")

    def __init__(self, blocks: Iterable[str]) -> None:
        nodes = list(_nodes(blocks))
        self._nodes = sorted((node for node in nodes if _rank(node) < _UNRANKED), key=_rank)
        self._by_id = {node["@id"]: node for node in nodes if isinstance(node.get("@id"), str) and len(node) > 1}

    def text(self, *names: str) -> str | None:
        """The first text that a ranked node has under one of the names; of an object, its name or value."""
        return next((text for value in self._values(names) for text in self._texts(value)), None)

    def texts(self, *names: str) -> list[str]:
        """All texts of the first node that has any."""
        for value in self._values(names):
            texts = list(dict.fromkeys(self._texts(value)))
            if texts:
                return texts[:MAX_NAMES]
        return []

    def url(self, *names: str) -> str | None:
        """The first text or, of an object, its URL."""
        return next((url for value in self._values(names) for url in self._texts(value, ("url", "contentUrl"))), None)

    def _values(self, names: tuple[str, ...]) -> Iterator[Any]:
        for node in self._nodes:
            yield from (node[name] for name in names if name in node)

    def _texts(self, value: Any, keys: tuple[str, ...] = ("name", "@value")) -> Iterator[str]:  # noqa: ANN401 - any JSON
        for item in (value if isinstance(value, list) else [value])[:MAX_NAMES]:
            found = item
            if isinstance(found, dict):
                referred = self._by_id.get(found["@id"], found) if isinstance(found.get("@id"), str) else found
                found = next((node[key] for node in (found, referred) for key in keys if key in node), None)
                found = found[0] if isinstance(found, list) and found else found
            if isinstance(found, str) and found.strip():
                yield found


def _rank(node: Node) -> int:
    types = node.get("@type")
    return min((_RANKS.get(name, _UNRANKED) for name in _as_strings(types)), default=_UNRANKED)


def _as_strings(value: object) -> list[str]:
    items = value if isinstance(value, list) else [value]
    return [item.rpartition("/")[2] for item in items if isinstance(item, str)]


def _nodes(blocks: Iterable[str]) -> Iterator[Node]:
    """Objects breadth first, so that a bound cuts what lies deepest."""
    queue: deque[object] = deque()
    for number, block in enumerate(blocks):
        if number == MAX_BLOCKS:
            break
        queue.append(_decoded(block))
    seen = 0
    while queue and seen < MAX_NODES:
        value = queue.popleft()
        seen += 1
        if isinstance(value, list):
            queue.extend(value[:MAX_NODES])
        elif isinstance(value, dict):
            yield value
            queue.extend(value[edge] for edge in _EDGES if edge in value)


def _decoded(block: str) -> object:
    if len(block) > MAX_BLOCK_CHARS:
        return None
    try:
        return msgspec.json.decode(block)
    except (ValueError, RecursionError):  # raw line breaks in strings are the usual fault, and harmless
        pass
    try:
        return json.loads(block.strip().removeprefix("<!--").removesuffix("-->"), strict=False)
    except (ValueError, RecursionError):
        return None
