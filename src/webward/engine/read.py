"""From what was fetched to what is read."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from webward.content.media import kind_of, parse_media_type
from webward.content.metadata import content_signal
from webward.engine.content import ContentJob
from webward.errors import UnsupportedContent
from webward.model import Answer, Fetched, Page

if TYPE_CHECKING:
    from webward.config import ReadOptions
    from webward.engine.workers import ContentWork

# Markdown first: a server that has it spares both sides the conversion.
ACCEPT = "text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.9,text/plain;q=0.8,application/json;q=0.8,*/*;q=0.5"


async def page_of(fetched: Fetched, options: ReadOptions, work: ContentWork) -> Page:
    """The page of an answer; raises as `engine.workers.ContentWork`."""
    content_type = parse_media_type(fetched.headers.get("content-type", ""))
    job = ContentJob(
        kind=kind_of(content_type, fetched.body),
        media_type=fetched.media_type,
        url=fetched.final_url,
        text=fetched.text,
        body=fetched.body if fetched.text is None else b"",
        options=options,
    )
    try:
        reading = await work.read(job)
    except UnsupportedContent as error:
        error.media_type = fetched.media_type
        raise
    shared = {name: getattr(fetched, name) for name in Answer.__struct_fields__}
    return Page(
        **shared,
        reading=reading,
        content_hash=hashlib.sha256(fetched.body).hexdigest(),
        content_signal=content_signal(fetched.headers.get("content-signal")),
    )
