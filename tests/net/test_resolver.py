from __future__ import annotations

import asyncio
import errno
import gc
import resource
import socket
import threading
from contextlib import asynccontextmanager, contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from webward.errors import NameNotFound, Overloaded, ResolverFailed, WebwardError
from webward.net.resolver import (
    CHANNEL_LOOKUPS,
    CHANNEL_LOOKUPS_AT_ONCE,
    CHANNEL_SECONDS,
    FAMILY_GRACE_SECONDS,
    MAX_NAMES,
    CachingResolver,
    DnsSource,
    Lookup,
    SystemSource,
)
from webward.testing import FrozenClock

from .nameserver import Entry, NameServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from webward.model import Address

MANY_SECONDS = 5.0
SHORT_SECONDS = 0.3


def addresses(*texts: str) -> tuple[Address, ...]:
    return tuple(map(ip_address, texts))


FIRST, SECOND = addresses("93.184.216.34"), addresses("93.184.216.35")


@asynccontextmanager
async def asking(
    *, deadline_seconds: float = MANY_SECONDS, clock: FrozenClock | None = None
) -> AsyncIterator[tuple[NameServer, DnsSource]]:
    async with NameServer() as server:
        source = DnsSource(
            clock or FrozenClock(),
            deadline_seconds=deadline_seconds,
            servers=[server.place],
        )
        try:
            yield server, source
        finally:
            await source.close()


async def test_both_families_are_asked_once_with_the_root_dot() -> None:
    async with asking() as (server, source):
        server.table["shop.test"] = Entry(addresses=("93.184.216.34", "2606:4700::1"), ttl=77)
        found = await source.lookup("shop.test")
        assert set(found.addresses) == set(addresses("93.184.216.34", "2606:4700::1"))
        assert found.ttl_seconds == 77
        assert sorted(server.questions) == ["shop.test. A", "shop.test. AAAA"]


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        (Entry(addresses=("93.184.216.34",)), ("93.184.216.34",)),
        (Entry(addresses=("2606:4700::1",)), ("2606:4700::1",)),
        (Entry(cname="edge.test"), ("93.184.216.99",)),
        (Entry(cname="hop.test"), ("93.184.216.99",)),
        (Entry(addresses=("93.184.216.34", "93.184.216.34")), ("93.184.216.34",)),
        (Entry(addresses=("10.0.0.1", "::ffff:a00:1", "::1")), ("::ffff:a00:1", "::1", "10.0.0.1")),
    ],
    ids=["IPv4 only", "IPv6 only", "alias", "alias of alias", "twice the same", "private ones, to be judged"],
)
async def test_all_addresses_of_a_name_are_told(entry: Entry, found: tuple[str, ...]) -> None:
    async with asking() as (server, source):
        server.table |= {
            "shop.test": entry,
            "hop.test": Entry(cname="edge.test"),
            "edge.test": Entry(addresses=("93.184.216.99",)),
        }
        told = (await source.lookup("shop.test")).addresses
        assert sorted(map(str, told)) == sorted(str(ip_address(text)) for text in found)


async def test_an_alias_lives_no_longer_than_its_shortest_record() -> None:
    async with asking() as (server, source):
        server.table["shop.test"] = Entry(cname="edge.test", ttl=7)
        server.table["edge.test"] = Entry(addresses=("93.184.216.99",), ttl=500)
        assert (await source.lookup("shop.test")).ttl_seconds == 7


@pytest.mark.parametrize(
    ("count", "truncated"), [(26, 0), (60, 1), (300, 1)], ids=["fits into a datagram", "TCP", "many over TCP"]
)
async def test_long_answers_come_whole(count: int, truncated: int) -> None:
    async with asking() as (server, source):
        listed = tuple(f"93.184.{number // 256}.{number % 256}" for number in range(count))
        server.table["shop.test"] = Entry(addresses=listed)
        assert set((await source.lookup("shop.test")).addresses) == set(addresses(*listed))
        assert server.truncated == truncated


@pytest.mark.parametrize(
    ("entry", "kind", "retryable"),
    [
        (Entry(rcode="NXDOMAIN"), NameNotFound, False),
        (Entry(), NameNotFound, False),
        (Entry(cname="empty.test"), NameNotFound, False),
        (Entry(rcode="SERVFAIL"), ResolverFailed, True),
        (Entry(rcode="REFUSED"), ResolverFailed, True),
        (Entry(silent=("A", "AAAA")), ResolverFailed, True),
        (Entry(silent=("A",)), NameNotFound, False),
        (Entry(rcode="SERVFAIL", silent=("A",)), ResolverFailed, True),
    ],
    ids=[
        *("NXDOMAIN", "no data", "alias of nothing", "SERVFAIL", "REFUSED", "silence"),
        *("no data and silence", "SERVFAIL and silence"),
    ],
)
async def test_no_address_is_told_from_no_answer(entry: Entry, kind: type[WebwardError], *, retryable: bool) -> None:
    async with asking(deadline_seconds=SHORT_SECONDS) as (server, source):
        server.table |= {"shop.test": entry, "empty.test": Entry()}
        with pytest.raises(kind) as caught:
            await source.lookup("shop.test")
    assert caught.value.retryable is retryable
    assert "shop.test" in caught.value.message


@pytest.mark.parametrize("silent", ["A", "AAAA"])
async def test_one_silent_family_does_not_hide_the_other(silent: str) -> None:
    async with asking(deadline_seconds=SHORT_SECONDS) as (server, source):
        server.table["shop.test"] = Entry(addresses=("93.184.216.34", "2606:4700::1"), silent=(silent,))
        left = "2606:4700::1" if silent == "A" else "93.184.216.34"
        async with asyncio.timeout(FAMILY_GRACE_SECONDS):
            assert (await source.lookup("shop.test")).addresses == addresses(left)


async def test_a_silent_family_is_not_waited_for_until_the_deadline() -> None:
    async with asking(deadline_seconds=2 * MANY_SECONDS) as (server, source), asyncio.timeout(MANY_SECONDS):
        server.table["shop.test"] = Entry(addresses=("93.184.216.34",), silent=("AAAA",))
        assert (await source.lookup("shop.test")).addresses == addresses("93.184.216.34")


async def test_a_late_family_is_waited_for() -> None:
    """Else an attacker could leave out the bad half of an answer by a little delay."""
    async with asking() as (server, source):
        server.table["shop.test"] = Entry(addresses=("93.184.216.34", "fd00::1"), late_seconds=(("AAAA", 0.1),))
        assert set((await source.lookup("shop.test")).addresses) == set(addresses("93.184.216.34", "fd00::1"))


async def test_the_deadline_is_one_for_both_families() -> None:
    async with asking(deadline_seconds=SHORT_SECONDS) as (server, source):
        late = (("A", SHORT_SECONDS * 0.6), ("AAAA", SHORT_SECONDS * 1.4))
        server.table["shop.test"] = Entry(addresses=("2606:4700::1",), late_seconds=late)
        with pytest.raises(NameNotFound):
            await source.lookup("shop.test")


async def test_a_cancelled_lookup_ends_and_harms_no_other() -> None:
    async with asking() as (server, source):
        server.table["silent.test"] = Entry(silent=("A", "AAAA"))
        server.table["shop.test"] = Entry(addresses=("93.184.216.34",))
        asking_in_vain = asyncio.create_task(source.lookup("silent.test"))
        await server.until_asked(2)
        asking_in_vain.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking_in_vain
        assert (await source.lookup("shop.test")).addresses == addresses("93.184.216.34")


async def test_many_unanswered_lookups_hold_up_no_other() -> None:
    async with asking() as (server, source):
        server.table["shop.test"] = Entry(addresses=("93.184.216.34",))
        server.table |= {f"{number}.silent.test": Entry(silent=("A", "AAAA")) for number in range(50)}
        stuck = [asyncio.create_task(source.lookup(f"{number}.silent.test")) for number in range(50)]
        await server.until_asked(100)
        assert (await source.lookup("shop.test")).addresses == addresses("93.184.216.34")
        for task in stuck:
            task.cancel()
        await asyncio.wait(stuck)


async def test_closing_ends_the_questions_under_way() -> None:
    async with asking() as (server, source):
        server.table["silent.test"] = Entry(silent=("A", "AAAA"))
        lookup = asyncio.create_task(source.lookup("silent.test"))
        await server.until_asked(2)
        await source.close()
        with pytest.raises(ResolverFailed):
            await lookup


@pytest.mark.parametrize(
    "name",
    ["shop.test", "a.b", "a", "1.2.a3", f"{'a' * 63}.{'b-' * 31}b.{'c' * 63}.{'4' * 61}"],
    ids=["name", "short", "shortest", "digits", "longest"],
)
async def test_every_lookup_asks_and_all_in_the_same_words(name: str) -> None:
    async with asking() as (server, source):
        server.table[name] = Entry(addresses=("93.184.216.34",), ttl=3600)
        for count in range(1, 21):
            assert (await source.lookup(name)).addresses == addresses("93.184.216.34")
            assert len(server.questions) == 2 * count
        assert set(server.questions) == {f"{name}. A", f"{name}. AAAA"}


async def test_a_name_that_did_not_exist_is_asked_again() -> None:
    async with asking() as (server, source):
        with pytest.raises(NameNotFound):
            await source.lookup("shop.test")
        server.table["shop.test"] = Entry(addresses=("93.184.216.34",))
        assert (await source.lookup("shop.test")).addresses == addresses("93.184.216.34")


async def test_a_hidden_service_is_never_asked_for() -> None:
    async with asking() as (server, source):
        for _ in range(20):
            with pytest.raises(NameNotFound):
                await source.lookup("shop.test")
            with pytest.raises(NameNotFound):
                await source.lookup("a.onion")
        assert set(server.questions) == {"shop.test. A", "shop.test. AAAA"}


async def test_another_server_answers_when_the_first_fails() -> None:
    async with NameServer() as first, NameServer() as second:
        first.table["shop.test"] = Entry(rcode="SERVFAIL")
        second.table["shop.test"] = Entry(addresses=("93.184.216.34",))
        places = [first.place, second.place]
        source = DnsSource(FrozenClock(), deadline_seconds=MANY_SECONDS, servers=places)
        assert (await source.lookup("shop.test")).addresses == addresses("93.184.216.34")
        assert first.questions
        await source.close()


@pytest.mark.parametrize("seconds", [CHANNEL_SECONDS, 0], ids=["time", "lookups"])
async def test_the_configuration_is_read_again_after_some(seconds: float) -> None:
    clock, name = FrozenClock(), "configuration.test"
    async with NameServer() as first, NameServer() as second:
        first.table[name], second.table[name] = (Entry(addresses=(f"93.184.216.{end}",)) for end in (34, 35))
        servers = [first.place]
        source = DnsSource(clock, deadline_seconds=MANY_SECONDS, servers=servers)
        await source.lookup(name)
        servers[0] = second.place
        assert (await source.lookup(name)).addresses == FIRST
        for _ in range(0 if seconds else CHANNEL_LOOKUPS // 50):
            await asyncio.gather(*(source.lookup(name) for _ in range(50)))
        clock.advance(seconds)
        assert (await source.lookup(name)).addresses == SECOND
        await source.close()


async def test_a_crowd_of_lookups_has_several_sockets_and_leaves_none() -> None:
    async with asking() as (server, source):
        before = descriptors()
        server.table |= {"shop.test": Entry(addresses=("93.184.216.34",)), "silent.test": Entry(silent=("A", "AAAA"))}
        stuck: list[asyncio.Task[Lookup]] = []
        while len(stuck) < 2 * CHANNEL_LOOKUPS_AT_ONCE:
            stuck += [asyncio.create_task(source.lookup("silent.test")) for _ in range(CHANNEL_LOOKUPS_AT_ONCE // 2)]
            await server.until_asked(2 * len(stuck))
        assert (await source.lookup("shop.test")).addresses == addresses("93.184.216.34")
        assert len(server.ports) >= 3
        for task in stuck:
            task.cancel()
        await asyncio.wait(stuck)
        assert descriptors() == before


@pytest.mark.parametrize("tick", range(4))
async def test_lookups_that_are_canceled_at_any_moment_leave_nothing(tick: int) -> None:
    async with asking() as (server, source):
        server.table |= {f"{number}.test": Entry(addresses=("93.184.216.34",)) for number in range(50)}
        before = descriptors()
        lookups = [asyncio.create_task(source.lookup(f"{number}.test")) for number in range(50)]
        for _ in range(tick):
            await until_next_tick()
        for lookup in lookups[::2]:
            lookup.cancel()
        ended = await asyncio.gather(*lookups, return_exceptions=True)
        assert all(isinstance(one, Lookup) for one in ended[1::2])
        await source.close()
        assert descriptors() == before


async def until_next_tick() -> None:
    """Return after what the event loop can do now."""
    reached = asyncio.Event()
    asyncio.get_running_loop().call_soon(reached.set)
    await reached.wait()


def descriptors() -> int:
    """How many are open in this process."""
    return len(list(Path("/dev/fd").iterdir()))


@contextmanager
def no_descriptors_left() -> Iterator[None]:
    """Those that are open stay open."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@pytest.mark.parametrize(("count", "questions"), [(1, 2), (60, 3)], ids=["UDP", "TCP"])
async def test_closing_while_questions_are_open_leaves_nothing(count: int, questions: int) -> None:
    async with asking() as (server, source):
        before = descriptors()
        listed = tuple(f"93.184.216.{number}" for number in range(count))
        server.table["shop.test"] = Entry(addresses=listed, late_seconds=(("A", 0.05),))
        lookup = asyncio.create_task(source.lookup("shop.test"))
        await server.until_asked(questions)
        await source.close()
        with pytest.raises((ResolverFailed, NameNotFound)):
            await lookup
        async with asyncio.timeout(MANY_SECONDS):
            while descriptors() > before:  # the server has its own end to close
                await until_next_tick()


async def test_closing_ends_a_crowd_at_once() -> None:
    async with asking() as (server, source):
        server.table["silent.test"] = Entry(silent=("A", "AAAA"))
        stuck = [asyncio.create_task(source.lookup("silent.test")) for _ in range(CHANNEL_LOOKUPS_AT_ONCE + 1)]
        await until_next_tick()
        await source.close()
        async with asyncio.timeout(MANY_SECONDS / 2):
            ended = await asyncio.gather(*stuck, return_exceptions=True)
        assert {type(one) for one in ended} == {ResolverFailed}


async def test_nothing_stays_of_a_lookup() -> None:
    async with asking() as (server, source):
        server.table["shop.test"] = Entry(addresses=("93.184.216.34", "2606:4700::1"), late_seconds=(("A", 0.01),))
        server.table["a.b"] = Entry(addresses=("93.184.216.34",))
        for name in ("shop.test", "a.b") * 10:
            await source.lookup(name)
        gc.collect()
        assert [one for one in gc.get_objects() if type(one).__name__ == "_Inquiry"] == []


async def test_a_source_that_was_closed_may_be_asked_again() -> None:
    async with asking() as (server, source):
        server.table["shop.test"] = Entry(addresses=("93.184.216.34",))
        await source.close()
        assert (await source.lookup("shop.test")).addresses == addresses("93.184.216.34")


async def test_without_a_free_descriptor_a_lookup_fails_and_the_configuration_is_read_again() -> None:
    """c-ares takes 127.0.0.1 for the name server when it cannot open the file that names it."""
    async with NameServer() as first, NameServer() as second:
        first.table["shop.test"], second.table["shop.test"] = (
            Entry(addresses=(f"93.184.216.{end}",)) for end in (34, 35)
        )
        servers = [first.place]
        source = DnsSource(FrozenClock(), deadline_seconds=MANY_SECONDS, servers=servers)
        with no_descriptors_left(), pytest.raises(ResolverFailed):
            await source.lookup("shop.test")
        servers[0] = second.place
        assert (await source.lookup("shop.test")).addresses == SECOND
        await source.close()


class Told:
    """A source that answers as it is told, and counts."""

    def __init__(self, *lookups: Lookup) -> None:
        self._lookups = list(lookups)
        self.asked: list[str] = []
        self.closed = False

    async def lookup(self, host: str) -> Lookup:
        self.asked.append(host)
        return self._lookups.pop(0) if len(self._lookups) > 1 else self._lookups[0]

    async def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize(
    ("ttl", "max_seconds", "after", "kept"),
    [
        (30, 60, 29, True),
        (30, 60, 30, False),
        (3600, 60, 59, True),
        (3600, 60, 60, False),
        (0, 60, 0, False),
        (3600, 0, 0, False),
    ],
    ids=["within TTL", "TTL over", "within ceiling", "ceiling over", "TTL 0", "ceiling 0"],
)
async def test_an_answer_is_kept_for_its_ttl_up_to_a_ceiling(
    ttl: int, max_seconds: float, after: float, *, kept: bool
) -> None:
    clock, source = FrozenClock(), Told(Lookup(FIRST, ttl), Lookup(SECOND, ttl))
    resolver = CachingResolver(source, clock, max_seconds=max_seconds)
    assert await resolver.resolve("shop.test") == FIRST
    clock.advance(after)
    assert await resolver.resolve("shop.test") == (FIRST if kept else SECOND)
    assert len(source.asked) == (1 if kept else 2)


async def test_a_new_answer_begins_a_new_time() -> None:
    clock, source = FrozenClock(), Told(Lookup(FIRST, 30), Lookup(SECOND, 30))
    resolver = CachingResolver(source, clock, max_seconds=60)
    await resolver.resolve("shop.test")
    clock.advance(40)
    await resolver.resolve("shop.test")
    clock.advance(29)
    assert await resolver.resolve("shop.test") == SECOND
    assert len(source.asked) == 2


async def test_names_are_kept_apart() -> None:
    source = Told(Lookup(FIRST, 30), Lookup(SECOND, 30))
    resolver = CachingResolver(source, FrozenClock(), max_seconds=60)
    assert [await resolver.resolve(name) for name in ("a.test", "b.test", "a.test")] == [FIRST, SECOND, FIRST]
    assert source.asked == ["a.test", "b.test"]


async def test_the_oldest_answer_makes_room() -> None:
    source = Told(Lookup(FIRST, 30))
    resolver = CachingResolver(source, FrozenClock(), max_seconds=60)
    for number in range(MAX_NAMES + 1):
        await resolver.resolve(f"{number}.test")
    await resolver.resolve("1.test")
    assert len(source.asked) == MAX_NAMES + 1
    await resolver.resolve("0.test")
    assert len(source.asked) == MAX_NAMES + 2


@pytest.mark.parametrize("host", ["localhost", "a.localhost"])
async def test_localhost_is_answered_without_a_question(host: str) -> None:
    source = Told(Lookup(FIRST, 30))
    resolver = CachingResolver(source, FrozenClock(), max_seconds=60)
    assert await resolver.resolve(host) == addresses("127.0.0.1", "::1")
    assert source.asked == []


async def test_closing_forgets_and_closes_the_source() -> None:
    source = Told(Lookup(FIRST, 30), Lookup(SECOND, 30))
    resolver = CachingResolver(source, FrozenClock(), max_seconds=60)
    await resolver.resolve("shop.test")
    await resolver.close()
    assert source.closed
    assert await resolver.resolve("shop.test") == SECOND


async def test_a_ttl_of_zero_is_asked_for_each_time_down_to_the_server() -> None:
    """Rebinding: the second answer must be seen, so that it is judged."""
    async with asking() as (server, source):
        resolver = CachingResolver(source, FrozenClock(), max_seconds=60)
        server.table["shop.test"] = Entry(addresses=("93.184.216.34",), ttl=0)
        assert await resolver.resolve("shop.test") == FIRST
        server.table["shop.test"] = Entry(addresses=("127.0.0.1",), ttl=0)
        assert await resolver.resolve("shop.test") == addresses("127.0.0.1")


def info(address: str) -> tuple[Any, ...]:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return family, socket.SOCK_STREAM, 6, "", (address, 0)


def system(getaddrinfo: Callable[..., list[tuple[Any, ...]]], *, threads: int = 2) -> SystemSource:
    return SystemSource(deadline_seconds=SHORT_SECONDS, threads=threads, getaddrinfo=getaddrinfo)


async def test_the_system_is_asked_with_the_root_dot_and_its_answer_is_not_kept() -> None:
    asked: list[tuple[object, ...]] = []

    def answer(host: str, port: object, **options: object) -> list[tuple[Any, ...]]:
        asked.append((host, port, options, threading.current_thread().daemon))
        return [info("93.184.216.34"), info("2606:4700::1"), info("93.184.216.34")]

    found = await system(answer).lookup("shop.test")
    assert found == Lookup(addresses("93.184.216.34", "2606:4700::1"), 0)
    assert asked == [("shop.test.", None, {"type": socket.SOCK_STREAM}, True)]


@pytest.mark.parametrize(
    ("problem", "kind"),
    [
        (socket.gaierror(socket.EAI_NONAME, "not known"), NameNotFound),
        (socket.gaierror(socket.EAI_AGAIN, "failed for now"), ResolverFailed),
        (socket.gaierror(socket.EAI_FAIL, "failed"), ResolverFailed),
        (OSError(errno.EMFILE, "no files are left"), ResolverFailed),
        (TimeoutError(errno.ETIMEDOUT, "took too long"), ResolverFailed),
    ],
    ids=["no name", "for now", "for ever", "system error", "system timeout"],
)
async def test_what_the_system_says_is_translated(problem: OSError, kind: type[WebwardError]) -> None:
    def fail(*_: object, **__: object) -> list[tuple[Any, ...]]:
        raise problem

    source = system(fail)
    for _ in range(3):  # each failure frees its thread
        with pytest.raises(kind, match=r"shop\.test"):
            await source.lookup("shop.test")


async def test_a_stuck_system_is_busy_and_never_a_queue() -> None:
    release = threading.Event()

    def stick(host: str, *_: object, **__: object) -> list[tuple[Any, ...]]:
        if host == "stuck.test.":
            release.wait(MANY_SECONDS)
        return [info("93.184.216.34")]

    source = system(stick, threads=2)
    stuck = [asyncio.create_task(source.lookup("stuck.test")) for _ in range(2)]
    await asyncio.wait(stuck, timeout=0.01)
    with pytest.raises(Overloaded) as caught:
        await source.lookup("shop.test")
    assert (caught.value.setting, caught.value.retryable) == ("network.resolver-threads", True)
    for task in stuck:
        with pytest.raises(ResolverFailed) as late:
            await task
        assert late.value.setting == "limits.resolve-seconds"
    with pytest.raises(Overloaded):  # their threads are still stuck
        await source.lookup("shop.test")
    release.set()
    async with asyncio.timeout(MANY_SECONDS):
        assert await until_free(source) == addresses("93.184.216.34")


async def until_free(source: SystemSource) -> tuple[Address, ...]:
    while True:
        try:
            return (await source.lookup("shop.test")).addresses
        except Overloaded:
            await asyncio.wait({asyncio.create_task(asyncio.Event().wait())}, timeout=0.01)


async def test_a_cancelled_lookup_of_the_system_ends_at_once() -> None:
    release = threading.Event()

    def stick(*_: object, **__: object) -> list[tuple[Any, ...]]:
        release.wait(MANY_SECONDS)
        return []

    lookup = asyncio.create_task(system(stick).lookup("stuck.test"))
    await asyncio.wait({lookup}, timeout=0.01)
    lookup.cancel()
    with pytest.raises(asyncio.CancelledError):
        await lookup
    release.set()


def test_a_loop_may_close_while_the_system_is_stuck() -> None:
    release, ended = threading.Event(), threading.Event()

    def stick(*_: object, **__: object) -> list[tuple[Any, ...]]:
        release.wait(MANY_SECONDS)
        ended.set()
        return []

    with pytest.raises(ResolverFailed):
        asyncio.run(system(stick).lookup("stuck.test"))
    release.set()
    assert ended.wait(MANY_SECONDS)
