"""The line protocol of `webward fetch --jsonl`: each line is answered, whatever it holds, and none stops the rest."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from typing import TYPE_CHECKING

from webward.contracts import page
from webward.errors import WebwardError
from webward.surfaces.cli.run import internal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webward.engine.gateway import Gateway

READ_BYTES = 64 * 1024
MAX_LINE_BYTES = 16 * 1024 * 1024  # a request line holds a body at the most; one without an end must not fill memory


async def answer_lines(gateway: Gateway, *, concurrency: int) -> None:
    """Answer the lines of standard input, several at once, until it ends.

    Args:
        gateway: An open gateway.
        concurrency: Requests at once; more lines are not read ahead of them.
    """
    lines: asyncio.Queue[bytes | None] = asyncio.Queue(maxsize=concurrency)
    output = asyncio.Lock()
    loop = asyncio.get_running_loop()
    threading.Thread(target=_feed, args=(lines, loop, concurrency), name="stdin", daemon=True).start()

    async def work() -> None:
        while (line := await lines.get()) is not None:
            answer = page.encode(await _answer(gateway, line)) + b"\n"
            async with output:
                await asyncio.to_thread(_write, answer)

    async with asyncio.TaskGroup() as workers:
        for _ in range(concurrency):
            workers.create_task(work())


def split_lines(descriptor: int) -> Iterator[bytes]:
    """The lines of a descriptor that are not blank; of one that is too long, only as much as shows that it is."""
    rest = b""
    while chunk := os.read(descriptor, READ_BYTES):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line for line in lines if line.strip())
        rest = rest[: MAX_LINE_BYTES + 1]
    if rest.strip():
        yield rest


async def _answer(gateway: Gateway, line: bytes) -> page.Envelope:
    value: object = None
    try:
        value = page.parse_line(line, max_bytes=MAX_LINE_BYTES)
        request = page.fetch_request(value)
        answer = page.fetched_envelope(await gateway.fetch(request.url, **request.arguments()))
    except WebwardError as error:
        answer = page.failure_envelope(error)
    except Exception as error:  # noqa: BLE001 - the top handler of a line: a fault of ours must not stop the others
        answer = page.failure_envelope(internal(error))
    return {**page.request_id(value), **answer}


def _feed(lines: asyncio.Queue[bytes | None], loop: asyncio.AbstractEventLoop, readers: int) -> None:
    """Hand over lines as they are taken; a raw read holds no lock that the interpreter would want at exit."""
    try:
        for line in split_lines(sys.stdin.fileno()):
            asyncio.run_coroutine_threadsafe(lines.put(line), loop).result()
        for _ in range(readers):
            asyncio.run_coroutine_threadsafe(lines.put(None), loop).result()
    except RuntimeError:  # the loop was closed: nobody reads any more
        return


def _write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
