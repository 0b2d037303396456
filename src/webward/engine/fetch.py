"""The hop loop: parse, judge the name, resolve, judge the addresses, exchange, and back when a redirect says so."""

from __future__ import annotations

import asyncio
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webward.content import charset
from webward.content.media import ContentKind, is_textual, kind_of, parse_media_type
from webward.core import redirect, url
from webward.core.decoding import ACCEPT_ENCODING, BodyDecoder
from webward.core.headers import Fields, basic_authorization, with_defaults
from webward.engine.answer import judge_body, judge_head, judge_location
from webward.engine.deadline import deadline
from webward.errors import TooManyRedirects, WebwardError
from webward.model import Fetched, Headers, Hop, Note, Request, Route, Target, Timing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webward.config import Limits
    from webward.core.egress import Egress
    from webward.engine.call import Call
    from webward.model import Address
    from webward.ports import Clock, Cookies, Exchange, Interfaces, Resolver, Transport

Step = redirect.Step

FEED_BYTES = 16 * 1024  # decoded at a time; at the worst ratio there is, 16 MiB come of it
WIRE_SLACK_BYTES = 64 * 1024  # an honest coded body is hardly larger than what it holds; an endless one ends here


class Fetcher:
    """Fetches.

    Args:
        egress: The judge.
        limits: Of the gateway.
        resolver, interfaces, transport, clock: The outside world.
        user_agent: Sent unless the caller gives another.
    """

    def __init__(
        self,
        *,
        egress: Egress,
        limits: Limits,
        resolver: Resolver,
        interfaces: Interfaces,
        transport: Transport,
        clock: Clock,
        user_agent: str,
    ) -> None:
        self._egress = egress
        self._limits = limits
        self._resolver = resolver
        self._interfaces = interfaces
        self._transport = transport
        self._clock = clock
        self._user_agent = user_agent

    async def fetch(self, text: str, call: Call, *, accept: str = "*/*", cookies: Cookies | None = None) -> Fetched:
        """Request a URL and follow where it leads; an HTTP error status is an answer.

        Args:
            text: The URL.
            call: The checked arguments.
            accept: What the Accept header says unless the caller's does.
            cookies: Of the task, if it keeps any.

        Raises:
            WebwardError: As `Gateway.fetch` says; ``hop`` tells which hop failed.
        """
        chain = _Chain(call.notes)
        with chain.located():
            async with deadline(call.deadline_seconds):
                target = url.parse(text)
                first = self._first_step(target, call, accept)
                return await self._follow(first, call, chain, cookies)

    def _first_step(self, target: Target, call: Call, accept: str) -> Step:
        defaults = {"User-Agent": self._user_agent, "Accept": accept, "Accept-Encoding": ACCEPT_ENCODING}
        if target.credentials is not None:
            defaults["Authorization"] = basic_authorization(target.credentials)
        fields: Fields = with_defaults(call.headers, defaults)
        request = Request(method=call.method, headers=fields, body=call.body)
        return Step(target=target, request=request, dropped=False)

    async def _follow(self, step: Step, call: Call, chain: _Chain, cookies: Cookies | None) -> Fetched:
        while True:
            route = await self._route(step.target, chain)
            request = cookies.sent_with(step.target, step.request) if cookies else step.request
            async with self._transport.exchange(route, request) as exchange:
                chain.arrived(route, exchange)
                if cookies:
                    cookies.take(step.target, exchange.head)
                if not (call.follow_redirects and redirect.is_redirect(exchange.head)):
                    judge_head(call.rules, exchange.head, max_bytes=call.max_bytes)
                    return await self._finish(exchange, call, chain)
            step = self._next_step(step, exchange, call, chain)

    def _next_step(self, step: Step, exchange: Exchange, call: Call, chain: _Chain) -> Step:
        chain.begin_next()
        if len(chain.hops) > self._limits.redirects:
            message = f"the redirect chain is longer than {self._limits.redirects}"
            raise TooManyRedirects(message, setting="limits.redirects")
        following = redirect.follow(step.target, step.request, exchange.head)
        judge_location(call.rules, following.target)
        if following.dropped or following.target.credentials is not None:
            chain.notes.append(Note.CREDENTIALS_DROPPED)
        return following

    async def _route(self, target: Target, chain: _Chain) -> Route:
        self._egress.admit(target)
        with chain.timed("resolve"):
            addresses = await self._addresses(target)
        return self._egress.route(target, addresses, self._interfaces)

    async def _addresses(self, target: Target) -> tuple[Address, ...]:
        if target.address is not None:
            return (target.address,)
        return await self._resolver.resolve(target.host)

    async def _finish(self, exchange: Exchange, call: Call, chain: _Chain) -> Fetched:
        decoder = BodyDecoder(exchange.head.headers.get("content-encoding"), max_bytes=call.max_bytes)
        with chain.timed("body"):
            await _decode(exchange, decoder, call.max_bytes + WIRE_SLACK_BYTES)
        cut_short = not decoder.full and not exchange.complete
        head, body = exchange.head, decoder.body
        shown = _shown(head.headers, body)
        broke_off = cut_short or (decoder.truncated and len(body) < call.max_bytes)
        judge_body(call.rules, is_text=shown.text is not None, broke_off=broke_off, media_type=shown.media_type)
        return Fetched(
            url=chain.urls[0],
            final_url=chain.urls[-1],
            status=head.status,
            reason=head.reason,
            headers=head.headers,
            media_type=shown.media_type,
            charset=shown.charset,
            body_bytes=len(body),
            wire_bytes=decoder.wire_bytes,
            truncated=decoder.truncated or cut_short,
            hops=tuple(chain.hops),
            timing=chain.timing(),
            notes=tuple(dict.fromkeys((*chain.notes, *decoder.notes, *shown.notes))),
            retrieved_at=self._clock.now(),
            body=body,
            text=shown.text,
        )


async def _decode(exchange: Exchange, decoder: BodyDecoder, max_wire_bytes: int) -> None:
    """Read and decode a body; the loop is given back between pieces, since one packet can hold megabytes."""
    while not decoder.full and decoder.wire_bytes <= max_wire_bytes and (chunk := await exchange.read()):
        decoder.feed(chunk[:FEED_BYTES])
        for offset in range(FEED_BYTES, len(chunk), FEED_BYTES):
            if decoder.codings:
                await asyncio.sleep(0)
            decoder.feed(chunk[offset : offset + FEED_BYTES])
    decoder.finish()


def from_bytes(body: bytes, *, url: str, media_type: str | None, clock: Clock) -> Fetched:
    """What was fetched by other means, such as a file, as if it had come from a URL."""
    headers = Headers((("content-type", media_type),) if media_type else ())
    shown = _shown(headers, body)
    return Fetched(
        url=url,
        final_url=url,
        status=200,
        reason="",
        headers=headers,
        media_type=shown.media_type,
        charset=shown.charset,
        body_bytes=len(body),
        wire_bytes=len(body),
        truncated=False,
        hops=(),
        timing=_Chain(()).timing(),
        notes=(Note.FROM_BYTES, *shown.notes),
        retrieved_at=clock.now(),
        body=body,
        text=shown.text,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """What the bytes of a body say, by their media type."""

    media_type: str | None
    charset: str | None = None
    text: str | None = None
    notes: tuple[Note, ...] = ()


def _shown(headers: Headers, body: bytes) -> _Shown:
    media_type = parse_media_type(headers.get("content-type", ""))
    essence = media_type.essence if media_type else None
    kind = kind_of(media_type, body)
    if not is_textual(kind):
        return _Shown(media_type=essence)
    label = media_type.charset if media_type else None
    decoded = charset.decode(body, label=label, html=kind is ContentKind.HTML)
    notes = (Note.CHARSET_GUESSED,) if decoded.guessed else ()
    return _Shown(media_type=essence, charset=decoded.charset, text=decoded.text, notes=notes)


class _Chain:
    """What is gathered along the hops of one call."""

    def __init__(self, notes: tuple[Note, ...]) -> None:
        self.notes = list(notes)
        self.hops: list[Hop] = []
        self.urls: list[str] = []
        self._begun = 0
        self._started = time.perf_counter()
        self._seconds = dict.fromkeys(("resolve", "dial", "tls", "head", "body"), 0.0)

    @contextmanager
    def located(self) -> Iterator[None]:
        """Errors that pass here learn their hop, and forget what led to them: that may hold resolved addresses."""
        try:
            yield
        except WebwardError as error:
            error.hop = self._begun
            error.__context__ = error.__cause__ = None
            raise

    @contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        """What runs here counts for a phase."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self._seconds[phase] += time.perf_counter() - started

    def begin_next(self) -> None:
        """A redirect is about to be followed."""
        self._begun += 1

    def arrived(self, route: Route, exchange: Exchange) -> None:
        """A response's head is here."""
        self.urls.append(route.target.url)
        self.hops.append(
            Hop(
                url=route.target.url,
                status=exchange.head.status,
                address_class=exchange.peer.address_class,
                reused=exchange.reused,
                tls=exchange.tls,
            )
        )
        self._seconds["dial"] += exchange.phases.dial_seconds
        self._seconds["tls"] += exchange.phases.tls_seconds
        self._seconds["head"] += exchange.phases.head_seconds

    def timing(self) -> Timing:
        """Milliseconds so far."""
        total = time.perf_counter() - self._started
        phases = {f"{phase}_ms": round(seconds * 1000, 3) for phase, seconds in self._seconds.items()}
        return Timing(total_ms=round(total * 1000, 3), **phases)
