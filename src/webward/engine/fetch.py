"""The hop loop: parse, judge the name, resolve, judge the addresses, exchange, and back when a redirect says so."""

from __future__ import annotations

import asyncio
import time
from itertools import chain as chained
from typing import TYPE_CHECKING

from msgspec import Struct

from webward.content import charset
from webward.content.media import ContentKind, is_textual, kind_of, parse_media_type
from webward.core import redirect, url
from webward.core.decoding import ACCEPT_ENCODING, BodyDecoder
from webward.core.headers import Fields, basic_authorization, with_defaults
from webward.engine.answer import judge_body, judge_head, judge_location, second_request
from webward.engine.deadline import deadline
from webward.errors import TooManyRedirects, WebwardError
from webward.model import Fetched, Headers, Hop, Note, Request, ResponseHead, Route, Target, Timing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webward.config import Limits
    from webward.core.egress import Egress
    from webward.engine.call import Call
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
        try:
            async with deadline(call.deadline_seconds):
                target = url.parse(text)
                first = self._first_step(target, call, accept)
                return await self._follow(first, call, chain, cookies)
        except WebwardError as error:
            error.hop = chain.begun
            error.__context__ = error.__cause__ = None  # they may hold resolved addresses
            raise

    def _first_step(self, target: Target, call: Call, accept: str) -> Step:
        defaults: Fields = (
            ("User-Agent", self._user_agent),
            ("Accept", accept),
            ("Accept-Encoding", ACCEPT_ENCODING),
        )
        if target.credentials is not None:
            defaults += (("Authorization", basic_authorization(target.credentials)),)
        fields = with_defaults(call.headers, defaults) if call.headers else defaults
        request = Request(method=call.method, headers=fields, body=call.body)
        return Step(target=target, request=request, dropped=False)

    async def _follow(self, step: Step, call: Call, chain: _Chain, cookies: Cookies | None) -> Fetched:
        while True:
            route = await self._route(step.target, chain)
            answer = await self._ask(route, step.request, call, chain, cookies)
            while isinstance(answer, Request):  # once: a second request asks for no third
                answer = await self._ask(route, answer, call, chain, cookies)
            if isinstance(answer, Fetched):
                return answer
            step = self._next_step(step, answer, call, chain)

    async def _ask(
        self, route: Route, request: Request, call: Call, chain: _Chain, cookies: Cookies | None
    ) -> Fetched | ResponseHead | Request:
        """One exchange: what was fetched, the head of a redirect, or the request to make in place of this one."""
        target = route.target
        sent = cookies.sent_with(target, request) if cookies else request
        async with self._transport.exchange(route, sent) as exchange:
            head = exchange.head
            if cookies:
                cookies.take(target, head)
            second = second_request(call.rules, request, head)
            if second is not None:
                return second
            chain.arrived(route, exchange)
            if call.follow_redirects and redirect.is_redirect(head):
                return head
            judge_head(call.rules, head, max_bytes=call.max_bytes)
            return await self._finish(exchange, call, chain)

    def _next_step(self, step: Step, head: ResponseHead, call: Call, chain: _Chain) -> Step:
        chain.begin_next()
        if len(chain.hops) > self._limits.redirects:
            message = f"the redirect chain is longer than {self._limits.redirects}"
            raise TooManyRedirects(message, setting="limits.redirects")
        following = redirect.follow(step.target, step.request, head)
        judge_location(call.rules, following.target)
        if following.dropped or following.target.credentials is not None:
            chain.notes.append(Note.CREDENTIALS_DROPPED)
        return following

    async def _route(self, target: Target, chain: _Chain) -> Route:
        self._egress.admit(target)
        if target.address is not None:
            return self._egress.route(target, (target.address,), self._interfaces)
        started = time.perf_counter()
        addresses = await self._resolver.resolve(target.host)
        chain.resolve_seconds += time.perf_counter() - started
        return self._egress.route(target, addresses, self._interfaces)

    async def _finish(self, exchange: Exchange, call: Call, chain: _Chain) -> Fetched:
        decoder = BodyDecoder(exchange.head.headers.get("content-encoding"), max_bytes=call.max_bytes)
        started = time.perf_counter()
        await _decode(exchange, decoder, call.max_bytes + WIRE_SLACK_BYTES)
        chain.body_seconds = time.perf_counter() - started
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
            notes=_each_once(chain.notes, decoder.notes, shown.notes),
            retrieved_at=self._clock.now(),
            body=body,
            text=shown.text,
        )


async def _decode(exchange: Exchange, decoder: BodyDecoder, max_wire_bytes: int) -> None:
    """Read and decode a body; the loop is given back between pieces, since one packet can hold megabytes."""
    while not decoder.full and decoder.wire_bytes <= max_wire_bytes and (chunk := await exchange.read()):
        if len(chunk) <= FEED_BYTES or not decoder.codings:
            decoder.feed(chunk)
            continue
        for offset in range(0, len(chunk), FEED_BYTES):
            decoder.feed(chunk[offset : offset + FEED_BYTES])
            await asyncio.sleep(0)
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


class _Shown(Struct, frozen=True, kw_only=True):
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
        self.begun = 0
        self.resolve_seconds = self.body_seconds = 0.0
        self._dial_seconds = self._tls_seconds = self._head_seconds = 0.0
        self._started = time.perf_counter()

    def begin_next(self) -> None:
        """A redirect is about to be followed."""
        self.begun += 1

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
        phases = exchange.phases
        self._dial_seconds += phases.dial_seconds
        self._tls_seconds += phases.tls_seconds
        self._head_seconds += phases.head_seconds

    def timing(self) -> Timing:
        """Milliseconds so far."""
        return Timing(
            resolve_ms=_ms(self.resolve_seconds),
            dial_ms=_ms(self._dial_seconds),
            tls_ms=_ms(self._tls_seconds),
            head_ms=_ms(self._head_seconds),
            body_ms=_ms(self.body_seconds),
            total_ms=_ms(time.perf_counter() - self._started),
        )


def _each_once(*notes: Sequence[Note]) -> tuple[Note, ...]:
    return tuple(dict.fromkeys(chained.from_iterable(notes))) if any(notes) else ()


def _ms(seconds: float) -> float:
    return int(seconds * 1_000_000 + 0.5) / 1000  # a quarter of what `round` to three digits costs
