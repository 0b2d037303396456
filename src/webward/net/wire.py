"""One connection as a byte stream with bounds: reading pauses when nobody takes, and silence is demanded while idle."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from webward.model import JudgedAddress

BUFFER_BYTES = 128 * 1024  # what is read ahead of the reader; above it the socket is left alone


class Wire(asyncio.Protocol):
    """A connection to a judged address.

    Attributes:
        peer: The judged address at the other end, or the one that a proxy was asked for.
        tls: The TLS version, or None for plain TCP.
        received_bytes: All that came so far.
    """

    def __init__(self, peer: JudgedAddress) -> None:
        self.peer = peer
        self.tls: str | None = None
        self.received_bytes = 0
        self._transport: asyncio.Transport | None = None
        self._chunks: deque[bytes] = deque()
        self._buffered_bytes = 0
        self._paused = False
        self._ended = False
        self._problem: Exception | None = None  # an OSError, from the event loop
        self._reader: asyncio.Future[None] | None = None
        self._writable: asyncio.Future[None] | None = None
        self._on_disturbance: Callable[[], None] | None = None

    @property
    def usable(self) -> bool:
        """Whether a request may be sent: nothing is unread, and the other end has not closed."""
        return not self._chunks and not self._ended and self._transport is not None and not self._transport.is_closing()

    async def read(self) -> bytes:
        """The next piece, or ``b""`` when the other end closed cleanly.

        Raises:
            OSError: The connection broke.
        """
        while not self._chunks:
            if self._problem is not None:
                raise self._problem
            if self._ended:
                return b""
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        chunk = self._chunks.popleft()
        self._buffered_bytes -= len(chunk)
        if self._paused and self._buffered_bytes <= BUFFER_BYTES // 2:
            self._set_paused(paused=False)
        return chunk

    async def write(self, data: bytes) -> None:
        """Send, waiting while the other end does not take it.

        Raises:
            OSError: The connection broke.
        """
        self.unwrapped().write(data)
        if self._writable is not None:
            await self._writable
            self.unwrapped()

    def watch(self, on_disturbance: Callable[[], None] | None) -> None:
        """While idle, call this at the first byte or the end; None ends the watch."""
        self._on_disturbance = on_disturbance

    def abort(self) -> None:
        """Close at once; what is buffered is lost."""
        self._on_disturbance = None
        self._chunks.clear()
        if self._transport is not None:
            self._transport.abort()

    def unwrapped(self) -> asyncio.Transport:
        """The transport underneath.

        Raises:
            OSError: The connection broke, or was closed.
        """
        if self._transport is None or self._transport.is_closing():
            raise self._problem or ConnectionResetError("the connection is closed")
        return self._transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the event loop."""
        self._transport = cast("asyncio.Transport", transport)
        ssl_object = transport.get_extra_info("ssl_object")
        self.tls = ssl_object.version() if ssl_object is not None else None

    def data_received(self, data: bytes) -> None:
        """Called by the event loop."""
        self.received_bytes += len(data)
        self._chunks.append(data)
        self._buffered_bytes += len(data)
        if self._buffered_bytes > BUFFER_BYTES and not self._paused:
            self._set_paused(paused=True)
        self._stir()

    def eof_received(self) -> bool:
        """Called by the event loop; the transport closes itself."""
        self._ended = True
        self._stir()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by the event loop."""
        self._ended = True
        self._problem = exc
        self.resume_writing()
        self._stir()

    def pause_writing(self) -> None:
        """Called by the event loop."""
        self._writable = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        """Called by the event loop."""
        if self._writable is not None and not self._writable.done():
            self._writable.set_result(None)
        self._writable = None

    def _stir(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
        if self._on_disturbance is not None:
            disturbed, self._on_disturbance = self._on_disturbance, None
            disturbed()

    def _set_paused(self, *, paused: bool) -> None:
        self._paused = paused
        if self._transport is None or self._transport.is_closing():
            return
        if paused:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()
