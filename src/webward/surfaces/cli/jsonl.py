"""The line protocol of ``--jsonl``: each line is answered, whatever it holds, and none stops the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webward.contracts import page
from webward.errors import WebwardError
from webward.surfaces.cli import lines
from webward.surfaces.cli.run import internal

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


async def answer_lines(do: Callable[[object], Awaitable[page.Envelope]], *, concurrency: int) -> None:
    """Answer the lines of standard input, several at once, until it ends.

    Args:
        do: Gives the envelope of a parsed line, or raises.
        concurrency: Requests at once.
    """

    async def answer(line: bytes) -> bytes:
        return page.encode(await _answer(do, line)) + b"\n"

    await lines.answer_lines(answer, at_once=concurrency)


async def _answer(do: Callable[[object], Awaitable[page.Envelope]], line: bytes) -> page.Envelope:
    value: object = page.leading_id(line)
    try:
        value = page.parse_line(line, max_bytes=lines.MAX_LINE_BYTES)
        answer = await do(value)
    except WebwardError as error:
        answer = page.failure_envelope(error)
    except Exception as error:  # noqa: BLE001 - the top handler of a line: a fault of ours must not stop the others
        answer = page.failure_envelope(internal(error))
    return {**page.request_id(value), **answer}
