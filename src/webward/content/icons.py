"""Links that show a sign and no words: named by what they carry for those who cannot see it, or left out.

A name is read as the words of a link only where the link has none of its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Element, Text

from webward.content.anchors import runs_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from turbohtml import Node

MAX_NAME_CHARS = 100
"""A name says where a link leads; a longer one says something else."""

MAX_TOTAL_TEXT_CHARS = 4_000_000
"""Text of links that is looked at: links in links would make it the square of the page."""

# What is neither blank nor invisible nor a sign of an icon font (Unicode, private use area).
_INK = re.compile(r"[^\s\u00ad\u200b-\u200f\u2060\ufeff\ue000-\uf8ff]")

_LEVELS = 4
"""How far above a sign its link is looked for; wrappers are one or two."""

_NAMES = ("aria-label", "title")
_NAMED_WITHIN = ":not(img)[aria-label], :not(img)[title]"


def shows_words(text: str) -> bool:
    """Whether a text is more than blanks and signs."""
    return _INK.search(text) is not None


def name_of(link: Element) -> str:
    """What a link without words is called, or nothing (Accessible Name and Description Computation, section 4.3.2)."""
    inner = None if any(link.attr(name) for name in _NAMES) else link.select_one(_NAMED_WITHIN)
    owners = (link,) if inner is None else (inner,)
    found = (_line(owner.attr(name) or "") for owner in owners for name in _NAMES)
    return next(filter(None, found), "")


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


def normalize(tree: Node) -> None:
    """Give links without words their name; those without one, and those within the page, are left out."""
    for link in _wordless(tree):
        if not _is_named(link):
            link.replace_with(Text(" "))


def _wordless(tree: Node) -> Iterator[Element]:
    budget = MAX_TOTAL_TEXT_CHARS
    for link in tree.select("a[href]"):
        text = link.text if budget > 0 else "unread"
        budget -= len(text)
        if not shows_words(text):
            yield link


def _is_named(link: Element) -> bool:
    """Whether a link shows a picture, or has a name, which is put into it."""
    target = link.attr("href") or ""
    name = "" if target.startswith("#") or runs_code(target) else name_of(link)
    pictures = link.select("img")
    if not pictures and name:
        link.text = f" {name} "  # a sign stands between words
    elif name and not any((picture.attr("alt") or "").strip() for picture in pictures):
        pictures[0].attrs["alt"] = name
    return bool(pictures or name)


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
