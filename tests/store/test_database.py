"""Faults of the file and of its folder: each is `store-unavailable` and passes when its cause does."""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import tempfile
import time
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from webward.config import StoreSettings
from webward.errors import InvalidConfiguration, StoreUnavailable
from webward.model import Decision, Resource
from webward.store import SqliteImageCache, SqliteQuota
from webward.store.database import CURRENT_SECONDS
from webward.testing import FrozenClock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.store.conftest import Store

CALLS = Resource("calls", 10**6)


async def refused(quota: SqliteQuota) -> StoreUnavailable:
    with pytest.raises(StoreUnavailable) as caught:
        await quota.take("user", CALLS)
    return caught.value


async def noticed(quota: SqliteQuota, *, used: int) -> None:
    """Take until it is noticed that the file is another one."""
    until = time.monotonic() + 10 * CURRENT_SECONDS
    while (await quota.take("user", CALLS)).used != used:
        assert time.monotonic() < until


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """The file as another process keeps it that writes and does not come to an end."""
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


# --- locked


async def test_a_locked_store_refuses_in_time_and_comes_back(store: Store) -> None:
    async with store.quota(wait_seconds=0.1) as quota:
        await quota.take("user", CALLS)
        with locked(store.folder / "quota.sqlite3"):
            error = await refused(quota)
            decided = await quota.take("user", CALLS, 0)  # who only asks needs no lock
        assert (error.message, error.setting) == ("another process keeps the store locked", "store.wait-seconds")
        assert error.retryable
        assert decided.used == 1
        assert (await quota.take("user", CALLS)).used == 2


async def test_a_store_that_is_locked_at_first_is_opened_later(store: Store) -> None:
    async with store.quota() as quota:
        await quota.take("user", CALLS)
    async with store.quota(wait_seconds=0.1) as quota:
        with locked(store.folder / "quota.sqlite3"):
            assert (await refused(quota)).message == "another process keeps the store locked"
        assert (await quota.take("user", CALLS)).used == 2


async def test_who_waits_gets_the_unit_when_the_lock_goes(store: Store) -> None:
    async with store.quota() as quota:
        await quota.take("user", CALLS)
        with locked(store.folder / "quota.sqlite3"):
            waiting = {asyncio.create_task(quota.take("user", CALLS)) for _ in range(3)}
            _, pending = await asyncio.wait(waiting, timeout=0.05)  # the loop goes on meanwhile
            assert pending == waiting
        decisions = await asyncio.gather(*waiting)
    assert sorted(decision.used for decision in decisions) == [2, 3, 4]


async def test_a_queue_does_not_wait_longer_than_one(store: Store) -> None:
    async with store.quota(wait_seconds=0.2) as quota:
        await quota.take("user", CALLS)
        with locked(store.folder / "quota.sqlite3"):
            began = asyncio.get_running_loop().time()
            given = await asyncio.gather(*(quota.take("user", CALLS) for _ in range(100)), return_exceptions=True)
            assert asyncio.get_running_loop().time() - began < 10  # 100 waits would be 20 seconds
        assert {type(error) for error in given} == {StoreUnavailable}
        assert (await quota.take("user", CALLS)).used == 2


async def test_a_take_that_is_cancelled_leaves_nothing_open(store: Store) -> None:
    async with store.quota() as quota:
        await quota.take("user", CALLS)
        with locked(store.folder / "quota.sqlite3"):
            waiting = asyncio.create_task(quota.take("user", CALLS))
            await asyncio.wait({waiting}, timeout=0.05)
            waiting.cancel()
            assert await asyncio.gather(waiting, return_exceptions=True)
        assert (await quota.take("user", CALLS)).used in {2, 3}


# --- broken, replaced, removed


@pytest.mark.parametrize("content", [b"x" * 4096, b"SQLite format 3\0" + b"\xff" * 4096, b"\0" * 100_000])
async def test_what_is_no_database_is_left_alone(store: Store, content: bytes) -> None:
    store.folder.mkdir()
    file = store.folder / "quota.sqlite3"
    file.write_bytes(content)
    async with store.quota(wait_seconds=0.1) as quota:
        error = await refused(quota)
        assert "remove it to begin anew" in error.message
        assert not error.retryable
        assert file.read_bytes() == content
        file.unlink()
        assert (await quota.take("user", CALLS)).used == 1


@pytest.mark.parametrize("seed", range(30))
async def test_a_broken_file_is_an_error_or_none(store: Store, seed: int) -> None:
    async with store.quota() as quota:
        for number in range(200):
            await quota.take(f"user {number}", CALLS)
    file, draw = store.folder / "quota.sqlite3", random.Random(seed)  # noqa: S311 - where it breaks
    content = bytearray(file.read_bytes())
    for _ in range(draw.choice((1, 10, 1000))):
        content[draw.randrange(100 if seed % 3 == 0 else len(content))] = draw.randrange(256)
    file.write_bytes(content[: draw.choice((len(content), len(content) // 2, 4096, 50))])
    async with store.quota(wait_seconds=0.1) as quota:
        for number in range(0, 400, 7):
            try:
                assert isinstance(await quota.take(f"user {number}", CALLS), Decision)
            except StoreUnavailable as error:
                assert error.setting in {"store.folder", "store.wait-seconds", "store.secret", None}  # noqa: PT017 - either


async def test_a_file_that_breaks_while_it_is_open_is_opened_again_when_whole(store: Store) -> None:
    file = store.folder / "quota.sqlite3"
    async with store.quota() as quota:
        await quota.take("user", CALLS)
    whole = file.read_bytes()
    async with store.quota(wait_seconds=0.1) as quota:
        assert (await quota.take("user", CALLS, 0)).used == 1
        file.unlink()
        file.write_bytes(b"x" * 4096)
        with pytest.raises(StoreUnavailable, match="no SQLite file"):
            await noticed(quota, used=0)
        file.unlink()
        file.write_bytes(whole)
        assert (await quota.take("user", CALLS)).used == 2


async def test_a_store_that_was_removed_is_made_anew_by_all(store: Store) -> None:
    async with store.quota() as quota, store.quota() as another:
        assert [(await each.take("user", CALLS)).used for each in (quota, another)] == [1, 2]
        for file in store.folder.iterdir():
            file.unlink()
        await noticed(quota, used=1)
        await noticed(another, used=2)
        assert [(await each.take("user", CALLS)).used for each in (quota, another)] == [3, 4]


async def test_the_store_of_another_version_is_left_alone(store: Store) -> None:
    async with store.quota() as quota:
        await quota.take("user", CALLS)
    with closing(sqlite3.connect(store.folder / "quota.sqlite3")) as connection:
        connection.execute("PRAGMA user_version = 2")
    async with store.quota() as quota:
        error = await refused(quota)
    assert "another version" in error.message
    assert not error.retryable


# --- the folder


async def test_the_folder_is_made_for_its_owner_alone(store: Store) -> None:
    async with store.quota() as quota, store.images() as images:
        await quota.take("user", CALLS)
        await images.latest("channel")
        modes = {file.name: file.stat().st_mode & 0o777 for file in store.folder.iterdir()}
    assert store.folder.stat().st_mode & 0o777 == 0o700
    assert {"quota.sqlite3", "images.sqlite3", "secret"} <= set(modes)
    assert set(modes.values()) == {0o600}


@pytest.fixture
def others_folder() -> Iterator[Path]:
    """A folder that everybody may enter, and only its owner may write."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)
        yield folder
        folder.chmod(0o700)


@pytest.mark.usefixtures("no_rights")
@pytest.mark.parametrize("within", ["", "below"])
async def test_a_folder_that_may_not_be_written_is_said(others_folder: Path, within: str) -> None:
    quota = SqliteQuota(StoreSettings(folder=str(others_folder / within)), FrozenClock())
    error = await refused(quota)
    await quota.close()
    assert error.message == "the folder of the store cannot be used: Permission denied"
    assert (error.setting, error.retryable) == ("store.folder", False)


async def test_a_file_in_the_place_of_the_folder_is_said(store: Store) -> None:
    store.folder.write_text("")
    async with store.quota() as quota:
        assert "cannot be used" in (await refused(quota)).message


async def test_a_folder_in_the_place_of_the_file_is_said(store: Store) -> None:
    (store.folder / "quota.sqlite3").mkdir(parents=True)
    async with store.quota() as quota:
        assert (await refused(quota)).message == "the store can be neither opened nor made"


@pytest.mark.parametrize("name", ["a" * 300, "\u00e9\u4e2d \U0001f600", "a?mode=memory", "%00", "file:x", "\udcff"])
async def test_a_strange_folder_is_used_or_said(tmp_path: Path, name: str) -> None:
    quota = SqliteQuota(StoreSettings(folder=str(tmp_path / name)), FrozenClock())
    try:
        assert (await quota.take("user", CALLS)).used == 1
        assert (tmp_path / name / "quota.sqlite3").is_file()
    except StoreUnavailable as error:
        assert error.setting == "store.folder"  # noqa: PT017 - either
    finally:
        await quota.close()


async def test_a_message_tells_no_path(store: Store) -> None:
    store.folder.write_text("")
    async with store.quota() as quota:
        assert str(store.folder) not in str(await refused(quota))


@pytest.mark.parametrize("kind", [SqliteQuota, SqliteImageCache])
def test_without_a_folder_there_is_no_store(kind: type[SqliteQuota | SqliteImageCache]) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        kind(StoreSettings(), FrozenClock())
    assert caught.value.setting == "store.folder"


# --- the end


async def test_a_closed_store_refuses(store: Store) -> None:
    async with store.quota() as quota:
        await quota.take("user", CALLS)
    assert (await refused(quota)).message == "the store is closed"
    await quota.close()


async def test_what_waits_when_the_store_is_closed_is_told(store: Store) -> None:
    async with store.quota(wait_seconds=0.3) as quota:
        await quota.take("user", CALLS)
        with locked(store.folder / "quota.sqlite3"):
            waiting = {asyncio.create_task(quota.take("user", CALLS)) for _ in range(5)}
            await asyncio.wait(waiting, timeout=0.05)
            await quota.close()
    given = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(error) for error in given} == {StoreUnavailable}


@pytest.mark.skipif("not os.path.isdir('/proc/self/fd')", reason="open files are counted on Linux")
async def test_nothing_stays_open(store: Store) -> None:
    await asyncio.to_thread(len, "")  # the loop's own thread is there
    before = set(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names are all it takes
    for _ in range(5):
        async with store.quota() as quota, store.images() as images:
            await quota.take("user", CALLS)
            await images.latest("channel")
    assert len(set(os.listdir("/proc/self/fd"))) == len(before)  # noqa: PTH208 - the same
