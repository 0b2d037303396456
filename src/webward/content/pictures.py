"""Images as they are rendered: the picture shown in the end, not what stands in for it until a script loads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turbohtml import Text

from webward.content.image_sources import SETS

if TYPE_CHECKING:
    from turbohtml import Element

    from webward.content.document import Document

MAX_ALT_CHARS = 1_000
"""Alternative text says what a picture shows (HTML standard, section 4.8.4.4); a longer one says something else."""

_POINT = frozenset({"0", "1", "0px", "1px"})

# Most images are what they seem: nothing is to be done about them.
_NOTABLE = ", ".join(
    f"img{condition}"
    for condition in (
        ':not([src^="http"])', "[srcset]", "[data-src]", "[data-srcset]", '[width="1"]', '[width="0"]',
    )
)  # fmt: skip


def normalize(document: Document, *, for_html: bool) -> None:
    """Give images their source; without one it is the alternative text, and an image of a single point is gone."""
    tree = document.tree
    described, titled, notable = tree.select("img[alt]"), tree.select("img[title]"), tree.select(_NOTABLE)
    for image in described:
        alt = image.attr("alt") or ""
        if len(alt) > MAX_ALT_CHARS:
            image.attrs["alt"] = alt[:MAX_ALT_CHARS]
    for image in titled:
        del image.attrs["title"]
    for image in notable:
        if image.attr("width") in _POINT and image.attr("height") in _POINT:
            image.decompose()
        else:
            _mend(image, document.images.of(image), for_html=for_html)


def _mend(image: Element, source: str | None, *, for_html: bool) -> None:
    if source is None:
        alt = image.attr("alt") or ""
        if alt.strip():
            image.replace_with(Text(f" {alt} "))
        else:
            image.decompose()
        return
    if image.attr("src") != source:
        image.attrs["src"] = source
    for name in SETS if for_html else ():
        if name in image.attrs:
            del image.attrs[name]
