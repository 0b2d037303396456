"""Tree edits that let the native renderer write what a page shows: each mends one thing that it would lose or break.

They change how elements are written down, never what they say; HTML is given as it came but for its links and images.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Element, Text

from webward.config import Rendition
from webward.content import anchors, breaks, codes, emphases, formulas, icons, pictures, raised, tables, tasks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from turbohtml import Node

    from webward.content.document import Document

# Blocks for a browser (HTML standard, section 15.3), but not for the renderer, which would join their words.
_BLOCKS = ("center", "dialog", "fieldset", "form", "hgroup", "legend", "search", "optgroup", "frameset")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_OLD_CODE = ("listing", "xmp", "plaintext")  # HTML standard, section 16.2, "obsolete features"
_ANY_HEADING = ", ".join(_HEADINGS)
_EMPHASES = ", ".join(emphases.TAGS)
_MARKED = f"{_ANY_HEADING}, hr"  # blocks that the renderer can leave unmarked only as part of a line
_NUMBER = re.compile(r"\d{1,9}")
_MARK_LEVELS = 4
_PARAGRAPHS = frozenset({"p", "div", "section", "article", "span"})
_FRAMED = frozenset({"ul", "ol", "dl", "menu", "table", "pre", "blockquote", "hr", *_HEADINGS})
_APART = ("label", "option", "output", "meter", "progress")


def normalize(document: Document, rendition: Rendition) -> None:
    """Edit a document, in place, for a rendition; for HTML only what its links and images lead to."""
    if rendition is Rendition.HTML:
        _normalize_html(document)
        return
    tree = document.tree
    # Asking is quick as long as the tree does not change.
    wordless, of_formulas, line_breaks = icons.wordless(tree), formulas.pictures(tree), breaks.found(tree)
    anchors.normalize(document)
    pictures.normalize(document, for_html=False)
    icons.name_links(wordless)
    for picture in of_formulas:
        formulas.write_picture(picture)
    if rendition is Rendition.TEXT:
        _leave_out_marks(tree)
    breaks.normalize(line_breaks)
    has_table = False
    for element in list(tree.iter_elements(_EDITED)):
        edit = _EDITS.get(element.tag)
        if edit is not None:
            edit(element)
        else:
            has_table = True
            _loosen(element)
    for element in tree.select(_PREFORMATTED):
        del element.attrs["style"]
    if has_table:
        tables.normalize(tree)
    if rendition is Rendition.TEXT:
        for element in tree.select(_MARKED):
            element.tag = "div"


def _normalize_html(document: Document) -> None:
    anchors.normalize(document)
    pictures.normalize(document, for_html=True)
    anchors.resolve_embedded(document.tree, document.references)
    for element in document.tree.select("s"):  # its tag is a control token, which sanitizing would break
        element.tag = "del"


def _leave_out_marks(tree: Node) -> None:
    """For plain text: no pictures, emphases or boxes, and blanks between the links of a menu."""
    for image in tree.select("img"):
        image.extract()
    for emphasis in tree.select(_EMPHASES):
        emphasis.tag = "span"
    for box in tree.select("li input"):
        tasks.write_out(box)
    for link in tree.select("a + a"):
        if isinstance(link.previous_sibling, Element):  # a style sheet sets them apart
            link.insert_before(Text(" "))


def _to_block(element: Element) -> None:
    element.tag = "div"


def _to_text(element: Element) -> None:
    element.tag = "span"


def _set_apart(element: Element) -> None:
    element.insert_before(Text(" "))
    element.insert_after(Text(" "))


def _mend_heading(heading: Element) -> None:
    if heading.select_one(_ANY_HEADING) is not None:
        heading.tag = "div"
    elif heading.text.strip():
        link = heading.closest("a")
        if link is not None:
            anchors.move_inwards(link, _ANY_HEADING)
    elif heading.select_one("img") is None:
        heading.tag = "div"


def _to_code_block(element: Element) -> None:
    element.tag = "pre"


def _to_code(element: Element) -> None:
    element.tag = "code"


def _to_list(element: Element) -> None:
    element.tag = "ul"


def _number_downwards(element: Element) -> None:
    """Write out the numbers of a list that counts down."""
    if element.attr("reversed") is None:
        return
    items = [child for child in element.children if isinstance(child, Element) and child.tag == "li"]
    start = element.attr("start") or ""
    number = int(start) if _NUMBER.fullmatch(start) else len(items)
    for item in items:
        if "value" in item.attrs and _NUMBER.fullmatch(item.attr("value") or ""):
            number = int(item.attr("value") or "")
        item.attrs["value"] = str(number)
        number -= 1


def _loosen(element: Element) -> None:
    """Have the blocks of an item set apart; without an empty line, a rule makes a heading of the text above it.

    Two paragraphs make the renderer do so. Blank as these are, they are dropped later (`tidy`).
    """
    item = element.parent
    if isinstance(item, Element) and item.tag == "li" and element.previous_sibling is not None:
        item.extend(Element("p", None, [Text("\u00a0")]) for _ in range(2))


def _set_reading_apart(element: Element) -> None:
    """Put parentheses around the reading of a character, as browsers without ruby do where the page has them."""
    after = element.next_sibling
    if after is not None and _is_blank(after):
        after = after.next_sibling
    if not isinstance(after, Element) or after.tag != "rp":
        element.insert(0, Text("("))
        element.append(Text(")"))


def _mark_definitions(element: Element) -> None:
    """Begin each definition of a term with a colon, as Markdown dialects with definition lists do."""
    has_term = False
    for child in _entries(element):
        has_term = has_term or child.tag == "dt"
        if has_term and child.tag == "dd" and len(child):
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
    **dict.fromkeys(emphases.TAGS, emphases.normalize),
    **dict.fromkeys(_OLD_CODE, _to_code_block),
    **dict.fromkeys(("hr", "blockquote"), _loosen),
    **dict.fromkeys(("sup", "sub"), raised.normalize),
    "tt": _to_code,
    "dir": _to_list,
    "ol": _number_downwards,
    "dl": _mark_definitions,
    "pre": codes.normalize,
    **dict.fromkeys(("code", "kbd", "samp"), codes.set_apart),
    "math": formulas.normalize,
    "rp": _to_text,
    "rt": _set_reading_apart,
}
_EDITED = (*_EDITS, "table")
_PREFORMATTED = '[style*="white-space" i]:not(pre)'  # the renderer takes anything preformatted for code
