"""Links that show a sign and no words: named by what they carry for those who cannot see it, or left out.

A name is read as the words of a link only where the link has none of its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Element, Text

from webward.content.anchors import runs_code
from webward.content.references import WEB_SCHEMES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from turbohtml import Node

MAX_NAME_CHARS = 100
"""A name says where a link leads; a longer one says something else."""

_MAX_SIGN_CHARS = 8
# What is neither blank nor invisible nor a sign of an icon font (Unicode, private use area).
_INK = re.compile(r"[^\s\u00ad\u200b-\u200f\u2060\ufeff\ue000-\uf8ff]")
_LEVELS = 4
"""How far above a sign its link is looked for; wrappers are one or two."""

_NAMES = ("aria-label", "title")
_NAMED_WITHIN = ":not(img)[aria-label], :not(img)[title]"


def shows_words(text: str) -> bool:
    """Whether a text is more than blanks and signs."""
    ink = text.strip()
    return len(ink) > _MAX_SIGN_CHARS or _INK.search(ink) is not None


def name_of(link: Element) -> str:
    """What a link without words is called, or nothing (Accessible Name and Description Computation, section 4.3.2)."""
    name = link.attr("aria-label") or link.attr("title")
    if not name and (inner := link.select_one(_NAMED_WITHIN)) is not None:
        name = inner.attr("aria-label") or inner.attr("title")
    return _line(name) if name else ""


def keep_names(tree: Node) -> None:
    """Hand the names of drawings on to the links around them, before the drawings go."""
    for title in tree.select("title"):
        if isinstance(title.parent, Element) and title.parent.tag == "svg":
            keep_name(title.parent, title.text)
    for drawing in tree.select("svg[aria-label]"):
        keep_name(drawing, drawing.attr("aria-label") or "")


def keep_name(sign: Element, name: str) -> None:
    """Hand a name on to the link around a sign, unless it has one."""
    link = _link_around(sign)
    if link is not None and not any(link.attr(given) for given in _NAMES) and (line := _line(name)):
        link.attrs["aria-label"] = line


def wordless(tree: Node) -> list[tuple[Element, str]]:
    """Links without words, and what they are called; those within the page, and those that run code, have no name."""
    return [
        (link, _name_for(link))
        for link in tree.select("a[href]")
        if len(ink := link.text.strip()) <= _MAX_SIGN_CHARS and not shows_words(ink)  # most links need no call
    ]


def _name_for(link: Element) -> str:
    target = link.attr("href") or ""
    leads_away = target.startswith(WEB_SCHEMES) or not (target.startswith("#") or runs_code(target))
    return name_of(link) if leads_away else ""


def name_links(links: list[tuple[Element, str]]) -> None:
    """Give links without words their name, and leave out those that have neither a name nor a picture."""
    for link, name in links:
        pictures = link.select("img")
        if pictures:
            if name and not any((picture.attr("alt") or "").strip() for picture in pictures):
                pictures[0].attrs["alt"] = name
        elif link.parent is not None and not shows_words(link.text):
            if name:
                link.text = f" {name} "  # a sign stands between words
            else:
                link.replace_with(Text(" "))


def _link_around(sign: Element) -> Element | None:
    return next((holder for holder in _around(sign) if holder.tag == "a"), None)


def _around(element: Element) -> Iterable[Element]:
    holder = element.parent
    for _ in range(_LEVELS):
        if not isinstance(holder, Element):
            return
        yield holder
        holder = holder.parent


def _line(text: str) -> str:
    return " ".join(text[: 4 * MAX_NAME_CHARS].split())[:MAX_NAME_CHARS].rstrip()
