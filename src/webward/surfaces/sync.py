"""The blocking facade: one gateway on one event loop in a thread of its own, made at the first call."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import threading
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from webward.engine.gateway import Gateway
from webward.errors import InvalidInput
from webward.model import DEFAULT_RESULTS

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from webward.engine.call import FetchKeywords, ReadCallKeywords
    from webward.engine.search import SearchKeywords
    from webward.model import Checked, Fetched, Page, SearchResponse

CLOSE_SECONDS = 2.0  # for the gateway at exit; what is left then ends with the process

Outcome = TypeVar("Outcome")


class Portal:
    """Runs coroutines for callers that block."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._gateway: Gateway | None = None
        self._thread: threading.Thread | None = None

    def run(self, work: Callable[[Gateway], Coroutine[Any, Any, Outcome]]) -> Outcome:
        """Run one piece of work on the gateway; when the caller is interrupted, so is the work.

        Raises:
            InvalidInput: The caller is itself on an event loop, which would stand still.
            WebwardError: Whatever the work raises.
        """
        _require_no_loop()
        loop, gateway = self._opened()
        future = asyncio.run_coroutine_threadsafe(work(gateway), loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """End what is under way, the gateway and the thread."""
        with self._lock:
            loop, gateway, thread = self._loop, self._gateway, self._thread
            self._loop = self._gateway = self._thread = None
        if loop is None or gateway is None or thread is None:
            return
        with contextlib.suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(_end(gateway), loop).result(CLOSE_SECONDS)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(CLOSE_SECONDS)

    def forget(self) -> None:
        """Begin anew, as a forked child must: the loop, its sockets and its thread are the parent's."""
        self.__init__()  # type: ignore[misc]  # the state is made in one place

    def _opened(self) -> tuple[asyncio.AbstractEventLoop, Gateway]:
        with self._lock:
            if self._loop is None or self._gateway is None:
                gateway, loop = Gateway(), asyncio.new_event_loop()
                self._thread = threading.Thread(target=_serve, args=(loop,), name="webward", daemon=True)
                self._thread.start()
                asyncio.run_coroutine_threadsafe(gateway.__aenter__(), loop).result()
                self._loop, self._gateway = loop, gateway
            return self._loop, self._gateway


PORTAL = Portal()
atexit.register(PORTAL.close)
if hasattr(os, "register_at_fork"):  # the child has no thread of ours, and a lock that nobody will release
    os.register_at_fork(after_in_child=PORTAL.forget)


def fetch(url: str, **options: Unpack[FetchKeywords]) -> Fetched:
    """Make one HTTP request and wait for its answer; options, result and errors are those of `Gateway.fetch`."""
    return PORTAL.run(lambda gateway: gateway.fetch(url, **options))


def read(url: str, **options: Unpack[ReadCallKeywords]) -> Page:
    """Read a page and wait for it; options, result and errors are those of `Gateway.read`."""
    return PORTAL.run(lambda gateway: gateway.read(url, **options))


def search(query: str, max_results: int = DEFAULT_RESULTS, **options: Unpack[SearchKeywords]) -> SearchResponse:
    """Search the web and wait for what is found; options, result and errors are those of `Gateway.search`."""
    return PORTAL.run(lambda gateway: gateway.search(query, max_results, **options))


def check(url: str) -> Checked:
    """Judge a URL and wait for the verdicts; result and errors are those of `Gateway.check`."""
    return PORTAL.run(lambda gateway: gateway.check(url))


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    with contextlib.closing(loop):
        loop.run_forever()


async def _end(gateway: Gateway) -> None:
    """Cancel what is under way, and close the gateway."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await gateway.__aexit__(None, None, None)


def _require_no_loop() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise InvalidInput("this call blocks, and would stop the event loop it is on; use `async with Gateway()` there")
