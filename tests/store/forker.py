"""A process that forks again and again with an open quota, its threads at work; it writes what was used at last."""

from __future__ import annotations

import asyncio
import os
import sys

from webward.config import StoreSettings
from webward.model import Resource
from webward.net.clock import SystemClock
from webward.store import SqliteQuota

CALLS = Resource("calls", 1000)
quota = SqliteQuota(StoreSettings(folder=sys.argv[1], wait_seconds=10), SystemClock())


async def take() -> int:
    used = [(await quota.take("user", CALLS)).used for _ in range(5)]
    return used[-1]


asyncio.run(take())
statuses = []
for _ in range(20):
    quota._database.flush()  # noqa: SLF001 - the thread is inside of SQLite now
    child = os.fork()
    asyncio.run(take())
    if child == 0:
        os._exit(0)
    statuses.append(os.waitpid(child, 0)[1])
sys.stdout.write(f"{max(statuses)} {asyncio.run(take())}\n")
