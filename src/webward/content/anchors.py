"""Links as they are rendered: absolute, without titles, none that runs code, none around a block of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import ada_url
from turbohtml import Element

from webward.content.references import WEB_SCHEMES, without_userinfo

if TYPE_CHECKING:
    from turbohtml import Node

MAX_SCHEME_CHARS = 2_000
"""How far a scheme is looked for; the white space that hides one is dropped first."""

# HTML standard, "javascript: URLs"; RFC 2397; the URL standard, "blob URLs".
_RUNNING = re.compile(r"(?:java|vb|live)script:|data:|blob:", re.IGNORECASE)
# The URL standard drops these before it reads a scheme, so that "java\nscript:" runs as well.
_DROPPED = re.compile(r"^[\x00-\x20]+|[\t\n\r]+")

# From the root, the folder or the page itself, or from a named host on, without dot segments (WHATWG URL, "path
# state").
_SIMPLE = re.compile(
    r"(?:/(?!/)|[A-Za-z0-9_-](?![^/?#]*:)|#|//(?:[a-z0-9-]+\.)+[a-z]{2,}/)[A-Za-z0-9/_.~%?&=+,;:@!$()*#-]*"
)

# Most links are absolute, without a title, and within an item rather than around it: nothing is to be done about them.
# The parser keeps a list of each tag's elements, until the tree changes, for selectors that are not joined.
_RELATIVE = 'a[href]:not([href^="http"])'
_TITLED = "a[title]"
_ITEMS = "a > li"
_EMBEDDING = ("img", "source", "video", "audio", "track", "iframe", "embed")
_EMBEDDED = 'area[href]:not([href^="http"]), ' + ", ".join(f'{tag}[src]:not([src^="http"])' for tag in _EMBEDDING)


_SIGNED = 'a[href*="://"][href*="@"]'  # an absolute link that may hold a user name


class Resolver:
    """References to absolute URLs, each worked out once."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._known: dict[str, str] = {}
        path = base_url.partition("?")[0].partition("#")[0]
        start = path.find("/", len("https://"))
        self._origin = path[:start] if start > 0 and base_url.startswith(WEB_SCHEMES) else ""
        self._folder = path[: path.rfind("/") + 1]
        self._starts = {"/": self._origin, "#": base_url.partition("#")[0]}
        self._scheme = base_url[: base_url.find("//")]

    def absolute(self, reference: str) -> str:
        """The URL that a reference stands for; one that stands for none stays as it is."""
        found = self._known.get(reference)
        if found is None:
            # What most references are is in no need of a parser: a path of characters that stand for themselves.
            if _SIMPLE.fullmatch(reference) and self._origin and "/." not in reference:
                is_hosted = reference.startswith("//")
                found = (self._scheme if is_hosted else self._starts.get(reference[0], self._folder)) + reference
            elif reference.startswith(WEB_SCHEMES):
                found = reference
            else:
                found = self._joined(reference)
            found = without_userinfo(found)
            self._known[reference] = found
        return found

    def _joined(self, reference: str) -> str:
        try:
            return ada_url.join_url(self._base_url, reference)
        except ValueError:
            return reference


def normalize(tree: Node, resolver: Resolver) -> None:
    """Make links absolute; take off titles, which nobody sees without pointing at them, and targets that run code."""
    absolute = resolver.absolute
    relative, titled, items = tree.select(_RELATIVE), tree.select(_TITLED), tree.select(_ITEMS)
    for link in tree.select(_SIGNED):
        link.attrs["href"] = without_userinfo(link.attr("href") or "")
    for link in relative:
        target = link.attr("href") or ""
        if ":" in target and runs_code(target):
            del link.attrs["href"]
        else:
            link.attrs["href"] = absolute(target)
    for link in titled:
        del link.attrs["title"]
    holders = [item.parent for item in items]
    for holder in dict.fromkeys(holders):  # each once, or empty items would make it a square
        if isinstance(holder, Element):
            move_inwards(holder, "li")


def runs_code(target: str) -> bool:
    """Whether a browser would run or show a target in place, instead of going anywhere."""
    return _RUNNING.match(_DROPPED.sub("", target[:MAX_SCHEME_CHARS])) is not None


def resolve_embedded(tree: Node, resolver: Resolver) -> None:
    """Make the sources of images and players absolute, and the links of maps."""
    for element in tree.select(_EMBEDDED):
        name = "href" if element.tag == "area" else "src"
        target = element.attr(name) or ""
        if runs_code(target):
            del element.attrs[name]
        else:
            element.attrs[name] = resolver.absolute(target)


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
