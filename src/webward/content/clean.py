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
from webward.content.cascade import Cascade, stylesheets
from webward.content.hiding import UNDOING_PROPERTY, HidingRule

if TYPE_CHECKING:
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

_HIDEABLE = ":is([style], [hidden], [aria-hidden=true i], [popover], dialog:not([open]))"  # quicker with the `:is`
_OPENERS = "button[popovertarget], input[popovertarget]"
_ROOTS = frozenset({"html", "body"})
_HIDDEN_ATTRIBUTE, _ARIA_HIDDEN, _CLOSED_DIALOG, _CLOSED_POPOVER, _NOSCRIPT = (
    "hidden-attribute",
    "aria-hidden",
    "closed-dialog",
    "closed-popover",
    "noscript",
)
_CURTAINS = frozenset({
    HidingRule.DISPLAY, HidingRule.VISIBILITY, HidingRule.OPACITY,
    _HIDDEN_ATTRIBUTE, _ARIA_HIDDEN, _CLOSED_DIALOG, _CLOSED_POPOVER,
})  # fmt: skip
_FOR_SCREEN_READERS = frozenset({HidingRule.CLIPPED, HidingRule.NO_BOX, HidingRule.AWAY})
"""How pages hide what names a sign (a link that shows a bird) to those who cannot see it."""


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
        self.fallbacks: list[_Fallback] = []
        self.lifted = 0
        self.text: str | None = None
        self.words: int | None = None
        self.ink: int | None = None
        self.sheets = {scope: stylesheets(styles) for scope, styles in self._styles().items()}
        self.cascades = self._cascades()  # selectors speak of the tree as it was parsed
        openers = document.tree.select(_OPENERS)
        self.openable = {name for opener in openers if (name := opener.attr("popovertarget"))}
        self.body: Node = document.tree.select_one("body") or document.tree  # quick while the tree is as it was parsed

    def run(self) -> Cleaned:
        icons.keep_names(self.document.tree)
        formulas.lift_scripts(self.document.tree)
        self._remove_machinery()
        self._lift_fallbacks()
        self._remove_comments()
        self._remove_hidden()
        self._remove_hidden_by_rule()
        return Cleaned(
            removed={str(rule): count for rule, count in self.removed.items()}, revealed_hidden=self.lifted > 0
        )

    def _styles(self) -> dict[Node, list[Element]]:
        """Style elements, by the tree for which they stand: the page's, or the shadow tree that they are in."""
        styles: dict[Node, list[Element]] = {self.document.tree: []}
        for style in self.document.tree.select("style"):
            styles.setdefault(self._scope_of(style), []).append(style)
        return styles

    def _cascades(self) -> dict[Node, Cascade]:
        return {scope: Cascade(scope, sheets) for scope, sheets in self.sheets.items()}

    def _cascade_of(self, element: Element) -> Cascade:
        return self.cascades.get(self._scope_of(element)) or self.cascades[self.document.tree]

    def _remove_machinery(self) -> None:
        removed = self.removed
        tree = self.document.tree  # until it changes it has a list of each tag's elements
        html_holders = embeds.holders_of_html(tree)
        for element in [element for tag in _MACHINES_AND_PLAYERS for element in tree.select(tag)]:
            tag = element.tag
            if tag in _PLAYERS:
                machinery.drop_fallback(element)
                continue
            if tag == "noscript":
                self.fallbacks.append(_Fallback(element.text, place=_stand_in(element)))
                continue
            if tag in machinery.SHOWN_AT_TIMES and machinery.keep(element, html_holders):
                continue
            removed[_MACHINERY[tag]] += 1
            if tag in _APART:
                element.replace_with(Text(" "))
            else:
                element.decompose()

    def _scope_of(self, element: Element) -> Node:
        """The shadow tree that an element stands in, or the whole page."""
        hosts, page = self.document.shadow_hosts, self.document.tree
        return next((holder for holder in element.ancestors if holder in hosts), page) if hosts else page

    def _lift_fallbacks(self) -> None:
        """Leave out what is for browsers without scripts, unless it is the page itself (some forums do that)."""
        for fallback in self.fallbacks:
            if len(fallback.markup) * _SHARE < len(self._page_text()) or not self._lift(fallback):
                self.removed[_NOSCRIPT] += 1
                self._fill_image(fallback)
        if self.lifted:
            self.cascades = self._cascades()

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

    def _remove_hidden(self) -> None:
        found = self.document.tree.select(_HIDEABLE)
        index = 0
        while index < len(found):
            element = found[index]
            index += 1
            if element.tag in _ROOTS or (self.gone and element in self.gone):
                continue
            reason = self._reason(element)
            if reason is not None and not self._is_lifted(element, reason):
                within = len(element.select(_HIDEABLE))  # they follow it in the order found
                if self._hide(element, reason):
                    index += within

    def _remove_hidden_by_rule(self) -> None:
        for cascade in self.cascades.values():
            for element in cascade.suspects:
                if element.tag in _ROOTS or element.closest("html") is None:
                    continue
                rule = cascade.rule_of(element)
                if rule is not None and not self._is_lifted(element, rule):
                    self._hide(element, rule)

    def _hide(self, element: Element, reason: str) -> bool:
        """Remove an element; give whether all within it went, too."""
        self.removed[reason] += 1
        if reason in _FOR_SCREEN_READERS:
            icons.keep_name(element, element.text)
        survivors = self._survivors(element, UNDOING_PROPERTY[reason]) if reason in UNDOING_PROPERTY else ()
        if survivors:
            element.replace_with(*survivors)
            self.gone.update(element.select(_HIDEABLE))
            return False
        if reason == _ARIA_HIDDEN:  # it is seen, and stood between the words around it
            element.replace_with(Text(" "))
        else:
            element.decompose()
        return True

    def _survivors(self, element: Element, name: str) -> list[Element]:
        """The outermost elements within that are shown all the same, by a value of their own."""
        survivors: list[Element] = []
        for inner in self._cascade_of(element).shown_within(element, name):
            if not (survivors and _is_within(inner, survivors[-1])):
                survivors.append(inner)
        return survivors

    def _reason(self, element: Element) -> str | None:
        cascade = self._cascade_of(element)
        rule = cascade.rule_of(element)
        if rule is not None:
            return rule
        is_picture = element.tag == "img" and bool(element.attr("alt"))  # it is seen, and here it is told by its text
        if (element.attr("aria-hidden") or "").lower() == "true" and not is_picture:
            return _ARIA_HIDDEN
        reason = _closed_by_attribute(element)
        if reason == _CLOSED_POPOVER and element.attr("id") in self.openable:
            return None  # a person opens it with a click, as they do closed details
        return None if reason is None or cascade.is_displayed(element) else reason

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


def _ink(text: str) -> int:
    """Characters but for common white space."""
    return len(text) - sum(map(text.count, _BLANKS))


def _words(node: Node) -> int:
    """Words of a node; those of neighboring elements are never one."""
    return sum(len(_WORD.findall(text)) for text in node.strings)


def _closed_by_attribute(element: Element) -> str | None:
    if element.tag == "dialog" and element.attr("open") is None:
        return _CLOSED_DIALOG
    hidden = element.attr("hidden")
    if hidden is not None and hidden.lower() != "until-found":
        return _HIDDEN_ATTRIBUTE
    return _CLOSED_POPOVER if element.attr("popover") is not None and element.tag != "dialog" else None


def _is_within(element: Element, outer: Element) -> bool:
    return any(ancestor == outer for ancestor in element.ancestors)


def _stand_in(element: Element) -> Text:
    place = Text("")
    element.replace_with(place)
    return place
