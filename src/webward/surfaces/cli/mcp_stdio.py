"""MCP messages on standard input and output, a JSON object a line; nothing else is ever written there."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, jsonrpc_message_adapter
from pydantic import ValidationError

from webward.contracts.page import Envelope, encode, parse_line, request_id
from webward.errors import InvalidInput
from webward.surfaces.cli.lines import split_lines
from webward.surfaces.cli.terminal import note, require_output

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
    Outgoing = MemoryObjectSendStream[SessionMessage]
    Serve = Callable[[Incoming, Outgoing], Awaitable[None]]

LINES_AHEAD = 64  # read before the server takes them
ANSWERS_AHEAD = 16  # an answer that need not wait to be handed over is not lost when the input ends
GRACE_SECONDS = 2.0  # from SIGTERM until answers are given up; hosts wait about as long before they kill
MAX_MESSAGE_BYTES = 4 * 1024 * 1024  # what the HTTP transport of the library takes, too


async def serve_stdio(serve: Serve) -> None:
    """Serve one client until standard input ends or the process is told to terminate (SIGTERM).

    Args:
        serve: Takes messages from the one stream and puts its own into the other, until the first ends.

    Raises:
        InvalidInput: Standard input or standard output is closed.
        OSError: Who read the messages has gone.
    """
    if sys.stdin is None:
        raise InvalidInput("standard input is closed; requests come there")
    require_output()
    with contextlib.suppress(_Terminated):
        try:
            await _Stdio(_claimed_output()).run(serve)
        except BaseExceptionGroup as lost:
            raise lost.exceptions[0] from None


class _Terminated(Exception):
    """The process was told to end."""


class _Stdio:
    """Two threads read and write, so that neither can hold up the loop or the end of the process."""

    def __init__(self, output: int) -> None:
        self._output = output
        self._loop = asyncio.get_running_loop()
        self._room = threading.Semaphore(LINES_AHEAD)
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._unwritten: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()

    async def run(self, serve: Serve) -> None:
        incoming, taken = anyio.create_memory_object_stream[SessionMessage | Exception]()
        put, outgoing = anyio.create_memory_object_stream[SessionMessage](ANSWERS_AHEAD)
        for work in (self._read, self._write):
            threading.Thread(target=work, name=f"mcp{work.__name__}", daemon=True).start()
        async with asyncio.TaskGroup() as tasks:
            ending = tasks.create_task(_end_when_terminated(incoming))
            writing = tasks.create_task(self._send_all(outgoing))
            reading = tasks.create_task(self._receive_all(incoming))
            await serve(taken, put)
            reading.cancel()
            await writing
            ending.cancel()

    async def _receive_all(self, incoming: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        async with incoming:
            while (line := await self._lines.get()) is not None:
                self._room.release()
                message = _message(line)
                if isinstance(message, SessionMessage):
                    with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # it has ended
                        await incoming.send(message)
                else:
                    await self._send(message)

    async def _send_all(self, outgoing: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with outgoing:
            async for item in outgoing:
                await self._send(item.message.model_dump(by_alias=True, exclude_unset=True))

    async def _send(self, message: Envelope) -> None:
        written = self._loop.create_future()
        self._unwritten.put((encode(message) + b"\n", written))
        await written

    def _read(self) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended: nobody takes lines any more
            try:
                for line in split_lines(sys.stdin.fileno()):
                    self._room.acquire()
                    self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
            except (OSError, ValueError) as error:  # what cannot be read has ended
                note(f"standard input cannot be read: {error}")
            self._loop.call_soon_threadsafe(self._lines.put_nowait, None)

    def _write(self) -> None:
        with contextlib.suppress(RuntimeError):  # likewise
            while True:
                data, written = self._unwritten.get()
                error: OSError | None = None
                try:
                    _write_whole(self._output, data)
                except OSError as lost:
                    error = lost
                self._loop.call_soon_threadsafe(_settle, written, error)


def _settle(written: asyncio.Future[None], error: OSError | None) -> None:
    if written.done():  # nobody waits any more
        return
    if error is None:
        written.set_result(None)
    else:
        written.set_exception(error)


def _write_whole(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _message(line: bytes) -> SessionMessage | Envelope:
    """The message of a line, or what is answered to a line that is none (JSON-RPC 2.0 section 5.1)."""
    try:
        value = parse_line(line, max_bytes=MAX_MESSAGE_BYTES)
    except InvalidInput as error:
        return _refusal(None, PARSE_ERROR, error.message)
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_python(value, by_name=False))
    except ValidationError:
        return _refusal(value, INVALID_REQUEST, "the line is no message of JSON-RPC 2.0")


def _refusal(value: Any, code: int, problem: str) -> Envelope:  # noqa: ANN401 - any JSON value
    return {"jsonrpc": "2.0", "id": None, **request_id(value), "error": {"code": code, "message": problem}}


def _claimed_output() -> int:
    """A descriptor of standard output that is ours alone: what else is written there goes to standard error."""
    descriptor = sys.stdout.fileno()
    ours = os.dup(descriptor)
    os.dup2(sys.stderr.fileno() if sys.stderr is not None else os.open(os.devnull, os.O_WRONLY), descriptor)
    return ours


async def _end_when_terminated(incoming: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
    """End as with the input: calls under way are canceled and answered, unless nobody takes the answers."""
    terminated = asyncio.Event()
    with contextlib.suppress(NotImplementedError):  # Windows has no such signal: the process just ends
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, terminated.set)
    await terminated.wait()
    incoming.close()
    await asyncio.sleep(GRACE_SECONDS)
    raise _Terminated
