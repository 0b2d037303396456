"""What a page links to and shows: links by host, images, videos and audios, absolute, in order, each once.

Asked of the whole cleaned document, before selection and filters.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from msgspec.structs import replace
from turbohtml import Element

from webward.content.icons import name_of, shows_words
from webward.content.references import WEB_SCHEMES, host_of
from webward.content.region import find_region
from webward.content.sanitize import scrub
from webward.content.srcset import MAX_CANDIDATES
from webward.model import Image, Link, Links, Media

if TYPE_CHECKING:
    from webward.content.document import Document

MAX_LINKS = 5_000
"""Targets that are listed: the largest indexes have about as many."""

MAX_IMAGES = 2_000
"""Images that are listed."""

MAX_PLAYERS = 500
"""Videos, and audios, that are listed."""

MAX_TEXT_CHARS = 500
"""Of a link's text, a title, an alternative text; whole articles stand inside one link at times."""

MAX_TOTAL_TEXT_CHARS = 4_000_000
"""Text of links that is looked at: links in links would make it the square of the page."""

TRACKING_PIXELS = 1
"""Width and height of an image that is there to be requested, not to be seen."""

_SURROUNDINGS = "nav, footer, aside"

_LINK_SCHEMES = (*WEB_SCHEMES, "mailto:")

# HTML standard, "rules for parsing dimension values", without percentages: a share of nothing known.
_DIMENSION = re.compile(r"\s*(\d{1,6})(?:\.\d*)?\s*(?:px)?\s*", re.IGNORECASE)


def links_of(document: Document, *, url: str) -> Links:
    """The links of a document, internal where their host is that of the page, each target with its first text.

    Targets are http, https and mailto; those inside the page itself are no links.

    Args:
        document: The document.
        url: Where the page was got from: a ``base`` element changes what links lead to, not which host is the page's.
    """
    host = host_of(url)
    is_own: dict[str, bool] = {}  # by scheme and authority, of which a page's links have few
    internal: list[Link] = []
    external: list[Link] = []
    for href, (text, title) in _clean(_found_links(document, url)).items():
        place = href[: href.find("/", len("https://")) + 1]
        if place not in is_own:
            is_own[place] = place.startswith(WEB_SCHEMES) and host_of(place) == host
        (internal if is_own[place] else external).append(Link(href=href, text=text, title=title))
    return Links(internal=tuple(internal), external=tuple(external))


def media_of(document: Document) -> Media:
    """The images, videos and audios of a document; of each the largest or first source, and no placeholder."""
    found: dict[str, Image] = {}
    source_of = document.images.of
    elements = document.tree.select("img")
    content = _content_images(document) if elements else frozenset()
    for element in elements:
        width, height = _dimension(element.attr("width")), _dimension(element.attr("height"))
        if width is not None and height is not None and max(width, height) <= TRACKING_PIXELS:
            continue
        source = source_of(element)
        if source is not None and source not in found:
            alt = _line(element.attr("alt") or "") or None
            is_content = element in content
            found[source] = Image(src=source, alt=alt, width=width, height=height, in_content=is_content)
            if len(found) == MAX_IMAGES:
                break
    images = list(found.values())
    if scrub("\n".join(image.alt or "" for image in images)).report:
        images = [replace(image, alt=_scrubbed(image.alt)) for image in images]
    return Media(images=tuple(images), videos=_players(document, "video"), audios=_players(document, "audio"))


def _content_images(document: Document) -> frozenset[Element]:
    """The images in the content of a page, without those of what surrounds it there."""
    body = document.tree.select_one("body")
    if body is None:
        return frozenset()
    region = find_region(body)
    around = _SURROUNDINGS if region != body else f"{_SURROUNDINGS}, header"
    return frozenset(region.select("img")) - frozenset(region.select(f":is({around}) img"))


_Named = dict[str, tuple[str, str | None]]
"""Text and title by target."""


def _found_links(document: Document, url: str) -> _Named:
    found: _Named = {}
    worded: set[str] = set()
    page = url.partition("#")[0] + "#"
    budget = MAX_TOTAL_TEXT_CHARS
    alternatives: dict[Element, str] | None = None
    tree, absolute = document.tree, document.references.absolute
    for element in tree.select("a[href], area[href]" if tree.select_one("area") else "a[href]"):
        href = absolute(element.attr("href") or "")
        if href is None or not href.startswith(_LINK_SCHEMES) or href.startswith(page):
            continue
        known = found.get(href)
        if href in worded:
            continue
        text = element.text if budget > 0 else ""
        budget -= len(text)
        if shows_words(text):
            worded.add(href)
            text = _line(text)
        else:
            alternatives = _alternatives(document) if alternatives is None else alternatives
            text = _line(alternatives.get(element) or element.attr("alt") or name_of(element))
        if known is None or href in worded or (text and not known[0]):
            found[href] = text, _line(element.attr("title") or "") or None
            if len(found) == MAX_LINKS:
                break
    return found


def _alternatives(document: Document) -> dict[Element, str]:
    """Alternative text of the first image in each link; from the image up, or links in links would cost the square."""
    found: dict[Element, str] = {}
    for image in document.tree.select("a[href] img[alt]:not([alt=''])")[:MAX_IMAGES]:
        link = image.closest("a[href]")
        if link is not None:
            found.setdefault(link, image.attr("alt") or "")
    return found


def _line(text: str) -> str:
    line = " ".join(text[: 4 * MAX_TEXT_CHARS].split())
    return line if len(line) <= MAX_TEXT_CHARS else line[:MAX_TEXT_CHARS].rstrip()


def _clean(links: _Named) -> _Named:
    """Scrub texts and titles, at once where nothing is to be done: a page has hundreds."""
    texts = [part for named in links.values() for part in named if part]
    if not scrub("\n".join(texts)).report:
        return links
    return {href: (_scrubbed(text) or "", _scrubbed(title)) for href, (text, title) in links.items()}


def _scrubbed(text: str | None) -> str | None:
    return " ".join(scrub(text).text.split()) or None if text else None


def _dimension(text: str | None) -> int | None:
    found = _DIMENSION.fullmatch(text) if text else None
    return int(found[1]) if found else None


def _players(document: Document, tag: str) -> tuple[str, ...]:
    """URL of each player: its own source, or else that of its first child that has one."""
    found: dict[str, None] = {}
    for element in document.tree.select(tag)[:MAX_PLAYERS]:
        children = (
            child for child in islice(element, MAX_CANDIDATES) if isinstance(child, Element) and child.tag == "source"
        )
        references = (owner.attr(name) for owner in (element, *children) for name in ("src", "data-src"))
        urls = (document.references.web_address(reference.strip()) for reference in references if reference)
        if url := next((url for url in urls if url), None):
            found[url] = None
    return tuple(found)
