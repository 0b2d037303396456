"""One client on one case for a while: as many requests at once as the case says, each followed by the next."""

from __future__ import annotations

import asyncio
import time
from statistics import quantiles
from typing import TYPE_CHECKING

from bench.fetch.case import KIB, Case
from bench.fetch.client import CLIENTS
from bench.fetch.usage import cpu_seconds, peak_mib

if TYPE_CHECKING:
    from bench.fetch.client import Fetch

WARM_UP_FRESH = 8  # requests; kept connections are all opened before the clock runs


async def measure(*, client: str, case: dict[str, object], seconds: float) -> dict[str, float]:
    """CPU time a request, requests a second, latency and peak memory."""
    asked = Case(**case)  # type: ignore[arg-type]  # as it was made in the parent
    async with CLIENTS[client].open(asked) as fetch:
        at_once = asked.concurrency if asked.kept else min(asked.concurrency, WARM_UP_FRESH)
        for _ in range(2):
            await asyncio.gather(*(_fetch(fetch, asked) for _ in range(at_once)))
        cpu, started = cpu_seconds(), time.perf_counter()
        workers = [_work(fetch, asked, started + seconds) for _ in range(asked.concurrency)]
        latencies = [one for worker in await asyncio.gather(*workers) for one in worker]
        cpu, elapsed = cpu_seconds() - cpu, time.perf_counter() - started
    hundredths = quantiles(latencies, n=100, method="inclusive")
    return {
        "requests": len(latencies),
        "cpu_us": cpu / len(latencies) * 1e6,
        "per_second": len(latencies) / elapsed,
        "p50_ms": hundredths[49] * 1000,
        "p99_ms": hundredths[98] * 1000,
        "peak_mib": peak_mib(),
    }


async def _work(fetch: Fetch, case: Case, until: float) -> list[float]:
    latencies = []
    while (started := time.perf_counter()) < until:
        await _fetch(fetch, case)
        latencies.append(time.perf_counter() - started)
    return latencies


async def _fetch(fetch: Fetch, case: Case) -> None:
    """The right host has answered, and in full, or the run is worth nothing."""
    status, length = await fetch(case.url)
    if (status, length) != (200, case.kib * KIB):
        raise ValueError(f"an answer {status} of {length} bytes")
