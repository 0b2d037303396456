"""Real worker processes."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import pytest

from webward.config import ContentSettings, ReadOptions
from webward.content.media import ContentKind
from webward.engine.content import ContentJob, read_content
from webward.engine.deadline import deadline, now
from webward.engine.workers import InlineWork, PooledWork
from webward.errors import ContentTooCostly, DeadlineExceeded, InvalidInput

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

ONE_WORKER = ContentSettings(workers=1)
# Terabytes of text, of which the first megabytes already pass any limit of memory.
HUGE = "<p>" + "words and " * 30_000_000


def _job(text: str, **options: object) -> ContentJob:
    return ContentJob(
        kind=ContentKind.HTML,
        media_type="text/html",
        url="http://a.test/",
        text=text,
        body=b"",
        options=ReadOptions(**options),  # type: ignore[arg-type]
    )


async def _died(pid: int) -> None:
    """Wait until the event loop has seen that a child is gone."""
    async with asyncio.timeout(10):
        while _is_there(pid):
            await asyncio.to_thread(lambda: None)
        for _ in range(10):  # and has been told so
            await asyncio.to_thread(lambda: None)


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
async def pool() -> AsyncIterator[PooledWork]:
    work = PooledWork(ONE_WORKER)
    yield work
    await work.close()


async def test_a_worker_gives_what_this_process_gives(pool: PooledWork) -> None:
    job = _job("<title>T</title><h1>Hi</h1><p>é <a href=/x>link</a>", include_links=True, include_media=True)

    assert await pool.read(job) == await InlineWork().read(job) == read_content(job)


async def test_a_worker_serves_again(pool: PooledWork) -> None:
    await pool.read(_job("<p>one"))
    (first,) = pool.pids
    await pool.read(_job("<p>two"))

    assert pool.pids == (first,)


async def test_errors_come_back_as_themselves(pool: PooledWork) -> None:
    with pytest.raises(InvalidInput, match=r"p\["):
        await pool.read(_job("<p>x", target_elements=("p[",)))
    assert len(pool.pids) == 1


async def test_a_page_that_takes_too_long_is_given_up() -> None:
    pool = PooledWork(ContentSettings(workers=1, seconds=0.001))

    with pytest.raises(ContentTooCostly) as caught:
        await pool.read(_job("<p>x" * 100_000))

    assert caught.value.setting == "content.seconds"
    assert pool.pids == ()
    await pool.close()


async def test_a_page_that_takes_too_much_memory_kills_only_its_worker() -> None:
    pool = PooledWork(ContentSettings(workers=1, seconds=60, memory_bytes=300 * 1024 * 1024))

    with pytest.raises(ContentTooCostly) as caught:
        await pool.read(_job(HUGE))

    assert caught.value.setting == "content.memory-bytes"
    assert (await pool.read(_job("<p>small"))).text == "small"
    await pool.close()


async def test_a_worker_that_dies_is_replaced(pool: PooledWork) -> None:
    await pool.read(_job("<p>one"))
    (first,) = pool.pids
    os.kill(first, signal.SIGKILL)

    await _died(first)

    assert (await pool.read(_job("<p>two"))).text == "two"
    assert pool.pids != (first,)


async def test_what_cannot_be_encoded_is_an_input_error(pool: PooledWork) -> None:
    with pytest.raises(InvalidInput):
        await pool.read(_job("<p>\ud800"))
    with pytest.raises(InvalidInput):
        await pool.read(_job("<p>x", target_elements=("a\ud800",)))


async def test_more_jobs_than_workers_wait_their_turn(pool: PooledWork) -> None:
    readings = await asyncio.gather(*(pool.read(_job(f"<p>{number}")) for number in range(10)))

    assert [reading.text for reading in readings] == [f"{number}" for number in range(10)]
    assert len(pool.pids) == 1


async def test_a_canceled_job_leaves_no_worker_in_doubt(pool: PooledWork) -> None:
    await pool.read(_job("<p>warm"))
    task = asyncio.create_task(pool.read(_job("<p>x" * 2_000_000)))
    await asyncio.wait([task], timeout=0.05)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

    assert (await pool.read(_job("<p>next"))).text == "next"


async def test_a_deadline_that_passes_ends_the_worker(pool: PooledWork) -> None:
    await pool.read(_job("<p>warm"))
    (first,) = pool.pids

    with pytest.raises(DeadlineExceeded):
        async with deadline(1, since=now() - 2):
            await pool.read(_job("<p>x"))

    assert (await pool.read(_job("<p>next"))).text == "next"
    assert pool.pids != (first,)


async def test_a_deadline_that_passes_ends_the_wait_for_a_worker(pool: PooledWork) -> None:
    await pool.read(_job("<p>warm"))
    served = asyncio.create_task(pool.read(_job("<p>first")))
    await asyncio.wait([served], timeout=0)

    with pytest.raises(DeadlineExceeded):
        async with deadline(1, since=now() - 2):
            await pool.read(_job("<p>second"))

    assert (await served).text == "first"
    assert len(pool.pids) == 1


async def test_a_deadline_that_passes_is_told_where_nothing_can_interrupt() -> None:
    with pytest.raises(DeadlineExceeded):
        async with deadline(1, since=now() - 2):
            await InlineWork().read(_job("<p>x"))
    async with deadline(1_000):
        assert (await InlineWork().read(_job("<p>x"))).text == "x"
