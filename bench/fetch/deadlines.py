"""Whether deadlines hold when a process is full: so many slow fetches, begun in one moment and due in one moment."""

from __future__ import annotations

import asyncio
import time
from statistics import quantiles

from bench.fetch.case import NAME
from bench.fetch.origin import SLOW
from bench.fetch.usage import cpu_seconds, peak_mib
from webward import Gateway, Settings
from webward.errors import DeadlineExceeded


async def measure(*, scheme: str, fetches: int, deadline_seconds: float) -> dict[str, float]:
    """By how much the fetches pass their deadline, each against its own start."""
    url = f"{scheme}://{NAME}/{SLOW}/30"
    async with Gateway(Settings()) as gateway:

        async def late_seconds() -> float:
            started = time.perf_counter()
            try:
                await gateway.fetch(url, timeout_ms=round(deadline_seconds * 1000))
            except DeadlineExceeded:
                return time.perf_counter() - started - deadline_seconds
            raise ValueError("a slow body has ended")

        late = await asyncio.gather(*(late_seconds() for _ in range(fetches)))
    hundredths = quantiles(late, n=100, method="inclusive")
    return {
        "fetches": len(late),
        "late_p50_ms": hundredths[49] * 1000,
        "late_p99_ms": hundredths[98] * 1000,
        "late_max_ms": max(late) * 1000,
        "cpu_seconds": cpu_seconds(),
        "peak_mib": peak_mib(),
    }
