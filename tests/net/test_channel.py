from __future__ import annotations

import asyncio
import gc
import socket
import threading
from typing import TYPE_CHECKING

import pycares
import pytest

from webward.net.channel import TICK_SECONDS, Channel

from .nameserver import Entry, NameServer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

MANY_SECONDS = 5.0
A = pycares.QUERY_TYPE_A


class SocketlessLoop(asyncio.SelectorEventLoop):
    """Does not watch sockets for others, as Windows' proactor."""

    add_reader = asyncio.AbstractEventLoop.add_reader
    add_writer = asyncio.AbstractEventLoop.add_writer
    remove_reader = asyncio.AbstractEventLoop.remove_reader
    remove_writer = asyncio.AbstractEventLoop.remove_writer


LOOPS = pytest.mark.parametrize("loop", [asyncio.SelectorEventLoop, SocketlessLoop], ids=["watching", "not watching"])


def run(loop: Callable[[], asyncio.AbstractEventLoop], work: Callable[[], Awaitable[None]]) -> None:
    async def in_time() -> None:
        async with asyncio.timeout(MANY_SECONDS):
            await work()

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(in_time())


class Answers:
    """What a channel has told, and in which thread."""

    def __init__(self) -> None:
        self.told: list[tuple[list[object] | None, int | None]] = []
        self.threads: set[threading.Thread] = set()
        self._came = asyncio.Event()

    def __call__(self, result: pycares.DNSResult | None, error: int | None) -> None:
        self.told.append(([record.data for record in result.answer] if result else None, error))
        self.threads.add(threading.current_thread())
        self._came.set()

    async def until(self, count: int) -> None:
        while len(self.told) < count:
            self._came.clear()
            await self._came.wait()


@LOOPS
def test_an_answer_is_told_in_the_thread_of_the_loop(loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    async def work() -> None:
        async with NameServer() as server:
            server.table["shop.test"] = Entry(addresses=("93.184.216.34",))
            channel, answers = Channel([server.place]), Answers()
            assert not channel.ask("shop.test.", A, answers)
            assert answers.told == []
            await answers.until(1)
            channel.close()
        assert answers.told == [([pycares.ARecordData("93.184.216.34")], None)]
        assert answers.threads == {threading.current_thread()}

    run(loop, work)


@LOOPS
def test_what_c_ares_has_kept_is_told_at_once(loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    async def work() -> None:
        async with NameServer() as server:
            server.table["shop.test"] = Entry(addresses=("93.184.216.34",))
            channel, answers = Channel([server.place]), Answers()
            channel.ask("shop.test.", A, answers)
            await answers.until(1)
            assert channel.ask("shop.test.", A, answers)
            channel.close()
        assert answers.told == [([pycares.ARecordData("93.184.216.34")], None)] * 2

    run(loop, work)


@LOOPS
@pytest.mark.parametrize("name", ["a..test.", f"{'a' * 64}.test."], ids=["empty label", "long label"])
def test_what_cannot_be_asked_is_told_once(loop: Callable[[], asyncio.AbstractEventLoop], name: str) -> None:
    async def work() -> None:
        async with NameServer() as server:
            channel, answers = Channel([server.place]), Answers()
            assert channel.ask(name, A, answers)
            channel.close()
        assert answers.told == [(None, pycares.errno.ARES_EBADNAME)]

    run(loop, work)


@LOOPS
def test_closing_ends_open_questions(loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    async def work() -> None:
        async with NameServer() as server:
            server.table["silent.test"] = Entry(silent=("A",))
            channel, answers = Channel([server.place]), Answers()
            channel.ask("silent.test.", A, answers)
            channel.ask("silent.test.", A, answers)
            await server.until_asked(2)
            channel.close()
            await answers.until(2)
        assert answers.told == [(None, pycares.errno.ARES_ECANCELLED)] * 2

    run(loop, work)


@LOOPS
def test_a_question_that_is_lost_is_asked_again(loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    async def work() -> None:
        async with NameServer() as server:
            server.table["shop.test"] = Entry(addresses=("93.184.216.34",), ttl=0)
            channel, answers = Channel([server.place]), Answers()
            for count in range(1, 11):  # which teaches c-ares how quick the server is
                channel.ask("shop.test.", A, answers)
                await answers.until(count)
            server.table["shop.test"] = Entry(silent=("A",))
            channel.ask("shop.test.", A, answers)
            await server.until_asked(11)
            server.table["shop.test"] = Entry(addresses=("93.184.216.35",))
            await answers.until(11)
            channel.close()
        assert answers.told[-1] == ([pycares.ARecordData("93.184.216.35")], None)
        assert len(server.questions) == 12

    run(loop, work)


@LOOPS
def test_a_closed_channel_does_nothing_more(
    loop: Callable[[], asyncio.AbstractEventLoop], caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        channel, answers = Channel(["127.0.0.1:9"]), Answers()
        channel.ask("shop.test.", A, answers)
        channel.close()
        await asyncio.wait([asyncio.ensure_future(asyncio.Event().wait())], timeout=1.5 * TICK_SECONDS)

    run(loop, work)
    assert caplog.records == []


@LOOPS
def test_a_channel_may_be_closed_after_its_loop(
    loop: Callable[[], asyncio.AbstractEventLoop], capfd: pytest.CaptureFixture[str]
) -> None:
    channels = []

    async def work() -> None:
        async with NameServer() as server:
            server.table["silent.test"] = Entry(silent=("A",))
            channels.append(Channel([server.place]))
            channels[0].ask("silent.test.", A, Answers())
            await server.until_asked(1)

    thread = threading.Thread(target=run, args=(loop, work))
    thread.start()
    thread.join()
    channels[0].close()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "states",
    [
        [(True, False)],
        [(True, False), (True, True)],
        [(True, True), (True, False)],
        [(True, True), (False, True)],
        [(True, True), (False, False)],
    ],
)
async def test_the_loop_watches_what_c_ares_waits_for(states: list[tuple[bool, bool]]) -> None:
    loop, channel = asyncio.get_running_loop(), Channel(["127.0.0.1:9"])
    ours, theirs = socket.socketpair()
    with ours, theirs:
        for readable, writable in states:
            channel.watch(ours.fileno(), readable=readable, writable=writable)
        assert (loop.remove_reader(ours), loop.remove_writer(ours)) == states[-1]
    channel.close()


@LOOPS
def test_a_loop_may_end_before_its_channel(
    loop: Callable[[], asyncio.AbstractEventLoop], capfd: pytest.CaptureFixture[str]
) -> None:
    async def work() -> None:
        async with NameServer() as server:
            server.table["silent.test"] = Entry(silent=("A",))
            channel, answers = Channel([server.place]), Answers()
            channel.ask("silent.test.", A, answers)
            await server.until_asked(1)

    run(loop, work)
    gc.collect()
    assert capfd.readouterr().err == ""
