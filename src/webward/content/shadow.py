"""Shadow trees that a page declares in templates: what is shown of their hosts (DOM standard, "shadow tree")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turbohtml import Element, Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Node

# DOM standard, "valid shadow host name"; custom elements have a hyphen in theirs.
_HOSTS = frozenset({
    *("article", "aside", "blockquote", "body", "div", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "main"),
    *("nav", "p", "section", "span"),
})  # fmt: skip
_MODES = frozenset({"open", "closed"})


def flatten(tree: Node) -> frozenset[Element]:
    """Put declared shadow trees into the place of what their hosts hold, which stays where a slot takes it up.

    Args:
        tree: As it was parsed, with templates where they stood.

    Returns:
        The hosts: style sheets within them hold for them alone.
    """
    hosts: set[Element] = set()
    for template in tree.select("template"):
        host = template.parent
        if _declares(template) and isinstance(host, Element) and _may_host(host) and host not in hosts:
            hosts.add(host)
            _show(host, template)
    return frozenset(hosts)


def _declares(template: Element) -> bool:
    return (template.attr("shadowrootmode") or "").lower() in _MODES


def _may_host(element: Element) -> bool:
    return element.tag in _HOSTS or "-" in element.tag


def _show(host: Element, template: Element) -> None:
    slots: dict[str, Element] = {}
    for slot in _slots(template):
        slots.setdefault(slot.attr("name") or "", slot)  # of equal names the first counts
    taken: dict[str, list[Node]] = {}
    for child in host.children:
        if isinstance(child, (Element, Text)) and child != template:
            name = (child.attr("slot") or "") if isinstance(child, Element) else ""
            if name in slots:
                taken.setdefault(name, []).append(child)
            elif isinstance(child, Element):
                _keep_sheets(child, host)
    for name, nodes in taken.items():
        slots[name].clear()
        slots[name].extend(nodes)
    content = list(_content(template))
    host.clear()
    host.extend(content)


def _keep_sheets(unseen: Element, host: Element) -> None:
    """A style sheet counts even where nothing is shown."""
    for sheet in [unseen] if unseen.tag == "style" else unseen.select("style"):
        host.insert_before(sheet.extract())


def _content(template: Element) -> Iterator[Node]:
    """What a template holds, which the parser puts into a fragment."""
    for child in template.children:
        yield from (child,) if isinstance(child, (Element, Text)) else child.children


def _slots(template: Element) -> Iterator[Element]:
    """The slots of a template in order, without those of the templates within it."""
    remaining = [*_content(template)][::-1]
    while remaining:
        node = remaining.pop()
        if isinstance(node, Element) and node.tag != "template":
            if node.tag == "slot":
                yield node
            remaining.extend(reversed(node.children))
