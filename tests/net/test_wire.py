from __future__ import annotations

import asyncio

import pytest

from webward.net.wire import BUFFER_BYTES, Wire

from .rig import disturbed, judged, wired

ONE_READ_BYTES = 256 * 1024  # the most that the event loop reads at once
LONG = bytes(range(256)) * 32 * 1024  # 8 MiB: more than loopback takes by itself
MOMENT_SECONDS = 0.05  # in which nothing may happen


async def test_bytes_come_in_order_and_then_the_end() -> None:
    async with wired() as (wire, far):
        await far.send(b"one ")
        await far.send(b"two")
        far.close()
        received = b""
        while chunk := await wire.read():
            received += chunk
        assert received == b"one two"
        assert await wire.read() == b""
        assert wire.received_bytes == len(b"one two")


async def test_what_came_before_a_reset_is_read_before_the_error() -> None:
    async with wired() as (wire, far):
        await far.send(b"half")
        await disturbed(wire)
        far.reset()
        assert await wire.read() == b"half"
        with pytest.raises(ConnectionResetError):
            await wire.read()
        with pytest.raises(ConnectionResetError):
            await wire.read()


async def test_reading_pauses_while_nobody_takes() -> None:
    async with wired() as (wire, far):
        sending = asyncio.create_task(far.send(LONG))
        await asyncio.wait({sending}, timeout=MOMENT_SECONDS)
        assert not sending.done()
        assert wire.received_bytes <= BUFFER_BYTES + ONE_READ_BYTES
        received = bytearray()
        while len(received) < len(LONG):
            received += await wire.read()
        await sending
        assert bytes(received) == LONG


async def test_writing_waits_while_the_other_end_does_not_take() -> None:
    async with wired() as (wire, far):
        writing = asyncio.create_task(wire.write(LONG))
        await asyncio.wait({writing}, timeout=MOMENT_SECONDS)
        assert not writing.done()
        received = bytearray()
        while len(received) < len(LONG):
            received += await far.receive()
        await writing
        assert bytes(received) == LONG


async def test_a_reset_ends_a_write_that_waits() -> None:
    async with wired() as (wire, far):
        writing = asyncio.create_task(wire.write(LONG))
        await asyncio.wait({writing}, timeout=MOMENT_SECONDS)
        far.reset()
        with pytest.raises(OSError, match=r"reset|closed|pipe"):
            await writing


async def test_a_cancelled_read_loses_nothing() -> None:
    async with wired() as (wire, far):
        reading = asyncio.create_task(wire.read())
        await asyncio.wait({reading}, timeout=MOMENT_SECONDS)
        reading.cancel()
        await asyncio.wait({reading})
        await far.send(b"still here")
        assert await wire.read() == b"still here"


async def test_a_cancelled_write_leaves_the_wire_whole() -> None:
    async with wired() as (wire, far):
        writing = asyncio.create_task(wire.write(LONG))
        await asyncio.wait({writing}, timeout=MOMENT_SECONDS)
        writing.cancel()
        await asyncio.wait({writing})
        received = bytearray()
        while len(received) < len(LONG):
            received += await far.receive()
        await wire.write(b"more")
        assert await far.receive() == b"more"


async def test_the_watch_is_called_once_at_the_first_byte() -> None:
    calls: list[str] = []
    async with wired() as (wire, far):
        wire.watch(lambda: calls.append("stirred"))
        await far.send(b"x")
        await wire.read()
        await far.send(b"y")
        await wire.read()
    assert calls == ["stirred"]


async def test_the_watch_is_called_at_the_end() -> None:
    async with wired() as (wire, far):
        far.close()
        await disturbed(wire)
        assert not wire.usable


async def test_a_watch_that_was_ended_is_not_called() -> None:
    calls: list[str] = []
    async with wired() as (wire, far):
        wire.watch(lambda: calls.append("stirred"))
        wire.watch(None)
        await far.send(b"x")
        await wire.read()
    assert calls == []


async def test_a_wire_is_usable_while_it_is_open_and_read_empty() -> None:
    async with wired() as (wire, far):
        assert wire.usable
        await far.send(b"x")
        await disturbed(wire)
        assert not wire.usable
        await wire.read()
        assert wire.usable


def test_a_wire_without_a_connection_is_not_usable() -> None:
    assert not Wire(judged()).usable


async def test_abort_closes_at_once_and_drops_what_is_buffered() -> None:
    async with wired() as (wire, far):
        await far.send(b"unread")
        await disturbed(wire)
        wire.abort()
        assert not wire.usable
        assert await far.ended()
        assert await wire.read() == b""
        with pytest.raises(ConnectionResetError):
            await wire.write(b"x")


async def test_plain_tcp_has_no_tls_version() -> None:
    async with wired("93.184.216.34") as (wire, _):
        assert wire.tls is None
        assert wire.peer == judged("93.184.216.34")
