"""Emphases as they are rendered: marks that touch a blank, or marks of the same kind, would be read as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turbohtml import Element, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_KINDS = (("b", "strong"), ("i", "em"), ("s", "del", "strike"))
_KIND_BY_TAG: Mapping[str, tuple[str, ...]] = {tag: kind for kind in _KINDS for tag in kind}
TAGS = tuple(_KIND_BY_TAG)

_KEPT_BLANKS = " \n\t\r\f"
"""Blanks that the renderer itself takes out of an emphasis."""


def normalize(element: Element) -> None:
    """Make one of emphases of one kind that touch or hold each other, and take blanks out of their ends."""
    kind = _KIND_BY_TAG[element.tag]
    sibling = element.next_sibling
    while isinstance(sibling, Element) and sibling.tag in kind:
        element.extend(sibling.children)
        sibling.decompose()
        sibling = element.next_sibling
    text = element.text
    if not text:
        return
    if text.isspace():
        element.unwrap()
        return
    if len(element) > 1 or not isinstance(element[0], Text):
        for inner in element.select(", ".join(kind)):
            inner.unwrap()
    before, after = _edges(text)
    if before:
        element.insert_before(Text(_taken(list(element.descendants), before, at_end=False)))
    if after:
        element.insert_after(Text(_taken(list(element.descendants)[::-1], after, at_end=True)))


def _edges(text: str) -> tuple[str, str]:
    """The blanks at either end of a text, if the renderer would leave them."""
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return (before if before.strip(_KEPT_BLANKS) else "", after if after.strip(_KEPT_BLANKS) else "")


def _taken(nodes: Iterable[object], blanks: str, *, at_end: bool) -> str:
    """Take blanks off the texts at one end."""
    for node in nodes:
        if isinstance(node, Text):
            rest = node.data.rstrip() if at_end else node.data.lstrip()
            node.data = rest
            if rest:
                break
    return blanks
