"""One HTTP/1.1 exchange on one connection."""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING

from webward.core.request_head import write_request_head
from webward.core.response import ResponseReader
from webward.core.response_head import BrokenResponseError
from webward.errors import ProtocolFailed
from webward.model import JudgedAddress, PhaseTimes, Request, ResponseHead, Target
from webward.net.undo import undone_by

if TYPE_CHECKING:
    from webward.config import Limits
    from webward.net.wire import Wire

_PIECES_A_TURN = 256  # of a body: about 1 ms; a server may send chunks of one byte, and no read then has to wait
_METHODS_WITH_BODY = frozenset(("POST", "PUT", "PATCH"))


class Http1Exchange:
    """A response under way; implements `ports.Exchange`."""

    def __init__(self, wire: Wire, reader: ResponseReader, head: ResponseHead, phases: PhaseTimes) -> None:
        self.wire = wire
        self.head = head
        self.phases = phases
        self.peer: JudgedAddress = wire.peer
        self.tls = wire.tls
        self.reused = False
        self._reader = reader
        self._pieces = 0

    @property
    def complete(self) -> bool:
        """Whether the body ended as the head had declared."""
        return self._reader.complete

    async def read(self) -> bytes:
        """The next piece of the body before content decoding, or ``b""`` at its end.

        Raises:
            ProtocolFailed: The framing is broken, or the connection was.
        """
        self._pieces += 1
        if self._pieces % _PIECES_A_TURN == 0:
            await asyncio.sleep(0)  # so that other tasks, and the deadline of this one, get their turn
        try:
            while (piece := self._reader.body()) is None:
                data = await self.wire.read()
                if not data:
                    self._reader.end()
                    return b""
                self._reader.feed(data)
        except (BrokenResponseError, OSError) as error:
            raise _failed(error) from None
        return piece

    def settle(self) -> bool:
        """Whether the connection may carry another request: both messages ended cleanly, and nothing trails.

        A short body that nobody read is passed over if all of it is here already, never decoded and never waited for.
        """
        try:
            for _ in range(_PIECES_A_TURN):
                if not self._reader.body():
                    break
        except BrokenResponseError:
            return False
        return self._reader.reusable and self.wire.usable


async def begin(wire: Wire, limits: Limits, target: Target, request: Request, dialed: PhaseTimes) -> Http1Exchange:
    """Send a request and read the head of its response; when that fails, the connection is closed.

    Args:
        wire: To the target.
        limits: Of what comes back.
        target: Whom it is for.
        request: What is sent.
        dialed: What the connection took.

    Raises:
        InvalidHeader: The request cannot be written as HTTP.
        ProtocolFailed: The server speaks broken HTTP, passes a limit, or broke off.
    """
    started = time.monotonic()
    reader = ResponseReader(limits, request.method)
    with undone_by(wire.abort):
        try:
            await wire.write(_written(target, request))
            head = await read_head(wire, reader)
        except (BrokenResponseError, OSError) as error:
            raise _failed(error) from None
    phases = PhaseTimes(
        dial_seconds=dialed.dial_seconds, tls_seconds=dialed.tls_seconds, head_seconds=time.monotonic() - started
    )
    return Http1Exchange(wire, reader, head, phases)


async def read_head(wire: Wire, reader: ResponseReader) -> ResponseHead:
    """The final head that comes over a wire.

    Raises:
        BrokenResponseError, OSError: There is none.
    """
    while (head := reader.head()) is None:
        data = await wire.read()
        if not data:
            raise BrokenResponseError("closed the connection without an answer")
        reader.feed(data)
    return head


def _written(target: Target, request: Request) -> bytes:
    fields = [("Host", target.authority), *request.headers]
    if request.body or request.method in _METHODS_WITH_BODY:
        fields.append(("Content-Length", str(len(request.body))))
    return write_request_head(request.method, target.request_target, fields) + request.body


def _failed(error: BrokenResponseError | OSError) -> ProtocolFailed:
    if isinstance(error, BrokenResponseError):
        return ProtocolFailed(f"the server {error}", setting=error.setting)
    reason = os.strerror(error.errno) if error.errno else "it was closed"
    return ProtocolFailed(f"the connection broke in the exchange: {reason}")
