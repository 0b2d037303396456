"""Where the picture of an image is: the largest that it names, or what a script would load in the end."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from turbohtml import Element

from webward.content.srcset import MAX_CANDIDATES, largest_first

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webward.content.references import References

SETS = ("srcset", "data-srcset", "data-lazy-srcset", "data-original-set")
_SINGLE = (
    "data-src",
    "data-lazy-src",
    "data-original",
    "data-lazy",
    "data-original-src",
    "data-full-src",
    "data-url",
    "src",
)


class ImageSources:
    """The sources of the images of one page, each worked out once."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._known: dict[Element, str | None] = {}
        self._pictures: dict[Element, tuple[Element | None, list[str]]] = {}

    def of(self, image: Element) -> str | None:
        """The best source that is a web address: pictures in a data URL are stand-ins, or too long to be read."""
        if image not in self._known:
            web_address = self._references.web_address
            self._known[image] = next(filter(None, map(web_address, self._candidates(image))), None)
        return self._known[image]

    def replace(self, image: Element, stand_in: Element) -> None:
        """Give an image the sources of another one, which stands in for it where no scripts run."""
        for name in (*SETS, "src", "alt"):
            value = stand_in.attr(name)
            if value is not None and (name != "alt" or not image.attr("alt")):
                image.attrs[name] = value
        self._known.pop(image, None)

    def _candidates(self, image: Element) -> Iterator[str]:
        """References of an image, the best first; one to the page itself shows nothing."""
        sets = _sets(image)
        parent = image.parent
        if isinstance(parent, Element) and parent.tag == "picture":
            first, shared = self._pictures.get(parent) or self._pictures.setdefault(parent, _first_of_picture(parent))
            sets += shared if image == first else ()
        if sets:
            yield from largest_first(sets)
        for name in _SINGLE:
            reference = image.attr(name)
            if reference and (reference := reference.strip()) and reference[0] != "#":
                yield reference


def _first_of_picture(picture: Element) -> tuple[Element | None, list[str]]:
    """The first image of a picture, and the sets of the sources before it, which stand for it."""
    sets: list[str] = []
    for child in islice(picture, MAX_CANDIDATES):
        if isinstance(child, Element):
            if child.tag == "img":
                return child, sets
            sets += _sets(child) if child.tag == "source" else ()
    return None, sets


def _sets(element: Element) -> list[str]:
    return [found for name in SETS if (found := element.attr(name))]
