from __future__ import annotations

import os
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from webward.config import ImageCacheSettings, StoreSettings
from webward.store import SqliteImageCache, SqliteQuota
from webward.testing import FrozenClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

ROOT = Path(__file__).parents[2]


class Store:
    """A folder for a store, a clock, and processes that use it, too."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = FrozenClock()
        self.processes: list[subprocess.Popen[str]] = []

    def settings(self, **values: Any) -> StoreSettings:
        return StoreSettings(**{"folder": str(self.folder), "wait_seconds": 10.0, **values})

    @asynccontextmanager
    async def quota(self, **values: Any) -> AsyncIterator[SqliteQuota]:
        quota = SqliteQuota(self.settings(**values), self.clock)
        try:
            yield quota
        finally:
            await quota.close()

    @asynccontextmanager
    async def images(
        self, *, secret: str | None = None, wait_seconds: float = 10.0, **bounds: Any
    ) -> AsyncIterator[SqliteImageCache]:
        settings = self.settings(secret=secret, wait_seconds=wait_seconds, images=ImageCacheSettings(**bounds))
        images = SqliteImageCache(settings, self.clock)
        try:
            yield images
        finally:
            await images.close()

    def start(self, module: str, *arguments: object, prefix: tuple[str, ...] = ()) -> subprocess.Popen[str]:
        """A process that runs a module of these tests."""
        argv = [*prefix, sys.executable, "-m", f"tests.store.{module}", *map(str, arguments)]
        process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        self.processes.append(process)
        return process

    def takers(self, number: int, **options: int) -> list[subprocess.Popen[str]]:
        """Processes that take for each user that they are told of."""
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        return [self.start("taker", self.folder, *words) for _ in range(number)]


def said(process: subprocess.Popen[str]) -> str:
    """The next line of a process."""
    assert process.stdout
    return process.stdout.readline().strip()


def go(processes: list[subprocess.Popen[str]], user: str = "user") -> list[int]:
    """Let processes take for a user at the same time, and give what each has got."""
    for process in processes:
        assert process.stdin
        process.stdin.write(f"{user}\n")
        process.stdin.flush()
    return [int(said(process)) for process in processes]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "store")
    yield store
    for process in store.processes:
        process.kill()
        process.communicate()


@pytest.fixture
def no_rights() -> Iterator[None]:
    """The rights of a user who owns nothing."""
    was = os.geteuid()
    if was == 0:
        os.seteuid(65534)
    yield
    os.seteuid(was)
