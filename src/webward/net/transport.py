"""One hop over the network: a pooled or a new connection, one exchange; foreign errors become webward's here."""

from __future__ import annotations

import contextlib
import os
import ssl
from typing import TYPE_CHECKING

from webward.core.response_head import BrokenResponseError
from webward.errors import ConnectFailed, ProtocolFailed, TlsFailed
from webward.model import PhaseTimes, Request, Route
from webward.net.http1 import Http1Exchange, begin
from webward.net.pool import Pool, PoolKey

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from webward.config import Limits
    from webward.net.dialer import Dialer
    from webward.net.wire import Wire

# RFC 9110 section 9.2.2: only these may be sent again when a kept connection turns out to be dead.
IDEMPOTENT = frozenset(("GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"))


class HttpTransport:
    """Implements `ports.Transport`."""

    def __init__(self, dialer: Dialer, limits: Limits) -> None:
        self._dialer = dialer
        self._limits = limits
        self._pool = Pool(max_connections=limits.idle_connections, idle_seconds=limits.idle_seconds)

    def exchange(self, route: Route, request: Request) -> _Leased:
        """Send a request over a route, as `ports.Transport` says."""
        return _Leased(self, PoolKey(route.target.origin, route.policy, self._dialer.ca_file), route, request)

    async def open(self, key: PoolKey, route: Route, request: Request) -> Http1Exchange:
        """Send a request over a kept connection or a new one, and read the head of the response."""
        kept = self._pool.take(key, route) if request.method in IDEMPOTENT else None
        opened = await self._over_kept(kept, route, request) if kept else None
        return opened or await self._over_new(route, request)

    def give_back(self, key: PoolKey, opened: Http1Exchange) -> None:
        """Keep the connection of an exchange that is over, if it may carry another one."""
        if opened.settle():
            self._pool.put(key, opened.wire)
        else:
            opened.wire.abort()

    async def close(self) -> None:
        """Close every kept connection."""
        self._pool.close()

    async def _over_kept(self, wire: Wire, route: Route, request: Request) -> Http1Exchange | None:
        """Try a kept connection; None when it died before a byte of the response came."""
        received_before = wire.received_bytes
        try:
            opened = await begin(wire, self._limits, route.target, request, PhaseTimes())
        except ProtocolFailed:
            if wire.received_bytes == received_before:
                return None
            raise
        opened.reused = True
        return opened

    async def _over_new(self, route: Route, request: Request) -> Http1Exchange:
        with _translated_dial(route):
            dialed = await self._dialer.dial(route)
        phases = PhaseTimes(dial_seconds=dialed.dial_seconds, tls_seconds=dialed.tls_seconds)
        return await begin(dialed.wire, self._limits, route.target, request, phases)


class _Leased:
    """An exchange as a context; a class, since this is on the way of every request."""

    def __init__(self, transport: HttpTransport, key: PoolKey, route: Route, request: Request) -> None:
        self._transport = transport
        self._key = key
        self._route = route
        self._request = request

    async def __aenter__(self) -> Http1Exchange:
        self._opened = await self._transport.open(self._key, self._route, self._request)
        return self._opened

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._transport.give_back(self._key, self._opened)
        else:
            self._opened.wire.abort()


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
    except BrokenResponseError as error:
        raise ConnectFailed(f"the proxy {error}", setting="network.proxy") from None
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else "every address failed"
        raise ConnectFailed(f"{host} cannot be reached: {reason}") from None


def _words(reason: str | None) -> str:
    return (reason or "the handshake failed").replace("_", " ").lower()
