"""Dials the addresses of a `Route` and nothing else, and speaks TLS for the target's own name.

Three locks: only judged addresses are handed to the connector, every socket is vetoed when it is made, and the peer
is compared when it is connected.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING

import aiohappyeyeballs

from webward.errors import ConnectFailed, TlsFailed, TransportError
from webward.net.proxy import Proxy, open_tunnel
from webward.net.tls import client_context, connect_tls, start_tls
from webward.net.undo import undone_by
from webward.net.wire import Wire

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webward.model import Address, JudgedAddress, Route
    from webward.ports import Resolver

ATTEMPT_SECONDS = 0.25  # before the next address is tried beside the last one (RFC 8305 section 5)

SocketAddress = tuple[str, int]
DialMap = Callable[["Address", int], SocketAddress]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialed:
    """A new connection, and the seconds that it took."""

    wire: Wire
    dial_seconds: float
    tls_seconds: float


def as_judged(address: Address, port: int) -> SocketAddress:
    """The dial map of the real network: where an address is, is the address."""
    return str(address), port


class Dialer:
    """Opens connections.

    Args:
        dial_seconds: Of one dial, TLS included.
        ca_file: As in `NetworkSettings`.
        proxy: The upstream proxy, if there is one.
        resolver: Of the proxy's name.
        dial_map: Where an address really is. For the test kit, which serves public-looking addresses from loopback;
            it sits below the judging and changes nothing of it.
    """

    def __init__(
        self,
        *,
        dial_seconds: float,
        resolver: Resolver,
        ca_file: str | None = None,
        proxy: Proxy | None = None,
        dial_map: DialMap = as_judged,
    ) -> None:
        self._dial_seconds = dial_seconds
        self._resolver = resolver
        self.ca_file = ca_file
        self._proxy = proxy
        self._dial_map = dial_map

    async def dial(self, route: Route) -> Dialed:
        """Connect to the first address of a route that answers.

        Raises:
            ConnectFailed: The proxy refuses.
            TlsFailed: The connection closed in the handshake.
            OSError, TimeoutError, ssl.SSLError: For the transport to translate.
        """
        is_secured = route.target.scheme == "https"
        started = time.monotonic()
        async with asyncio.timeout(self._dial_seconds):
            if self._proxy is None:
                sock, peer = await self._direct(route)
                connected = time.monotonic()
                wire = await (self._secured(sock, peer, route.target.host) if is_secured else _wire(sock, peer))
            else:
                wire = await self._through_proxy(self._proxy, route)
                connected = time.monotonic()
                with undone_by(wire.abort):
                    if is_secured:
                        await self._start_tls(wire, route.target.host)
        ended = time.monotonic()
        return Dialed(
            wire=wire,
            dial_seconds=(connected if is_secured else ended) - started,
            tls_seconds=ended - connected if is_secured else 0.0,
        )

    async def _direct(self, route: Route) -> tuple[socket.socket, JudgedAddress]:
        port = route.target.port
        judged = {self._dial_map(address.address, port): address for address in route.addresses}
        sock = await _connect(tuple(judged))
        with undone_by(sock.close):
            return sock, _judged_peer(sock, judged)

    async def _secured(self, sock: socket.socket, peer: JudgedAddress, host: str) -> Wire:
        with undone_by(sock.close):
            context = client_context(self.ca_file)
        wire = Wire(peer)
        with _handshake(wire, host):
            await connect_tls(sock, wire, context, host=host, seconds=self._dial_seconds)
        return wire

    async def _through_proxy(self, proxy: Proxy, route: Route) -> Wire:
        """Ask the proxy for each judged address in turn, on a new connection each time."""
        problem = ConnectFailed("the route has no address")
        for judged in route.addresses:
            wire = await self._to_proxy(proxy, judged)
            try:
                with undone_by(wire.abort):
                    await open_tunnel(wire, proxy, route.target.port)
            except ConnectFailed as error:
                if not error.retryable:
                    raise
                problem = error
            else:
                return wire
        raise problem

    async def _to_proxy(self, proxy: Proxy, judged: JudgedAddress) -> Wire:
        try:
            addresses = (proxy.address,) if proxy.address else await self._resolver.resolve(proxy.host)
            sock = await _connect([(str(address), proxy.port) for address in addresses])
        except (OSError, TransportError):
            raise ConnectFailed("the proxy cannot be reached", setting="network.proxy", retryable=True) from None
        return await _wire(sock, judged)

    async def _start_tls(self, wire: Wire, host: str) -> None:
        if not wire.usable:
            raise ConnectionResetError(errno.ECONNRESET, "bytes came before the handshake")
        with _handshake(wire, host):
            await start_tls(wire, client_context(self.ca_file), host=host, seconds=self._dial_seconds)


async def _connect(places: Sequence[SocketAddress]) -> socket.socket:
    """A socket connected to one of these places, in the manner of RFC 8305."""

    def vetoed(info: tuple[int, int, int, str, tuple[str | int, ...]]) -> socket.socket:
        family, kind, protocol, _, address = info
        if (address[0], address[1]) not in places:
            raise PermissionError(errno.EACCES, "the address was not judged")
        return socket.socket(family, kind, protocol)

    infos = [(_family(host), socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (host, port)) for host, port in places]
    return await aiohappyeyeballs.start_connection(
        infos, happy_eyeballs_delay=ATTEMPT_SECONDS, interleave=1, socket_factory=vetoed
    )


@contextmanager
def _handshake(wire: Wire, host: str) -> Iterator[None]:
    """Tell of a connection that was closed in it, which asyncio shows in two ways."""
    with suppress(ConnectionError):
        yield
    if wire.tls is None:
        raise TlsFailed(f"{host} closed the connection in the TLS handshake", retryable=True)


async def _wire(sock: socket.socket, peer: JudgedAddress) -> Wire:
    with undone_by(sock.close):
        _, wire = await asyncio.get_running_loop().create_connection(lambda: Wire(peer), sock=sock)
    return wire


def _family(host: str) -> int:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _judged_peer(sock: socket.socket, judged: Mapping[SocketAddress, JudgedAddress]) -> JudgedAddress:
    host, port = sock.getpeername()[:2]
    peer = judged.get((str(ip_address(host)), port))
    if peer is None:
        raise PermissionError(errno.EACCES, "the peer is not the address that was judged")
    return peer
