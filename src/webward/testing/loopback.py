"""A web of one's own: names with public-looking addresses, served from loopback.

The gateway under test judges those addresses as it would real ones; only where they lead is changed, below the judging.
"""

from __future__ import annotations

from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Self

from webward.config import Settings
from webward.engine.gateway import Gateway
from webward.model import DEFAULT_PORTS
from webward.net.dialer import Dialer
from webward.net.transport import HttpTransport
from webward.testing.interfaces import FixedInterfaces
from webward.testing.listening import LOOPBACK, Listening, serve_streams
from webward.testing.resolver import FakeResolver
from webward.testing.script import Step, play, response
from webward.testing.seen import SeenRequest, read_request

if TYPE_CHECKING:
    import asyncio
    import socket
    import ssl
    from collections.abc import Iterable

    from webward.model import Address

FIRST_ADDRESS = int(ip_address("93.184.216.1"))  # public to every table; nobody is dialed there
NOT_FOUND = response(b"no such page\n", status=404, headers=[("Content-Type", "text/plain")])


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
        self._ports: dict[tuple[Address, int], int] = {}
        self._listening = Listening()
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
        if place not in self._ports:
            self._ports[place] = self._listening.listen(partial(self._serve, place))
        return LOOPBACK, self._ports[place]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self._listening.close()

    async def _serve(self, place: tuple[Address, int], connection: socket.socket) -> None:
        number = len(self.connections)
        self.connections.append(place)
        tls = self._tls if place[1] in self._https_ports else None
        await serve_streams(connection, partial(self._answer, number), tls=tls)

    async def _answer(self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        address, port = self.connections[number]
        scheme = "https" if port in self._https_ports else "http"
        request = await read_request(reader, scheme=scheme, address=address, port=port, connection=number)
        self.requests.append(request)
        return await play(self._scripts.get(request.url, NOT_FOUND), writer)
