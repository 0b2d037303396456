"""A web of one's own: names with public-looking addresses, served from loopback.

The gateway under test judges those addresses as it would real ones; only where they lead is changed, below the judging.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Self

from webward.config import Settings
from webward.engine.gateway import Gateway
from webward.model import DEFAULT_PORTS, Headers
from webward.net.dialer import Dialer
from webward.net.transport import HttpTransport
from webward.testing.interfaces import FixedInterfaces
from webward.testing.resolver import FakeResolver
from webward.testing.script import Step, play, response

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable

    from webward.model import Address

FIRST_ADDRESS = int(ip_address("93.184.216.1"))  # public to every table; nobody is dialed there
LOOPBACK = "127.0.0.1"
HEAD_BYTES = 1024 * 1024  # of a request; tests send large ones
NOT_FOUND = response(b"no such page\n", status=404, headers=[("Content-Type", "text/plain")])


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenRequest:
    """A request as it came.

    Attributes:
        method: As sent.
        url: Scheme, Host header and request target together.
        headers: As sent.
        body: As sent.
        address: The public-looking address that was dialed.
        port: The port that was dialed.
        connection: Which connection carried it, counted from 0.
    """

    method: str
    url: str
    headers: Headers
    body: bytes
    address: Address
    port: int
    connection: int


class LoopbackWeb:
    """Serves scripted answers.

    Args:
        tls: Server context for the ports where https is spoken; without it those speak plain text.

    Attributes:
        resolver: Knows the names of the pages; a test may add answers of its own.
        requests: All requests that came, in order.
        connections: The (address, port) of every connection that was accepted, in order.
    """

    def __init__(self, *, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self._scripts: dict[str, tuple[Step, ...]] = {}
        self._https_ports = {DEFAULT_PORTS["https"]}
        self._listeners: dict[tuple[Address, int], socket.socket] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._next_address = FIRST_ADDRESS
        self.resolver = FakeResolver()
        self.requests: list[SeenRequest] = []
        self.connections: list[tuple[Address, int]] = []

    def page(
        self,
        url: str,
        body: bytes | str = b"",
        *,
        status: int = 200,
        headers: Iterable[tuple[str, str]] = (("Content-Type", "text/html; charset=utf-8"),),
    ) -> None:
        """Serve an ordinary answer at a URL (scheme, host, port and path, as a request would name them)."""
        content = body.encode() if isinstance(body, str) else body
        self.script(url, *response(content, status=status, headers=headers))

    def redirect(self, url: str, location: str, *, status: int = 302) -> None:
        """Serve a redirect."""
        self.page(url, status=status, headers=[("Location", location)])

    def script(self, url: str, *steps: Step) -> None:
        """Do these steps whenever a URL is asked for."""
        scheme, _, rest = url.partition("://")
        authority = rest.partition("/")[0]
        host, _, port = authority.partition(":")
        if scheme == "https" and port:
            self._https_ports.add(int(port))
        if not self.resolver.knows(host):
            self.host(host)
        self._scripts[url] = steps

    def host(self, name: str, *addresses: str) -> None:
        """Give a name its addresses; by default one that no other name has."""
        if not addresses:
            addresses = (str(ip_address(self._next_address)),)
            self._next_address += 1
        self.resolver.answer(name, addresses)

    def gateway(self, settings: Settings | None = None, **parts: Any) -> Gateway:  # noqa: ANN401 - those of Gateway
        """A gateway to this web: the real one, with the resolver and the dial map of this web.

        Args:
            settings: By default the library's own, whatever the environment says.
            parts: As `Gateway` takes them.
        """
        settings = Settings() if settings is None else settings
        resolver = parts.pop("resolver", self.resolver)
        dialer = Dialer(
            dial_seconds=settings.limits.dial_seconds,
            resolver=resolver,
            ca_file=settings.network.ca_file,
            dial_map=self.dial_map,
        )
        parts.setdefault("interfaces", FixedInterfaces())
        return Gateway(settings, resolver=resolver, transport=HttpTransport(dialer, settings.limits), **parts)

    def dial_map(self, address: Address, port: int) -> tuple[str, int]:
        """Where a public-looking address and port are served; made when they are first asked for."""
        place = (address, port)
        if place not in self._listeners:
            listener = socket.create_server((LOOPBACK, 0))
            listener.settimeout(0)
            self._listeners[place] = listener
            self._spawn(self._accept(listener, address, port))
        return LOOPBACK, self._listeners[place].getsockname()[1]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for listener in self._listeners.values():
            listener.close()

    def _spawn(self, work: Any) -> None:  # noqa: ANN401 - a coroutine
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _accept(self, listener: socket.socket, address: Address, port: int) -> None:
        loop = asyncio.get_running_loop()
        while True:
            connection, _ = await loop.sock_accept(listener)
            self.connections.append((address, port))
            self._spawn(self._serve(connection, len(self.connections) - 1))

    async def _serve(self, connection: socket.socket, number: int) -> None:
        is_https = self.connections[number][1] in self._https_ports
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await _streams(connection, self._tls if is_https else None)
            try:
                while await self._answer(reader, writer, number):
                    pass
            finally:
                writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> bool:
        request = await self._read(reader, number)
        self.requests.append(request)
        return await play(self._scripts.get(request.url, NOT_FOUND), writer)

    async def _read(self, reader: asyncio.StreamReader, number: int) -> SeenRequest:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = head[0].split(" ", 2)
        headers = Headers(tuple(_field(line) for line in head[1:] if line))
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        address, port = self.connections[number]
        scheme = "https" if port in self._https_ports else "http"
        return SeenRequest(
            method=method,
            url=f"{scheme}://{headers.get('host', '')}{target}",
            headers=headers,
            body=body,
            address=address,
            port=port,
            connection=number,
        )


def _field(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name, value.strip()


async def _streams(
    connection: socket.socket, tls: ssl.SSLContext | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader = asyncio.StreamReader(limit=HEAD_BYTES)
    protocol = asyncio.StreamReaderProtocol(reader)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_accepted_socket(lambda: protocol, connection, ssl=tls)
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)
