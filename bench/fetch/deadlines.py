"""Whether deadlines hold when a process is full: so many slow fetches, begun in one moment and due in one moment."""

from __future__ import annotations

import asyncio
import time
from statistics import quantiles

from bench.fetch.case import NAME
from bench.fetch.origin import SLOW
from bench.fetch.usage import cpu_seconds, peak_mib
from webward import Gateway, Limits, Settings
from webward.errors import DeadlineExceeded

BEFORE_SECONDS = 0.1  # the clock of the end runs from here on


async def measure(*, scheme: str, fetches: int, deadline_seconds: float) -> dict[str, float]:
    """By how much the fetches pass their deadline, each against its own start."""
    url = f"{scheme}://{NAME}/{SLOW}/30"
    limits = Limits(dial_seconds=deadline_seconds)  # thousands of handshakes at once take their time
    async with Gateway(Settings(limits=limits)) as gateway:

        async def late_seconds() -> float:
            started = time.perf_counter()
            try:
                await gateway.fetch(url, timeout_ms=round(deadline_seconds * 1000))
            except DeadlineExceeded:
                return time.perf_counter() - started - deadline_seconds
            raise ValueError("a slow body has ended")

        due = asyncio.get_running_loop().time() + deadline_seconds
        calls = asyncio.gather(*(late_seconds() for _ in range(fetches)))
        await asyncio.sleep(due - asyncio.get_running_loop().time() - BEFORE_SECONDS)
        before = cpu_seconds()
        late = await calls
    used = cpu_seconds() - before
    hundredths = quantiles(late, n=100, method="inclusive")
    return {
        "fetches": len(late),
        "late_p50_ms": hundredths[49] * 1000,
        "late_p99_ms": hundredths[98] * 1000,
        "late_max_ms": max(late) * 1000,
        "cpu_at_the_end_ms": used * 1000,
        "cpu_seconds": cpu_seconds(),
        "peak_mib": peak_mib(),
    }
