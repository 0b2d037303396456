"""Lines in, lines out: what stands on standard input is answered on standard output, several at once."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from typing import TYPE_CHECKING

from webward.errors import InvalidInput
from webward.surfaces.cli.terminal import note, put, require_output, told_when_lost

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

READ_BYTES = 64 * 1024
MAX_LINE_BYTES = 16 * 1024 * 1024  # a request line holds a body at the most; one without an end must not fill memory


async def answer_lines(answer: Callable[[bytes], Awaitable[bytes]], *, at_once: int) -> None:
    """Answer the lines of standard input until it ends and all are answered; exit where no answer can be written.

    Args:
        answer: Gives the answer to a line, or nothing where none is due; it does not raise.
        at_once: Lines under way; more are not read ahead of them.

    Raises:
        InvalidInput: Standard input or standard output is closed.
        BrokenPipeError: Who read the answers has gone.
    """
    if sys.stdin is None:
        raise InvalidInput("standard input is closed; requests come there")
    require_output()
    with told_when_lost():
        try:
            await _Lines(answer, at_once).run()
        except BaseExceptionGroup as lost:
            raise lost.exceptions[0] from None


class _Lines:
    """The lines under way: a thread reads them, a task each answers, and one after the other writes."""

    def __init__(self, answer: Callable[[bytes], Awaitable[bytes]], at_once: int) -> None:
        self._answer = answer
        self._loop = asyncio.get_running_loop()
        self._room = threading.Semaphore(at_once)
        self._ended = asyncio.Event()
        self._output = asyncio.Lock()
        self._tasks = asyncio.TaskGroup()

    async def run(self) -> None:
        """Until the input ends; the first answer that cannot be written cancels all that is under way."""
        async with self._tasks:
            threading.Thread(target=self._read, name="stdin", daemon=True).start()
            try:
                await self._ended.wait()
            finally:
                self._ended.set()  # so that no more lines are taken

    async def _work(self, line: bytes) -> None:
        data = await self._answer(line)
        if data:
            await self._put(data)
        self._room.release()

    async def _put(self, data: bytes) -> None:
        async with self._output:
            try:
                await asyncio.to_thread(put, data)
            except OSError:
                self._ended.set()
                raise

    def _take(self, line: bytes | None) -> None:
        if line is None:
            self._ended.set()
        elif not self._ended.is_set():
            self._tasks.create_task(self._work(line))

    def _read(self) -> None:
        """Hand over lines as there is room; a raw read holds no lock that the interpreter would want at exit."""
        with contextlib.suppress(RuntimeError):  # the loop has ended: nobody takes lines any more
            try:
                for line in split_lines(sys.stdin.fileno()):
                    self._room.acquire()
                    self._loop.call_soon_threadsafe(self._take, line)
            except (OSError, ValueError) as error:  # what cannot be read has ended
                note(f"standard input cannot be read: {error}")
            self._loop.call_soon_threadsafe(self._take, None)


def split_lines(descriptor: int) -> Iterator[bytes]:
    """The lines of a descriptor that are not blank; of one that is too long, only as much as shows that it is."""
    pieces: list[bytes] = []
    held_bytes = 0
    while chunk := os.read(descriptor, READ_BYTES):
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            line = b"".join((*pieces, piece))
            pieces, held_bytes = [], 0
            if line.strip():
                yield line
        if held_bytes <= MAX_LINE_BYTES:
            pieces.append(rest)
            held_bytes += len(rest)
    last = b"".join(pieces)
    if last.strip():
        yield last
