"""One hop over the network: a pooled or a new connection, one exchange; foreign errors become webward's here."""

from __future__ import annotations

import contextlib
import os
import ssl
import time
from typing import TYPE_CHECKING

import h11

from webward.errors import ConnectFailed, InvalidHeader, ProtocolFailed, TlsFailed, WebwardError
from webward.model import JudgedAddress, PhaseTimes, Request, ResponseHead, Route
from webward.net.http1 import Http1Exchange
from webward.net.pool import Pool, PoolKey

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from webward.config import Limits
    from webward.net.dialer import Dialer
    from webward.net.wire import Wire

# RFC 9110 section 9.2.2: only these may be sent again when a kept connection turns out to be dead.
IDEMPOTENT = frozenset(("GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"))

MAX_GIST_CHARS = 100


class HttpExchange:
    """Implements `ports.Exchange` over one HTTP/1.1 exchange."""

    def __init__(self, exchange: Http1Exchange, wire: Wire, head: ResponseHead, phases: PhaseTimes) -> None:
        self._exchange = exchange
        self.wire = wire
        self.head = head
        self.phases = phases
        self.peer: JudgedAddress = wire.peer
        self.tls = wire.tls
        self.reused = False

    @property
    def complete(self) -> bool:
        """Whether the body ended as the head had declared."""
        return self._exchange.complete

    async def read(self) -> bytes:
        """The next piece of the body before content decoding, or ``b""`` at its end."""
        try:
            return await self._exchange.read()
        except (h11.ProtocolError, OSError) as error:
            raise _failed_exchange(error) from None

    def settle(self) -> bool:
        """Whether the connection may carry another request."""
        try:
            return self._exchange.settle()
        except h11.RemoteProtocolError:
            return False


class HttpTransport:
    """Implements `ports.Transport`."""

    def __init__(self, dialer: Dialer, limits: Limits) -> None:
        self._dialer = dialer
        self._limits = limits
        self._pool = Pool(max_connections=limits.idle_connections, idle_seconds=limits.idle_seconds)

    def exchange(self, route: Route, request: Request) -> _Leased:
        """Send a request over a route, as `ports.Transport` says."""
        return _Leased(self, PoolKey(route.target.origin, route.policy, self._dialer.ca_file), route, request)

    async def open(self, key: PoolKey, route: Route, request: Request) -> HttpExchange:
        """Send a request over a kept connection or a new one, and read the head of the response."""
        kept = self._pool.take(key, route) if request.method in IDEMPOTENT else None
        opened = await self._over_kept(kept, route, request) if kept else None
        return opened or await self._over_new(route, request)

    def give_back(self, key: PoolKey, opened: HttpExchange) -> None:
        """Keep the connection of an exchange that is over, if it may carry another one."""
        if opened.settle():
            self._pool.put(key, opened.wire)
        else:
            opened.wire.abort()

    async def close(self) -> None:
        """Close every kept connection."""
        self._pool.close()

    async def _over_kept(self, wire: Wire, route: Route, request: Request) -> HttpExchange | None:
        """Try a kept connection; None when it died before a byte of the response came."""
        exchange = Http1Exchange(wire, self._limits)
        try:
            opened = await _begin(exchange, wire, route, request, PhaseTimes())
        except ProtocolFailed:
            if exchange.untouched:
                return None
            raise
        opened.reused = True
        return opened

    async def _over_new(self, route: Route, request: Request) -> HttpExchange:
        with _translated_dial(route):
            dialed = await self._dialer.dial(route)
        exchange = Http1Exchange(dialed.wire, self._limits)
        phases = PhaseTimes(dial_seconds=dialed.dial_seconds, tls_seconds=dialed.tls_seconds)
        return await _begin(exchange, dialed.wire, route, request, phases)


class _Leased:
    """An exchange as a context; a class, since this is on the way of every request."""

    def __init__(self, transport: HttpTransport, key: PoolKey, route: Route, request: Request) -> None:
        self._transport = transport
        self._key = key
        self._route = route
        self._request = request

    async def __aenter__(self) -> HttpExchange:
        self._opened = await self._transport.open(self._key, self._route, self._request)
        return self._opened

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._transport.give_back(self._key, self._opened)
        else:
            self._opened.wire.abort()


async def _begin(
    exchange: Http1Exchange, wire: Wire, route: Route, request: Request, dialed: PhaseTimes
) -> HttpExchange:
    started = time.monotonic()
    try:
        await exchange.send(route.target, request)
        head = await exchange.read_head()
    except BaseException as error:
        wire.abort()
        if isinstance(error, h11.ProtocolError | OSError):
            raise _failed_exchange(error) from None
        raise
    phases = PhaseTimes(
        dial_seconds=dialed.dial_seconds, tls_seconds=dialed.tls_seconds, head_seconds=time.monotonic() - started
    )
    return HttpExchange(exchange, wire, head, phases)


@contextlib.contextmanager
def _translated_dial(route: Route) -> Iterator[None]:
    host = route.target.host
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise TlsFailed(f"the certificate is not good for {host}: {error.verify_message}") from None
    except ssl.SSLError as error:
        raise TlsFailed(f"no TLS connection to {host}: {_words(error.reason)}") from None
    except TimeoutError:
        raise ConnectFailed(f"{host} did not accept a connection in time", setting="limits.dial-seconds") from None
    except h11.RemoteProtocolError as error:
        raise ConnectFailed(f"the proxy speaks broken HTTP: {_gist(error)}", setting="network.proxy") from None
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else "every address failed"
        raise ConnectFailed(f"{host} cannot be reached: {reason}") from None


def _failed_exchange(error: h11.ProtocolError | OSError) -> WebwardError:
    if isinstance(error, h11.RemoteProtocolError):
        return ProtocolFailed(f"the server speaks broken HTTP: {_gist(error)}")
    if isinstance(error, h11.ProtocolError):
        return InvalidHeader(f"the request cannot be written as HTTP: {_gist(error)}")
    reason = os.strerror(error.errno) if error.errno else "it was closed"
    return ProtocolFailed(f"the connection broke in the exchange: {reason}")


def _words(reason: str | None) -> str:
    return (reason or "the handshake failed").replace("_", " ").lower()


def _gist(error: h11.ProtocolError) -> str:
    """What h11 found, without the server's own words that it quotes: those would speak to a model through an error."""
    return str(error).partition(":")[0][:MAX_GIST_CHARS]
