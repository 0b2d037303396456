"""Adapters for a scorer of page readers: ``(bytes, url, task, options) -> dict``, or None for a task that we lack."""

from __future__ import annotations

from typing import Any

from webward.config import ContentFilter, ReadOptions, Rendition
from webward.content import charset
from webward.content.media import ContentKind
from webward.engine.content import ContentJob, read_content

Answer = dict[str, Any]


def read(data: bytes, url: str, task: str, options: dict[str, Any]) -> Answer | None:
    """A page as Markdown or text, whole or through a filter."""
    if task in ("markdown", "text"):
        return _answer(data, url, ReadOptions(format=Rendition(task)))
    if task in ("pruning", "bm25"):
        chosen = ContentFilter(type=task, query=options.get("query"))  # type: ignore[arg-type]  # seen above
        return _answer(data, url, ReadOptions(content_filter=chosen))
    return None


def everything(data: bytes, url: str, task: str, _options: dict[str, Any]) -> Answer | None:
    """A page as Markdown with all that can be asked for beside it."""
    if task != "markdown":
        return None
    return _answer(data, url, ReadOptions(include_links=True, include_media=True))


def _answer(data: bytes, url: str, options: ReadOptions) -> Answer:
    text = charset.decode(data, label=None, html=True).text
    job = ContentJob(kind=ContentKind.HTML, media_type="text/html", url=url, text=text, body=b"", options=options)
    reading = read_content(job)
    form = "text" if options.format is Rendition.TEXT else "markdown"
    return {"text": reading.text, "title": reading.metadata.title, "format": form}
