"""What a page links to and shows: links by host, images, videos and audios, absolute, in order, each once.

Asked of the whole cleaned document, before selection and filters.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from turbohtml import Element

from webward.content.icons import name_of, shows_words
from webward.content.references import WEB_SCHEMES, absolute, host_of
from webward.content.sanitize import scrub
from webward.content.srcset import MAX_CANDIDATES, largest_first
from webward.model import Image, Link, Links, Media

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from turbohtml import Node

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

_LINK_SCHEMES = (*WEB_SCHEMES, "mailto:")
_LAZY_SOURCES = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-original-src",
    "data-full-src",
    "data-url",
)
_SOURCE_SETS = ("srcset", "data-srcset", "data-lazy-srcset", "data-original-set")

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
    own = (f"https://{host}/", f"http://{host}/")
    internal: list[Link] = []
    external: list[Link] = []
    for link in _clean(_found_links(document, url)):
        is_internal = link.href.startswith(own) or (link.href.startswith(WEB_SCHEMES) and host_of(link.href) == host)
        (internal if is_internal else external).append(link)
    return Links(internal=tuple(internal), external=tuple(external))


def media_of(document: Document) -> Media:
    """The images, videos and audios of a document; of each the largest or first source, and no placeholder."""
    found: dict[str, Image] = {}
    picture: Node | None = None
    alternatives: list[Element] = []
    tree = document.tree
    for element in tree.select("picture > source, img" if tree.select_one("picture") else "img"):
        if element.tag == "source":
            if element.parent != picture:
                picture, alternatives = element.parent, []
            alternatives.append(element)
            continue
        image = _image(element, alternatives if element.parent == picture else (), document.base_url)
        alternatives = []  # they stand for the first image behind them
        if image is not None:
            found.setdefault(image.src, image)
        if len(found) == MAX_IMAGES:
            break
    images = list(found.values())
    if scrub("\n".join(image.alt or "" for image in images)).report:
        images = [Image(src=it.src, alt=_scrubbed(it.alt), width=it.width, height=it.height) for it in images]
    return Media(images=tuple(images), videos=_players(document, "video"), audios=_players(document, "audio"))


def _found_links(document: Document, url: str) -> list[Link]:
    found: dict[str, Link] = {}
    worded: set[str] = set()
    page = url.partition("#")[0] + "#"
    budget = MAX_TOTAL_TEXT_CHARS
    alternatives: dict[Element, str] | None = None
    resolved: dict[str, str | None] = {}  # a third of the links of a page say again what a menu said
    tree = document.tree
    for element in tree.select("a[href], area[href]" if tree.select_one("area") else "a[href]"):
        reference = element.attr("href") or ""
        if reference not in resolved:
            resolved[reference] = absolute(reference, base_url=document.base_url, schemes=_LINK_SCHEMES)
        href = resolved[reference]
        if href is None or href.startswith(page):
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
        if known is None or href in worded or (text and not known.text):
            found[href] = Link(href=href, text=text, title=_line(element.attr("title") or "") or None)
        if len(found) == MAX_LINKS:
            break
    return list(found.values())


def _alternatives(document: Document) -> dict[Element, str]:
    """Alternative text of the first image in each link; from the image up, or links in links would cost the square."""
    found: dict[Element, str] = {}
    for image in document.tree.select("a[href] img[alt]:not([alt=''])")[:MAX_IMAGES]:
        link = image.closest("a[href]")
        if link is not None:
            found.setdefault(link, image.attr("alt") or "")
    return found


def _line(text: str) -> str:
    return " ".join(text[: 4 * MAX_TEXT_CHARS].split())[:MAX_TEXT_CHARS].rstrip()


def _clean(links: list[Link]) -> Iterable[Link]:
    """Scrub texts and titles, at once where nothing is to be done: a page has hundreds."""
    if not scrub("\n".join(f"{link.text}\n{link.title or ''}" for link in links)).report:
        return links
    return [Link(href=link.href, text=_scrubbed(link.text) or "", title=_scrubbed(link.title)) for link in links]


def _scrubbed(text: str | None) -> str | None:
    return " ".join(scrub(text).text.split()) or None if text else None


def _image(element: Element, alternatives: Iterable[Element], base_url: str) -> Image | None:
    width, height = (_dimension(element.attr(name)) for name in ("width", "height"))
    if width is not None and height is not None and max(width, height) <= TRACKING_PIXELS:
        return None
    for reference in _sources(element, alternatives):
        src = absolute(reference, base_url=base_url)
        if src and src != base_url.partition("#")[0]:  # an empty source was resolved to the page itself
            return Image(src=src, alt=_line(element.attr("alt") or "") or None, width=width, height=height)
    return None


def _sources(element: Element, alternatives: Iterable[Element]) -> Iterator[str]:
    """References of an image, the best first: data URLs fall out later, since they lead nowhere."""
    yield from largest_first(_source_sets(element, alternatives))
    for name in (*_LAZY_SOURCES, "src"):
        if reference := element.attr(name):
            yield reference.strip()


def _source_sets(element: Element, alternatives: Iterable[Element]) -> Iterator[str]:
    for owner in (element, *islice(alternatives, MAX_CANDIDATES)):
        for name in _SOURCE_SETS:
            if source_set := owner.attr(name):
                yield source_set


def _dimension(text: str | None) -> int | None:
    found = _DIMENSION.fullmatch(text or "")
    return int(found[1]) if found else None


def _players(document: Document, tag: str) -> tuple[str, ...]:
    """URL of each player: its own source, or else that of its first child that has one."""
    found: dict[str, None] = {}
    for element in document.tree.select(tag)[:MAX_PLAYERS]:
        children = (
            child for child in islice(element, MAX_CANDIDATES) if isinstance(child, Element) and child.tag == "source"
        )
        references = (owner.attr(name) for owner in (element, *children) for name in ("src", "data-src"))
        urls = (absolute(reference.strip(), base_url=document.base_url) for reference in references if reference)
        if url := next((url for url in urls if url), None):
            found[url] = None
    return tuple(found)
