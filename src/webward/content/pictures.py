"""Images as they are rendered: the picture shown in the end, not what stands in for it until a script loads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turbohtml import Element, Text

from webward.content.references import MAX_URL_CHARS, WEB_SCHEMES
from webward.content.srcset import largest_first

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Node

    from webward.content.anchors import Resolver

MAX_ALT_CHARS = 1_000
"""Alternative text says what a picture shows (HTML standard, section 4.8.4.4); a longer one says something else."""

_SETS = ("srcset", "data-srcset", "data-lazy-srcset")
_LAZY_SOURCES = ("data-src", "data-lazy-src", "data-original", "data-lazy", "data-url", "data-original-src")
_DROPPED = ("title", *_SETS)
_POINT = frozenset({"0", "1", "0px", "1px"})

# Most images are what they seem: nothing is to be done about them.
_NOTABLE = ", ".join(
    f"img{condition}"
    for condition in (
        ':not([src^="http"])', "[srcset]", "[data-src]", "[data-srcset]", "[title]", '[width="1"]', '[width="0"]',
    )
)  # fmt: skip


def normalize(tree: Node, resolver: Resolver) -> None:
    """Give images their source; without one it is the alternative text, and an image of a single point is gone."""
    for image in tree.select("img[alt]"):
        alt = image.attr("alt") or ""
        if len(alt) > MAX_ALT_CHARS:
            image.attrs["alt"] = alt[:MAX_ALT_CHARS]
    for image in tree.select(_NOTABLE):
        if image.attr("width") in _POINT and image.attr("height") in _POINT:
            image.decompose()
        else:
            _mend(image, resolver)


def _mend(image: Element, resolver: Resolver) -> None:
    source = _source(image, resolver)
    if source is None:
        alt = image.attr("alt") or ""
        if alt.strip():
            image.replace_with(Text(f" {alt} "))
        else:
            image.decompose()
        return
    if image.attr("src") != source:
        image.attrs["src"] = source
    attributes = image.attrs
    for name in _DROPPED:
        if name in attributes:
            del attributes[name]


def _source(image: Element, resolver: Resolver) -> str | None:
    """The best source that is a web address: pictures in a data URL are stand-ins, or too long to be read."""
    for reference in _references(image):
        if len(reference) <= MAX_URL_CHARS:
            found = resolver.absolute(reference.strip())
            if found.startswith(WEB_SCHEMES):
                return found
    return None


def _references(image: Element) -> Iterator[str]:
    """References of an image, the best first."""
    for name in _SETS:
        if source_set := image.attr(name):
            yield from _largest(source_set)
    for name in (*_LAZY_SOURCES, "src"):
        if source := image.attr(name):
            yield source
    parent = image.parent
    if isinstance(parent, Element) and parent.tag == "picture":
        sets = (source.attr("srcset") or source.attr("data-srcset") for source in parent.select("source"))
        for source_set in filter(None, sets):
            yield from _largest(source_set)


def _largest(source_set: str) -> list[str]:
    return largest_first((source_set,))[:1]
