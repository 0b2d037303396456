from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from webward.errors import InvalidInput
from webward.model import Decision, Resource
from webward.model.quota import MOST_UNITS
from webward.store.quota import PURGED_ROWS
from webward.testing.clock import EPOCH

if TYPE_CHECKING:
    from tests.store.conftest import Store

    from webward.store import SqliteQuota

CALLS = Resource("calls", 3)
BERLIN = Resource("calls", 3, "Europe/Berlin")
DAY_SECONDS = 86_400
MIDNIGHT = datetime(2026, 1, 2, tzinfo=UTC)  # the first after the clock's beginning


async def used_up(quota: SqliteQuota, user: str = "user", resource: Resource = CALLS) -> None:
    """Take all there is, and see that it is all."""
    taken = [(await quota.take(user, resource)).allowed for _ in range(resource.daily_limit + 1)]
    assert taken == [*[True] * resource.daily_limit, False]


def rows(store: Store) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(store.folder / "quota.sqlite3")) as connection:
        return connection.execute(
            "SELECT resource, day, used FROM usage WHERE user <> x'' ORDER BY resource, day"
        ).fetchall()


async def test_units_are_taken_until_there_are_none(store: Store) -> None:
    async with store.quota() as quota:
        decisions = [await quota.take("user", CALLS) for _ in range(5)]
    assert [(decision.allowed, decision.used) for decision in decisions] == [
        *[(True, 1), (True, 2), (True, 3), (False, 3), (False, 3)]
    ]
    assert decisions[0] == Decision(allowed=True, used=1, limit=3, resets_at=MIDNIGHT)


@pytest.mark.parametrize(
    ("amounts", "expected"),
    [
        ([4], [(False, 0)]),
        ([2, 2, 1, 1], [(True, 2), (False, 2), (True, 3), (False, 3)]),
        ([3, 0, 1], [(True, 3), (True, 3), (False, 3)]),
        ([0, 0], [(True, 0), (True, 0)]),
        ([MOST_UNITS], [(False, 0)]),
    ],
)
async def test_all_units_are_taken_or_none(store: Store, amounts: list[int], expected: list[tuple[bool, int]]) -> None:
    async with store.quota() as quota:
        decisions = [await quota.take("user", CALLS, amount) for amount in amounts]
    assert [(decision.allowed, decision.used) for decision in decisions] == expected


async def test_a_limit_of_nothing_gives_nothing(store: Store) -> None:
    async with store.quota() as quota:
        assert not (await quota.take("user", Resource("calls", 0))).allowed


async def test_a_limit_may_change(store: Store) -> None:
    async with store.quota() as quota:
        await used_up(quota)
        assert await quota.take("user", Resource("calls", 2), 0) == Decision(
            allowed=False, used=3, limit=2, resets_at=MIDNIGHT
        )
        assert (await quota.take("user", Resource("calls", 4))).used == 4


async def test_the_largest_numbers_are_counted(store: Store) -> None:
    resource = Resource("bytes", MOST_UNITS)
    async with store.quota() as quota:
        assert (await quota.take("user", resource, MOST_UNITS)).allowed
        assert not (await quota.take("user", resource, MOST_UNITS)).allowed
        assert (await quota.take("user", resource, 0)).used == MOST_UNITS


async def test_users_and_resources_are_apart(store: Store) -> None:
    async with store.quota() as quota:
        for user in ("a", "b", "A", "a ", " a"):
            for name in ("calls", "bytes", "searches"):
                await used_up(quota, user, Resource(name, 2))


@pytest.mark.parametrize(
    "user",
    ["\0", "a\0", "\ud800", "\udc00\ud800", "\U0001f600", "'; DROP TABLE usage", "x" * 1_000_000, "\x7f\r\n"],
)
async def test_a_hostile_user_is_a_user(store: Store, user: str) -> None:
    async with store.quota() as quota:
        await used_up(quota, "a")
        await used_up(quota, user)
        await used_up(quota, user + "\0")


@pytest.mark.parametrize(
    ("user", "resource", "amount", "problem"),
    [
        ("", CALLS, 1, "user must be a text"),
        (None, CALLS, 1, "user must be a text"),
        (b"user", CALLS, 1, "user must be a text"),
        (1, CALLS, 1, "user must be a text"),
        ("user", "calls", 1, "Resource"),
        ("user", CALLS, -1, "amount"),
        ("user", CALLS, True, "amount"),
        ("user", CALLS, 1.0, "amount"),
        ("user", CALLS, MOST_UNITS + 1, "amount"),
        ("user", CALLS, None, "amount"),
        ("user", Resource("calls", 1, "Nowhere"), 1, "time zone"),
    ],
)
async def test_a_wrong_argument_is_named(store: Store, user: Any, resource: Any, amount: Any, problem: str) -> None:
    async with store.quota() as quota:
        with pytest.raises(InvalidInput, match=problem):
            await quota.take(user, resource, amount)
        assert (await quota.take("user", CALLS)).used == 1  # nothing was counted


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        (("calls", -1), "daily_limit"),
        (("calls", True), "daily_limit"),
        (("calls", 1.0), "daily_limit"),
        (("calls", MOST_UNITS + 1), "daily_limit"),
        (("", 1), "name of a resource"),
        (("Calls", 1), "name of a resource"),
        (("calls\n", 1), "name of a resource"),
        (("a" * 65, 1), "name of a resource"),
        (("\u0661", 1), "name of a resource"),
        ((None, 1), "name of a resource"),
        (("calls", 1, 5), "time zone"),
        (("calls", 1, ["UTC"]), "time zone"),
    ],
)
def test_a_wrong_resource_is_named(values: tuple[Any, ...], problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem):
        Resource(*values)


# --- days


async def test_the_next_day_gives_all_again(store: Store) -> None:
    async with store.quota() as quota:
        await used_up(quota)
        store.clock.advance(DAY_SECONDS - 0.001)
        assert not (await quota.take("user", CALLS)).allowed
        store.clock.advance(0.001)
        assert await quota.take("user", CALLS, 0) == Decision(
            allowed=True, used=0, limit=3, resets_at=MIDNIGHT + timedelta(days=1)
        )
        await used_up(quota)


@pytest.mark.parametrize(
    ("begins", "hours"),
    [("2026-03-28T23:00+00:00", 23), ("2026-10-24T22:00+00:00", 25), ("2026-06-30T22:00+00:00", 24)],
)
async def test_a_day_is_as_long_as_the_zone_has_it(store: Store, begins: str, hours: int) -> None:
    began = datetime.fromisoformat(begins)
    store.clock.advance((began - EPOCH).total_seconds() - 1)
    async with store.quota() as quota:
        await used_up(quota, resource=BERLIN)
        store.clock.advance(1)
        await used_up(quota, resource=BERLIN)
        assert (await quota.take("user", BERLIN)).resets_at == began + timedelta(hours=hours)
        store.clock.advance(hours * 3600 - 1)
        assert not (await quota.take("user", BERLIN)).allowed
        store.clock.advance(1)
        await used_up(quota, resource=BERLIN)


@pytest.mark.parametrize("days", [-1, -2, -30, -365 * 5])
@pytest.mark.parametrize("restarts", [False, True])
async def test_a_clock_that_goes_back_gives_no_second_allowance(store: Store, days: int, *, restarts: bool) -> None:
    async with store.quota() as quota:
        await used_up(quota)
        store.clock.advance(days * DAY_SECONDS)
        async with store.quota() as other:
            asked = other if restarts else quota
            assert await asked.take("user", CALLS) == Decision(allowed=False, used=3, limit=3, resets_at=MIDNIGHT)
            await used_up(asked, "another")
        store.clock.advance(-days * DAY_SECONDS)
        assert not (await quota.take("user", CALLS)).allowed
        assert not (await quota.take("another", CALLS)).allowed


async def test_a_clock_that_goes_back_and_forth_gives_one_allowance_a_day(store: Store) -> None:
    async with store.quota() as quota:
        await used_up(quota)
        store.clock.advance(DAY_SECONDS)
        await used_up(quota)
        for days in (-1, 1, -2, 2, -1, -1, 2):
            store.clock.advance(days * DAY_SECONDS)
            assert not (await quota.take("user", CALLS)).allowed
        store.clock.advance(DAY_SECONDS)
        await used_up(quota)


async def test_what_counts_one_thing_does_not_move_the_day_of_another(store: Store) -> None:
    async with store.quota() as quota:
        store.clock.advance(23 * 3600)
        await used_up(quota, resource=Resource("ahead", 1, "Pacific/Kiritimati"))
        assert (await quota.take("user", CALLS)).resets_at == MIDNIGHT


async def test_rows_of_earlier_days_are_removed(store: Store) -> None:
    async with store.quota() as quota:
        await quota.take("user", Resource("other", 1))
        for number in range(2 * PURGED_ROWS + 1):
            await quota.take(f"user {number}", CALLS)
        store.clock.advance(DAY_SECONDS)
        await quota.take("user 7", CALLS)
    today = datetime(2026, 1, 2, tzinfo=UTC).toordinal()
    assert rows(store) == [("calls", today, 1), ("other", today - 1, 1)]


async def test_a_new_process_removes_what_an_old_one_left(store: Store) -> None:
    async with store.quota() as quota:
        await quota.take("user", CALLS)
    store.clock.advance(3 * DAY_SECONDS)
    async with store.quota() as quota:
        await quota.take("another", CALLS)
    assert len(rows(store)) == 1


async def test_removed_rows_give_no_second_allowance(store: Store) -> None:
    async with store.quota() as quota:
        await used_up(quota)
        store.clock.advance(DAY_SECONDS)
        await used_up(quota, "another")
    store.clock.advance(-DAY_SECONDS)
    async with store.quota() as quota:
        await used_up(quota)  # that of the second day, which has begun
        store.clock.advance(DAY_SECONDS)
        assert not (await quota.take("user", CALLS)).allowed


# --- threads and tasks; processes are in test_processes


async def test_many_tasks_lose_nothing(store: Store) -> None:
    resource = Resource("calls", 150)
    async with store.quota() as quota:
        decisions = await asyncio.gather(*(quota.take("user", resource) for _ in range(200)))
    assert sum(decision.allowed for decision in decisions) == 150


async def test_many_threads_share_one_quota(store: Store) -> None:
    resource, got = Resource("calls", 300), []

    async def take() -> None:
        got.extend([(await quota.take("user", resource)).allowed for _ in range(50)])

    async with store.quota() as quota:
        threads = [threading.Thread(target=asyncio.run, args=(take(),)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            await asyncio.to_thread(thread.join)
    assert (len(got), sum(got)) == (400, 300)


# --- what is on the disk


async def test_no_user_is_written_anywhere(store: Store) -> None:
    user = "somebody@example.com"
    async with store.quota() as quota:
        await quota.take(user, CALLS)
        held = b"".join(file.read_bytes() for file in store.folder.iterdir())
    assert b"calls" in held
    assert user.encode() not in held
    assert b"somebody" not in held
