"""Task lists: a box that is ticked or not says something that its item does not."""

from __future__ import annotations

from turbohtml import Element, Text

_LEVELS = 3
"""How far above a box its item is looked for: a label, a paragraph."""

_SHOWN = ("disabled", "readonly")


def is_task(box: Element) -> bool:
    """Whether a control is the box of a task, which shows a state, and not one to filter or fold things with."""
    if (box.attr("type") or "").lower() != "checkbox":
        return False
    item = _item_of(box)
    if item is None or _has_another(item, box):
        return False
    if any("task" in (element.attr("class") or "") for element in (box, item)):
        return True
    is_bare = box.parent == item and box.attr("id") is None  # of the others, most fold a menu or filter a list
    return is_bare or any(box.attr(name) is not None for name in _SHOWN)


def _has_another(item: Element, box: Element) -> bool:
    first = item[0]
    return isinstance(first, Element) and first.tag == "input" and first != box


def move_to_start(box: Element) -> None:
    """Put a box where the renderer looks for it: at the very start of its item, or of the paragraph there."""
    holder = box.parent
    if not isinstance(holder, Element) or holder.tag != "p":
        holder = _item_of(box)
    if holder is not None:
        holder.insert(0, box.extract())


def write_out(box: Element) -> None:
    """Put a box into words, for plain text."""
    box.replace_with(Text("[x] " if box.attr("checked") is not None else "[ ] "))


def _item_of(box: Element) -> Element | None:
    holder = box.parent
    for _ in range(_LEVELS):
        if not isinstance(holder, Element):
            return None
        if holder.tag == "li":
            return holder
        holder = holder.parent
    return None
