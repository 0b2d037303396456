"""What of a page's text a model is given: sanitized as a whole, then cut."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from webward.content.sanitize import sanitize_external_text

if TYPE_CHECKING:
    from webward.content.sanitize import SanitizedText
    from webward.model import Page


async def excerpt_of(page: Page, *, max_chars: int) -> SanitizedText:
    """The beginning of a page's text; in a thread, since a text of megabytes takes a second where it is hostile."""
    return await asyncio.to_thread(partial(sanitize_external_text, page.text, max_chars=max_chars))
