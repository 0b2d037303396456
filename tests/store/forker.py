"""A process that forks with an open quota; child and parent take five each, and the parent writes what was used."""

from __future__ import annotations

import asyncio
import os
import sys

from webward.config import StoreSettings
from webward.model import Resource
from webward.net.clock import SystemClock
from webward.store import SqliteQuota

CALLS = Resource("calls", 100)
quota = SqliteQuota(StoreSettings(folder=sys.argv[1], wait_seconds=10), SystemClock())


async def take() -> int:
    used = [(await quota.take("user", CALLS)).used for _ in range(5)]
    return used[-1]


asyncio.run(take())
child = os.fork()
asyncio.run(take())
if child == 0:
    sys.exit(0)
_, status = os.waitpid(child, 0)
used = asyncio.run(take())
sys.stdout.write(f"{os.waitstatus_to_exitcode(status)} {used}\n")
