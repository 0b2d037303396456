"""Tree edits that let the native renderer write what a page shows: each mends one thing that it would lose or break.

They change how elements are written down, never what they say; HTML is given as it came but for its links and images.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turbohtml import Element, Text

from webward.config import Rendition
from webward.content import anchors, codes, formulas, icons, pictures, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from turbohtml import Node

    from webward.content.document import Document

# Blocks for a browser (HTML standard, section 15.3), but not for the renderer, which would join their words.
_BLOCKS = ("center", "dialog", "dir", "fieldset", "form", "hgroup", "legend", "search", "optgroup", "frameset")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_EMPHASES = ("b", "strong", "i", "em", "s", "del")
_ANY_HEADING = ", ".join(_HEADINGS)
_MARKED = f"{_ANY_HEADING}, hr"  # blocks that the renderer can leave unmarked only as part of a line
_MARK_LEVELS = 4
_PARAGRAPHS = frozenset({"p", "div", "section", "article", "span"})
_FRAMED = frozenset({"ul", "ol", "dl", "menu", "table", "pre", "blockquote", "hr", *_HEADINGS})
_APART = ("label", "option", "output", "meter", "progress")


def normalize(document: Document, rendition: Rendition) -> None:
    """Edit a document, in place, for a rendition; for HTML only what its links and images lead to."""
    tree, resolver = document.tree, anchors.Resolver(document.base_url)
    pictures.normalize(tree, resolver)
    if rendition is not Rendition.HTML:
        icons.normalize(tree)
    anchors.normalize(tree, resolver)
    if rendition is Rendition.HTML:
        anchors.resolve_embedded(tree, resolver)
        return
    has_table = False
    for element in list(tree.iter_elements(_EDITED)):
        edit = _EDITS.get(element.tag)
        if edit is not None:
            edit(element)
        else:
            has_table = True
    for element in tree.select(_PREFORMATTED):
        del element.attrs["style"]
    if has_table:
        tables.normalize(tree)
    if rendition is Rendition.TEXT:
        for element in tree.select(_MARKED):
            element.tag = "div"


def _to_block(element: Element) -> None:
    element.tag = "div"


def _to_text(element: Element) -> None:
    element.tag = "span"


def _set_apart(element: Element) -> None:
    element.insert_before(Text(" "))
    element.insert_after(Text(" "))


def _mend_heading(heading: Element) -> None:
    link = heading.closest("a")
    if link is not None:
        anchors.move_inwards(link, _ANY_HEADING)
    is_outer = heading.select_one(_ANY_HEADING) is not None
    if is_outer or (not heading.text.strip() and heading.select_one("img") is None):
        heading.tag = "div"


def _merge(element: Element) -> None:
    """Make one of emphases that touch: the marks between them would be read as text."""
    sibling = element.next_sibling
    while isinstance(sibling, Element) and sibling.tag == element.tag:
        element.extend(sibling.children)
        sibling.decompose()
        sibling = element.next_sibling


def _mark_definitions(element: Element) -> None:
    """Begin each definition of a term with a colon, as Markdown dialects with definition lists do."""
    has_term = False
    for child in _entries(element):
        has_term = has_term or child.tag == "dt"
        if has_term and child.tag == "dd":
            _mark_definition(child)


def _entries(element: Element) -> Iterator[Element]:
    """Terms and definitions of a list; a group of them may stand in a div (HTML standard, section 4.4.9)."""
    for child in element.children:
        if isinstance(child, Element):
            if child.tag == "div":
                yield from (inner for inner in child.children if isinstance(inner, Element))
            else:
                yield child


def _mark_definition(element: Element) -> None:
    place = element
    for _ in range(_MARK_LEVELS):
        first = next((child for child in place.children if not _is_blank(child)), None)
        if isinstance(first, Element) and first.tag in _FRAMED:
            return
        if not isinstance(first, Element) or first.tag not in _PARAGRAPHS:
            break
        place = first
    place.insert(0, Text(": "))


def _is_blank(node: Node) -> bool:
    return isinstance(node, Text) and not node.data.strip()


_EDITS: Mapping[str, Callable[[Element], None]] = {
    **dict.fromkeys(_BLOCKS, _to_block),
    **dict.fromkeys(_APART, _set_apart),
    **dict.fromkeys(_HEADINGS, _mend_heading),
    **dict.fromkeys(_EMPHASES, _merge),
    "dl": _mark_definitions,
    "pre": codes.normalize,
    "math": formulas.normalize,
    "rp": _to_text,
}
_EDITED = (*_EDITS, "table")
_PREFORMATTED = '[style*="white-space" i]:not(pre)'  # the renderer takes anything preformatted for code
