"""What a page says about itself: title, description, language, author, dates, canonical URL, image, and its signals.

Read before cleaning. Every text is scrubbed, on one line and bounded; every URL is absolute; every date is RFC 3339.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import turbohtml

from webward.content.dates import rfc3339
from webward.content.json_ld import Graph
from webward.content.sanitize import scrub
from webward.model import Metadata

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webward.content.document import Document
    from webward.content.references import References

MAX_TITLE_CHARS = 500
"""Titles are a line; a longer one is a page hiding its text, or a mistake."""

MAX_DESCRIPTION_CHARS = 2_000
"""Descriptions are a paragraph at most."""

MAX_NAME_CHARS = 200
"""Of a site."""

MAX_AUTHOR_CHARS = 500
"""Of all authors: papers have many."""

MAX_KEYWORDS_CHARS = 1_000
"""Keywords are for search engines of the past; a query needs a few."""

MAX_RAW_CHARS = 20_000
"""How much of an attribute or title is looked at before its white space is folded, so that folding stays cheap."""

MAX_META_ELEMENTS = 1_000
"""Pages have some hundred at most."""

MAX_VALUES = 20
"""Values that are kept of one name."""

# Names of meta elements (name, property, itemprop or http-equiv), lower case, the most trusted first.
_TITLES = ("og:title", "twitter:title", "dc.title", "dcterms.title", "citation_title", "headline")
_DESCRIPTIONS = ("description", "og:description", "twitter:description", "dc.description", "dcterms.description")
_SITES = ("og:site_name", "application-name", "citation_journal_title", "apple-mobile-web-app-title")
_AUTHORS = (
    "author", "article:author", "citation_author", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author",
    "byl",
)  # fmt: skip
_PUBLISHED = (
    "article:published_time", "datepublished", "og:published_time", "og:article:published_time", "dc.date.issued",
    "dcterms.issued", "dcterms.created", "dc.date", "dcterms.date", "citation_publication_date", "citation_date",
    "parsely-pub-date", "sailthru.date", "pubdate", "publishdate", "publish-date", "publish_date", "date",
)  # fmt: skip
_MODIFIED = (
    "article:modified_time",
    "datemodified",
    "og:updated_time",
    "dcterms.modified",
    "dc.date.modified",
    "last-modified",
)
_IMAGES = ("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src")
_LANGUAGES = ("content-language", "og:locale", "dc.language", "dcterms.language")

_LINKS = "link:is([rel~=canonical i], [rel~=image_src i])[href]"
_TIMES = "time:is([pubdate], [itemprop~=datePublished], .published, .entry-date)[datetime]"
_JSON_LD = 'script[type*="ld+json" i]'

# BCP 47 in shape; 35 characters hold any tag in use (RFC 5646 section 4.4.1).
_LANGUAGE = re.compile(r"(?=.{1,35}\Z)[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")


def read_metadata(document: Document) -> Metadata:
    """Read what a document that was not cleaned says about itself, from its head, and from JSON-LD where it has any."""
    tree = document.tree
    meta = _meta(tree)
    links = _links(tree)
    graph = Graph(script.text for script in tree.select(_JSON_LD))
    references = document.references
    return Metadata(
        title=_title(tree)
        or _first(meta, _TITLES, MAX_TITLE_CHARS)
        or _line(graph.text("headline", "name"), MAX_TITLE_CHARS)
        or _heading(tree),
        description=_first(meta, _DESCRIPTIONS, MAX_DESCRIPTION_CHARS)
        or _line(graph.text("description"), MAX_DESCRIPTION_CHARS),
        language=_language(tree, meta) or _tag(graph.text("inLanguage")),
        site_name=_first(meta, _SITES, MAX_NAME_CHARS) or _line(graph.text("publisher", "isPartOf"), MAX_NAME_CHARS),
        author=_author(meta, graph),
        published=_date(meta, _PUBLISHED) or _stated(graph.text("datePublished", "uploadDate")) or _marked_time(tree),
        modified=_date(meta, _MODIFIED) or _stated(graph.text("dateModified")),
        canonical_url=_url([*links.get("canonical", ()), *meta.get("og:url", ())], references),
        image_url=_url(
            [
                *(url for name in _IMAGES for url in meta.get(name, ())),
                *links.get("image_src", ()),
                graph.url("image", "thumbnailUrl") or "",
            ],
            references,
        ),
    )


def keywords(document: Document) -> str:
    """The keywords of a document that was not cleaned, on one line; empty when it has none."""
    return _first(_meta(document.tree), ("keywords",), MAX_KEYWORDS_CHARS) or ""


def fallback_query(document: Document) -> str:
    """What a document that was not cleaned is about, in its own words: title, description, keywords, first h1."""
    tree = document.tree
    meta = _meta(tree)
    parts = (
        _title(tree),
        _first(meta, ("description",), MAX_DESCRIPTION_CHARS),
        _first(meta, ("keywords",), MAX_KEYWORDS_CHARS),
        _heading(tree),
    )
    return " ".join(dict.fromkeys(part for part in parts if part))


MAX_BARE_WORDS = 10
"""A page with no more words that loads a script is taken for an empty frame; error pages have fewer, too."""

MAX_FRAME_WORDS = 60
"""So many words (a notice, a footer) may stand on a page that shows by other signs that scripts fill it."""

# Containers that frameworks fill, and notices to those without scripts.
_EMPTY_CONTAINER = ":is(#root, #app, #__next, #__nuxt, #___gatsby, #svelte, app-root, [data-reactroot], [ng-app]):empty"
_LOADED_SCRIPT = "script[src], script[type=module i], link[rel=modulepreload i]"


def needs_javascript(document: Document, *, shown_words: int) -> bool:
    """Whether scripts would have to run for a document that was not cleaned to show its content.

    Args:
        document: The document with its scripts.
        shown_words: Words that its rendition has.
    """
    tree = document.tree
    if shown_words > MAX_FRAME_WORDS or tree.select_one(_LOADED_SCRIPT) is None:
        return False
    return (
        shown_words <= MAX_BARE_WORDS
        or tree.select_one(_EMPTY_CONTAINER) is not None
        or any("javascript" in notice.text[:MAX_RAW_CHARS].lower() for notice in tree.select("noscript")[:MAX_VALUES])
    )


_SIGNALS = ("search", "ai-input", "ai-train")
_SIGNAL_VALUES = {"yes": True, "no": False}


def content_signal(header_value: str | None) -> dict[str, bool] | None:
    """What a Content-Signal field allows (contentsignals.org), or None when it says nothing that is known.

    Where a field contradicts itself, the refusal counts.
    """
    signals: dict[str, bool] = {}
    for part in (header_value or "").split(","):
        name, _, value = (piece.strip().lower() for piece in part.partition("="))
        if name in _SIGNALS and value in _SIGNAL_VALUES:
            signals[name] = signals.get(name, True) and _SIGNAL_VALUES[value]
    return signals or None


def _meta(tree: turbohtml.Document) -> dict[str, list[str]]:
    """Contents of the meta elements by name, in order."""
    contents: dict[str, list[str]] = {}
    for element in tree.select("meta[content]")[:MAX_META_ELEMENTS]:
        content = element.attr("content")
        name = (
            element.attr("property") or element.attr("name") or element.attr("itemprop") or element.attr("http-equiv")
        )
        if name and content:
            values = contents.setdefault(name.strip().lower(), [])
            if len(values) < MAX_VALUES:
                values.append(content)
    return contents


def _links(tree: turbohtml.Document) -> dict[str, list[str]]:
    """References of the link elements of the two relations that name the page and its image."""
    references: dict[str, list[str]] = {}
    for element in tree.select(_LINKS)[:MAX_VALUES]:
        for relation in (element.attr("rel") or "").lower().split():
            references.setdefault(relation, []).append(element.attr("href") or "")
    return references


def _title(tree: turbohtml.Document) -> str | None:
    # A drawing may have a title of its own.
    element = next((title for title in tree.select("title") if title.namespace is turbohtml.Namespace.HTML), None)
    return _line(element.text, MAX_TITLE_CHARS) if element is not None else None


def _heading(tree: turbohtml.Document) -> str | None:
    heading = tree.select_one("h1")
    return _line(heading.text, MAX_TITLE_CHARS) if heading is not None else None


def _line(text: str | None, max_chars: int) -> str | None:
    """One line, without what nobody sees, cut; None when nothing is left."""
    if not text:
        return None
    return " ".join(scrub(text[:MAX_RAW_CHARS]).text.split())[:max_chars].rstrip() or None


def _first(meta: dict[str, list[str]], names: Iterable[str], max_chars: int) -> str | None:
    return next((line for name in names for text in meta.get(name, ()) if (line := _line(text, max_chars))), None)


def _author(meta: dict[str, list[str]], graph: Graph) -> str | None:
    for name in _AUTHORS:
        # Profiles of Facebook stand where names should.
        names = [text for text in meta.get(name, ()) if not text.lstrip().startswith(("http:", "https:"))]
        if line := _line(", ".join(dict.fromkeys(names)), MAX_AUTHOR_CHARS):
            return line
    return _line(", ".join(graph.texts("author", "creator")), MAX_AUTHOR_CHARS)


def _language(tree: turbohtml.Document, meta: dict[str, list[str]]) -> str | None:
    root = tree.root
    declared = [root.attr("lang") or root.attr("xml:lang") or ""] if root is not None else []
    declared += (text for name in _LANGUAGES for text in meta.get(name, ()))
    return next((tag for text in declared if (tag := _tag(text))), None)


def _tag(text: str | None) -> str | None:
    tag = (text or "").strip().replace("_", "-")
    return tag if _LANGUAGE.fullmatch(tag) else None


def _date(meta: dict[str, list[str]], names: Iterable[str]) -> str | None:
    return next((date for name in names for text in meta.get(name, ()) if (date := rfc3339(text))), None)


def _stated(text: str | None) -> str | None:
    return rfc3339(text) if text else None


def _marked_time(tree: turbohtml.Document) -> str | None:
    """The first time element that is marked as the time of publication."""
    element = tree.select_one(_TIMES)
    return _stated(element.attr("datetime")) if element is not None else None


def _url(candidates: Iterable[str], references: References) -> str | None:
    found = (references.web_address(candidate.strip()) for candidate in candidates if candidate.strip())
    return next((url for url in found if url), None)
