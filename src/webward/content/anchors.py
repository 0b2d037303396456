"""Links as they are rendered: absolute, without titles, none that runs code, none around a block of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Element

from webward.content.references import without_userinfo

if TYPE_CHECKING:
    from turbohtml import Node

    from webward.content.document import Document
    from webward.content.references import References

MAX_SCHEME_CHARS = 2_000
"""How far a scheme is looked for; the white space that hides one is dropped first."""

# HTML standard, "javascript: URLs"; RFC 2397; the URL standard, "blob URLs".
_RUNNING = re.compile(r"(?:java|vb|live)script:|data:|blob:", re.IGNORECASE)
# The URL standard drops these before it reads a scheme, so that "java\nscript:" runs as well.
_DROPPED = re.compile(r"^[\x00-\x20]+|[\t\n\r]+")

# Most links are absolute, without a title, and within an item rather than around it: nothing is to be done about them.
# The parser keeps a list of each tag's elements, until the tree changes, for selectors that are not joined.
_RELATIVE = 'a[href]:not([href^="http"])'
_SIGNED = 'a[href*="@"]'  # an absolute link may hold a user name
_TITLED = "a[title]"
_ITEMS = "a > li"
_EMBEDDING = ("img", "source", "video", "audio", "track", "iframe", "embed")
_EMBEDDED = 'area[href]:not([href^="http"]), ' + ", ".join(f'{tag}[src]:not([src^="http"])' for tag in _EMBEDDING)


def normalize(document: Document) -> None:
    """Make links absolute; take off titles, which are seen by pointing at them only, and targets that run code."""
    tree, absolute = document.tree, document.references.absolute
    relative, titled, items = tree.select(_RELATIVE), tree.select(_TITLED), tree.select(_ITEMS)
    for link in tree.select(_SIGNED):
        link.attrs["href"] = without_userinfo(link.attr("href") or "")
    for link in relative:
        target = link.attr("href") or ""
        if ":" in target and runs_code(target):
            del link.attrs["href"]
        else:
            link.attrs["href"] = absolute(target) or target
    for link in titled:
        del link.attrs["title"]
    for item in items:
        if isinstance(item.parent, Element) and item.parent.tag == "a":  # not yet moved along with the item before
            move_inwards(item.parent, "li")


def runs_code(target: str) -> bool:
    """Whether a browser would run or show a target in place, instead of going anywhere."""
    return _RUNNING.match(_DROPPED.sub("", target[:MAX_SCHEME_CHARS])) is not None


def resolve_embedded(tree: Node, references: References) -> None:
    """Make the sources of images and players absolute, and the links of maps."""
    for element in tree.select(_EMBEDDED):
        name = "href" if element.tag == "area" else "src"
        target = element.attr(name) or ""
        if runs_code(target):
            del element.attrs[name]
        else:
            element.attrs[name] = references.absolute(target) or target


def move_inwards(link: Element, selector: str) -> None:
    """Put a link into the blocks that it holds: around a heading or an item it would make neither of them."""
    target = link.attr("href")
    moved = 0
    for block in link.select(selector) if target else ():
        if block.text.strip():
            block.wrap_children(Element("a", {"href": target}))
            moved += 1
    if moved or not target:
        link.unwrap()
