from __future__ import annotations

import asyncio

import pytest

from webward.engine.deadline import deadline, now, require_time
from webward.errors import DeadlineExceeded

LONG = 1_000.0


async def test_what_waits_is_canceled() -> None:
    with pytest.raises(DeadlineExceeded, match=r"0\.01 s") as caught:
        async with deadline(0.01):
            await asyncio.Event().wait()

    assert caught.value.retryable
    assert caught.value.setting == "limits.deadline-seconds"


async def test_what_does_not_wait_can_ask() -> None:
    require_time()
    async with deadline(LONG):
        require_time()
    with pytest.raises(DeadlineExceeded, match="2 s"):
        async with deadline(2, since=now() - 3):
            require_time()
    require_time()


@pytest.mark.parametrize("since", [(LONG, 0.0), (0.0, LONG)], ids=["the outer one", "the inner one"])
async def test_the_first_of_two_that_passes_counts(since: tuple[float, float]) -> None:
    outer, inner = since
    with pytest.raises(DeadlineExceeded):
        async with deadline(LONG, since=now() - outer), deadline(LONG, since=now() - inner):
            require_time()


async def test_each_task_has_its_own() -> None:
    async def ask() -> bool:
        require_time()
        return True

    other = asyncio.create_task(ask())
    with pytest.raises(DeadlineExceeded):
        async with deadline(1, since=now() - 2):
            require_time()
    assert await other
