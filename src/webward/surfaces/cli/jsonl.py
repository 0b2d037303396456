"""The line protocol of ``--jsonl``: each line is answered, whatever it holds, and none stops the rest."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING

from webward.contracts import page
from webward.errors import InvalidInput, WebwardError
from webward.surfaces.cli.run import internal
from webward.surfaces.cli.terminal import note, put, told_when_lost

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

READ_BYTES = 64 * 1024
MAX_LINE_BYTES = 16 * 1024 * 1024  # a request line holds a body at the most; one without an end must not fill memory


async def answer_lines(do: Callable[[object], Awaitable[page.Envelope]], *, concurrency: int) -> None:
    """Answer the lines of standard input, several at once, until it ends.

    Args:
        do: Gives the envelope of a parsed line, or raises.
        concurrency: Requests at once; more lines are not read ahead of them.
    """
    if sys.stdin is None:
        raise InvalidInput("standard input is closed; requests come there")
    lines: asyncio.Queue[bytes | None] = asyncio.Queue(maxsize=concurrency)
    output = asyncio.Lock()
    loop = asyncio.get_running_loop()
    threading.Thread(target=_feed, args=(lines, loop, concurrency), name="stdin", daemon=True).start()

    async def work() -> None:
        while (line := await lines.get()) is not None:
            answer = page.encode(await _answer(do, line)) + b"\n"
            async with output:
                await asyncio.to_thread(put, answer)

    tasks = [asyncio.create_task(work()) for _ in range(concurrency)]
    try:
        with told_when_lost():
            await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


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


async def _answer(do: Callable[[object], Awaitable[page.Envelope]], line: bytes) -> page.Envelope:
    value: object = None
    try:
        value = page.parse_line(line, max_bytes=MAX_LINE_BYTES)
        answer = await do(value)
    except WebwardError as error:
        answer = page.failure_envelope(error)
    except Exception as error:  # noqa: BLE001 - the top handler of a line: a fault of ours must not stop the others
        answer = page.failure_envelope(internal(error))
    return {**page.request_id(value), **answer}


def _feed(lines: asyncio.Queue[bytes | None], loop: asyncio.AbstractEventLoop, readers: int) -> None:
    """Hand over lines as they are taken; a raw read holds no lock that the interpreter would want at exit."""
    with contextlib.suppress(RuntimeError, CancelledError):  # the loop has ended: nobody reads any more
        try:
            for line in split_lines(sys.stdin.fileno()):
                asyncio.run_coroutine_threadsafe(lines.put(line), loop).result()
        except (OSError, ValueError) as error:  # what cannot be read has ended
            note(f"standard input cannot be read: {error}")
        for _ in range(readers):
            asyncio.run_coroutine_threadsafe(lines.put(None), loop).result()
