"""Servers on loopback whose connections end with them."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import TYPE_CHECKING, Any

from webward.testing.seen import HEAD_BYTES

if TYPE_CHECKING:
    import ssl
    from collections.abc import Awaitable, Callable

LOOPBACK = "127.0.0.1"


class Listening:
    """Listens, and serves every connection in a task of its own."""

    def __init__(self) -> None:
        self._listeners: list[socket.socket] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def listen(self, serve: Callable[[socket.socket], Awaitable[None]]) -> int:
        """Listen on a free port, and give it; `serve` is given every connection."""
        listener = socket.create_server((LOOPBACK, 0))
        listener.settimeout(0)
        self._listeners.append(listener)
        self._spawn(self._accept(listener, serve))
        port: int = listener.getsockname()[1]
        return port

    async def close(self) -> None:
        """End all connections, and listen no more."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for listener in self._listeners:
            listener.close()

    async def _accept(self, listener: socket.socket, serve: Callable[[socket.socket], Awaitable[None]]) -> None:
        loop = asyncio.get_running_loop()
        while True:
            connection, _ = await loop.sock_accept(listener)
            self._spawn(serve(connection))

    def _spawn(self, work: Any) -> None:  # noqa: ANN401 - a coroutine
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def serve_streams(
    connection: socket.socket,
    answer: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[bool]],
    *,
    tls: ssl.SSLContext | None = None,
) -> None:
    """Answer requests on a connection until it ends, or an answer says so with False."""
    with contextlib.suppress(OSError, asyncio.IncompleteReadError):
        reader, writer = await _streams(connection, tls)
        try:
            while await answer(reader, writer):
                pass
        finally:
            writer.close()


async def _streams(
    connection: socket.socket, tls: ssl.SSLContext | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader = asyncio.StreamReader(limit=HEAD_BYTES)
    protocol = asyncio.StreamReaderProtocol(reader)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_accepted_socket(lambda: protocol, connection, ssl=tls)
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)
