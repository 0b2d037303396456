"""What the engine needs from the outside world, as protocols; `net`, `store` and `testing` implement them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from datetime import datetime

    from webward.model import (
        Address,
        CachedImage,
        Decision,
        Execution,
        Fetched,
        JudgedAddress,
        PhaseTimes,
        Preview,
        Request,
        Resource,
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


class Quota(Protocol):
    """Counters for each user, resource and day."""

    async def take(self, user: str, resource: Resource, amount: int = 1) -> Decision:
        """Take units of a resource, all of them or none, in one step that no other process can come between.

        Args:
            user: Whose, as the surface tells users apart; any text but the empty one. It is kept as a keyed hash.
            resource: What is counted.
            amount: Units, 0 to 2**53; 0 takes nothing and tells how matters stand.

        Raises:
            InvalidInput: An argument is wrong.
            StoreUnavailable: It cannot be known whether the units are free.
        """
        ...


class ImageCache(Protocol):
    """Images of pages, for each channel the latest ones."""

    async def put(self, channel: str, body: bytes, source_url: str = "") -> CachedImage:
        """Keep an image as the latest of a channel; what is above the bounds goes, the oldest first.

        Args:
            channel: Whose; any text but the empty one. It is kept as a keyed hash.
            body: A PNG, JPEG, GIF or WebP file.
            source_url: Where it came from.

        Raises:
            InvalidInput: An argument is wrong.
            UnsupportedContent: The bytes are no such image.
            ContentUndecodable: They begin like one and are none.
            BodyTooLarge: There are too many bytes, or pixels.
            StoreUnavailable: It cannot be kept.
        """
        ...

    async def latest(self, channel: str, count: int = 1) -> tuple[CachedImage, ...]:
        """The latest images of a channel, the latest first.

        Raises:
            InvalidInput: An argument is wrong.
            StoreUnavailable: They cannot be read.
        """
        ...

    async def get(self, image_id: str, *, channel: str | None = None) -> CachedImage | None:
        """The image of an id, or None when there is none, or none any more.

        Args:
            image_id: What `put` gave.
            channel: When given, only its own images are looked at.

        Raises:
            InvalidInput: An argument is wrong.
            StoreUnavailable: It cannot be read.
        """
        ...

    async def preview(self, image_id: str, *, channel: str | None = None, max_side: int = 512) -> Preview | None:
        """The image of an id drawn anew, without metadata, no side longer than ``max_side`` pixels.

        Raises:
            InvalidInput: An argument is wrong.
            ContentUndecodable: The image cannot be drawn.
            StoreUnavailable: It cannot be read.
        """
        ...

    async def drop(self, channel: str) -> int:
        """Forget all images of a channel, and tell how many there were.

        Raises:
            InvalidInput: The channel is wrong.
            StoreUnavailable: They cannot be forgotten.
        """
        ...
