"""Where the content of a page is: its main element, or the one article in it; else the whole body."""

from __future__ import annotations

from turbohtml import Element

from webward.content.blocks import count_blocks

MAIN_SHARE = 0.2
"""Of the page's text: a main element with less is a frame that a script would fill."""

ARTICLE_SHARE = 0.5
"""Of the region's text, for an article to be what the page is about."""

TEASER_SHARE = 0.5
"""All other articles together, against the largest: with more they are a list of equals."""

MAX_CANDIDATES = 64
"""Main elements or articles that are looked at; a page with more is a list, and the text of each must be read."""

MAX_TITLES = 16
"""First-level headings above the region that are looked at; a page has one."""

_MAINS = "main, [role=main i]"
_ARTICLES = "article, [role=article i]"
_TITLES = f"h1, {_MAINS}, {_ARTICLES}"
_SURROUNDINGS = "nav, footer, aside"


def find_region(body: Element) -> Element:
    """The element that holds the content of a page, which may be the body itself."""
    mains = _largest(body, _MAINS)
    region = mains[0][1] if mains and mains[0][0] >= MAIN_SHARE * len(body.text) else body
    articles = _largest(region, _ARTICLES)
    if not articles or articles[0][0] < ARTICLE_SHARE * len(region.text):
        return region
    others = sum(size for size, _ in articles[1:])
    return articles[0][1] if others <= TEASER_SHARE * articles[0][0] else region


def isolate(body: Element, region: Element) -> int:
    """Remove all that is outside a region, but the page's title where it stands above, and count the blocks removed."""
    title = _title_above(body, region)
    if title is not None:
        region.insert_before(title.extract())
    kept, removed = region, 0
    while kept != body and isinstance(parent := kept.parent, Element):
        for child in list(parent.children):
            if child not in (kept, title):
                removed += count_blocks(child.extract())
        kept = parent
    return removed


def _largest(root: Element, selector: str) -> list[tuple[int, Element]]:
    """Elements with the length of their text, the largest first; none when there are too many to look at."""
    found = root.select(selector)
    if len(found) > MAX_CANDIDATES:
        return []
    return sorted(((len(element.text), element) for element in found), key=lambda pair: pair[0], reverse=True)


def _title_above(body: Element, region: Element) -> Element | None:
    if region == body or region.select_one("h1") is not None:
        return None
    holders = set(region.ancestors)
    found = body.select(_TITLES)
    titles = [element for element in found[: found.index(region)] if element.tag == "h1" and element not in holders]
    return next((title for title in titles[: -MAX_TITLES - 1 : -1] if title.closest(_SURROUNDINGS) is None), None)
