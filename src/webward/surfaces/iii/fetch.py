"""``web::fetch`` on a gateway: from a payload of any kind to an envelope."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from webward.config import ReadKeywords
from webward.contracts.iii.request import decode_request
from webward.contracts.iii.response import (
    failure_envelope,
    image_envelope,
    is_html,
    is_image,
    page_envelope,
    raw_envelope,
    text_of,
)
from webward.contracts.page import encode
from webward.engine.call import checked_options
from webward.engine.deadline import deadline
from webward.engine.faults import reported
from webward.errors import BodyTooLarge, DeadlineExceeded, Overloaded, WebwardError

if TYPE_CHECKING:
    from webward.contracts.iii.request import FetchRequest, PageWishes
    from webward.engine.gateway import Gateway
    from webward.model import Fetched, Reading
    from webward.surfaces.iii.serving import Serving

Envelope = dict[str, Any]

CALLS_AT_ONCE = 256  # each may hold a body and its text; more wait for their turn, on their own time
HEAVY_BYTES = 512 * 1024  # parsing so much JSON takes longer than the others should wait
WEIGHED_BYTES = 5 * 1024 * 1024  # a body up to this size fits into a message however it is written
MESSAGE_BYTES = 60 * 1024 * 1024  # of the 64 MiB that a message of the bus has


class WebFetch:
    """The function; it may be called any number of times, also at once.

    Args:
        serving: Where a call finds its configuration and its gateway.
    """

    def __init__(self, serving: Serving) -> None:
        self._serving = serving
        self._turns = asyncio.Semaphore(CALLS_AT_ONCE)
        self._running: set[asyncio.Task[Any]] = set()
        self._idle = asyncio.Event()
        self._idle.set()
        self._is_stopping = False

    async def __call__(self, payload: object) -> Envelope:
        """Answer a call; whatever goes wrong is an envelope."""
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a call runs in a task")
        self._running.add(task)
        self._idle.clear()
        try:
            return await self._answered(payload)
        finally:
            self._running.discard(task)
            if not self._running:
                self._idle.set()

    async def drain(self, seconds: float) -> None:
        """Wait for the calls that are under way, and end those that take longer."""
        try:
            async with asyncio.timeout(seconds):
                await self._idle.wait()
        except TimeoutError:
            self._is_stopping = True
            for task in self._running:
                task.cancel()
            await self._idle.wait()

    async def _answered(self, payload: object) -> Envelope:
        async with self._serving.snapshot() as (configuration, gateway):
            timeout_ms = None
            try:
                request = decode_request(payload, configuration)
                timeout_ms = request.timeout_ms
                return await _answer(request, gateway, self._turns)
            except WebwardError as error:
                return failure_envelope(error, configuration, timeout_ms=timeout_ms)
            except asyncio.CancelledError:
                if not self._is_stopping:
                    raise
                return failure_envelope(Overloaded("the worker is stopping; try again"), configuration)
            except Exception as error:  # noqa: BLE001 - the top handler of a call: a fault of ours is an envelope, too
                return failure_envelope(reported(error), configuration)


async def _answer(request: FetchRequest, gateway: Gateway, turns: asyncio.Semaphore) -> Envelope:
    if request.page is not None:
        checked_options(request.page.options)
    async with deadline(request.timeout_ms / 1000), turns:
        fetched = await gateway.fetch(
            request.url,
            method=request.method,
            headers=request.headers,
            body=request.body,
            timeout_ms=request.timeout_ms,
            max_bytes=request.max_bytes,
            follow_redirects=request.follow_redirects,
            rules=request.rules,
        )
        envelope = await _envelope(request, fetched, gateway)
    if fetched.body_bytes > WEIGHED_BYTES and len(encode(envelope)) > MESSAGE_BYTES:
        raise BodyTooLarge("the answer does not fit into a message of the bus; ask for less with max_bytes")
    return envelope


async def _envelope(request: FetchRequest, fetched: Fetched, gateway: Gateway) -> Envelope:
    if request.page is None or is_image(fetched):
        plain = raw_envelope if request.page is None else image_envelope
        is_heavy = fetched.body_bytes > HEAVY_BYTES
        return await asyncio.to_thread(plain, request, fetched) if is_heavy else plain(request, fetched)
    return await _page_envelope(request, request.page, fetched, gateway)


async def _page_envelope(request: FetchRequest, page: PageWishes, fetched: Fetched, gateway: Gateway) -> Envelope:
    options = page.options
    read = None
    if is_html(fetched) and (page.is_enriched or options["format"] != "html"):
        fits = fetched.body_bytes <= request.configuration.max_transform_bytes
        if fits:
            read = await _read(gateway, fetched, options)
        elif options["include_links"] or options["include_media"]:
            lists = ReadKeywords(include_links=options["include_links"], include_media=options["include_media"])
            read = await _read(gateway, fetched, lists)
        if fits and read is not None and read.text is not None:
            invisible = read.report.invisible_chars
            return page_envelope(request, fetched, body=read.text, invisible=invisible, read=read, is_rendered=True)
    body = text_of(fetched)
    if options["format"] == "html":
        return page_envelope(request, fetched, body=body, read=read)
    plain = await _read(gateway, body, {"sanitize": options["sanitize"]})
    if plain is None or plain.text is None:
        return page_envelope(request, fetched, body=body, read=read)
    return page_envelope(request, fetched, body=plain.text, invisible=plain.report.invisible_chars, read=read)


async def _read(gateway: Gateway, source: Fetched | str, options: ReadKeywords) -> Reading | None:
    """A reading of an answer, or of text as plain text; None where there can be none."""
    try:
        if isinstance(source, str):
            text = source.encode(errors="replace")
            page = await gateway.render(text, media_type="text/plain;charset=utf-8", **options)
        else:
            page = await gateway.render(source, **options)
    except DeadlineExceeded:
        raise
    except WebwardError:  # too costly, broken: the caller is given the source
        return None
    return page.reading
