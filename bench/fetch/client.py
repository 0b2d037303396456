"""The clients by name."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from contextlib import AbstractAsyncContextManager

    from bench.fetch.case import Case

    Answer = tuple[int, int]  # status, and bytes of the body
    Fetch = Callable[[str], Awaitable[Answer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client and how it is used.

    Attributes:
        name: As tables call it.
        place: Module and function that open it.
        distribution: What is installed for it.
        peer: Whether it is measured for comparison only, in every other round.
        only_named: Whether it differs from another one on names alone.
        only_fresh: Whether it keeps no connection.
    """

    name: str
    place: str
    distribution: str
    peer: bool = False
    only_named: bool = False
    only_fresh: bool = False

    def does(self, case: Case) -> bool:
        """Whether a case has anything to show about it."""
        return not ((self.only_named and not case.named) or (self.only_fresh and case.kept))

    def open(self, case: Case) -> AbstractAsyncContextManager[Fetch]:
        """Ready for a case; raises ImportError when it is not installed."""
        module, _, function = self.place.partition(":")
        opened: AbstractAsyncContextManager[Fetch] = getattr(import_module(f"bench.fetch.{module}"), function)(case)
        return opened


WEBWARD, ASKING, FLOOR, STREAMS, HTTPX2 = "webward", "webward-asking", "floor", "streams-h11", "httpx2"

CLIENTS = {
    client.name: client
    for client in (
        Client(name=WEBWARD, place="guarded:webward", distribution="webward"),
        Client(name=ASKING, place="guarded:webward_asking", distribution="webward", only_named=True),
        Client(name=FLOOR, place="floor:httptools_floor", distribution="httptools"),
        Client(name=STREAMS, place="floor:streams_h11", distribution="h11"),
        Client(name=HTTPX2, place="peers:httpx2", distribution="httpx2"),
        Client(name="aiohttp", place="peers:aiohttp", distribution="aiohttp", peer=True),
        Client(name="httpx-secure", place="peers:httpx_secure", distribution="httpx-secure", peer=True),
        Client(name="drawbridge", place="peers:drawbridge", distribution="drawbridge", peer=True, only_fresh=True),
        Client(
            name="mcp-server-fetch",
            place="peers:mcp_server_fetch",
            distribution="mcp-server-fetch",
            peer=True,
            only_fresh=True,
        ),
    )
}
