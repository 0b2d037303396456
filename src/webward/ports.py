"""What the engine needs from the outside world, as protocols; `net` and `testing` implement them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from datetime import datetime

    from webward.model import (
        Address,
        Execution,
        Fetched,
        JudgedAddress,
        PhaseTimes,
        Request,
        ResponseHead,
        Route,
        SearchAbilities,
        SearchRequest,
        SearchResponse,
        Target,
    )


class Clock(Protocol):
    """Time, as the gateway sees it. Deadlines run on the event loop's own clock."""

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        ...

    def now(self) -> datetime:
        """The present instant, in UTC."""
        ...


class Resolver(Protocol):
    """Names to addresses."""

    async def resolve(self, host: str) -> tuple[Address, ...]:
        """All addresses of an A-label host name without a final dot.

        Raises:
            NameNotFound: The name does not exist or has no address.
            ResolverFailed: The name servers failed or were silent too long.
            Overloaded: No worker is free.
        """
        ...


class Interfaces(Protocol):
    """The machine's own network interfaces."""

    def __contains__(self, address: object) -> bool:
        """Whether an address belongs to an interface; loopback ones are judged by their class and not found here."""
        ...


class Cookies(Protocol):
    """The cookies of one task."""

    def sent_with(self, target: Target, request: Request) -> Request:
        """The request with the cookies for its target."""
        ...

    def take(self, target: Target, head: ResponseHead) -> None:
        """Keep what a response sets."""
        ...


class Exchange(Protocol):
    """One response under way: its head, and its body as it comes."""

    head: ResponseHead
    peer: JudgedAddress
    reused: bool
    tls: str | None
    phases: PhaseTimes

    async def read(self) -> bytes:
        """The next piece of the body before content decoding, or ``b""`` at its end.

        Raises:
            ProtocolFailed: The framing is broken, or the connection was.
        """
        ...

    @property
    def complete(self) -> bool:
        """Whether the body ended as the head had declared; False when it was cut short cleanly."""
        ...


class Transport(Protocol):
    """One request, one response, over the addresses of a route and no others."""

    def exchange(self, route: Route, request: Request) -> AbstractAsyncContextManager[Exchange]:
        """Send a request and give its response; leaving the context gives the connection back or closes it.

        Raises:
            ConnectFailed: No judged address accepted the connection.
            TlsFailed: The handshake failed.
            ProtocolFailed: The server speaks broken HTTP or broke off.
        """
        ...

    async def close(self) -> None:
        """Close every connection that is kept."""
        ...


class SearchProvider(Protocol):
    """One web search engine.

    Attributes:
        name: What settings and callers call it.
        abilities: What it does itself.
    """

    name: str
    abilities: SearchAbilities

    async def search(self, request: SearchRequest, execution: Execution) -> SearchResponse:
        """Ask once; what it gives is brought under the bounds, sanitized and filtered by the engine.

        Raises:
            ProviderError: There are no results to be had.
        """
        ...


class ProviderTransport(Protocol):
    """The way to one search provider and to nobody else, through the judged path."""

    async def send(self, url: str, request: Request) -> Fetched:
        """Send one request and give the whole answer, whatever its status; a redirect is an answer.

        Raises:
            ProviderFailed: The answer is too large, or broke off.
            WebwardError: As `Gateway.fetch`.
        """
        ...


class Credential(Protocol):
    """Leases the key of a search provider, one call at a time."""

    def __call__(self, effect_id: str, /) -> AbstractAsyncContextManager[str]:
        """Acquire the key for one call; leaving the context settles the lease, whatever happened, cancelling included.

        Args:
            effect_id: What the lease is kept under.
        """
        ...
