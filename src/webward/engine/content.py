"""The order of content work: a body of any kind becomes a `Reading`. Pure, so that it can run in any process."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from webward.config import ContentFilter, ReadOptions  # noqa: TC001 - msgspec reads the annotations of ContentJob
from webward.content import bm25, clean, document, links, metadata, prune, render, select, window
from webward.content.feeds import render_feed
from webward.content.images import image_size
from webward.content.media import ContentKind
from webward.content.pdf import MEDIA_TYPE as PDF
from webward.content.pdf import is_pdf, pdf_text
from webward.content.sanitize import Scrubbed, encodable, scrub, without_invisible
from webward.content.structured import render_json
from webward.content.tabular import render_table
from webward.errors import UnsupportedContent
from webward.model import CleaningReport, FilterOutcome, Links, Media, Metadata, PageImage, Reading

if TYPE_CHECKING:
    from webward.content.document import Document

Checkpoint = Callable[[], None]
"""Called between two steps, so that work that nothing interrupts can be given up there; it raises to do so."""

PRUNING_THRESHOLD = 0.48
BM25_THRESHOLD = 1.0
TABLE_TYPES = {"text/csv": None, "text/tab-separated-values": "\t"}  # what parts cells; None: the likeliest


class ContentJob(Struct, frozen=True, kw_only=True):
    """One body to be read.

    Attributes:
        kind: What the body is for a reader.
        media_type: As declared, or None.
        url: Where it came from.
        text: The body as text, for textual kinds.
        body: The bytes, for the others.
        options: What is asked for.
    """

    kind: ContentKind
    media_type: str | None
    url: str
    text: str | None
    body: bytes
    options: ReadOptions


class _Whole(Struct, frozen=True, kw_only=True):
    """A rendition before it is sanitized and cut."""

    format: str
    text: str
    metadata: Metadata = Metadata()
    links: Links | None = None
    media: Media | None = None
    filter: FilterOutcome | None = None
    truncated: bool = False
    removed: dict[str, int] = {}
    revealed_hidden: bool = False
    needs_javascript: bool = False


def read_content(job: ContentJob, checkpoint: Checkpoint = lambda: None) -> Reading:
    """Read a body.

    Args:
        job: The body, and what is asked for.
        checkpoint: Called after each step.

    Raises:
        InvalidInput: A selector of the options is no CSS selector.
        UnsupportedContent: There is no rendition for this kind.
        ContentUndecodable: The body is not what it is said to be.
    """
    if job.text is None:
        image = _image(job)
        if image is not None:
            return image
    whole = _reader(job)(job, checkpoint)
    checkpoint()
    scrubbed = _sanitized(whole.text, job.options.sanitize)
    checkpoint()
    cut = window.cut(scrubbed.text, start=job.options.start, max_chars=job.options.max_chars)
    return Reading(
        format=whole.format,
        text=cut.text,
        total_chars=cut.total_chars,
        start=cut.start,
        next_start=cut.next_start,
        truncated_text=cut.next_start is not None or cut.start > 0 or whole.truncated,
        token_estimate=window.token_estimate(cut.text),
        metadata=whole.metadata,
        links=whole.links,
        media=whole.media,
        filter=whole.filter,
        report=CleaningReport(
            removed=whole.removed,
            invisible_chars=scrubbed.report,
            revealed_hidden=whole.revealed_hidden,
        ),
        needs_javascript=whole.needs_javascript,
    )


def _sanitized(text: str, sanitize: bool | Literal["invisible"]) -> Scrubbed:  # noqa: FBT001 - an option's value
    if sanitize == "invisible":
        return without_invisible(text)
    return scrub(text) if sanitize else Scrubbed(encodable(text), report={})


def _reader(job: ContentJob) -> Callable[[ContentJob, Checkpoint], _Whole]:
    if job.media_type in TABLE_TYPES and job.text is not None:
        return _table
    if job.text is None and (job.media_type == PDF or is_pdf(job.body)):
        return _pdf
    if job.kind not in _READERS:
        shown = job.media_type or "no declared media type"
        raise UnsupportedContent(f"there is no rendition of {shown}; use fetch for the bytes")
    return _READERS[job.kind]


def _html(job: ContentJob, checkpoint: Checkpoint) -> _Whole:
    whole = _shown(job, checkpoint)  # the tree is gone by now: a second one beside it would double the peak
    checkpoint()
    return replace(whole, needs_javascript=_needs_javascript(job, whole.text))


def _shown(job: ContentJob, checkpoint: Checkpoint) -> _Whole:
    options = job.options
    page = document.parse(job.text or "", url=job.url)
    checkpoint()
    facts = metadata.read_metadata(page)
    fallback_query = metadata.fallback_query(page) if options.content_filter else ""
    checkpoint()
    cleaned = clean.clean(page)
    checkpoint()
    page_links = links.links_of(page, url=job.url) if options.include_links else None
    media = links.media_of(page) if options.include_media else None
    checkpoint()
    if options.target_elements or options.excluded_tags:
        select.select(page, target_elements=options.target_elements, excluded_tags=options.excluded_tags)
        checkpoint()
    outcome = (
        _filtered(page, options.content_filter, fallback_query, facts.language) if options.content_filter else None
    )
    checkpoint()
    return _Whole(
        format=options.format,
        text=render.render(page, options.format),
        metadata=facts,
        links=page_links,
        media=media,
        filter=outcome,
        removed=cleaned.removed,
        revealed_hidden=cleaned.revealed_hidden,
    )


def _needs_javascript(job: ContentJob, shown: str) -> bool:
    """Asked of a second parse, since the scripts are gone from the first; only pages with next to no text need it."""
    words = len(shown.split(None, metadata.MAX_FRAME_WORDS + 1))
    if words > metadata.MAX_FRAME_WORDS:
        return False
    return metadata.needs_javascript(document.parse(job.text or "", url=job.url), shown_words=words)


def _filtered(page: Document, wanted: ContentFilter, fallback_query: str, language: str | None) -> FilterOutcome:
    if wanted.type == "pruning":
        return prune.prune(
            page,
            threshold=PRUNING_THRESHOLD if wanted.threshold is None else wanted.threshold,
            threshold_type=wanted.threshold_type,
            min_word_threshold=wanted.min_word_threshold,
        )
    return bm25.keep_matching(
        page,
        query=wanted.query,
        threshold=BM25_THRESHOLD if wanted.threshold is None else wanted.threshold,
        fallback_query=fallback_query,
        language=language,
    )


def _xml(job: ContentJob, _checkpoint: Checkpoint) -> _Whole:
    feed = render_feed(job.text or "", url=job.url)
    return (
        _Whole(format="xml", text=job.text or "")
        if feed is None
        else _Whole(format="markdown", text=feed.text, truncated=feed.truncated)
    )


def _json(job: ContentJob, _checkpoint: Checkpoint) -> _Whole:
    rendered = render_json(job.text or "")
    return _Whole(format="json", text=rendered.text, truncated=rendered.truncated)


def _table(job: ContentJob, _checkpoint: Checkpoint) -> _Whole:
    rendered = render_table(job.text or "", separator=TABLE_TYPES[job.media_type or ""])
    return _Whole(format="markdown", text=rendered.text, truncated=rendered.truncated)


def _markdown(job: ContentJob, _checkpoint: Checkpoint) -> _Whole:
    return _Whole(format="markdown", text=job.text or "")


def _text(job: ContentJob, _checkpoint: Checkpoint) -> _Whole:
    return _Whole(format="text", text=job.text or "")


def _pdf(job: ContentJob, checkpoint: Checkpoint) -> _Whole:
    read = pdf_text(job.body, checkpoint)
    return _Whole(format="text", text=read.text, metadata=Metadata(title=read.title), truncated=read.truncated)


def _image(job: ContentJob) -> Reading | None:
    facts = image_size(job.body)
    if facts is None or job.kind is not ContentKind.IMAGE:
        return None
    image = PageImage(media_type=facts.media_type, data=job.body, width=facts.width, height=facts.height)
    return Reading(format="image", image=image)


_READERS: dict[ContentKind, Callable[[ContentJob, Checkpoint], _Whole]] = {
    ContentKind.HTML: _html,
    ContentKind.MARKDOWN: _markdown,
    ContentKind.JSON: _json,
    ContentKind.XML: _xml,
    ContentKind.TEXT: _text,
}
