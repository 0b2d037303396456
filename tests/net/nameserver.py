"""A name server on a port of loopback, UDP and TCP, that answers from a table."""

from __future__ import annotations

import asyncio
import struct
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, cast

from dnslib import AAAA, CNAME, QTYPE, RCODE, RR, A, DNSRecord  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from collections.abc import Callable

UDP_BYTES_MAX = 512  # RFC 1035 section 2.3.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is known of a name.

    Attributes:
        addresses: Of both families.
        cname: Another name in the table, whose addresses these are.
        rcode: By its name in RFC 1035 and the like.
        silent: Types of question that get no answer, such as ``A``.
        late_seconds: How long the answers to a type of question take.
    """

    addresses: tuple[str, ...] = ()
    cname: str | None = None
    rcode: str = "NOERROR"
    ttl: int = 60
    silent: tuple[str, ...] = ()
    late_seconds: tuple[tuple[str, float], ...] = ()


class NameServer:
    """Serves a table.

    Attributes:
        table: Names without the root dot; every other name does not exist.
        questions: Name as asked and type of every question, in order.
        ports: From which questions came over UDP.
        truncated: How many answers over UDP sent their reader to TCP.
    """

    def __init__(self) -> None:
        self.table: dict[str, Entry] = {}
        self.questions: list[str] = []
        self.ports: set[int] = set()
        self.truncated = 0
        self._port = 0
        self._came = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self._port}"

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        while True:
            self._udp, _ = await loop.create_datagram_endpoint(lambda: _Datagrams(self._asked), ("127.0.0.1", 0))
            self._port = self._udp.get_extra_info("sockname")[1]
            with suppress(OSError):  # the TCP port of this number is taken
                self._tcp = await asyncio.start_server(self._stream, "127.0.0.1", self._port)
                return self
            self._udp.close()

    async def __aexit__(self, *exception: object) -> None:
        self._udp.close()
        self._tcp.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def until_asked(self, count: int) -> None:
        """Return when so many questions have come."""
        async with asyncio.timeout(5):
            while len(self.questions) < count:
                self._came.clear()
                await self._came.wait()

    def _track(self, task: asyncio.Task[None] | None) -> None:
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _asked(self, packet: bytes, port: int, reply: Callable[[bytes], None]) -> None:
        self.ports.add(port)
        self._track(asyncio.create_task(self._answer(packet, reply, UDP_BYTES_MAX)))

    async def _stream(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._track(asyncio.current_task())
        with suppress(asyncio.IncompleteReadError, OSError), closing(writer):
            while True:
                (size,) = struct.unpack("!H", await reader.readexactly(2))
                packet = await reader.readexactly(size)
                await self._answer(packet, lambda wire: writer.write(struct.pack("!H", len(wire)) + wire), 65535)

    async def _answer(self, packet: bytes, reply: Callable[[bytes], None], max_bytes: int) -> None:
        query = DNSRecord.parse(packet)
        name, kind = str(query.q.qname), QTYPE[query.q.qtype]
        self.questions.append(f"{name} {kind}")
        self._came.set()
        entry = self.table.get(name.rstrip(".").lower(), Entry(rcode="NXDOMAIN"))
        if kind in entry.silent:
            return
        late = dict(entry.late_seconds).get(kind, 0.0)
        if late:
            await _after(late)
        wire = self._response(query, entry, kind).pack()
        if len(wire) > max_bytes:
            self.truncated += 1
            cut = query.reply()
            cut.header.tc = 1
            wire = cut.pack()
        reply(wire)

    def _response(self, query: DNSRecord, entry: Entry, kind: str) -> DNSRecord:
        reply = query.reply()
        name = query.q.qname
        reply.header.rcode = getattr(RCODE, entry.rcode)
        while entry.cname:
            reply.add_answer(RR(name, QTYPE.CNAME, rdata=CNAME(entry.cname), ttl=entry.ttl))
            name, entry = entry.cname, self.table[entry.cname]
        for address in entry.addresses:
            family, record = ("AAAA", AAAA) if ":" in address else ("A", A)
            if family == kind:
                reply.add_answer(RR(name, getattr(QTYPE, family), rdata=record(address), ttl=entry.ttl))
        return reply


async def _after(seconds: float) -> None:
    reached = asyncio.Event()
    asyncio.get_running_loop().call_later(seconds, reached.set)
    await reached.wait()


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, asked: Callable[[bytes, int, Callable[[bytes], None]], None]) -> None:
        self._asked = asked

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        self._asked(data, addr[1], lambda wire: self._transport.sendto(wire, addr))
