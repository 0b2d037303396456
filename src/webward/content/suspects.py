"""The elements that rules of a page's own sheets hide, each with the rules that do: unless other rules show it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from webward.content.declarations import Declarations, by_importance
from webward.content.hiding import Ways, shows
from webward.content.searches import SUSPECTS, is_not_displayed, may_hide_by_rule, ways_of_rule
from webward.content.selectors import (
    costly_parts,
    is_for_some_browsers,
    needed_names,
    of_elements,
    readable,
    steps,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Element, Node

    from webward.content.stylesheet import Rule, Stylesheets

MAX_RULES = 100_000
"""Rules that are read because they may hide; the largest sheets have as many in all."""

MAX_STEPS = 300_000_000
"""Elements times selectors times levels that looking for them may cost; a second or two, on a page made for it."""

MAX_COMPARISONS = 1_000_000
"""Elements that were found times selectors; with more, the rest of the elements is passed over."""

_FEW = 30
"""Selectors up to which looking for all costs less than telling which of them can match."""

_VERY_FEW = 12
"""Selectors that any page can afford."""

_DEEPEST = 512
"""Levels of the deepest tree that is parsed."""

_SAMPLES = 64
"""Elements whose levels stand for those of all."""


class Selector(Struct, frozen=True):
    """One selector of a rule."""

    text: str
    rule: Rule


class Said(Struct, frozen=True):
    """What a rule says that counts: normal and important declarations, and how they hide."""

    normal: Declarations
    important: Declarations
    ways: Ways


Suspects = dict["Element", list[Selector]]


def said_by(rule: Rule) -> Said:
    """Read a rule; where it only perhaps holds, what shows counts, and what hides does not."""
    normal, important = by_importance(rule.body)
    if rule.holds is None:
        return Said(_showing(normal), _showing(important), {})
    return Said(normal, important, ways_of_rule(rule.body, normal | important))


def find_suspects(tree: Node, sheets: Stylesheets) -> Suspects:
    """Find the elements that rules hide, in the order of the page; their conditions must be sure to hold."""
    selectors = _hiding_selectors(sheets)
    if len(selectors) > _FEW:
        names = _names(tree)
        selectors = [selector for selector in selectors if names.issuperset(needed_names(selector.text))]
    if len(selectors) > _VERY_FEW or any(costly_parts(selector.text) for selector in selectors):
        selectors = list(_affordable(tree, selectors))
    return _matches(tree, selectors)


def _hiding_selectors(sheets: Stylesheets) -> list[Selector]:
    """The selectors of rules that hide; of rules that are alike, those of the last."""
    found: dict[tuple[str, str, tuple[str, ...]], Rule] = {}
    for rule in islice(sheets.rules(SUSPECTS), MAX_RULES):
        if rule.holds and _hides(rule):
            for text in of_elements(rule.selectors):
                found[text, rule.body, rule.layer] = rule
    return [Selector(text, rule) for text, rule in readable((key[0], rule) for key, rule in found.items())]


def _hides(rule: Rule) -> bool:
    body = rule.body.lower()
    is_sure = is_not_displayed(body) or (may_hide_by_rule(body) and bool(said_by(rule).ways))
    return is_sure and not is_for_some_browsers(rule.selectors)


def _names(tree: Node) -> set[str]:
    """The classes and ids of a page, in lower case."""
    attributes = {*tree.xpath_iter("//@class"), *tree.xpath_iter("//@id")}  # one by one, for speed
    return set(" ".join(map(str, attributes)).lower().split())


def _affordable(tree: Node, selectors: list[Selector]) -> Iterator[Selector]:
    count = tree.xpath("count(//*)")
    size = int(count) if isinstance(count, float) else 0
    levels = _levels(tree) if size * len(selectors) * _DEEPEST > MAX_STEPS else 1
    left = MAX_STEPS
    for selector in selectors:
        cost = steps(selector.text, elements=size, levels=levels)
        if cost <= left:
            left -= cost
            yield selector


def _levels(tree: Node) -> int:
    elements = tree.select("*")
    sample = elements[:: max(1, len(elements) // _SAMPLES)]
    return max(sum(1 for _ in element.ancestors) for element in sample)


def _matches(tree: Node, selectors: list[Selector]) -> Suspects:
    """Whether a found element matches is told one by one, but not where that depends on what is around it."""
    sets = {selector.text: set(tree.select(selector.text)) for selector in selectors if costly_parts(selector.text)}
    selectors = [selector for selector in selectors if sets.get(selector.text, selector)]
    if not selectors:
        return {}
    elements = tree.select(", ".join(dict.fromkeys(selector.text for selector in selectors)))
    return {
        element: [
            selector
            for selector in selectors
            if (element in sets[selector.text] if selector.text in sets else element.matches(selector.text))
        ]
        for element in elements[: MAX_COMPARISONS // len(selectors)]
    }


def _showing(said: Declarations) -> Declarations:
    return {name: value for name, value in said.items() if shows(name, value)}
