from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.surfaces.chat.bench import Bench

from webward.testing import LoopbackWeb

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with LoopbackWeb() as web:
        yield Bench(web, tmp_path / "store")
