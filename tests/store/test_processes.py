"""Many processes with one store: nothing is lost, nothing is given twice, whatever dies in the midst."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.e2e.namespace import call
from tests.store.conftest import go, said

from webward.model import Resource
from webward.net.clock import SystemClock
from webward.store import SqliteQuota

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.store.conftest import Store

CALLS = Resource("calls", 1_000_000)


async def used(store: Store, user: str = "user") -> int:
    quota = SqliteQuota(store.settings(), SystemClock())
    decision = await quota.take(user, CALLS, 0)
    await quota.close()
    return decision.used


@pytest.mark.parametrize("number", [2, 8])
async def test_the_last_unit_goes_to_one(store: Store, number: int) -> None:
    takers = store.takers(number, limit=1, count=1)
    assert [said(taker) for taker in takers] == ["ready"] * number
    for attempt in range(50):
        assert sorted(go(takers, f"user {attempt}")) == [*[0] * (number - 1), 1]


async def test_ten_thousand_takes_lose_none(store: Store) -> None:
    takers = store.takers(8, limit=9_900, count=1_250)  # they begin at once, and make the store together
    assert [said(taker) for taker in takers] == ["ready"] * 8
    assert sum(go(takers)) == 9_900
    assert await used(store) == 9_900


async def test_a_killed_process_takes_nothing_along(store: Store) -> None:
    told = killed = 0
    for _ in range(3):
        words = ("--limit", 10**6, "--count", 10**6, "--tells-all")
        takers = [store.start("taker", store.folder, *words) for _ in range(2)]
        assert [said(taker) for taker in takers] == ["ready", "ready"]
        last = go(takers)
        while last[0] < 100:
            last[0] = int(said(takers[0]))
        for taker in takers:
            taker.kill()
        for index, taker in enumerate(takers):
            lines: Iterable[str] = taker.stdout or ()
            told += max([last[index], *(int(line) for line in lines if line.endswith("\n"))])  # the last may be cut
            killed += 1
        assert told <= await used(store) <= told + killed  # one that was killed may not have told of its last


@pytest.mark.skipif("not hasattr(__import__('os'), 'fork')", reason="there is no fork here")
def test_a_fork_does_not_share_a_connection(store: Store) -> None:
    assert said(store.start("forker", store.folder)) == "0 210"


def mount_prefix() -> tuple[str, ...]:
    for prefix in (("unshare", "--mount"), ("unshare", "--user", "--map-root-user", "--mount")):
        try:
            if call(*prefix, "true").returncode == 0:
                return prefix
        except OSError:
            continue
    pytest.skip("this user may make no mount namespace, so that there is no small disk to fill")


async def test_a_full_disk_is_no_free_pass(store: Store, tmp_path: Path) -> None:
    place = tmp_path / "disk"
    place.mkdir()
    process = store.start("full_disk", place, prefix=mount_prefix())
    seen = msgspec.json.decode(process.communicate(timeout=60)[0])
    full = ["store-unavailable", "the disk of the store is full", True]

    assert seen["before"][0]["used"] == 1
    assert seen["too_large"] == [full, 1]
    assert seen["full"] == [full] * 3
    assert (seen["after"][0]["allowed"], seen["after"][0]["used"]) == (True, 2)
    assert seen["after"][1]["id"] == seen["before"][1]["id"]
    assert seen["after"][2] == 1
