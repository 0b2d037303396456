"""From what was fetched to what is read: charset and kind are known, so parse, render and cut the window."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webward.content import document, render, window
from webward.content.media import ContentKind, kind_of, parse_media_type
from webward.errors import UnsupportedContent
from webward.model import Answer, Fetched, Page

if TYPE_CHECKING:
    from webward.config import ReadOptions, Rendition

ACCEPT = "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.8,application/json;q=0.8,*/*;q=0.5"

_FORMATS = {
    ContentKind.MARKDOWN: "markdown",
    ContentKind.JSON: "json",
    ContentKind.XML: "xml",
    ContentKind.TEXT: "text",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rendered:
    format: str
    text: str
    title: str | None = None
    description: str | None = None
    language: str | None = None


def page_of(fetched: Fetched, options: ReadOptions) -> Page:
    """The page of an answer: HTML as the rendition that is asked for, other text as it is.

    Raises:
        UnsupportedContent: The body is no text; the message names the media type.
    """
    rendered = _rendered(fetched, options.format)
    cut = window.cut(rendered.text, start=options.start, max_chars=options.max_chars)
    shared = {name: getattr(fetched, name) for name in Answer.__struct_fields__}
    return Page(
        **shared,
        format=rendered.format,
        text=cut.text,
        total_chars=cut.total_chars,
        start=cut.start,
        next_start=cut.next_start,
        truncated_text=cut.next_start is not None or cut.start > 0,
        title=rendered.title,
        description=rendered.description,
        language=rendered.language,
        content_hash=hashlib.sha256(fetched.body).hexdigest(),
    )


def _rendered(fetched: Fetched, rendition: Rendition) -> _Rendered:
    kind = kind_of(parse_media_type(fetched.headers.get("content-type", "")), fetched.body)
    if fetched.text is None:
        shown = fetched.media_type or "no declared media type"
        raise UnsupportedContent(f"there is no rendition of {shown}; use fetch for the bytes")
    if kind is not ContentKind.HTML:
        return _Rendered(format=_FORMATS[kind], text=fetched.text)
    parsed = document.parse(fetched.text, url=fetched.final_url)
    return _Rendered(
        format=rendition,
        text=render.render(parsed, rendition),
        title=parsed.title,
        description=parsed.description,
        language=parsed.language,
    )
