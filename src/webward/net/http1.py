"""One HTTP/1.1 exchange on one connection, through h11, with caps on what h11 leaves open."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import h11

from webward.errors import ProtocolFailed
from webward.model import Headers, Request, ResponseHead, Target

if TYPE_CHECKING:
    from webward.config import Limits
    from webward.net.wire import Wire

_FIELD_OVERHEAD_BYTES = 4  # ": " and the line's end
_PIECES_A_TURN = 256  # of a body: about 3 ms; a server may send chunks of one byte, and no read then has to wait
_METHODS_WITH_BODY = frozenset(("POST", "PUT", "PATCH"))

Fields = list[tuple[bytes, bytes]]


class Http1Exchange:
    """Sends a request and reads its response.

    Attributes:
        complete: Whether the body ended as the head had declared.
    """

    def __init__(self, wire: Wire, limits: Limits) -> None:
        self._wire = wire
        self._limits = limits
        self._protocol = h11.Connection(h11.CLIENT, max_incomplete_event_size=limits.head_bytes)
        self._head_bytes = 0
        self._pieces = 0
        self._received_before = wire.received_bytes
        self.complete = False

    @property
    def untouched(self) -> bool:
        """Whether not one byte of a response has come."""
        return self._wire.received_bytes == self._received_before

    def settle(self) -> bool:
        """Whether the connection may carry another request: both messages ended cleanly, and nothing trails.

        A short body that nobody read is passed over if all of it is here already, never decoded and never waited for.
        """
        for _ in range(_PIECES_A_TURN):
            if self._protocol.their_state is not h11.SEND_BODY or self._protocol.next_event() is h11.NEED_DATA:
                break
        ended = self._protocol.our_state is h11.DONE and self._protocol.their_state is h11.DONE
        return ended and not self._protocol.trailing_data[0] and self._wire.usable

    async def send(self, target: Target, request: Request) -> None:
        """Send the request.

        Raises:
            OSError: The connection broke.
        """
        fields = [("Host", target.authority), *request.headers]
        if request.body or request.method in _METHODS_WITH_BODY:
            fields.append(("Content-Length", str(len(request.body))))
        encoded = [(name.encode("ascii"), value.encode("latin-1")) for name, value in fields]
        head = h11.Request(method=request.method, target=target.request_target, headers=encoded)
        parts = [self._protocol.send(head)]
        if request.body:
            parts.append(self._protocol.send(h11.Data(data=request.body)))
        parts.append(self._protocol.send(h11.EndOfMessage()))
        await self._wire.write(b"".join(part for part in parts if part))

    async def read_head(self) -> ResponseHead:
        """The final response's head; interim ones are counted and dropped (RFC 9110 section 15.2).

        Raises:
            ProtocolFailed: A cap is passed, or the server closed without an answer.
            h11.RemoteProtocolError: The head is broken, or is a 101, since nobody asked for another protocol.
            OSError: The connection broke.
        """
        for _ in range(self._limits.interim_responses + 1):
            event = await self._next_head()
            fields = event.headers.raw_items()
            self._count(fields)
            if isinstance(event, h11.Response):
                names, values = _texts([name for name, _ in fields]), _texts([value for _, value in fields])
                headers = Headers(tuple(zip(names, values, strict=True)))
                return ResponseHead(status=event.status_code, reason=_text(event.reason), headers=headers)
        limit = self._limits.interim_responses
        raise ProtocolFailed(f"the server sent more than {limit} interim responses", setting="limits.interim-responses")

    async def read(self) -> bytes:
        """The next piece of the body, or ``b""`` at its end; `complete` then tells whether it was cut short.

        Raises:
            h11.RemoteProtocolError, OSError: The framing is broken, or the connection was.
        """
        self._pieces += 1
        if self._pieces % _PIECES_A_TURN == 0:
            await asyncio.sleep(0)  # so that other tasks, and the deadline of this one, get their turn
        try:
            event = await self._next_event()
        except h11.RemoteProtocolError:
            if self._at_end:
                return b""
            raise
        if isinstance(event, h11.Data):
            return bytes(event.data)
        self.complete = True
        return b""

    @property
    def _at_end(self) -> bool:
        """Whether the other end closed cleanly; h11 calls a message that is then too short a protocol error."""
        return self._protocol.trailing_data[1]

    async def _next_head(self) -> h11.Response | h11.InformationalResponse:
        try:
            event = await self._next_event()
        except h11.RemoteProtocolError:
            if not self._at_end:
                raise
            event = h11.ConnectionClosed()
        if isinstance(event, h11.Response | h11.InformationalResponse):
            return event
        raise ProtocolFailed("the server closed the connection without an answer")

    async def _next_event(self) -> type[h11.NEED_DATA | h11.PAUSED] | h11.Event:
        event = self._protocol.next_event()
        while event is h11.NEED_DATA:
            self._protocol.receive_data(await self._wire.read())
            event = self._protocol.next_event()
        return event

    def _count(self, fields: Fields) -> None:
        """Caps on the head: h11 bounds what is incomplete, and lets a long head pass that comes in one piece."""
        self._head_bytes += sum(len(name) + len(value) + _FIELD_OVERHEAD_BYTES for name, value in fields)
        if self._head_bytes > self._limits.head_bytes:
            message = f"the response head is longer than {self._limits.head_bytes} bytes"
            raise ProtocolFailed(message, setting="limits.head-bytes")
        if len(fields) > self._limits.head_fields:
            message = f"the response has more than {self._limits.head_fields} header fields"
            raise ProtocolFailed(message, setting="limits.head-fields")


def _texts(values: list[bytes]) -> list[str]:
    """Of each value by itself; one decoding for all of them costs a third, and is right when all are UTF-8."""
    try:
        return b"\n".join(values).decode().split("\n") if values else []  # h11 lets no line end pass
    except UnicodeDecodeError:
        return [_text(value) for value in values]


def _text(value: bytes) -> str:
    """Field values are opaque octets (RFC 9110 section 5.5); servers send UTF-8 or Latin-1."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
