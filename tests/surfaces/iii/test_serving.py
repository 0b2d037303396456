"""Which gateway a call goes by, and when one is closed."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from tests.surfaces.iii.bench import URL

from webward.config import Settings
from webward.contracts.iii.configuration import DEFAULTS
from webward.errors import InvalidInput
from webward.surfaces.iii.serving import Serving
from webward.testing import LoopbackWeb

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from webward.engine.gateway import Gateway

OTHER = replace(DEFAULTS, max_redirects=1)


@asynccontextmanager
async def serving() -> AsyncIterator[tuple[Serving, list[Gateway]]]:
    """Snapshots, and the gateways that were made for them."""
    made: list[Gateway] = []
    async with LoopbackWeb() as web:
        web.page(URL)

        def make(settings: Settings) -> Gateway:
            made.append(web.gateway(settings))
            return made[-1]

        served = Serving(Settings(), DEFAULTS, make)
        try:
            yield served, made
        finally:
            await served.close()
    for gateway in made:
        assert not await is_open(gateway)


async def is_open(gateway: Gateway) -> bool:
    try:
        await gateway.fetch(URL)
    except InvalidInput:
        return False
    return True


async def test_calls_share_a_gateway() -> None:
    async with serving() as (served, made):
        async with served.snapshot() as first, served.snapshot() as second:
            assert first.gateway is second.gateway
        async with served.snapshot():
            assert await is_open(made[0])
        assert len(made) == 1


async def test_a_call_ends_on_what_it_began_with() -> None:
    async with serving() as (served, made):
        async with served.snapshot() as before:
            await served.use(OTHER)
            async with served.snapshot() as after:
                assert (before.configuration, after.configuration) == (DEFAULTS, OTHER)
                assert [gateway.settings.limits.redirects for gateway in made] == [5, 1]
            assert await is_open(made[0])
        assert not await is_open(made[0])
        assert await is_open(made[1])


async def test_what_changes_no_setting_keeps_the_gateway() -> None:
    async with serving() as (served, made):
        async with served.snapshot():
            await served.use(replace(DEFAULTS, max_transform_bytes=1, inject_guidance=False))
        async with served.snapshot() as after:
            assert after.configuration.max_transform_bytes == 1
        assert len(made) == 1
        assert await is_open(made[0])


async def test_a_gateway_without_calls_is_closed_at_once() -> None:
    async with serving() as (served, made):
        async with served.snapshot():
            pass
        await served.use(OTHER)
        assert not await is_open(made[0])


async def test_there_and_back_makes_a_new_one() -> None:
    async with serving() as (served, made):
        async with served.snapshot() as first:
            await served.use(OTHER)
            await served.use(DEFAULTS)
            async with served.snapshot() as again:
                assert again.gateway is not first.gateway
        assert [await is_open(gateway) for gateway in made] == [False, True]


async def test_a_call_that_fails_gives_its_gateway_back() -> None:
    async def fail(served: Serving) -> None:
        async with served.snapshot():
            await served.use(OTHER)
            raise ZeroDivisionError

    async with serving() as (served, made):
        with pytest.raises(ZeroDivisionError):
            await fail(served)
        assert not await is_open(made[0])
