"""What a caller names of a page: the elements to leave out, then the elements to keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import turbohtml
from turbohtml import Element, SelectorSyntaxError, Text

from webward.content.blocks import INLINE, body_of
from webward.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from turbohtml import Node

    from webward.content.document import Document

MAX_SELECTOR_CHARS = 1_000
"""Of one selector: no one writes a longer one, and each part of it is tried on each element of the page."""


def select(document: Document, *, target_elements: Sequence[str], excluded_tags: Sequence[str]) -> None:
    """Leave out what is excluded, then all that is not within a target; the targets keep the page's order.

    A target within another one is given once. Targets keep the elements around them (a row its table, an item its
    list), without their other content. A selector that matches nothing is no error; when no target is left, the page
    stays whole but for what is excluded.

    Args:
        document: Its tree is changed.
        target_elements: CSS selectors; empty for the whole page.
        excluded_tags: CSS selectors; a target within an excluded element is gone.

    Raises:
        InvalidInput: A selector is blank, too long or malformed.
    """
    check_selectors(target_elements, option="target_elements")
    check_selectors(excluded_tags, option="excluded_tags")
    for element in _matches(document.tree, excluded_tags):
        _leave_out(element)
    body = body_of(document.tree)
    targets = set(_matches(document.tree, target_elements))
    if body is not None and targets:
        _keep(body, targets)


def check_selectors(selectors: Iterable[str], *, option: str) -> None:
    """Know that selectors can be looked for.

    Raises:
        InvalidInput: One is blank, too long or malformed.
    """
    empty = turbohtml.parse("")
    for selector in selectors:
        if not selector.strip():
            raise InvalidInput(f"{option}: a selector must not be blank")
        if len(selector) > MAX_SELECTOR_CHARS:
            raise InvalidInput(f"{option}: a selector has at most {MAX_SELECTOR_CHARS} characters")
        try:
            empty.select(selector)
        except SelectorSyntaxError as error:
            raise InvalidInput(f"{option}: {selector!r} is no CSS selector: {error}") from None


def _matches(tree: turbohtml.Document, selectors: Iterable[str]) -> list[Element]:
    return [element for selector in selectors for element in tree.select(selector)]


def _leave_out(element: Element) -> None:
    """Words on either side of an element within a line do not grow together."""
    if element.tag in INLINE:
        element.replace_with(Text(" "))
    else:
        element.extract()


def _keep(body: Element, targets: set[Element]) -> None:
    """Remove from a body all that neither is a target, nor is in one, nor holds one."""
    holders = _holders(targets)
    if body in targets or body.parent in targets or body not in holders:  # the whole page, or none of what it shows
        return
    remaining: list[Node] = [body]
    while remaining:
        holder = remaining.pop()
        for child in list(holder.children):
            if child in targets:
                child.insert_after(Text("\n"))
            elif isinstance(child, Element) and child in holders:
                remaining.append(child)
            else:
                child.extract()


def _holders(targets: Iterable[Element]) -> set[Node]:
    """What holds a target, near or far."""
    holders: set[Node] = set()
    for target in targets:
        holder = target.parent
        while holder is not None and holder not in holders:
            holders.add(holder)
            holder = holder.parent
    return holders
