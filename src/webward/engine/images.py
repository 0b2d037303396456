"""The prominent images of a page: the one that it names for itself, then large ones, asked for at once.

Each goes the judged way of any fetch, under one deadline for all; one that fails is counted and stops nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from webward.config import AnswerRules
from webward.content.images import image_size
from webward.content.sanitize import sanitize_external_text
from webward.engine.deadline import now
from webward.errors import WebwardError
from webward.model import PageImage, ProminentImage, ProminentImages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webward.engine.call import Call
    from webward.engine.fetch import Fetcher
    from webward.model import Image, Page

MAX_IMAGE_BYTES = 5_000_000
LARGE_PIXELS = 200
"""Width and height from which on an image is more than an icon, an avatar or a button."""

MAX_TRIES_PER_IMAGE = 2
"""Others that are asked for in place of those that fail, so that a page of broken images costs no more than that."""

MAX_ALT_CHARS = 300

ACCEPT = "image/webp,image/png,image/jpeg,image/gif"
RULES = AnswerRules(success=True, declared_length=True)
_DRAWINGS = (".svg", ".svgz")

Keep = Callable[[ProminentImage], Awaitable[object]]
"""Keeps an image while others are still coming; it raises a `WebwardError` for one that it does not take."""

Candidate = tuple[str, str | None]
"""Where an image is, and its alternative text."""


async def prominent_images(
    page: Page, most: int, *, fetcher: Fetcher, call: Call, keep: Keep | None = None
) -> ProminentImages:
    """Ask for the prominent images of a page.

    Args:
        page: A page that was read with its media; without them only the image is known that it names for itself.
        most: How many are wanted.
        fetcher: Makes the requests.
        call: With rules, the bytes of one image, and the deadline of all together.
        keep: Called with each as it comes.
    """
    ends = now() + call.deadline_seconds
    waiting = list(_candidates(page))[: most * MAX_TRIES_PER_IMAGE]
    found: dict[bytes, ProminentImage] = {}
    failed = 0
    while waiting and len(found) < most and now() < ends:
        count = most - len(found)
        rest = replace(call, deadline_seconds=ends - now())
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_get(candidate, fetcher, rest, keep)) for candidate in waiting[:count]]
        for image in (task.result() for task in tasks):
            if image is None:
                failed += 1
            else:
                found.setdefault(hashlib.sha256(image.image.data).digest(), image)
        del waiting[:count]
    return ProminentImages(images=tuple(found.values()), failed=failed)


def _candidates(page: Page) -> Iterator[Candidate]:
    """The images of a page that are worth asking for, the most prominent first."""
    media = page.reading.media
    images = [] if media is None else [image for image in media.images if not _is_drawing(image.src)]
    lead = page.metadata.image_url
    if lead is not None and not _is_drawing(lead):
        yield lead, next((image.alt for image in images if image.src == lead), None)
    yield from ((image.src, image.alt) for image in images if image.src != lead and _is_large(image))


def _is_large(image: Image) -> bool:
    sides = (image.width, image.height)
    if any(side is not None and side < LARGE_PIXELS for side in sides):
        return False
    return image.in_content or None not in sides


def _is_drawing(src: str) -> bool:
    return src.partition("#")[0].partition("?")[0].lower().endswith(_DRAWINGS)


async def _get(candidate: Candidate, fetcher: Fetcher, call: Call, keep: Keep | None) -> ProminentImage | None:
    src, alt = candidate
    try:
        fetched = await fetcher.fetch(src, call, accept=ACCEPT)
        facts = None if fetched.truncated else image_size(fetched.body)
        if facts is None:
            return None
        image = PageImage(media_type=facts.media_type, data=fetched.body, width=facts.width, height=facts.height)
        found = ProminentImage(src=src, alt=_line(alt), image=image)
        if keep is not None:
            await keep(found)
    except WebwardError:
        return None
    return found


def _line(alt: str | None) -> str | None:
    return sanitize_external_text(" ".join(alt.split()), max_chars=MAX_ALT_CHARS).text or None if alt else None
