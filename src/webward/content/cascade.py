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
from typing import TYPE_CHECKING, TypeVar

import turbohtml
from msgspec import Struct
from turbohtml.convert import css_specificity

from webward.content.conditions import media_holds
from webward.content.declarations import Declarations, by_importance, setters
from webward.content.hiding import HidingRule, Ways, hides, may_hide, shows, ways_to_hide
from webward.content.stylesheet import MAX_NESTED, Rule, Search, Sheet, Stylesheets, separate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from turbohtml import Element, Node

Found = TypeVar("Found")

MAX_RULES = 100_000
"""Rules that are read because they may hide; the largest sheets have as many in all."""

MAX_SELECTOR_CHARS = 500
"""A longer selector is generated, and is passed over."""

MAX_STEPS = 300_000_000
"""Elements times selectors times levels that hiding selectors may cost; a second or two, on a page made for it."""

MAX_MATCHES = 1_000_000
"""Comparisons of the elements that were found with the selectors that were looked for."""

MAX_RIVALS = 20_000
"""Selectors that may outdo those that hide, for one set of properties."""

MAX_COMPARISONS = 500_000
"""Comparisons of elements with such selectors; when they are used up, what hides stands."""

_FEW = 30
"""Selectors up to which looking for all costs less than telling which of them can match."""

_VERY_FEW = 4
"""Selectors that any page can afford."""

_DEEPEST = 512
"""Levels of the deepest tree that is parsed."""

_SAMPLES = 64
"""Elements whose levels stand for those of all."""

_DISPLAY = re.compile(r"display\s*:")
_VISIBILITY = re.compile(r"visibility\s*:")
_SUSPECTS: tuple[Search, ...] = (
    (_DISPLAY, re.compile(r"\s*none")),
    (_VISIBILITY, re.compile(r"\s*(?:hidden|collapse)")),
    (re.compile(r"overflow(?:-[xy])?\s*:"), re.compile(r"\s*(?:hidden|clip)")),
    (re.compile(r"clip(?:-path)?\s*:"), re.compile(r"\s*[ceiprx]")),
    (re.compile(r":\s*-\d\d"), re.compile(r"\d\d|\d?(?:r?em|[sld]?v|pt|pc|ch|ex|in|cm)|(?<=9\d)\d")),
    (re.compile(r"\(-\d{4}"), re.compile("")),
    (re.compile(r"scale(?:x|y|3d)?(?:\(|\s*:)\s*0"), re.compile("")),
)
"""Where a rule may hide, and how it must go on there; what begins with letters is found about as fast as plain text."""

_RIVAL: Mapping[str, str] = {
    "display": r"(?!\s*none)",
    "visibility": r"(?!\s*(?:hidden|collapse))",
    "position": r"\s*static",
    "padding": r"[^;{}]{0,40}%",
    "padding-bottom": r"[^;{}]{0,40}%",
}
"""Patterns of the values that make a rival, where not every one does."""

_DISPLAYED = frozenset({"display"})
_IMPORTANT = r"[^;{}!]{0,200}!"
_NOT_DISPLAYED = re.compile(r"(?<![\w-])display\s*:\s*none\s*(?:!\s*important\s*)?(?:;|\Z)")
_FAR = re.compile(r"[:(]\s*-(?:9\d\d|\d{4}|\d{2,3}(?:r?em|[sld]?v|pt|pc|ch|ex|in|cm))")
_FOLDED = tuple(map(re.compile, (
    r"height\s*:\s*(?:0|\.|1px)", r"width\s*:\s*(?:0|\.|1px)", r"-size\s*:\s*(?:0|\.|1px)", r"indent\s*:\s*\d{3}",
)))  # fmt: skip
_BY_RULE = (HidingRule.DISPLAY, HidingRule.VISIBILITY, HidingRule.AWAY, HidingRule.CLIPPED, HidingRule.NO_BOX)
"""Ways to hide that count in a rule. The others mostly serve another end there: an animation starts at opacity 0, a
clear color shows a background through, a font size of 0 takes out the blanks between items with a size of their own."""

_BY_RULE_IN_MOTION = _BY_RULE[:-1]
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

_SEEMS_HIDDEN = "[hidden], [aria-hidden=true i], [style*=none], dialog:not([open]), svg, button, select"
_COSTLY_STEPS = 1_000
_COSTLY = re.compile(r"~|:(?:has|nth|last|only|empty|first-of)")
_COMBINED = re.compile(r"[\s>~+(]")


class _Selector(Struct, frozen=True):
    text: str
    rule: Rule


class _Rivals(Struct, frozen=True):
    """Where rules set a property, with the selectors there, those of all as a list, and what a comparison costs."""

    places: list[tuple[str, int]]
    joined: str
    steps: int


class Cascade:
    """The rules of some sheets over the tree for which they stand, as it was parsed: some selectors count places in it.

    Attributes:
        suspects: The elements that rules hide unless others show them, in the order of the page.
    """

    def __init__(self, tree: Node, sheets: Stylesheets) -> None:
        self._tree = tree
        self._sheets = sheets
        self._ways: dict[str, Ways] = {}
        self._undisputed: dict[str, bool] = {}
        self._own: dict[str, tuple[Declarations, Declarations]] = {}
        self._said: dict[tuple[int, int], tuple[Declarations, Declarations, Ways]] = {}
        self._places: dict[int, list[_Selector]] = {}
        self._rivals: dict[tuple[str, bool], _Rivals] = {}
        self._comparisons = MAX_COMPARISONS
        self._hiding = self._matches(self._hiding_selectors()) if sheets.text else {}
        self.suspects = list(self._hiding)
        self._judged: dict[Element, HidingRule | None] = {}
        for element in self.suspects:
            if not self._goes_anyway(element):
                self._judged[element] = self._judge(element)

    def rule_of(self, element: Element) -> HidingRule | None:
        """How the style of an element and the rules hide it, if they do."""
        if self._hiding and element in self._hiding:
            if element not in self._judged:
                self._judged[element] = self._judge(element)
            return self._judged[element]
        style = element.attr("style")
        if not style:
            return None
        ways = self._ways.get(style)
        if ways is None:
            ways = self._ways_of(style)
        if not ways:
            return None
        rule = next(iter(ways))
        return rule if not _has_content(element) or self._is_undisputed(style, ways[rule]) else self._judge(element)

    def is_displayed(self, element: Element) -> bool:
        """Whether the style of an element or a rule displays it, whatever its attributes say."""
        if not self._sheets.text and element.attr("style") is None:
            return False
        return self.declared(element, _DISPLAYED).get("display", "none") != "none"

    def declared(self, element: Element, names: frozenset[str]) -> Declarations:
        """What the style of an element and the rules say of some properties; more of what they say is there too."""
        normal, important = self._own_of(element.attr("style") or "")
        selectors = list(self._hiding.get(element, ()))
        for name in names:
            if name not in important:
                selectors += self._matching(element, name, important=name in normal)  # only these outdo a style
        return self._merged(normal, important, selectors) if selectors else normal | important

    def setters(self, name: str) -> str:
        """Selectors of the rules that may show by a property, as a list."""
        return self._rivals_of(name, important=False).joined

    def _goes_anyway(self, element: Element) -> bool:
        """Whether what is around it seems to be hidden, so that it may never have to be judged."""
        if element.closest(_SEEMS_HIDDEN) is not None:
            return True
        return any(isinstance(outer, turbohtml.Element) and self._judged.get(outer) for outer in element.ancestors)

    def _judge(self, element: Element) -> HidingRule | None:
        ways = self._ways_of(element.attr("style") or "")
        for selector in self._hiding.get(element, ()):
            for rule, names in self._said_by(selector.rule)[2].items():
                ways = {**ways, rule: ways.get(rule, frozenset()) | names}
        if not _has_content(element):
            return next(iter(ways), None)
        return next((rule for rule in ways if hides(rule, self.declared(element, ways[rule]))), None)

    def _ways_of(self, style: str) -> Ways:
        ways = self._ways.get(style)
        if ways is None:
            ways = {}
            if may_hide(style):
                normal, important = self._own_of(style)
                ways = ways_to_hide(normal | important)
            self._ways[style] = ways
        return ways

    def _is_undisputed(self, style: str, names: frozenset[str]) -> bool:
        """Whether no rule of the page can outdo what a style says of some properties."""
        is_undisputed = self._undisputed.get(style)
        if is_undisputed is None:
            normal, important = self._own_of(style)
            contested = names.difference(important) if self._sheets.text else ()
            is_undisputed = not any(self._rivals_of(name, important=name in normal).joined for name in contested)
            self._undisputed[style] = is_undisputed
        return is_undisputed

    def _own_of(self, style: str) -> tuple[Declarations, Declarations]:
        own = self._own.get(style)
        if own is None:
            own = self._own[style] = by_importance(style)
        return own

    def _said_by(self, rule: Rule) -> tuple[Declarations, Declarations, Ways]:
        """What a rule says that counts: where it only perhaps holds, what it shows."""
        if rule.place not in self._said:
            normal, important = by_importance(rule.body)
            if rule.holds is None:
                normal, important = _showing(normal), _showing(important)
            self._said[rule.place] = normal, important, _ways_by_rule(rule.body, normal | important)
        return self._said[rule.place]

    def _merged(self, normal: Declarations, important: Declarations, selectors: list[_Selector]) -> Declarations:
        """What wins of the declarations of a style and of rules (CSS Cascade 5, section 6)."""
        levels: list[tuple[tuple[object, ...], Declarations]] = [((1,), normal), ((3,), important)]
        for selector in selectors:
            place, rank = selector.rule.place, self._rank(selector.rule.layer)
            turned = tuple(-number for number in rank)  # among important ones the first layer wins
            specificity = css_specificity(selector.text)[0]
            said, said_important, _ = self._said_by(selector.rule)
            levels.append(((0, rank, specificity, place), said))
            levels.append(((2, turned, specificity, place), said_important))
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
        found: dict[tuple[str, str, tuple[str, ...]], Rule] = {}
        for rule in islice(self._sheets.rules(_SUSPECTS), MAX_RULES):
            if rule.holds and self._hides(rule):
                for text in _selectors(rule.selectors):
                    found[text, rule.body, rule.layer] = rule
        selectors = [_Selector(text, rule) for text, rule in _readable([(key[0], found[key]) for key in found])]
        if len(selectors) > _FEW:
            names = self._names()
            selectors = [selector for selector in selectors if names.issuperset(_needed(selector.text))]
        return list(self._affordable(selectors)) if len(selectors) > _VERY_FEW else selectors

    def _hides(self, rule: Rule) -> bool:
        body = rule.body.lower()
        is_plain = body.count("display") == 1 and _NOT_DISPLAYED.search(body) is not None
        hides = is_plain or (_may_hide_by_rule(body) and bool(self._said_by(rule)[2]))
        return hides and not _FOREIGN.search(rule.selectors)

    def _names(self) -> set[str]:
        """The classes and ids of the page, in lower case."""
        attributes = {*self._tree.xpath_iter("//@class"), *self._tree.xpath_iter("//@id")}  # one by one, for speed
        return set(" ".join(map(str, attributes)).lower().split())

    def _affordable(self, selectors: list[_Selector]) -> Iterator[_Selector]:
        count = self._tree.xpath("count(//*)")
        size = int(count) if isinstance(count, float) else 0
        left = MAX_STEPS
        is_much = size * len(selectors) * _DEEPEST > MAX_STEPS
        levels = self._levels() if is_much else 1
        for selector in selectors:
            left -= size * (levels if _COMBINED.search(selector.text) else 1)
            if left < 0:
                break
            yield selector

    def _levels(self) -> int:
        elements = self._tree.select("*")
        sample = elements[:: max(1, len(elements) // _SAMPLES)]
        return max(sum(1 for _ in element.ancestors) for element in sample)

    def _matches(self, selectors: list[_Selector]) -> dict[Element, list[_Selector]]:
        """The elements that hiding selectors match, in the order of the page, each with those that do."""
        if not selectors:
            return {}
        elements = self._tree.select(", ".join(dict.fromkeys(selector.text for selector in selectors)))
        return {
            element: [selector for selector in selectors if element.matches(selector.text)]
            for element in elements[: MAX_MATCHES // len(selectors)]
        }

    def _matching(self, element: Element, name: str, *, important: bool) -> list[_Selector]:
        """The selectors that match an element, of rules that set a property."""
        rivals = self._rivals_of(name, important=important)
        if not rivals.joined or self._comparisons < 0:
            return []
        self._comparisons -= rivals.steps
        if not element.matches(rivals.joined):
            return []
        self._comparisons -= rivals.steps
        places = [place for text, place in rivals.places if element.matches(text)]
        return [selector for place in places for selector in self._at(place) if element.matches(selector.text)]

    def _at(self, place: int) -> list[_Selector]:
        """The selectors of the rules at a place in the sheets."""
        if place not in self._places:
            rules = self._sheets.read(place)
            readable = _readable([(text, rule) for rule in rules for text in _selectors(rule.selectors)])
            self._places[place] = [_Selector(text, rule) for text, rule in readable]
        return self._places[place]

    def _rivals_of(self, name: str, *, important: bool) -> _Rivals:
        rivals = self._rivals.get((name, important))
        if rivals is None:
            places = self._sheets.selectors(_searches(name, important=important))[:MAX_RIVALS]
            places = _readable([(_known(text), place) for text, place in places])
            joined = ", ".join(text for text, _ in places)
            steps = joined.count(",") + _COSTLY_STEPS * len(_COSTLY.findall(joined))
            rivals = self._rivals[name, important] = _Rivals(places, joined, steps)
        return rivals


def stylesheets(tree: Node) -> Stylesheets:
    """The sheets of a page that count on a screen (HTML standard, section 4.2.6): no print, no other language."""
    found = []
    for style in tree.select("style"):
        media, kind = style.attr("media"), style.attr("type")
        holds = media_holds(media) if media else True
        if holds is not False and (not kind or kind.strip().lower() == "text/css"):
            found.append(Sheet(style.text, holds))
    return Stylesheets(found)


def _has_content(element: Element) -> bool:
    """Whether it matters if an element is hidden."""
    return any(not text.isspace() for text in element.strings) or element.select_one("img") is not None


def _ways_by_rule(body: str, found: Declarations) -> Ways:
    """How a rule hides. A box that folds and opens at a click is a panel: the page itself, at times."""
    body = body.lower()
    is_panel = "transition" in body or "animation" in body
    if is_panel and "clip-path" in found:
        found = {name: value for name, value in found.items() if name != "clip-path"}
    ways = ways_to_hide(found)
    return (
        {rule: names for rule, names in ways.items() if rule in (_BY_RULE_IN_MOTION if is_panel else _BY_RULE)}
        if ways
        else ways
    )


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


def _showing(said: Declarations) -> Declarations:
    return {name: value for name, value in said.items() if shows(name, value)}


def _prefixes(name: str) -> list[str]:
    """The layers that a layer is in, from the outermost, and it itself."""
    parts = name.split(".")[:MAX_NESTED]
    return [".".join(parts[: number + 1]) for number in range(len(parts))]


def _selectors(selectors: str) -> list[str]:
    return [text for text in separate(selectors) if len(text) <= MAX_SELECTOR_CHARS and not _LOST.search(text)]


def _known(selectors: str) -> str:
    return ", ".join(_selectors(selectors)) if ":" in selectors else selectors


def _needed(selector: str) -> list[str]:
    """Classes and ids, in lower case, without which a selector matches nothing."""
    if _ESCAPED_DIGIT.search(selector):
        return []
    for _ in range(_NESTED_GROUPS):
        if "(" not in selector and "[" not in selector:
            break
        selector = _INNER.sub("", selector)
    return [name.replace("\\", "").lower() for name in _NAME.findall(selector)]


def _searches(name: str, *, important: bool) -> list[Search]:
    found = []
    for setter in setters(name):
        pattern = {"display": _DISPLAY, "visibility": _VISIBILITY}.get(setter)
        first = pattern or re.compile(rf"{setter}(?<![\w-]{setter})\s*:")
        found.append((first, re.compile(_RIVAL.get(setter, "") + (_IMPORTANT if important else ""))))
    return found


def _readable(found: list[tuple[str, Found]]) -> list[tuple[str, Found]]:
    """Selectors that turbohtml can read, judged one by one when all together cannot."""
    found = [pair for pair in found if pair[0]]
    probe = turbohtml.parse("")  # an element outside a document would do, but matching it crashes turbohtml 1.15
    if not found or _is_readable(probe, ", ".join(text for text, _ in found)):
        return found
    return [(text, value) for texts, value in found for text in separate(texts) if _is_readable(probe, text)]


def _is_readable(probe: turbohtml.Document, selector: str) -> bool:
    try:
        probe.select(selector)
    except ValueError:
        return False
    return True
