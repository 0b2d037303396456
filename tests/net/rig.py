"""Wires whose other end is a plain socket of the test, and routes as the judge makes them."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import ExitStack, asynccontextmanager, suppress
from ipaddress import ip_address
from itertools import count
from typing import TYPE_CHECKING, Any

from webward.config import EgressPolicy, Limits
from webward.core import url
from webward.core.egress import Egress
from webward.model import AddressClass, JudgedAddress
from webward.net.dialer import Dialer
from webward.net.transport import HttpTransport
from webward.net.wire import Wire
from webward.testing import FakeResolver

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from webward.model import Address, Route
    from webward.net.dialer import DialMap

PUBLIC = "93.184.216.34"
OTHER_PUBLIC = "93.184.216.35"
WAIT_SECONDS = 5.0  # for what must happen; a test that waits so long has failed


def judged(address: str = PUBLIC) -> JudgedAddress:
    return JudgedAddress(ip_address(address), AddressClass.GLOBAL)


def route(text: str, *addresses: str, policy: EgressPolicy | None = None) -> Route:
    target = url.parse(text)
    found: list[Address] = [ip_address(address) for address in addresses or (PUBLIC,)]
    return Egress(policy or EgressPolicy(), Limits()).route(target, found, ())


class Far:
    """The other end of a wire."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        sock.settimeout(0)

    async def send(self, data: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self._socket, data)

    async def receive(self) -> bytes:
        """What is there, at least a byte, or b"" at the end."""
        async with asyncio.timeout(WAIT_SECONDS):
            return await asyncio.get_running_loop().sock_recv(self._socket, 1 << 20)

    async def receive_until(self, end: bytes) -> bytes:
        received = b""
        while not received.endswith(end):
            if not (piece := await self.receive()):
                raise EOFError
            received += piece
        return received

    async def ended(self) -> bool:
        """Whether the connection ends, cleanly or not, with nothing sent before."""
        try:
            return await self.receive() == b""
        except ConnectionResetError:
            return True

    def close(self) -> None:
        self._socket.close()

    def reset(self) -> None:
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()


@asynccontextmanager
async def wired(address: str = PUBLIC) -> AsyncIterator[tuple[Wire, Far]]:
    """A wire to a judged address, and its other end."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        near = socket.create_connection(listener.getsockname())
        far = Far(listener.accept()[0])
    near.settimeout(0)
    wire = Wire(judged(address))
    await asyncio.get_running_loop().create_connection(lambda: wire, sock=near)
    try:
        yield wire, far
    finally:
        wire.abort()
        far.close()


async def disturbed(wire: Wire) -> None:
    """Return when a byte or the end has come."""
    event = asyncio.Event()
    wire.watch(event.set)
    async with asyncio.timeout(WAIT_SECONDS):
        await event.wait()


def transport(dial_map: DialMap, *, limits: Limits | None = None, **parts: Any) -> HttpTransport:
    """A transport that dials where the map says."""
    limits = limits or Limits()
    parts.setdefault("resolver", FakeResolver())
    return HttpTransport(Dialer(dial_seconds=limits.dial_seconds, dial_map=dial_map, **parts), limits)


@asynccontextmanager
async def served(serve: Callable[[Far, int], Awaitable[None]]) -> AsyncIterator[DialMap]:
    """Serve every connection, counted from 0, and close it after; gives the dial map that leads there."""
    tasks: set[asyncio.Task[None]] = set()
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        listener.settimeout(0)

        async def one(far: Far, number: int) -> None:
            with suppress(OSError, EOFError):
                await serve(far, number)
            far.close()

        async def accept() -> None:
            for number in count():
                connection, _ = await asyncio.get_running_loop().sock_accept(listener)
                stack.callback(connection.close)
                tasks.add(asyncio.create_task(one(Far(connection), number)))

        tasks.add(asyncio.create_task(accept()))
        try:
            yield lambda _address, _port: listener.getsockname()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
