"""Servers that the test kit does not have: with certificates, and without end."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import trustme

from webward.config import Limits, NetworkSettings, Settings
from webward.engine.gateway import Gateway
from webward.net.dialer import Dialer
from webward.net.transport import HttpTransport
from webward.testing import FakeResolver, FixedInterfaces

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webward.net.dialer import DialMap

PUBLIC = "93.184.216.34"
OTHER_PUBLIC = "93.184.216.35"
WAIT_SECONDS = 5.0  # for what must happen; a test that waits so long has failed
MOMENT_SECONDS = 0.01
FLOOD_BYTES_MAX = 64 << 20  # where a flood gives up; the kernel's own buffers hold a tenth of that


@dataclass(frozen=True, slots=True)
class Secure:
    """A server's context that is good for some names, and settings that trust it."""

    tls: ssl.SSLContext
    settings: Settings


def secure(folder: Path, *names: str) -> Secure:
    authority, tls = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names).configure_cert(tls)
    file = str(folder / "ca.pem")
    authority.cert_pem.write_to_path(file)
    return Secure(tls, Settings(network=NetworkSettings(ca_file=file)))


def gateway_to(dial_map: DialMap, *, resolver: FakeResolver | None = None, limits: Limits | None = None) -> Gateway:
    """A gateway for which `site.test` is public, and which dials where the map says."""
    settings = Settings(limits=limits or Limits())
    if resolver is None:
        resolver = FakeResolver()
        resolver.answer("site.test", [PUBLIC])
    dialer = Dialer(dial_seconds=settings.limits.dial_seconds, resolver=resolver, dial_map=dial_map)
    transport = HttpTransport(dialer, settings.limits)
    return Gateway(settings, resolver=resolver, transport=transport, interfaces=FixedInterfaces())


async def until(holds: Callable[[], bool], *, seconds: float = WAIT_SECONDS) -> None:
    """Return when something holds."""
    async with asyncio.timeout(seconds):
        while not holds():
            passed = asyncio.Event()
            asyncio.get_running_loop().call_later(MOMENT_SECONDS, passed.set)
            await passed.wait()


class Flood:
    """Answers every request with a beginning and then one piece again and again, until it is not taken any more.

    Attributes:
        sent_bytes: What was taken, by the kernel at least.
        ended: How many connections have ended.
    """

    def __init__(self, beginning: bytes, piece: bytes) -> None:
        self._beginning = beginning
        self._piece = piece
        self._server: asyncio.Server | None = None
        self.sent_bytes = 0
        self.ended = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *exception: object) -> None:
        assert self._server is not None
        self._server.close()

    def gateway(self) -> Gateway:
        assert self._server is not None
        place = self._server.sockets[0].getsockname()
        return gateway_to(lambda _address, _port: place)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError), contextlib.closing(writer):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(self._beginning)
            while self.sent_bytes < FLOOD_BYTES_MAX:
                writer.write(self._piece)
                await writer.drain()
                self.sent_bytes += len(self._piece)
        self.ended += 1
