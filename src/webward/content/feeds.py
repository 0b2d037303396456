"""Feeds (RSS 2.0 and older, RSS 1.0, Atom) to a list in Markdown: title, link, date and summary of each item.

Nothing is fetched, and no entity of a document type is expanded: the parser has none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import turbohtml
from turbohtml import HTMLParseError, Markdown

from webward.content.dates import rfc3339
from webward.content.references import References
from webward.content.rendered import Rendered

if TYPE_CHECKING:
    from turbohtml.extract import Entry, Feed

MAX_ITEMS = 500
"""Items that are listed; feeds have some dozen, archives thousands."""

MAX_TITLE_CHARS = 500
"""Of a feed or an item."""

MAX_SUMMARY_CHARS = 2_000
"""Of an item: a paragraph or two, for whole articles stand in feeds as well."""

MAX_RAW_CHARS = 20_000
"""How much of a title or summary is looked at."""

PROLOG_CHARS = 64 * 1024
"""How far the root element is looked for: behind declarations, comments, a document type."""

_ROOT = re.compile(r"<([A-Za-z_][\w:.-]*)")
_FEED_ROOT = re.compile(r"rss|(?:\w+:)?(?:feed|RDF)", re.IGNORECASE)
# Titles are plain text by most specifications and hold inline markup all the same; any other < is a character.
_NO_INLINE_TAG = re.compile(r"<(?!/?(?:a|abbr|b|br|code|em|i|img|p|small|span|strong|sub|sup|u)\b)", re.IGNORECASE)

_PLAIN = Markdown(
    links=Markdown.Links(ignore=True),
    images=Markdown.Images(mode="ignore"),
    inline=Markdown.Inline(ignore_emphasis=True),
    tables=Markdown.Tables(mode="strip", cell_blocks="text"),
    code=Markdown.Code(block_style="indented"),
    strip=("h1", "h2", "h3", "h4", "h5", "h6", "code", "hr", "blockquote", "ul", "ol", "li"),
)
_HIDDEN = "script, style, template, iframe, object, embed"


def render_feed(text: str, *, url: str) -> Rendered | None:
    """Render a feed as a list in its own order; None for what is no feed.

    Args:
        text: The XML document.
        url: Where it came from; relative links are resolved against it.
    """
    feed = _parsed(text)
    if feed is None:
        return None
    blocks = [f"# {_plain(feed.title, MAX_TITLE_CHARS, is_title=True)}".rstrip("# ")]
    blocks.append(_plain(feed.description, MAX_SUMMARY_CHARS))
    references = References(url)
    blocks.append("\n".join(_item(entry, references) for entry in feed.entries[:MAX_ITEMS]))
    return Rendered("\n\n".join(block for block in blocks if block), truncated=len(feed.entries) > MAX_ITEMS)


def _parsed(text: str) -> Feed | None:
    root = _ROOT.search(text, 0, PROLOG_CHARS)
    if root is None or not _FEED_ROOT.fullmatch(root[1]):
        return None
    try:
        document = turbohtml.parse_xml(text)
    except HTMLParseError:  # not well-formed, as a tenth of all feeds
        return turbohtml.parse(text, positions=False).feed()
    element = document.root
    if element is not None and element.tag == "rss":
        element.attrs["version"] = "2.0"  # 0.91 and 0.92 read alike, but are not asked for
    return document.feed()


def _item(entry: Entry, references: References) -> str:
    link = references.web_address((entry.link or "").strip()) if entry.link else None
    body = entry.summary or (entry.content if isinstance(entry.content, str) else None)
    summary = _plain(body, MAX_SUMMARY_CHARS)
    title = _plain(entry.title, MAX_TITLE_CHARS, is_title=True) or link
    head = title or summary
    if link:
        head = f"[{head}]({link.replace('(', '%28').replace(')', '%29')})"
    date = rfc3339(entry.published or entry.updated or "")
    return f"- {head}" + (f", {date}" if date else "") + (f"\n  {summary}" if summary and title else "")


def _plain(markup: str | None, max_chars: int, *, is_title: bool = False) -> str:
    """Text of a fragment on one line, escaped as Markdown has it."""
    if not markup:
        return ""
    markup = markup[:MAX_RAW_CHARS]
    fragment = turbohtml.parse_fragment(_NO_INLINE_TAG.sub("&lt;", markup) if is_title else markup, positions=False)
    text = " ".join(fragment.remove(_HIDDEN).to_markdown(_PLAIN).split())
    return text[:max_chars].rstrip("\\ ") if len(text) > max_chars else text
