from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from .client import World

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def world() -> Iterator[World]:
    try:
        made = World()
    except OSError as error:
        if os.environ.get("WEBWARD_REQUIRE_NETNS") == "1":
            pytest.fail(f"WEBWARD_REQUIRE_NETNS=1, but there is no network namespace: {error}")
        pytest.skip(f"no network namespace: {error}")
    with made:
        yield made
