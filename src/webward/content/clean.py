"""Takes out of a document what a person would not see: machinery, controls, hidden and invisible elements.

Scripts lift curtains (a loading screen, text for those without scripts): an element with more than half of the page's
words is content whatever curtain hides it. Text off the screen, clipped, tiny or of its background's color is never.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import KW_ONLY, dataclass
from itertools import islice
from typing import TYPE_CHECKING

import turbohtml
from turbohtml import Text

from webward.content import embeds, formulas, icons, machinery
from webward.content.hiding import UNDOING_PROPERTY, HidingRule, declarations, hiding_rule, may_hide
from webward.content.stylesheet import hiding_selectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from turbohtml import Element, Node

    from webward.content.document import Document

MAX_LIFTED = 64
"""Curtains that are measured and lifted, one within the other; what lies deeper is content too, unmeasured."""

_SHARE = 20
"""An element with less than this part of the page's characters, blanks included, cannot hold half of its words."""

MAX_IMAGE_CHARS = 20_000
"""Markup that stands in for an image: the image, in a dozen sizes, and what frames it."""

_IMAGE = "<img"
_NEAR = 3  # nodes, blanks among them
_SHORT_CHARS = 4_000  # of pages whose words are counted at once, since few long words would mislead
_DOUBT = (0.38, 0.62)
"""Shares of the page's characters, blanks excluded, between which words are counted."""

_BLANKS = " \n\t\xa0"
_WORD = re.compile(r"\w+")

_MACHINERY = {
    "script": "script",
    "style": "style",
    "template": "template",
    "noembed": "embed",
    "noframes": "embed",
    "iframe": "embed",
    "object": "embed",
    "embed": "embed",
    "canvas": "embed",
    "svg": "svg",
    "textarea": "form-control",
    "select": "form-control",
    "datalist": "form-control",
    "input": "form-control",
    "button": "form-control",
    "noscript": "noscript",
}
_MACHINES = ", ".join(_MACHINERY)
_APART = frozenset({"svg", "canvas", "iframe", "textarea", "select", "input", "button"})
"""What stands between words as a thing of its own, so that they do not grow together when it goes."""

_PLAYERS = frozenset({"audio", "video"})
_MACHINES_AND_PLAYERS = (*_MACHINERY, *_PLAYERS)

_HIDEABLE = ":is([style], [hidden], [aria-hidden=true i], dialog:not([open]))"  # quicker than without the `:is`
_ROOTS = frozenset({"html", "body"})
_HIDDEN_ATTRIBUTE, _ARIA_HIDDEN, _CLOSED_DIALOG, _NOSCRIPT = (
    "hidden-attribute",
    "aria-hidden",
    "closed-dialog",
    "noscript",
)
_CURTAINS = frozenset({
    HidingRule.DISPLAY, HidingRule.VISIBILITY, HidingRule.OPACITY, _HIDDEN_ATTRIBUTE, _ARIA_HIDDEN, _CLOSED_DIALOG,
})  # fmt: skip
_FOR_SCREEN_READERS = frozenset({HidingRule.CLIPPED, HidingRule.NO_BOX, HidingRule.AWAY})
"""How pages hide what names a sign (a link that shows a bird) to those who cannot see it."""

_SHOWING_PROPERTY: Mapping[str, str] = {HidingRule.DISPLAY: "display", **UNDOING_PROPERTY}


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What cleaning did.

    Attributes:
        removed: Elements by rule; those within a removed one are not counted.
        revealed_hidden: Whether hidden content was kept because it is most of the page.
    """

    _: KW_ONLY
    removed: dict[str, int]
    revealed_hidden: bool


def clean(document: Document) -> Cleaned:
    """Remove from a document, in place, what a person would not see."""
    return _Cleaning(document).run()


@dataclass(frozen=True, slots=True)
class _Fallback:
    """What a noscript element holds, which is text to a browser with scripts, and where it stood."""

    markup: str
    _: KW_ONLY
    place: Text


class _Cleaning:
    """One pass over one document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.removed: Counter[str] = Counter()
        self.gone: set[Element] = set()
        self.rules: dict[str, HidingRule | None] = {}
        self.fallbacks: list[_Fallback] = []
        self.lifted = 0
        self.text: str | None = None
        self.words: int | None = None
        self.ink: int | None = None
        self.body: Node = document.tree.select_one("body") or document.tree  # quick while the tree is as it was parsed

    def run(self) -> Cleaned:
        icons.keep_names(self.document.tree)
        formulas.lift_scripts(self.document.tree)
        sheets = self._remove_machinery()
        self._lift_fallbacks()
        self._remove_comments()
        self._remove_hidden(_HIDEABLE, self._hidden_by_itself)
        for scope, texts in sheets.items():
            self._remove_hidden_by_rule(hiding_selectors(texts), scope)
        return Cleaned(
            removed={str(rule): count for rule, count in self.removed.items()}, revealed_hidden=self.lifted > 0
        )

    def _remove_machinery(self) -> dict[Node, list[str]]:
        """Give the style sheets that went with it, by the tree they hold for."""
        sheets: dict[Node, list[str]] = {}
        removed = self.removed
        tree = self.document.tree  # until it changes it has a list of each tag's elements
        html_holders = embeds.holders_of_html(tree)
        for element in [element for tag in _MACHINES_AND_PLAYERS for element in tree.select(tag)]:
            tag = element.tag
            if tag in _PLAYERS:
                machinery.drop_fallback(element)
                continue
            if tag == "style":
                if _is_for_screens(element):
                    sheets.setdefault(self._scope_of(element), []).append(element.text)
            elif tag == "noscript":
                self.fallbacks.append(_Fallback(element.text, place=_stand_in(element)))
                continue
            elif tag in machinery.SHOWN_AT_TIMES and machinery.keep(element, html_holders):
                continue
            removed[_MACHINERY[tag]] += 1
            if tag in _APART:
                element.replace_with(Text(" "))
            else:
                element.decompose()
        return sheets

    def _scope_of(self, sheet: Element) -> Node:
        """The shadow tree that a style sheet stands in, or the whole page."""
        hosts, page = self.document.shadow_hosts, self.document.tree
        return next((holder for holder in sheet.ancestors if holder in hosts), page) if hosts else page

    def _lift_fallbacks(self) -> None:
        """Leave out what is for browsers without scripts, unless it is the page itself (some forums do that)."""
        for fallback in self.fallbacks:
            if len(fallback.markup) * _SHARE < len(self._page_text()) or not self._lift(fallback):
                self.removed[_NOSCRIPT] += 1
                self._fill_image(fallback)

    def _fill_image(self, fallback: _Fallback) -> None:
        """Give the image ahead of a fallback its source, which it has where no scripts run."""
        if _IMAGE not in fallback.markup or len(fallback.markup) > MAX_IMAGE_CHARS:
            return
        near = islice(fallback.place.previous_siblings, _NEAR)
        before = next((node for node in near if isinstance(node, turbohtml.Element)), None)
        if before is None:
            return
        image = before if before.tag == "img" else before.select_one("img")
        stand_in = turbohtml.parse_fragment(fallback.markup).select_one("img")
        if image is not None and stand_in is not None and self.document.images.of(image) is None:
            self.document.images.replace(image, stand_in)

    def _lift(self, fallback: _Fallback) -> bool:
        # Words that touch across elements are one here: fewer than there are, while those of the markup are more.
        if len(_WORD.findall(fallback.markup)) <= len(self._page_text().split()):
            return False
        within = turbohtml.parse_fragment(fallback.markup)
        within.remove(_MACHINES)
        if _words(within) <= self._page_words():
            return False
        if isinstance(fallback.place.parent, turbohtml.Element) and fallback.place.parent.tag != "head":
            fallback.place.replace_with(*within.children)
        elif isinstance(self.body, turbohtml.Element):  # nothing in the head is shown
            self.body.extend(within.children)
        self.lifted += 1
        self.text = self.words = self.ink = None
        return True

    def _remove_comments(self) -> None:
        comments = [
            node for node in self.document.tree.xpath_iter("//comment()") if isinstance(node, turbohtml.Comment)
        ]
        for comment in comments:
            comment.decompose()
        if comments:
            self.removed["comment"] = len(comments)

    def _remove_hidden(
        self, selector: str, reason_of: Callable[[Element], str | None], scope: Node | None = None
    ) -> None:
        found = (scope or self.document.tree).select(selector)
        index = 0
        while index < len(found):
            element = found[index]
            index += 1
            if element.tag in _ROOTS or (self.gone and element in self.gone):
                continue
            reason = reason_of(element)
            if reason is not None and not self._is_lifted(element, reason):
                index += self._hide(element, reason, selector)

    def _hide(self, element: Element, reason: str, selector: str) -> int:
        """Remove an element; give how many of those found were within it, which follow it in the order found."""
        self.removed[reason] += 1
        if reason in _FOR_SCREEN_READERS:
            icons.keep_name(element, element.text)
        survivors = _survivors(element, UNDOING_PROPERTY.get(reason))
        if survivors:
            element.replace_with(*survivors)
            self.gone.update(element.select(selector))
            return 0
        within = len(element.select(selector))
        if reason == _ARIA_HIDDEN:  # it is seen, and stood between the words around it
            element.replace_with(Text(" "))
        else:
            element.decompose()
        return within

    def _hidden_by_itself(self, element: Element) -> str | None:
        style = element.attr("style")
        if style is not None:
            if style not in self.rules:
                self.rules[style] = hiding_rule(declarations(style)) if may_hide(style) else None
            rule = self.rules[style]
            if rule is not None:
                return rule
        return _hidden_by_attribute(element, style)

    def _remove_hidden_by_rule(self, selectors: dict[str, HidingRule], scope: Node) -> None:
        selectors = _readable(selectors) if selectors else {}
        if not selectors:
            return
        groups = {rule: ", ".join(_with(selectors, rule)) for rule in dict.fromkeys(selectors.values())}

        def reason_of(element: Element) -> str | None:
            rule = next(rule for rule, group in groups.items() if element.matches(group))
            shown = _SHOWING_PROPERTY.get(rule)
            found = declarations(element.attr("style") or "") if shown else {}
            return None if shown in found and hiding_rule(found) is None else rule

        self._remove_hidden(", ".join(selectors), reason_of, scope)

    def _is_lifted(self, element: Element, reason: str) -> bool:
        """Whether it is most of the page, and hidden in a way that scripts undo."""
        if reason not in _CURTAINS or (self.lifted < MAX_LIFTED and not self._is_most(element)):
            return False
        self.lifted += 1
        return True

    def _is_most(self, element: Element) -> bool:
        """Whether it holds more than half of the page's words; they are counted when its length leaves a doubt."""
        text = element.text
        if not text or text.isspace() or len(text) * _SHARE < len(self._page_text()):
            return False
        if len(self._page_text()) <= _SHORT_CHARS:
            return _words(element) * 2 > self._page_words()
        if self.ink is None:
            self.ink = _ink(self._page_text())
        if len(text) <= _DOUBT[0] * self.ink:
            return False
        share = _ink(text) / max(1, self.ink)
        if not _DOUBT[0] < share < _DOUBT[1]:
            return share > _DOUBT[0]
        return _words(element) * 2 > self._page_words()

    def _page_text(self) -> str:
        if self.text is None:
            self.text = self.body.text
        return self.text

    def _page_words(self) -> int:
        if self.words is None:
            self.words = _words(self.body)
        return self.words


def _is_for_screens(style: Element) -> bool:
    """Whether a sheet counts where a page is looked at (HTML standard, section 4.2.6): no print, no other language."""
    media, kind = (style.attr("media") or "").lower(), (style.attr("type") or "text/css").strip().lower()
    return kind == "text/css" and (not media.strip() or "all" in media or "screen" in media)


def _ink(text: str) -> int:
    """Characters but for common white space."""
    return len(text) - sum(map(text.count, _BLANKS))


def _words(node: Node) -> int:
    """Words of a node; those of neighboring elements are never one."""
    return sum(len(_WORD.findall(text)) for text in node.strings)


def _survivors(element: Element, name: str | None) -> list[Element]:
    """The outermost elements within that are shown all the same, by a value of their own."""
    survivors: list[Element] = []
    selector = f"[style*={name} i]"
    found = element.select(selector) if name else []
    index = 0
    while index < len(found):
        inner = found[index]
        index += 1
        own = declarations(inner.attr("style") or "")
        if name in own and hiding_rule(own) is None:
            survivors.append(inner)
            index += len(inner.select(selector))  # those within it follow it
    return survivors


def _hidden_by_attribute(element: Element, style: str | None) -> str | None:
    is_picture = element.tag == "img" and bool(element.attr("alt"))  # it is seen, and here it is told by its text
    if (element.attr("aria-hidden") or "").lower() == "true" and not is_picture:
        return _ARIA_HIDDEN
    is_closed = element.tag == "dialog" and element.attr("open") is None
    if not is_closed and (element.attr("hidden", "until-found") or "").lower() == "until-found":
        return None
    if style is not None and declarations(style).get("display", "none") != "none":
        return None
    return _CLOSED_DIALOG if is_closed else _HIDDEN_ATTRIBUTE


def _with(selectors: dict[str, HidingRule], rule: HidingRule) -> Iterator[str]:
    return (selector for selector, way in selectors.items() if way is rule)


def _readable(selectors: dict[str, HidingRule]) -> dict[str, HidingRule]:
    """Those that can be read, judged one by one when all together cannot."""
    probe = turbohtml.parse("")  # an element outside a document would do, but matching it crashes turbohtml 1.15
    if _is_readable(probe, ", ".join(selectors)):
        return selectors
    return {selector: rule for selector, rule in selectors.items() if _is_readable(probe, selector)}


def _is_readable(probe: turbohtml.Document, selector: str) -> bool:
    try:
        probe.select(selector)
    except ValueError:
        return False
    return True


def _stand_in(element: Element) -> Text:
    place = Text("")
    element.replace_with(place)
    return place
