"""What of a page's machinery is shown after all, and the form in which it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turbohtml import Element, Text

from webward.content import embeds, tasks

if TYPE_CHECKING:
    from turbohtml import Node

SHOWN_AT_TIMES = frozenset({"button", "object", "input", "svg"})
"""Tags of which only some elements are taken out."""

_TRACKS = frozenset({"source", "track"})

_LABELLED = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "summary", "a", "th", "dt", "legend"})
"""What may be a button as well (the panels of an accordion, the columns of a table that sorts): its text is content."""

_LABEL_LEVELS = 4
"""How far above a button its heading is looked for."""


def keep(element: Element, html_holders: set[Node]) -> bool:
    """Whether machinery shows something after all, and then the form in which it does."""
    if element.tag == "button" and _is_labelled(element):
        _set_apart(element)
        element.unwrap()
    elif element.tag == "object" and embeds.shows_fallback(element):
        embeds.forget_data(element)
    elif element.tag == "input" and tasks.is_task(element):
        tasks.move_to_start(element)
    elif element.tag == "svg" and html_holders and element in html_holders:
        embeds.keep_html(element, html_holders)
    else:
        return False
    return True


def drop_fallback(player: Element) -> None:
    """Leave a player its sources alone."""
    for child in player.children:
        if not isinstance(child, Element) or child.tag not in _TRACKS:
            child.decompose()


def _is_labelled(button: Element) -> bool:
    parent = button.parent
    for _ in range(_LABEL_LEVELS):
        if not isinstance(parent, Element):
            return False
        if parent.tag in _LABELLED:
            return True
        parent = parent.parent
    return False


def _set_apart(element: Element) -> None:
    element.insert_before(Text(" "))
    element.insert_after(Text(" "))
