"""What the rules of a page's own style sheets say to its elements: which they hide, and which they show after all.

Rules that hide are looked for first, and only what could outdo one that was found (CSS Cascade 5) is looked for then.
What hides counts where its conditions are sure to hold, what shows wherever they may.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import islice
from math import inf
from operator import itemgetter
from typing import TYPE_CHECKING

from msgspec import Struct
from turbohtml import Element
from turbohtml.convert import css_specificity

from webward.content.conditions import media_holds
from webward.content.declarations import Declarations, by_importance
from webward.content.hiding import HidingRule, Ways, hides, may_hide, shows_again, ways_to_hide
from webward.content.searches import showing
from webward.content.selectors import costly_parts, of_elements, readable
from webward.content.stylesheet import MAX_NESTED, Rule, Sheet, Stylesheets
from webward.content.suspects import Said, Selector, find_suspects, said_by

if TYPE_CHECKING:
    from collections.abc import Iterable

    from turbohtml import Node

MAX_RIVALS = 20_000
"""Rules that may outdo those that hide by a property."""

MAX_STEPS = 500_000
"""Comparisons of elements with the selectors of such rules; when they are used up, what hides stands."""

MAX_SETTERS = 2_000
"""Selectors of rules that may show an element within one that is hidden; with more, none is looked for."""

_COSTLY_STEPS = 1_000
"""Comparisons that cost as much as one with what lies around an element."""

_MERGE_STEPS = 8
"""Comparisons that cost as much as weighing what a rule says."""

_NEAR = 32
"""Levels above an element in which something hidden is looked for, to save work."""

_SEEMS_HIDDEN = "[hidden], [aria-hidden=true i], [style*=none], dialog:not([open]), svg, button, select"
_DISPLAY = frozenset({"display"})
_LAYER = re.compile(r"@layer\s+([^;{}]{1,500})[;{]")


class _Rivals(Struct, frozen=True):
    """Where rules set a property, with the selectors there, those of all as a list, and what a comparison costs."""

    places: list[tuple[str, int]]
    joined: str
    steps: int


_NONE = _Rivals([], "", 0)


class Cascade:
    """The rules of some sheets over the tree for which they stand, as it was parsed: some selectors count places in it.

    Attributes:
        suspects: The elements that rules hide unless others show them, in the order of the page.
    """

    def __init__(self, tree: Node, sheets: Stylesheets) -> None:
        self._sheets = sheets
        self._ways: dict[str, Ways] = {}
        self._own: dict[str, tuple[Declarations, Declarations]] = {}
        self._disputes: dict[str, list[_Rivals]] = {}
        self._verdicts: dict[str, HidingRule | None] = {}
        self._said: dict[tuple[int, int], Said] = {}
        self._rivals: dict[tuple[str, bool], _Rivals] = {}
        self._at: dict[int, list[Selector]] = {}
        self._left = MAX_STEPS
        self._hiding = find_suspects(tree, sheets) if sheets.text else {}
        self.suspects = list(self._hiding)
        self._judged: dict[Element, HidingRule | None] = {}
        self._postponed: set[Element] = set()
        for element in self.suspects:
            if self._goes_anyway(element):
                self._postponed.add(element)
            else:
                self._judged[element] = self._judge(element)

    def rule_of(self, element: Element) -> HidingRule | None:
        """How the style of an element and the rules hide it, if they do."""
        if self._hiding and element in self._hiding:
            if element not in self._judged:
                self._judged[element] = self._judge(element)
            return self._judged[element]
        style = element.attr("style") or ""
        return self._verdicts[style] if style in self._verdicts else self._judge_style(element, style)

    def is_displayed(self, element: Element) -> bool:
        """Whether the style of an element or a rule displays it, whatever its attributes say."""
        if not self._sheets.text and element.attr("style") is None:
            return False
        return self._declared(element, _DISPLAY).get("display", "none") != "none"

    def shown_within(self, element: Element, name: str) -> list[Element]:
        """The elements in one that is hidden by a property, which a value of their own shows all the same."""
        rivals = self._rivals_of(name, important=False)
        self._left -= rivals.steps
        setters = rivals.joined if self._left > 0 and rivals.steps < MAX_SETTERS else ""
        names = frozenset({name})
        return [
            inner
            for inner in element.select(f"[style], {setters}" if setters else "[style]")
            if shows_again(name, self._declared(inner, names).get(name, "inherit"))
        ]

    def _goes_anyway(self, element: Element) -> bool:
        """Whether what is around it seems to be hidden, so that it may never have to be judged."""
        if element.closest(_SEEMS_HIDDEN) is not None:
            return True
        return any(
            isinstance(outer, Element) and (outer in self._postponed or self._judged.get(outer))
            for outer in islice(element.ancestors, _NEAR)
        )

    def _judge(self, element: Element) -> HidingRule | None:
        ways = dict(self._ways_of(element.attr("style") or ""))
        self._left -= 1
        for selector in self._hiding.get(element, ()):
            for rule, names in self._said_by(selector.rule).ways.items():
                ways[rule] = ways.get(rule, names) | names
            if self._left < 0:
                break
        if self._left < 0 or not _has_content(element):
            return next(iter(ways), None)
        return next((rule for rule in ways if hides(rule, self._declared(element, ways[rule]))), None)

    def _judge_style(self, element: Element, style: str) -> HidingRule | None:
        """How an element that no rule hides is hidden; what holds for all that have its style is known from then on."""
        ways = self._ways_of(style)
        rule = next(iter(ways), None)
        if rule is not None and self._sheets.text:
            if not _has_content(element):
                return rule
            rivals = self._rivals_of_style(style, ways[rule])
            if rivals:
                self._left -= sum(some.steps for some in rivals)
                return self._judge(element) if any(element.matches(some.joined) for some in rivals) else rule
        self._verdicts[style] = rule
        return rule

    def _rivals_of_style(self, style: str, names: frozenset[str]) -> list[_Rivals]:
        """What may outdo that a style hides by some properties."""
        rivals = self._disputes.get(style)
        if rivals is None:
            normal, important = self._own_of(style)
            each = (self._rivals_of(name, important=name in normal) for name in names.difference(important))
            rivals = self._disputes[style] = [some for some in each if some.joined]
        return rivals

    def _ways_of(self, style: str) -> Ways:
        ways = self._ways.get(style)
        if ways is None:
            ways = {}
            if may_hide(style):
                normal, important = self._own_of(style)
                ways = ways_to_hide(normal | important)
            self._ways[style] = ways
        return ways

    def _own_of(self, style: str) -> tuple[Declarations, Declarations]:
        own = self._own.get(style)
        if own is None:
            own = self._own[style] = by_importance(style)
        return own

    def _declared(self, element: Element, names: frozenset[str]) -> Declarations:
        """What the style of an element and the rules say of some properties; more of what they say is there too."""
        normal, important = self._own_of(element.attr("style") or "")
        selectors = list(self._hiding.get(element, ()))
        for name in sorted(names):
            if name not in important:
                selectors += self._matching(element, name, important=name in normal)  # only these outdo a style
        return self._merged(normal, important, selectors) if selectors else normal | important

    def _merged(self, normal: Declarations, important: Declarations, selectors: list[Selector]) -> Declarations:
        """What wins of the declarations of a style and of rules (CSS Cascade 5, section 6)."""
        self._left -= _MERGE_STEPS * len(selectors)
        levels: list[tuple[tuple[object, ...], Declarations]] = [((1,), normal), ((3,), important)]
        for selector in selectors:
            place, rank = selector.rule.place, self._rank(selector.rule.layer)
            turned = tuple(-number for number in rank)  # among important ones the first layer wins
            specificity = css_specificity(selector.text)[0]
            said = self._said_by(selector.rule)
            levels.append(((0, rank, specificity, place), said.normal))
            levels.append(((2, turned, specificity, place), said.important))
        winners: Declarations = {}
        for _, declared in sorted(levels, key=itemgetter(0)):
            winners |= declared
        return winners

    def _said_by(self, rule: Rule) -> Said:
        if rule.place not in self._said:
            self._said[rule.place] = said_by(rule)
        return self._said[rule.place]

    def _rank(self, layer: tuple[str, ...]) -> tuple[float, ...]:
        """The later of two layers has the greater; what is in none, or in none within another, the greatest."""
        names = _prefixes(".".join(layer)) if layer else []
        return (*(self._layers.get(name, len(self._layers)) for name in names), inf)

    @cached_property
    def _layers(self) -> dict[str, int]:
        """Layers, in the order in which sheets name them."""
        order: dict[str, int] = {}
        for match in _LAYER.finditer(self._sheets.text):
            for name in match[1].split(","):
                for layer in _prefixes(name.strip()):
                    order.setdefault(layer, len(order))
        return order

    def _matching(self, element: Element, name: str, *, important: bool) -> list[Selector]:
        """The selectors that match an element, of rules that may show by a property."""
        rivals = self._rivals_of(name, important=important)
        if not rivals.joined or self._left < 0:
            return []
        self._left -= rivals.steps
        if not element.matches(rivals.joined):
            return []
        self._left -= rivals.steps
        places = [place for text, place in rivals.places if element.matches(text)]
        return [
            selector for place in places for selector in self._selectors_at(place) if element.matches(selector.text)
        ]

    def _rivals_of(self, name: str, *, important: bool) -> _Rivals:
        if not self._sheets.text:
            return _NONE
        rivals = self._rivals.get((name, important))
        if rivals is None:
            found = self._sheets.selectors(showing(name, important=important))[:MAX_RIVALS]
            places = readable((", ".join(of_elements(text)) if ":" in text else text, place) for text, place in found)
            joined = ", ".join(text for text, _ in places)
            steps = joined.count(",") + _COSTLY_STEPS * costly_parts(joined)
            rivals = self._rivals[name, important] = _Rivals(places, joined, steps)
        return rivals

    def _selectors_at(self, place: int) -> list[Selector]:
        if place not in self._at:
            rules = self._sheets.read(place)
            found = readable((text, rule) for rule in rules for text in of_elements(rule.selectors))
            self._at[place] = [Selector(text, rule) for text, rule in found]
        return self._at[place]


def stylesheets(styles: Iterable[Element]) -> Stylesheets:
    """The sheets that count on a screen (HTML standard, section 4.2.6): no print, no other language."""
    found = []
    for style in styles:
        media, kind = style.attr("media"), style.attr("type")
        holds = media_holds(media) if media else True
        is_css = not kind or kind.strip().lower() == "text/css"
        if is_css and holds is not False and style.closest("template") is None:
            found.append(Sheet(style.text, holds))
    return Stylesheets(found)


def _has_content(element: Element) -> bool:
    """Whether it matters if an element is hidden."""
    for text in element.strings:
        if not text.isspace():
            return True
    return element.select_one("img") is not None


def _prefixes(name: str) -> list[str]:
    """The layers that a layer is in, from the outermost, and it itself."""
    parts = name.split(".")[:MAX_NESTED]
    return [".".join(parts[: number + 1]) for number in range(len(parts))]
