from __future__ import annotations

from typing import TYPE_CHECKING

import pytest_asyncio
from tests.surfaces.iii.bench import Bench

from webward.testing import LoopbackWeb

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest_asyncio.fixture
async def bench() -> AsyncIterator[Bench]:
    async with LoopbackWeb() as web:
        made = Bench(web)
        try:
            yield made
        finally:
            await made.serving.close()
