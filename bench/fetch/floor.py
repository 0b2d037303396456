"""Clients without guards: the fastest that Python has (own protocol, native parser), and streams with h11.

Both dial a fixed address, as if a resolver had kept the answer.
"""

from __future__ import annotations

import asyncio
import ssl
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, cast

import h11
import httptools

from bench.fetch.case import ADDRESS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bench.fetch.case import Case
    from bench.fetch.client import Answer, Fetch

PORTS = {"http": 80, "https": 443}
READ_BYTES = 64 * 1024
HEADERS = (("Host", ""), ("User-Agent", "bench"), ("Accept", "*/*"), ("Accept-Encoding", "gzip, deflate, br, zstd"))


class _Connection(asyncio.Protocol):
    """One connection, and the response that it is about to bring."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[Answer] | None = None

    @property
    def alive(self) -> bool:
        return self.transport is not None and not self.transport.is_closing()

    def ask(self, request: bytes) -> asyncio.Future[Answer]:
        """Send a request and begin a response."""
        self._answer = asyncio.get_running_loop().create_future()
        self._parser = httptools.HttpResponseParser(self)
        self._pieces: list[bytes] = []
        cast("asyncio.Transport", self.transport).write(request)
        return self._answer

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the event loop."""
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Called by the event loop."""
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            self._fail(error)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by the event loop."""
        self._fail(exc or ConnectionResetError())
        del self._parser  # which holds this connection

    def on_body(self, piece: bytes) -> None:
        """Called by the parser."""
        self._pieces.append(piece)

    def on_message_complete(self) -> None:
        """Called by the parser."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_result((self._parser.get_status_code(), len(b"".join(self._pieces))))

    def _fail(self, error: Exception) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(error)


@asynccontextmanager
async def httptools_floor(case: Case) -> AsyncIterator[Fetch]:
    """Asyncio's own transports and a native parser, and nothing else."""
    loop = asyncio.get_running_loop()
    idle: list[_Connection] = []
    tls = _tls(case)
    fields = "".join(f"{name}: {value}\r\n" for name, value in _headers(case))
    request = f"GET /{case.kib} HTTP/1.1\r\n{fields}\r\n".encode()

    async def connection() -> _Connection:
        while idle:
            if (kept := idle.pop()).alive:
                return kept
        _, made = await loop.create_connection(
            _Connection, ADDRESS, PORTS[case.scheme], ssl=tls, server_hostname=case.host if tls else None
        )
        return made

    async def fetch(_url: str) -> Answer:
        used = await connection()
        answer = await used.ask(request)
        if case.kept:
            idle.append(used)
        else:
            cast("asyncio.Transport", used.transport).abort()
        return answer

    yield fetch
    for kept in idle:
        cast("asyncio.Transport", kept.transport).abort()


@asynccontextmanager
async def streams_h11(case: Case) -> AsyncIterator[Fetch]:
    """Asyncio's streams and h11."""
    idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
    tls = _tls(case)

    async def streams() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while idle:
            kept = idle.pop()
            if not kept[1].is_closing():
                return kept
        return await asyncio.open_connection(
            ADDRESS, PORTS[case.scheme], ssl=tls, server_hostname=case.host if tls else None
        )

    async def fetch(_url: str) -> Answer:
        reader, writer = await streams()
        protocol = h11.Connection(h11.CLIENT)
        head = h11.Request(method="GET", target=f"/{case.kib}", headers=_headers(case))
        writer.write((protocol.send(head) or b"") + (protocol.send(h11.EndOfMessage()) or b""))
        answer = await _response(protocol, reader)
        if case.kept:
            idle.append((reader, writer))
        else:
            writer.transport.abort()
        return answer

    yield fetch
    for _, writer in idle:
        writer.transport.abort()


async def _response(protocol: h11.Connection, reader: asyncio.StreamReader) -> Answer:
    status, pieces = 0, []
    while True:
        event = protocol.next_event()
        if event is h11.NEED_DATA:
            protocol.receive_data(await reader.read(READ_BYTES))
        elif isinstance(event, h11.Response):
            status = event.status_code
        elif isinstance(event, h11.Data):
            pieces.append(event.data)
        else:
            return status, len(b"".join(pieces))


def _headers(case: Case) -> list[tuple[str, str]]:
    return [(name, value or case.host) for name, value in HEADERS]


def _tls(case: Case) -> ssl.SSLContext | None:
    return ssl.create_default_context() if case.scheme == "https" else None
