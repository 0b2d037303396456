"""How long is waited between two questions, and when no third is asked."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from webward.engine.fetch import from_bytes
from webward.errors import ProviderFailed
from webward.model import Execution, Headers, Request
from webward.providers.client import FIRST_WAIT_SECONDS, Client, Question
from webward.testing import FrozenClock

if TYPE_CHECKING:
    from webward.model import Fetched

URL = "https://s.example/"


class Busy:
    """Implements `webward.ports.ProviderTransport`: a status each time, and how long to wait."""

    def __init__(self, *statuses: int, retry_after: str | None = None) -> None:
        self._statuses = list(statuses)
        self._headers = Headers((("retry-after", retry_after),) if retry_after else ())
        self.requests: list[Request] = []

    async def send(self, url: str, request: Request) -> Fetched:
        self.requests.append(request)
        fetched = from_bytes(b"{}", url=url, media_type=None, clock=FrozenClock())
        return replace(fetched, status=self._statuses.pop(0), headers=self._headers)


async def waits(transport: Busy, *, seconds: float = 30.0) -> tuple[list[float], int]:
    """The pauses that were made, and how often was asked."""
    pauses: list[float] = []

    async def pause(length: float) -> None:
        pauses.append(length)

    client = Client(transport=transport, credential=None, clock=FrozenClock(), pause=pause)
    execution = Execution(effect_id="e", deadline=asyncio.get_running_loop().time() + seconds)
    question = Question(url=URL, request=Request(method="GET", headers=()))
    with contextlib.suppress(ProviderFailed):
        await client.ask(lambda _key: question, execution, rejection="no")
    return pauses, len(transport.requests)


@pytest.mark.parametrize("status", [429, 502])
async def test_waits_grow_and_are_spread(status: int) -> None:
    seen = [await waits(Busy(status, status, status)) for _ in range(50)]
    first, second = [pauses[0] for pauses, _ in seen], [pauses[1] for pauses, _ in seen]
    assert {len(pauses) for pauses, _ in seen} == {2}
    assert {sent for _, sent in seen} == {3}
    assert all(FIRST_WAIT_SECONDS * 0.5 <= wait <= FIRST_WAIT_SECONDS * 1.5 for wait in first)
    assert all(FIRST_WAIT_SECONDS <= wait <= FIRST_WAIT_SECONDS * 3 for wait in second)
    assert len(set(first)) > 10


@pytest.mark.parametrize(
    ("statuses", "retry_after", "seconds", "pauses", "sent"),
    [
        ((200,), None, 30, [], 1),
        ((500,), "1", 30, [], 1),
        ((503,), "1", 30, [], 1),
        ((429, 200), "2", 30, [2.0], 2),
        ((502, 500), "2", 30, [2.0], 2),
        ((429, 502, 429), "7", 30, [7.0, 7.0], 3),
        ((429, 200), "Thu, 01 Jan 2026 00:00:05 GMT", 30, [5.0], 2),
        ((429, 200), "Wed, 31 Dec 2025 00:00:00 GMT", 30, [0.0], 2),
        ((429,), "31", 30, [], 1),
        ((429,), "3600", 30, [], 1),
        ((429,), None, 0.1, [], 1),
    ],
)
async def test_what_the_provider_asks_for_is_kept_within_the_deadline(
    statuses: tuple[int, ...], retry_after: str | None, seconds: float, pauses: list[float], sent: int
) -> None:
    assert await waits(Busy(*statuses, retry_after=retry_after), seconds=seconds) == (pauses, sent)
