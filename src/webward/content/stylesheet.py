"""Which selectors of a page's own style sheets hide what they match; other sheets are not fetched.

Only rules that hold on any screen count: those of the top level, of `@media screen` and of `@layer`. Optimizers put
what is needed for the first paint into `@media all`; what that hides, later sheets show.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webward.content.hiding import HidingRule, declarations, hiding_rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_SHEET_CHARS = 2_000_000
"""Of all style elements together; some times the largest sheets that pages carry in themselves."""

MAX_SELECTORS = 300
"""Selectors that are looked for: each costs a comparison for every element of the page."""

MAX_SELECTOR_CHARS = 500
"""A longer selector is generated, and is passed over."""

MAX_RULE_CHARS = 5_000
"""How far the braces of a rule are from what makes it suspect, so that a flood of suspects stays cheap."""

MAX_OPENED_BLOCKS = 50
"""At-rules whose content counts; honest sheets have a handful."""

# A rule is looked at when one of these is in it; searching them one by one beats any pattern with alternatives, and the
# longer they are, the faster.
_DISPLAY = ("display:none", "display: none")
_NOT_DISPLAYED = re.compile(r"(?<![\w-])display: ?none(?![\w-])")
_SUSPECTS = (
    *_DISPLAY,
    "visibility:hidden",
    "visibility: hidden",
    "rect(",
    "clip-path:",
    "height:0",
    "height: 0",
    "-999",
    "000px",
)
_ODDLY_SPACED = "y :"  # the end of "display" and "visibility"
_AROUND_COLON = re.compile(r"\s*:\s*")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_STRING = re.compile(r'"[^"\n]*"|\'[^\'\n]*\'')
_STRINGS = (re.compile(r'"[^"\n]*"'), re.compile(r"'[^'\n]*'"))  # two that know their first character are quicker
_BRACE = re.compile(r"[{}]")
_COUNTING = re.compile(r"@(?:media\s+(?:only\s+)?screen|layer\b[^;{}]{0,200})\s*\{")
_UNREAD = frozenset(":()@{}")

# What rules mostly say for another end: an animation starts at opacity 0, a clear color shows a background through, and
# a font size of 0 takes out the blanks between items that have a size of their own.
_NOT_BY_RULE = {HidingRule.OPACITY, HidingRule.COLOR, HidingRule.TINY}


def hiding_selectors(sheets: Iterable[str]) -> dict[str, HidingRule]:
    """Find the selectors whose rule hides, in order and at most `MAX_SELECTORS`, each with the way it hides."""
    found: dict[str, HidingRule] = {}
    left = MAX_SHEET_CHARS
    for sheet in sheets:
        for selectors, body in _suspect_rules(sheet[:left]):
            rule = _rule_of(body)
            if rule is not None and rule not in _NOT_BY_RULE:
                for selector in selectors.split(","):
                    _keep(found, selector.strip(), rule)
        left -= len(sheet)
        if left <= 0 or len(found) >= MAX_SELECTORS:
            break
    return found


def _rule_of(body: str) -> HidingRule | None:
    if body.count("display") == 1 and _NOT_DISPLAYED.search(body):
        return HidingRule.DISPLAY
    rule = hiding_rule(declarations(body))
    # A box that folds and opens at a click is a panel of questions, steps or terms: the page itself, at times.
    return None if rule is HidingRule.NO_BOX and "transition" in body else rule


def _keep(found: dict[str, HidingRule], selector: str, rule: HidingRule) -> None:
    # A state (":hover"), a part ("::before") or a browser's own extension says nothing about the page as it stands.
    if selector and len(selector) <= MAX_SELECTOR_CHARS and _UNREAD.isdisjoint(selector) and len(found) < MAX_SELECTORS:
        found.setdefault(selector, rule)


def _suspect_rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Selectors and body of the rules that hold a suspect and count on any screen."""
    if "/*" in sheet:
        sheet = _COMMENT.sub(" ", sheet)
    lowered = _lower(sheet)
    if _ODDLY_SPACED in lowered:
        sheet = _AROUND_COLON.sub(":", sheet)
        lowered = _lower(sheet)
    starts = _suspect_starts(lowered)
    plain = _plain(sheet) if starts else sheet
    if plain is not sheet:
        sheet, lowered = plain, _lower(plain)
        starts = _suspect_starts(lowered)
    place = depth = 0
    for start in starts:
        depth = max(
            0, depth + sheet.count("{", place, start) - sheet.count("}", place, start)
        )  # one too many closes nothing
        place = start
        if depth == 0:
            end = sheet.find("}", start, start + MAX_RULE_CHARS)
            begin = max(sheet.rfind(mark, max(0, start - MAX_RULE_CHARS), start) for mark in "};")
            yield sheet[begin + 1 : start], lowered[start + 1 : end if end >= 0 else start + MAX_RULE_CHARS]


def _lower(sheet: str) -> str:
    lowered = sheet.lower()
    return lowered if len(lowered) == len(sheet) else sheet  # places must agree, and a capital I with a dot grows


def _suspect_starts(lowered: str) -> list[int]:
    return sorted({start for suspect in _SUSPECTS for start in _rule_starts(lowered, suspect)})


def _rule_starts(lowered: str, suspect: str) -> Iterator[int]:
    place = lowered.find(suspect)
    while place >= 0:
        start = lowered.rfind("{", max(0, place - MAX_RULE_CHARS), place)
        if start >= 0:
            yield start
        place = lowered.find(suspect, place + len(suspect))


def _plain(sheet: str) -> str:
    """A sheet without braces in strings, and without the frames of at-rules that hold on every screen."""
    if any(_BRACE.search("".join(kind.findall(sheet))) for kind in _STRINGS):
        sheet = _STRING.sub(lambda match: _BRACE.sub(" ", match[0]), sheet)
    for _ in range(MAX_OPENED_BLOCKS):
        block = _COUNTING.search(sheet)
        if block is None:
            break
        end = _block_end(sheet, block.end() - 1)
        sheet = f"{sheet[: block.start()]} {sheet[block.end() : end - 1]} {sheet[end:]}"
    return sheet


def _block_end(sheet: str, opening: int) -> int:
    depth = 0
    for brace in _BRACE.finditer(sheet, opening):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return len(sheet)
