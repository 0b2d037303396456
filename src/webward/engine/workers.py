"""Where content work runs: in this process, or in a pool of processes that each die alone.

A worker is started as a module of webward's own, never by importing the user's main module again, and is killed when
it passes its time, is no longer waited for, or breaks the protocol; the next job finds a new one.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol

import msgspec

from webward import errors
from webward.engine.content import ContentJob, read_content
from webward.engine.deadline import require_time
from webward.engine.worker import LENGTH_BYTES, MAX_FRAME_BYTES, Answer, Failure, framed
from webward.errors import ContentTooCostly, InvalidInput, WebwardError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from webward.config import ContentSettings
    from webward.model import Reading

_ERRORS: dict[str, type[WebwardError]] = {
    kind.code: kind for kind in (errors.InvalidInput, errors.UnsupportedContent, errors.ContentUndecodable)
}


class ContentWork(Protocol):
    """Does content work."""

    async def read(self, job: ContentJob) -> Reading:
        """Read a body; raises as `engine.content.read_content`, and ContentTooCostly."""
        ...

    async def close(self) -> None:
        """End what is running."""
        ...


class InlineWork:
    """Implements `ContentWork` in this process: quickest for one page at a time, without a limit of memory.

    Nothing interrupts it, so that other calls wait; the deadline is asked for after each step.
    """

    async def read(self, job: ContentJob) -> Reading:
        """Read a body.

        Raises:
            DeadlineExceeded: The deadline passed in a step.
        """
        reading = read_content(job, require_time)
        require_time()
        return reading

    async def close(self) -> None:
        """Nothing is running."""


class PooledWork:
    """Implements `ContentWork` in processes.

    Args:
        settings: How many, and their limits.
    """

    def __init__(self, settings: ContentSettings) -> None:
        self._settings = settings
        self._free = asyncio.Semaphore(settings.workers)
        self._idle: list[asyncio.subprocess.Process] = []

    @property
    def pids(self) -> tuple[int, ...]:
        """The process ids of idle workers."""
        return tuple(worker.pid for worker in self._idle)

    async def read(self, job: ContentJob) -> Reading:
        """Read a body in a worker, as soon as one is free; a deadline that passes ends the wait or the worker.

        Raises:
            ContentTooCostly: The worker passed its time or memory, or died.
        """
        try:
            frame = framed(msgspec.msgpack.encode(job))
        except UnicodeEncodeError:
            raise InvalidInput("the text or an option holds a lone surrogate, which no encoding can write") from None
        async with self._worker() as worker:
            try:
                async with asyncio.timeout(self._settings.seconds):
                    answer = await _exchange(worker, frame)
            except TimeoutError:
                message = f"reading the page took longer than {self._settings.seconds:g} s"
                raise ContentTooCostly(message, setting="content.seconds") from None
            except (OSError, EOFError, msgspec.DecodeError):
                message = "the worker died on the page, most likely of its memory limit"
                raise ContentTooCostly(message, setting="content.memory-bytes") from None
        if isinstance(answer, Failure):
            raise _ERRORS.get(answer.code, WebwardError)(answer.message)
        return answer.reading

    async def close(self) -> None:
        """Kill idle workers."""
        while self._idle:
            await _kill(self._idle.pop())

    @asynccontextmanager
    async def _worker(self) -> AsyncIterator[asyncio.subprocess.Process]:
        async with self._free:
            worker = self._living() or await self._start()
            try:
                yield worker
            except BaseException:
                await _kill(worker)
                raise
            self._idle.append(worker)

    def _living(self) -> asyncio.subprocess.Process | None:
        """An idle worker that has not died meanwhile."""
        while self._idle:
            worker = self._idle.pop()
            if worker.returncode is None:
                return worker
        return None

    async def _start(self) -> asyncio.subprocess.Process:
        memory_bytes = self._settings.memory_bytes
        code = f"import sys; sys.path[:] = {sys.path!r}; from webward.engine.worker import main; main({memory_bytes})"
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", code),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )


async def _exchange(worker: asyncio.subprocess.Process, frame: bytes) -> Answer:
    if worker.stdin is None or worker.stdout is None:
        raise EOFError
    worker.stdin.write(frame)
    await worker.stdin.drain()
    length = int.from_bytes(await worker.stdout.readexactly(LENGTH_BYTES))
    if length > MAX_FRAME_BYTES:
        raise EOFError
    data = await worker.stdout.readexactly(length)
    return msgspec.msgpack.decode(data, type=Answer)


async def _kill(worker: asyncio.subprocess.Process) -> None:
    if worker.returncode is None:
        worker.kill()
    if worker.stdin is not None:
        worker.stdin.close()
    await worker.wait()
