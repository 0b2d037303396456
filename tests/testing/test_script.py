from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from webward.testing import Close, Pause, Reset, Send
from webward.testing.script import play, response

if TYPE_CHECKING:
    from webward.testing.script import Step


async def played(*steps: Step) -> tuple[bytes, bool]:
    """What a client reads while the steps are done, and whether the connection goes on."""
    outcome: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        outcome.set_result(await play(steps, writer))
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server, asyncio.timeout(5):
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        try:
            return await reader.read(), await outcome
        finally:
            writer.close()


@pytest.mark.parametrize(
    ("steps", "received", "goes_on"),
    [
        ((), b"", True),
        ((Send(b"a"), Send(b"b")), b"ab", True),
        ((Send(b"a", times=3),), b"aaa", True),
        ((Send(b"a", times=2, every_seconds=0.001), Pause(0.001), Send(b"b")), b"aab", True),
        ((Send(b"a", times=0),), b"", True),
        ((Send(b"a"), Close(), Send(b"b")), b"a", False),
    ],
)
async def test_steps_are_done_in_order(steps: tuple[Step, ...], received: bytes, *, goes_on: bool) -> None:
    assert await played(*steps) == (received, goes_on)


async def test_a_reset_is_seen_as_one() -> None:
    with pytest.raises(ConnectionResetError):
        await played(Send(b"a"), Reset(), Send(b"b"))


def test_an_ordinary_response_has_its_length() -> None:
    assert response(b"body", status=404, headers=[("X-A", "1"), ("X-A", "2")]) == (
        Send(b"HTTP/1.1 404 Scripted\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 4\r\n\r\nbody"),
    )
