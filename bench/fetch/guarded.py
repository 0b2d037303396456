"""The client under test: one gateway, with the settings that a case needs and no other; every guard is on."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from webward import Gateway, Limits, NetworkSettings, Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bench.fetch.case import Case
    from bench.fetch.client import Answer, Fetch


@asynccontextmanager
async def webward(case: Case, *, network: NetworkSettings | None = None) -> AsyncIterator[Fetch]:
    """A gateway that keeps as many connections as there are requests at once, or none."""
    limits = Limits(idle_connections=case.concurrency if case.kept else 0)
    async with Gateway(Settings(limits=limits, network=network or NetworkSettings())) as gateway:

        async def fetch(url: str) -> Answer:
            fetched = await gateway.fetch(url)
            return fetched.status, fetched.body_bytes

        yield fetch


@asynccontextmanager
async def webward_asking(case: Case) -> AsyncIterator[Fetch]:
    """The same without a memory: the name servers are asked for every request."""
    async with webward(case, network=NetworkSettings(answer_cache_seconds=0)) as fetch:
        yield fetch
