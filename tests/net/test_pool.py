from __future__ import annotations

import asyncio
import contextlib
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from webward.config import EgressPolicy
from webward.net.pool import Pool, PoolKey

from .rig import OTHER_PUBLIC, PUBLIC, WAIT_SECONDS, disturbed, route, wired

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from webward.net.wire import Wire

    from .rig import Far

ORIGIN = ("https", "shop.test", 443)
KEY = PoolKey(ORIGIN, EgressPolicy(), None)
ROUTE = route("https://shop.test/")


@asynccontextmanager
async def pool_of(max_connections: int = 8, idle_seconds: float = 30.0) -> AsyncIterator[Pool]:
    pool = Pool(max_connections=max_connections, idle_seconds=idle_seconds)
    try:
        yield pool
    finally:
        pool.close()


async def ended(wire: Wire) -> None:
    """Return when the wire has learned that the other end is gone."""
    async with asyncio.timeout(WAIT_SECONDS):
        with contextlib.suppress(ConnectionResetError):
            assert await wire.read() == b""


async def test_a_kept_connection_is_given_once() -> None:
    async with pool_of() as pool, wired() as (wire, _):
        pool.put(KEY, wire)
        assert len(pool) == 1
        assert pool.take(KEY, ROUTE) is wire
        assert pool.take(KEY, ROUTE) is None
        assert len(pool) == 0
        assert wire.usable


async def test_the_connection_that_was_used_last_goes_first() -> None:
    async with pool_of() as pool, wired() as (first, _), wired() as (second, _):
        pool.put(KEY, first)
        pool.put(KEY, second)
        assert [pool.take(KEY, ROUTE), pool.take(KEY, ROUTE)] == [second, first]


@pytest.mark.parametrize(
    "key",
    [
        PoolKey(("http", "shop.test", 443), EgressPolicy(), None),
        PoolKey(("https", "other.test", 443), EgressPolicy(), None),
        PoolKey(("https", "shop.test", 8443), EgressPolicy(), None),
        PoolKey(ORIGIN, EgressPolicy.strict(), None),
        PoolKey(ORIGIN, EgressPolicy(), "/ca.pem"),
    ],
    ids=["scheme", "name", "port", "policy", "trust"],
)
async def test_another_key_gets_nothing(key: PoolKey) -> None:
    async with pool_of() as pool, wired() as (wire, _):
        pool.put(KEY, wire)
        assert pool.take(key, ROUTE) is None
        assert pool.take(KEY, ROUTE) is wire


async def test_a_route_gets_only_a_peer_that_was_judged_for_it() -> None:
    """The name has moved: its old address was not judged this time."""
    async with pool_of() as pool, wired(PUBLIC) as (wire, _):
        pool.put(KEY, wire)
        assert pool.take(KEY, route("https://shop.test/", OTHER_PUBLIC)) is None
        assert pool.take(KEY, route("https://shop.test/", OTHER_PUBLIC, PUBLIC)) is wire


async def test_a_peer_that_was_not_judged_hides_no_other() -> None:
    async with pool_of() as pool, wired(PUBLIC) as (good, _), wired(OTHER_PUBLIC) as (other, _):
        pool.put(KEY, good)
        pool.put(KEY, other)
        assert pool.take(KEY, ROUTE) is good


async def test_the_oldest_makes_room() -> None:
    async with AsyncExitStack() as stack:
        pool = await stack.enter_async_context(pool_of(max_connections=2))
        ends: list[tuple[Wire, Far]] = [await stack.enter_async_context(wired()) for _ in range(3)]
        for number, (wire, _) in enumerate(ends):
            pool.put(PoolKey(("http", f"{number}.test", 80), EgressPolicy(), None), wire)
        assert len(pool) == 2
        assert [wire.usable for wire, _ in ends] == [False, True, True]
        assert await ends[0][1].ended()


async def test_a_pool_of_none_keeps_none() -> None:
    async with pool_of(max_connections=0) as pool, wired() as (wire, far):
        pool.put(KEY, wire)
        assert pool.take(KEY, ROUTE) is None
        assert await far.ended()


async def test_a_byte_while_idle_closes_the_connection() -> None:
    async with pool_of() as pool, wired() as (wire, far):
        pool.put(KEY, wire)
        await far.send(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nPOISON")
        assert await far.ended()
        assert len(pool) == 0
        assert pool.take(KEY, ROUTE) is None


@pytest.mark.parametrize("how", ["close", "reset"])
async def test_the_end_while_idle_empties_the_pool(how: str) -> None:
    async with pool_of() as pool, wired() as (wire, far):
        pool.put(KEY, wire)
        getattr(far, how)()
        await ended(wire)
        assert len(pool) == 0
        assert pool.take(KEY, ROUTE) is None


async def test_a_connection_that_was_taken_is_watched_no_more() -> None:
    async with pool_of() as pool, wired() as (wire, far):
        pool.put(KEY, wire)
        pool.take(KEY, ROUTE)
        await far.send(b"answer")
        assert await wire.read() == b"answer"
        pool.put(KEY, wire)
        assert pool.take(KEY, ROUTE) is wire


async def test_a_connection_is_closed_when_its_time_is_over() -> None:
    async with pool_of(idle_seconds=0.01) as pool, wired() as (wire, far):
        pool.put(KEY, wire)
        assert await far.ended()
        assert len(pool) == 0


async def test_a_connection_that_was_taken_has_no_time_any_more() -> None:
    async with pool_of(idle_seconds=0.01) as pool, wired() as (wire, _), wired() as (witness, far):
        pool.put(KEY, wire)
        pool.put(KEY, witness)
        assert pool.take(KEY, ROUTE) is witness
        pool.take(KEY, ROUTE)
        pool.put(KEY, witness)
        assert await far.ended()
        assert wire.usable


async def test_close_closes_all() -> None:
    async with wired() as (first, first_far), wired() as (second, second_far):
        pool = Pool(max_connections=8, idle_seconds=30)
        pool.put(KEY, first)
        pool.put(PoolKey(("http", "other.test", 80), EgressPolicy(), None), second)
        pool.close()
        assert len(pool) == 0
        assert await first_far.ended()
        assert await second_far.ended()


async def test_a_closed_pool_keeps_nothing() -> None:
    """A fetch that outlives its gateway must not leave a connection behind."""
    async with wired() as (wire, far):
        pool = Pool(max_connections=8, idle_seconds=30)
        pool.close()
        pool.put(KEY, wire)
        assert len(pool) == 0
        assert await far.ended()


async def test_an_unread_byte_keeps_a_connection_from_being_given() -> None:
    async with pool_of() as pool, wired() as (wire, far):
        await far.send(b"x")
        await disturbed(wire)
        pool.put(KEY, wire)
        assert pool.take(KEY, ROUTE) is None
