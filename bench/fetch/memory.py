"""What live TLS connections hold: many are opened at once and kept, and the process is compared with itself before."""

from __future__ import annotations

import asyncio
import gc

from bench.fetch.case import Case
from bench.fetch.client import CLIENTS
from bench.fetch.usage import memory_mib, sockets


async def measure(*, client: str, connections: int) -> dict[str, float]:
    """The memory over idle, in MiB, of a client that has answered one request, and then so many at once."""
    case = Case(scheme="https", kept=True, concurrency=connections)
    async with CLIENTS[client].open(case) as fetch:
        await fetch(case.url)
        gc.collect()
        idle_mib, before = memory_mib(), sockets()
        await asyncio.gather(*(fetch(case.url) for _ in range(connections)))
        gc.collect()
        opened = sockets() - before + 1  # one was open already
        return {"connections": opened, "over_idle_mib": memory_mib() - idle_mib}
