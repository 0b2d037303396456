"""CSS selectors as text: which of them turbohtml reads as browsers do, and what a page must have for them to match."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

import turbohtml

if TYPE_CHECKING:
    from collections.abc import Iterable

Owner = TypeVar("Owner")

MAX_SELECTOR_CHARS = 500
"""A longer selector is generated, and is passed over."""

_NESTED_GROUPS = 4
"""Parentheses within parentheses; a selector with more needs what is in them, it seems, and is passed over."""

_GROUP = re.compile(r"[(),\[\]]|\\.", re.DOTALL)
_LOST = re.compile(r"(?<!\\)(?:::|:(?:before|after|first-l|defined|-))", re.IGNORECASE)
"""Parts of an element, which are not the element, and what turbohtml does not know as browsers do."""

_FOREIGN = re.compile(r":-(?:moz|ms)-", re.IGNORECASE)
_COSTLY = re.compile(r"~|:has|:nth")
_SQUARE = re.compile(r":has|:nth")
_COMBINED = re.compile(r"[\s>~+(]")
_NAME = re.compile(r"[.#]((?:[\w-]|[^\x00-\x7f]|\\.)+)")
_ESCAPED_DIGIT = re.compile(r"\\[0-9a-f]", re.IGNORECASE)
_INNER = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")


def separate(selectors: str) -> list[str]:
    """The selectors of a list; commas in parentheses and brackets part nothing."""
    if "(" not in selectors and "[" not in selectors and "\\" not in selectors:
        return [selector for part in selectors.split(",") if (selector := part.strip())]
    found = []
    start = depth = 0
    for mark in _GROUP.finditer(selectors):
        if mark[0] in "([":
            depth += 1
        elif mark[0] in ")]":
            depth -= 1
        elif mark[0] == "," and depth == 0:
            found.append(selectors[start : mark.start()].strip())
            start = mark.end()
    return [selector for selector in (*found, selectors[start:].strip()) if selector]


def of_elements(selectors: str) -> list[str]:
    """The selectors of a list that stand for elements, and not for parts of them."""
    return [text for text in separate(selectors) if len(text) <= MAX_SELECTOR_CHARS and not _LOST.search(text)]


def readable(found: Iterable[tuple[str, Owner]]) -> list[tuple[str, Owner]]:
    """Selectors, with whose they are, that turbohtml can read: judged one by one when all together cannot be read."""
    pairs = [pair for pair in found if pair[0]]
    probe = turbohtml.parse("")  # an element outside a document would do, but matching it crashes turbohtml 1.15
    if not pairs or _is_readable(probe, ", ".join(text for text, _ in pairs)):
        return pairs
    return [(text, owner) for texts, owner in pairs for text in separate(texts) if _is_readable(probe, text)]


def is_for_some_browsers(selectors: str) -> bool:
    """Whether some browsers do not know a part of a list, which makes them pass over the whole rule."""
    return _FOREIGN.search(selectors) is not None


def costly_parts(selectors: str) -> int:
    """How often a list asks for what lies around an element, near or far."""
    return len(_COSTLY.findall(selectors))


def steps(selector: str, *, elements: int, levels: int) -> int:
    """About what it costs to look for a selector in a tree of a size and a depth."""
    if _SQUARE.search(selector):
        return elements * elements
    return elements * levels if _COMBINED.search(selector) else elements


def needed_names(selector: str) -> list[str]:
    """Classes and ids, in lower case, without which a selector matches nothing."""
    if _ESCAPED_DIGIT.search(selector):
        return []
    for _ in range(_NESTED_GROUPS):
        if "(" not in selector and "[" not in selector:
            break
        selector = _INNER.sub("", selector)
    return [name.replace("\\", "").lower() for name in _NAME.findall(selector)]


def _is_readable(probe: turbohtml.Document, selector: str) -> bool:
    try:
        probe.select(selector)
    except ValueError:
        return False
    return True
