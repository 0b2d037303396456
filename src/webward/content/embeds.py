"""What is shown of an element that embeds another thing: the fallback of an object, the HTML within a drawing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Element, Namespace

if TYPE_CHECKING:
    from turbohtml import Node

# What browsers show in an object by themselves; for plug-ins, which none has any more, they show the fallback.
_SHOWN_TYPE = re.compile(r"(?:image|text|video|audio)/|application/(?:pdf|json|(?:\w+\+)?xml)")
_PLUG_IN = re.compile(r"\.(?:swf|flv|class|jar|xap|dcr|wmv|wma|asx|rm|ram)(?:[?#]|\Z)")
_REFERRING = ("data", "classid", "codebase")

# Elements of a drawing that are painted where another one refers to them, if at all (SVG 2, "never-rendered elements").
_UNPAINTED = frozenset({"defs", "symbol", "clippath", "mask", "marker", "pattern", "desc", "title", "metadata"})
_POINT = re.compile(r"\s*[01]?(?:\.\d*)?\s*(?:px)?\s*")


def shows_fallback(element: Element) -> bool:
    """Whether an object has nothing to show but its own content (HTML standard, section 4.8.7)."""
    data = (element.attr("data") or "").strip().lower()
    kind = (element.attr("type") or "").strip().lower()
    if not data:
        return True
    return _SHOWN_TYPE.match(kind) is None if kind else _PLUG_IN.search(data) is not None


def forget_data(element: Element) -> None:
    """Leave an object with its fallback alone."""
    for name in _REFERRING:
        if name in element.attrs:
            del element.attrs[name]


def holders_of_html(tree: Node) -> set[Node]:
    """The HTML within the drawings of a page, and all that holds it there, up to the drawing itself."""
    is_shown: dict[Node | None, bool] = {}
    for element in tree.select("foreignobject"):
        if element.namespace is Namespace.SVG and not _is_elsewhere(element):
            _climb(element, is_shown)
    return {node for node, shown in is_shown.items() if shown and node is not None}


def keep_html(drawing: Element, holders: set[Node]) -> None:
    """Remove from a drawing all but the HTML within it."""
    remaining, rest = [drawing], Element("svg")
    while remaining:
        for child in list(remaining.pop().children):
            if child not in holders:
                rest.append(child)  # whoever goes through the page by a list may still come to what is in it
            elif isinstance(child, Element) and child.tag.lower() != "foreignobject":
                remaining.append(child)


def _is_elsewhere(element: Element) -> bool:
    """Whether HTML is for another program, or has no room."""
    sizes = (element.attr("width"), element.attr("height"))
    return element.attr("requiredextensions") is not None or any(size and _POINT.fullmatch(size) for size in sizes)


def _climb(element: Element, is_shown: dict[Node | None, bool]) -> None:
    """Find whether an element is painted, and remember it for all above it that the answer holds for."""
    path: list[Node | None] = []
    node: Node | None = element
    while node not in is_shown:
        path.append(node)
        tag = node.tag.lower() if isinstance(node, Element) else ""
        if not tag or tag in _UNPAINTED:
            is_shown[node] = False
        elif tag == "svg":
            is_shown[node] = True
        else:
            node = node.parent if node is not None else None
    is_shown.update(dict.fromkeys(path, is_shown[node]))
