"""The rules of a page's own style sheets, found by what they set; other sheets are not fetched.

A sheet is cut at its closing braces, and read where something is sought: most of a sheet is never looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property, lru_cache
from itertools import accumulate, count, repeat
from operator import add
from typing import TYPE_CHECKING

from msgspec import Struct

from webward.content.conditions import both, media_holds, supports_holds
from webward.content.declarations import unescaped
from webward.content.selectors import separate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from webward.content.conditions import Holds

Search = tuple[re.Pattern[str], re.Pattern[str]]
"""A pattern, and another that must match where it ends; the first is best one that begins with letters."""

MAX_SHEET_CHARS = 10_000_000
"""Of one sheet; some times the largest that pages carry in themselves."""

MAX_NESTED = 32
"""Rules and conditions one within the other; honest sheets have a handful, and what is deeper is passed over."""

MAX_NESTED_CHARS = 4_000
"""Of the selectors of a rule within rules, which repeat those around it."""

_END = "\0"  # HTML has none
_BOUNDARY = f"\n}}{_END}}}"
"""Stands between sheets: a string ends with its line, a piece with its brace."""

_STRINGS = r"\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'|\\[\"'\\{};]"
_STRING = re.compile(_STRINGS, re.DOTALL)
_COMMENT_OR_STRING = re.compile(rf"/\*.*?(?:\*/|\Z)|{_STRINGS}", re.DOTALL)
_STRUCTURE = str.maketrans("{};", "   ")
_AT_RULE = re.compile(r"@([\w-]+)\s*(.*)", re.DOTALL)
_PARENT = re.compile(r"(?<!\\)&")
_NOT_SELECTORS = re.compile(r"[;&@]|^\s*(?:[>+~]|\Z)")
_PERHAPS = frozenset({"container", "scope", "-moz-document"})


class Rule(Struct, frozen=True):
    """A rule, or the part of one that stands between the rules within it.

    Attributes:
        selectors: A list of selectors.
        body: Its declarations.
        holds: Whether the conditions around it hold.
        layer: The cascade layers it is in, from the outermost.
        place: Of two rules, the later one has the greater.
    """

    selectors: str
    body: str
    holds: Holds
    layer: tuple[str, ...]
    place: tuple[int, int]


class _Context(Struct, frozen=True):
    """What stands around a rule: the selectors of the rules, the conditions and the layers that it is in."""

    selectors: str = ""
    holds: Holds = True
    layer: tuple[str, ...] = ()
    depth: int = 0

    def within(self, prelude: str) -> _Context:
        """The context of what is in the block that a prelude opens."""
        if self.holds is False or self.depth == MAX_NESTED:
            return _UNREAD
        if not prelude.startswith("@"):
            selectors = _nested(prelude, self.selectors) if self.selectors else prelude
            return _Context(selectors, self.holds, self.layer, self.depth + 1) if selectors else _UNREAD
        holds, layer = _read_at_rule(prelude)
        holds = both(self.holds, holds)
        return _UNREAD if holds is False else _Context(self.selectors, holds, self.layer + layer, self.depth + 1)

    def rule(self, body: str, place: tuple[int, int]) -> Rule:
        """What some declarations make with the selectors around them."""
        return Rule(self.selectors, body, self.holds, self.layer, place)


_UNREAD = _Context(holds=False)


class Sheet(Struct, frozen=True):
    """The text of a style sheet, and whether it holds where the page is looked at."""

    text: str
    holds: Holds = True


class Stylesheets:
    """Style sheets, in the order of the page, as one text: many pages have hundreds.

    Attributes:
        text: The sheets without comments.
    """

    def __init__(self, sheets: Iterable[Sheet]) -> None:
        self._outermost = [_Context(holds=sheet.holds) for sheet in sheets]
        self.text = _BOUNDARY.join(_plain(sheet.text) for sheet in sheets)
        self._lowered = _lowered(self.text)
        self._ends_found: dict[re.Pattern[str], list[int]] = {}

    def rules(self, searches: Iterable[Search]) -> Iterator[Rule]:
        """The rules that at least perhaps hold and in which something is found, in order, and a few others."""
        for piece in self._pieces_with(searches):
            yield from self.read(piece)

    def selectors(self, searches: Iterable[Search]) -> list[tuple[str, int]]:
        """What rules in which something is found match, or more than that, and the piece to read for the rules."""
        found = []
        for piece in self._pieces_with(searches):
            prelude, brace, body = self._cut[0][piece].partition("{")
            if not brace or "{" in body or _NOT_SELECTORS.search(prelude):
                text = ", ".join(rule.selectors for rule in self.read(piece))
            else:
                text = prelude.strip()
            if text:
                found.append((text, piece))
        return found

    def _pieces_with(self, searches: Iterable[Search]) -> list[int]:
        lowered = self._lowered
        places = [end for first, then in searches for end in self._found(first) if then.match(lowered, end)]
        if not places:
            return []
        ends = self._ends
        return sorted({bisect_right(ends, place) for place in places})

    def _found(self, pattern: re.Pattern[str]) -> list[int]:
        """Where a pattern ends; the same ones are looked for again and again."""
        if pattern not in self._ends_found:
            self._ends_found[pattern] = [match.end() for match in pattern.finditer(self._lowered)]
        return self._ends_found[pattern]

    @cached_property
    def _cut(self) -> tuple[list[str], list[int], list[_Context]]:
        """The pieces that end with a brace, and from which of them on which context holds."""
        pieces = self.text.split("}")
        found = self._contexts(pieces)
        if found is None:
            pieces = _read_closely(self.text).split("}")
            found = self._contexts(pieces, may_be_cut=False)
        return pieces, *(found or ([0], [_UNREAD]))

    def _contexts(self, pieces: list[str], *, may_be_cut: bool = True) -> tuple[list[int], list[_Context]] | None:
        """None when a string may have a brace: that makes a piece which is no rule and has a part of the string."""
        outermost = iter(self._outermost)
        stack = [next(outermost, _UNREAD)]
        indexes, contexts = [0], [stack[0]]
        for index, opened in enumerate(map(str.count, pieces, repeat("{"))):
            if opened == 1:  # a rule that ends where it begins
                continue
            piece = pieces[index]
            if may_be_cut and _may_cut_a_string(piece):
                return None
            if opened:
                for prelude in piece.split("{")[:-2]:  # the last closes where it begins
                    stack.append(stack[-1].within(_prelude(prelude)))
            elif piece == _END:
                stack = [next(outermost, _UNREAD)]
            elif len(stack) > 1:  # one brace too many closes nothing
                stack.pop()
            if stack[-1] is not contexts[-1]:
                indexes.append(index + 1)
                contexts.append(stack[-1])
        return indexes, contexts

    @cached_property
    def _ends(self) -> list[int]:
        return list(map(add, accumulate(map(len, self._cut[0])), count(1)))

    def read(self, index: int) -> Iterator[Rule]:
        """The rules of a piece that at least perhaps hold."""
        pieces, indexes, contexts = self._cut
        context = contexts[bisect_right(indexes, index) - 1]
        if context.holds is False:
            return
        *preludes, body = pieces[index].split("{")
        if len(preludes) == 1 and not context.selectors:  # most are like this
            selectors = _prelude(preludes[0])
            if selectors and not selectors.startswith("@"):
                yield Rule(selectors, body, context.holds, context.layer, (index, 1))
            return
        for depth, prelude in enumerate(preludes):
            if context.selectors and ";" in prelude:
                yield context.rule(prelude.rpartition(";")[0], (index, depth))
            context = context.within(_prelude(prelude))
        if context.selectors:
            yield context.rule(body, (index, len(preludes)))


def _nested(selectors: str, parents: str) -> str:
    """The selectors of a rule within a rule (CSS Nesting 1); none when they grow too long."""
    if len(selectors) + selectors.count(",") * len(parents) > MAX_NESTED_CHARS:
        return ""
    parent = f":is({parents})"
    found = [
        _PARENT.sub(lambda _: parent, selector) if _PARENT.search(selector) else f"{parent} {selector}"
        for selector in separate(selectors)
    ]
    joined = ", ".join(found)
    return joined if len(joined) <= MAX_NESTED_CHARS else ""


def _prelude(text: str) -> str:
    return text.rpartition(";")[2].strip()


@lru_cache(maxsize=256)
def _read_at_rule(prelude: str) -> tuple[Holds, tuple[str, ...]]:
    """Whether what is in an at-rule holds, and the layer that it makes."""
    match = _AT_RULE.match(prelude)
    name, condition = (match[1].lower(), match[2].strip()) if match else ("", "")
    if name == "media":
        # Optimizers put what is needed for the first paint into `@media all`; what that hides, later sheets show.
        return None if condition.lower() == "all" else media_holds(condition), ()
    if name == "supports":
        return supports_holds(condition), ()
    if name == "layer":
        return True, (condition,)
    return None if name in _PERHAPS else False, ()


def _plain(text: str) -> str:
    text = unescaped(text[:MAX_SHEET_CHARS])
    return _without_comments(text) if "/*" in text else text


def _without_comments(text: str) -> str:
    """A sheet without comments; where a mark of one may be in a string, character by character."""
    first, *rest = text.split("/*")
    outside = [first, *(piece.partition("*/")[2] for piece in rest)]
    ends = (piece[max(piece.rfind("}"), piece.rfind("\n")) + 1 :] for piece in outside[:-1])
    return _read_closely(text) if any(map(_may_cut_a_string, ends)) else " ".join(outside)


def _may_cut_a_string(piece: str) -> bool:
    """Whether a piece may begin or end within a string, or have an opening brace in one, or one that is escaped."""
    if "\\{" in piece or piece.endswith("\\"):
        return True
    if '"' not in piece and "'" not in piece:
        return False
    outside = "".join(_STRING.split(piece))
    return '"' in outside or "'" in outside or outside.count("{") != piece.count("{")


def _read_closely(text: str) -> str:
    return _COMMENT_OR_STRING.sub(_without_structure, text)


def _without_structure(match: re.Match[str]) -> str:
    found = match[0]
    if found.startswith("/*"):
        return " " * len(found)
    return found.translate(_STRUCTURE) if any(mark in found for mark in "{};") else found


def _lowered(text: str) -> str:
    """A text of the same length in lower case, where all that is not ASCII is one."""
    return text.lower() if text.isascii() else text.encode("ascii", "replace").lower().decode("ascii")
