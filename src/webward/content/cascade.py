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

import turbohtml
from msgspec import Struct
from turbohtml.convert import css_specificity

from webward.content.conditions import media_holds
from webward.content.declarations import Declarations, by_importance, declarations, setters
from webward.content.hiding import HidingRule, concerned, hides, may_hide, shows
from webward.content.stylesheet import MAX_NESTED, Rule, Sheet, Stylesheets, separate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from turbohtml import Element, Node

Ways = dict[HidingRule, frozenset[str]]
"""Rules by which something hides, with the properties on which that depends."""

MAX_RULES = 100_000
"""Rules that are read because they may hide; the largest sheets have as many in all."""

MAX_SELECTOR_CHARS = 500
"""A longer selector is generated, and is passed over."""

MAX_STEPS = 300_000_000
"""Elements times selectors times levels that hiding selectors may cost; a second or two, on a page made for it."""

MAX_MATCHES = 200_000
"""Elements that hiding selectors match, all together."""

MAX_RIVALS = 20_000
"""Selectors that may outdo those that hide, for one set of properties."""

MAX_COMPARISONS = 500_000
"""Comparisons of elements with such selectors; when they are used up, what hides stands."""

_FEW = 16
"""Selectors up to which looking for all costs less than telling which of them can match."""

_DEEPEST = 512
"""Levels of the deepest tree that is parsed."""

_SAMPLES = 64
"""Elements whose levels stand for those of all."""

_SUSPECTS = tuple(map(re.compile, (
    r"display\s*:\s*none",
    r"visibility\s*:\s*(?:hidden|collapse)",
    r"overflow(?:-[xy])?\s*:\s*(?:hidden|clip)",
    r"clip(?:-path)?\s*:\s*[a-z]",
    r":\s*-(?:\d{3}|\d\d(?!\d|px|%))",
    r"\(-\d{4}",
    r"scale(?:x|y|3d)?(?:\(|\s*:)\s*0",
)))  # fmt: skip
"""Where a rule may hide; patterns that begin with letters are found about as fast as plain text."""

_VALUES: Mapping[str, str] = {
    "display": r"(?!\s*none)",
    "visibility": r"(?!\s*(?:hidden|collapse))",
    "position": r"\s*[sr]",
}
"""Patterns of the values that make a rival, where not every one does."""

_IMPORTANT = r"[^;{}!]{0,200}!"
_NOT_DISPLAYED = re.compile(r"(?<![\w-])display\s*:\s*none\s*(?:!\s*important\s*)?(?:;|\Z)")
_FAR = re.compile(r"[:(]\s*-(?:\d{3}|\d\d(?!\d|px|%))")
_FOLDED = tuple(
    map(
        re.compile,
        (r"height\s*:\s*(?:0|\.|1px)", r"width\s*:\s*(?:0|\.|1px)", r"-size\s*:\s*(?:0|\.|1px)", r"indent\s*:\s*\d{3}"),
    )
)
_BY_RULE = (HidingRule.DISPLAY, HidingRule.VISIBILITY, HidingRule.AWAY, HidingRule.CLIPPED, HidingRule.NO_BOX)
"""Ways to hide that count in a rule. The others mostly serve another end there: an animation starts at opacity 0, a
clear color shows a background through, a font size of 0 takes out the blanks between items with a size of their own."""

_MOVING = re.compile(r"transition|animation")
_NESTED_GROUPS = 4
"""Parentheses within parentheses; what is deeper is passed over."""

_LAYER = re.compile(r"@layer\s+([^;{}]{1,500})[;{]")
_NAME = re.compile(r"[.#]((?:[\w-]|[^\x00-\x7f]|\\.)+)")
_ESCAPED_DIGIT = re.compile(r"\\[0-9a-f]", re.IGNORECASE)
_INNER = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")
_LOST = re.compile(r"(?<!\\)(?:::|:(?:before|after|first-l|defined|-))", re.IGNORECASE)
"""Parts of an element, which are not the element, and what turbohtml does not know as browsers do."""

_FOREIGN = re.compile(r":-(?:moz|ms)-", re.IGNORECASE)
"""What some browsers do not know, which makes them pass over the whole rule."""

_COSTLY = re.compile(r"~|:(?:has|nth|last|only|empty|first-of)")
_COMBINED = re.compile(r"[\s>~+(]")


class _Selector(Struct, frozen=True):
    text: str
    rule: Rule


class _Rivals(Struct, frozen=True):
    """Rules that set a property, with the selectors of each, those of all as a list, and what a comparison costs."""

    rules: list[tuple[str, Rule]]
    joined: str
    steps: int


class Cascade:
    """The rules of some sheets, over the tree for which they stand.

    Attributes:
        hidden: The elements that rules hide, in the order of the page.
    """

    def __init__(self, tree: Node, sheets: Stylesheets) -> None:
        self._tree = tree
        self._sheets = sheets
        self._ways: dict[str, Ways] = {}
        self._own: dict[str, tuple[Declarations, Declarations]] = {}
        self._said: dict[tuple[int, int], tuple[Declarations, Declarations, Ways]] = {}
        self._rivals: dict[tuple[str, bool], _Rivals] = {}
        self._comparisons = MAX_COMPARISONS
        self._hiding = self._matches(self._hiding_selectors())
        judged = ((element, self._judge(element)) for element in self._in_order())
        self.hidden = {element: rule for element, rule in judged if rule is not None}

    def rule_of(self, element: Element) -> HidingRule | None:
        """How the style of an element and the rules hide it, if they do."""
        return self.hidden.get(element) if element in self._hiding else self._judge(element)

    def declared(self, element: Element, names: frozenset[str]) -> Declarations:
        """What the style of an element and the rules say of some properties; what else the style says is there too."""
        normal, important = self._own_of(element)
        selectors = list(self._hiding.get(element, ()))
        for name in names.difference(important):
            selectors += self._matching(element, name, important=name in normal)  # only these outdo a style
        return self._merged(normal, important, selectors, names) if selectors else normal | important

    def setters(self, name: str) -> str:
        """Selectors of the rules that may show by a property, as a list."""
        return self._rivals_of(name, important=False).joined

    def _judge(self, element: Element) -> HidingRule | None:
        ways = self._own_ways(element)
        for selector in self._hiding.get(element, ()):
            for rule, names in self._said_by(selector.rule)[2].items():
                ways = {**ways, rule: ways.get(rule, frozenset()) | names}
        return next((rule for rule in ways if hides(rule, self.declared(element, ways[rule]))), None)

    def _own_ways(self, element: Element) -> Ways:
        style = element.attr("style") or ""
        if style not in self._ways:
            self._ways[style] = _ways(declarations(style), HidingRule) if may_hide(style) else {}
        return self._ways[style]

    def _own_of(self, element: Element) -> tuple[Declarations, Declarations]:
        style = element.attr("style") or ""
        if style not in self._own:
            self._own[style] = by_importance(style)
        return self._own[style]

    def _said_by(self, rule: Rule) -> tuple[Declarations, Declarations, Ways]:
        """What a rule says that counts: where it only perhaps holds, what it shows."""
        if rule.place not in self._said:
            normal, important = by_importance(rule.body)
            if rule.holds is None:
                normal, important = _showing(normal), _showing(important)
            self._said[rule.place] = normal, important, _ways_by_rule(rule.body, normal | important)
        return self._said[rule.place]

    def _merged(
        self, normal: Declarations, important: Declarations, selectors: list[_Selector], names: frozenset[str]
    ) -> Declarations:
        """What wins of the declarations of a style and of rules (CSS Cascade 5, section 6)."""
        levels: list[tuple[tuple[object, ...], Declarations]] = [((1,), normal), ((3,), important)]
        for selector in selectors:
            place, rank = selector.rule.place, self._rank(selector.rule.layer)
            turned = tuple(-number for number in rank)  # among important ones the first layer wins
            specificity = css_specificity(selector.text)[0]
            said, said_important, _ = self._said_by(selector.rule)
            levels.append(((0, rank, specificity, place), _among(names, said)))
            levels.append(((2, turned, specificity, place), _among(names, said_important)))
        winners: Declarations = {}
        for _, said in sorted(levels, key=itemgetter(0)):
            winners |= said
        return winners

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

    def _hiding_selectors(self) -> list[_Selector]:
        """Those of rules that are sure to hold; of rules that are alike, those of the last."""
        found: dict[tuple[str, str, tuple[str, ...]], _Selector] = {}
        for rule in islice(self._sheets.rules(_SUSPECTS), MAX_RULES):
            if rule.holds and self._hides(rule):
                for text in _selectors(rule):
                    found[text, rule.body, rule.layer] = _Selector(text, rule)
        selectors = list(found.values())
        if len(selectors) <= _FEW:
            return selectors
        names = self._names()
        selectors = [selector for selector in selectors if names.issuperset(_needed(selector.text))]
        return list(self._affordable(selectors))

    def _hides(self, rule: Rule) -> bool:
        body = rule.body.lower()
        is_plain = body.count("display") == 1 and _NOT_DISPLAYED.search(body) is not None
        hides = is_plain or (_may_hide_by_rule(body) and bool(self._said_by(rule)[2]))
        return hides and not _FOREIGN.search(rule.selectors)

    def _names(self) -> set[str]:
        """The classes and ids of the page, in lower case."""
        attributes = {*self._tree.xpath_iter("//@class"), *self._tree.xpath_iter("//@id")}  # one by one, for speed
        return set(" ".join(map(str, attributes)).lower().split())

    @cached_property
    def _size(self) -> int:
        count = self._tree.xpath("count(//*)")
        return int(count) if isinstance(count, float) else 0

    def _levels(self) -> int:
        elements = self._tree.select("*")
        sample = elements[:: max(1, len(elements) // _SAMPLES)]
        return max(sum(1 for _ in element.ancestors) for element in sample)

    def _affordable(self, selectors: list[_Selector]) -> Iterator[_Selector]:
        left = MAX_STEPS
        is_much = self._size * len(selectors) * _DEEPEST > MAX_STEPS
        levels = self._levels() if is_much else 1
        for selector in selectors:
            left -= self._size * (levels if _COMBINED.search(selector.text) else 1)
            if left < 0:
                break
            yield selector

    def _matches(self, selectors: Iterable[_Selector]) -> dict[Element, list[_Selector]]:
        found: dict[Element, list[_Selector]] = {}
        left = MAX_MATCHES
        for selector in selectors:
            elements = self._select(selector.text)
            left -= len(elements)
            if left < 0:
                break
            for element in elements:
                found.setdefault(element, []).append(selector)
        return found

    def _select(self, selector: str) -> list[Element]:
        try:
            return self._tree.select(selector)
        except ValueError:
            return []

    def _in_order(self) -> list[Element]:
        selectors = {selector.text for found in self._hiding.values() for selector in found}
        return self._tree.select(", ".join(selectors)) if len(selectors) > 1 else list(self._hiding)

    def _matching(self, element: Element, name: str, *, important: bool) -> list[_Selector]:
        """The selectors that match an element, of rules that set a property."""
        rivals = self._rivals_of(name, important=important)
        if not rivals.rules or self._comparisons < 0:
            return []
        self._comparisons -= rivals.steps
        if not element.matches(rivals.joined):
            return []
        self._comparisons -= rivals.steps
        found = [(selectors, rule) for selectors, rule in rivals.rules if element.matches(selectors)]
        return [
            _Selector(text, rule) for selectors, rule in found for text in separate(selectors) if element.matches(text)
        ]

    def _rivals_of(self, name: str, *, important: bool) -> _Rivals:
        if (name, important) not in self._rivals:
            found = self._sheets.rules(_searches(name, important=important))
            rules = ((", ".join(_selectors(rule)) if ":" in rule.selectors else rule.selectors, rule) for rule in found)
            rules = _readable([*islice((pair for pair in rules if pair[0]), MAX_RIVALS)])
            joined = ", ".join(selectors for selectors, _ in rules)
            costly = len(_COSTLY.findall(joined))
            steps = len(rules) + joined.count(",") + (costly * self._size if costly else 0)
            self._rivals[name, important] = _Rivals(rules, joined, steps)
        return self._rivals[name, important]


def stylesheets(tree: Node) -> Stylesheets:
    """The sheets of a page that count on a screen (HTML standard, section 4.2.6): no print, no other language."""
    found = [
        Sheet(style.text, media_holds(style.attr("media") or "")) for style in tree.select("style") if _is_css(style)
    ]
    return Stylesheets([sheet for sheet in found if sheet.holds is not False])


def _is_css(style: Element) -> bool:
    return (style.attr("type") or "text/css").strip().lower() == "text/css"


def _ways(found: Declarations, among: Iterable[HidingRule]) -> Ways:
    return {rule: concerned(rule, found) for rule in among if hides(rule, found)}


def _ways_by_rule(body: str, found: Declarations) -> Ways:
    """How a rule hides. A box that folds and opens at a click is a panel: the page itself, at times."""
    if not _MOVING.search(body.lower()):
        return _ways(found, _BY_RULE)
    ways = _ways({name: value for name, value in found.items() if name != "clip-path"}, _BY_RULE)
    return {rule: names for rule, names in ways.items() if rule is not HidingRule.NO_BOX}


def _may_hide_by_rule(body: str) -> bool:
    """Whether it is worth reading the declarations of a rule: most that were suspected hide nothing."""
    return (
        ("display" in body and "none" in body)
        or "visib" in body
        or "clip" in body
        or "scale" in body
        or _FAR.search(body) is not None
        or ("overflow" in body and any(pattern.search(body) for pattern in _FOLDED))
    )


def _among(names: frozenset[str], said: Declarations) -> Declarations:
    return {name: value for name, value in said.items() if name in names}


def _showing(said: Declarations) -> Declarations:
    return {name: value for name, value in said.items() if shows(name, value)}


def _prefixes(name: str) -> list[str]:
    """The layers that a layer is in, from the outermost, and it itself."""
    parts = name.split(".")[:MAX_NESTED]
    return [".".join(parts[: number + 1]) for number in range(len(parts))]


def _selectors(rule: Rule) -> list[str]:
    return [text for text in separate(rule.selectors) if len(text) <= MAX_SELECTOR_CHARS and not _LOST.search(text)]


def _needed(selector: str) -> list[str]:
    """Classes and ids, in lower case, without which a selector matches nothing."""
    if _ESCAPED_DIGIT.search(selector):
        return []
    for _ in range(_NESTED_GROUPS):
        if "(" not in selector and "[" not in selector:
            break
        selector = _INNER.sub("", selector)
    return [name.replace("\\", "").lower() for name in _NAME.findall(selector)]


def _searches(name: str, *, important: bool) -> list[re.Pattern[str]]:
    patterns = (rf"{setter}(?<![\w-]{setter})\s*:{_VALUES.get(setter, '')}" for setter in setters(name))
    return [re.compile(pattern + _IMPORTANT if important else pattern) for pattern in patterns]


def _readable(rules: list[tuple[str, Rule]]) -> list[tuple[str, Rule]]:
    """Those whose selectors turbohtml can read, judged one by one when all together cannot."""
    probe = turbohtml.parse("")  # an element outside a document would do, but matching it crashes turbohtml 1.15
    if _is_readable(probe, ", ".join(selectors for selectors, _ in rules)):
        return rules
    parted = [(text, rule) for selectors, rule in rules for text in separate(selectors)]
    return [(text, rule) for text, rule in parted if _is_readable(probe, text)]


def _is_readable(probe: turbohtml.Document, selector: str) -> bool:
    try:
        probe.select(selector)
    except ValueError:
        return False
    return True
