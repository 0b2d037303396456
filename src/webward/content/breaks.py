"""Line breaks as they are rendered: one ends a line, two a paragraph; at the edge of a block they show nothing."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from turbohtml import Element, Text

from webward.content.blocks import INLINE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from turbohtml import Node

MAX_UNSEEN = 32
"""Nodes that show nothing, next to a break, that are looked past: blanks and what is left of icons are a few."""

_LEVELS = 8
"""How far a break is taken out of the inline elements that begin or end with it."""

_SEEN = frozenset({"br", "img"})
_CODE = "pre br"


def found(tree: Node) -> list[Element]:
    """The breaks of a page, but for those of code, where each ends a line."""
    breaks = tree.select("br")
    in_code = set(tree.select(_CODE)) if breaks and tree.select_one("pre") is not None else ()
    return [line_break for line_break in breaks if line_break not in in_code] if in_code else breaks


def normalize(breaks: Iterable[Element]) -> None:
    """Take breaks out of the edges of inline elements and off the starts of lines; two in a row begin a new block."""
    for line_break in breaks:
        if line_break.parent is not None:
            _mend(line_break)


def _mend(line_break: Element) -> None:
    before = _neighbor(line_break, forward=False)
    if isinstance(before, Text):
        if _neighbor(line_break, forward=True) is None:
            _move_out(line_break, forward=True)
        return
    if before is None:
        _move_out(line_break, forward=False)
        before = _neighbor(line_break, forward=False)
    elif _neighbor(line_break, forward=True) is None:
        _move_out(line_break, forward=True)
    if isinstance(before, Element) and before.tag == "br":
        while isinstance(between := line_break.previous_sibling, Text) and not between.data.strip():
            between.extract()
        before.extract()
        line_break.tag = "div"
    elif before is None or (isinstance(before, Element) and before.tag not in INLINE):
        line_break.extract()


def _neighbor(element: Element, *, forward: bool) -> Node | None:
    """What stands before or after an element, aside from what shows nothing."""
    siblings = element.next_siblings if forward else element.previous_siblings
    node = None
    for node in islice(siblings, MAX_UNSEEN):
        if _is_shown(node):
            return node
    return node if node is not None and (node.next_sibling if forward else node.previous_sibling) else None


def _is_shown(node: Node) -> bool:
    if isinstance(node, Text):
        return bool(node.data.strip())
    if not isinstance(node, Element):
        return False
    return node.tag not in INLINE or node.tag in _SEEN or bool(node.text.strip()) or node.select_one("img") is not None


def _move_out(line_break: Element, *, forward: bool) -> None:
    for _ in range(_LEVELS):
        holder = line_break.parent
        if not isinstance(holder, Element) or holder.tag not in INLINE or holder.parent is None:
            return
        if _neighbor(line_break, forward=forward) is not None:
            return
        if forward:
            holder.insert_after(line_break.extract())
        else:
            holder.insert_before(line_break.extract())
