"""How long a take from a quota lasts when many processes share one file, and whether one is lost.

Eight processes take 200 a second in all, each at moments of its own; then as fast as they can. Targets, paced: median
0.10 ms, 99 % below 5 ms, the worst 100 ms.
"""
# ruff: noqa: T201 - a benchmark prints

from __future__ import annotations

import asyncio
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time

from webward.config import StoreSettings
from webward.model import Resource
from webward.net.clock import SystemClock
from webward.store import SqliteQuota

PROCESSES = 8
A_SECOND = 200  # of all processes together
SECONDS = 30
SATURATED = 2000  # takes of one process, without a pause
USERS = 500
CALLS = Resource("calls", 1_000_000)
EVERYBODY = "everybody"  # one that all processes take for, to see that none is lost


async def take(folder: str, *, count: int, pause_seconds: float) -> list[float]:
    """Take so often, and give how long each lasted, in seconds."""
    draw = random.Random()  # noqa: S311 - moments and users, nothing secret
    quota = SqliteQuota(StoreSettings(folder=folder), SystemClock())
    await quota.take(EVERYBODY, CALLS, 0)  # opens the file
    lasted = []
    for number in range(count):
        if pause_seconds:
            await asyncio.sleep(draw.expovariate(1 / pause_seconds))
        user = EVERYBODY if number % 2 else f"user {draw.randrange(USERS)}"
        began = time.perf_counter()
        decision = await quota.take(user, CALLS)
        lasted.append(time.perf_counter() - began)
        if not decision.allowed:
            raise RuntimeError("a take was refused")
    await quota.close()
    return lasted


async def used(folder: str) -> int:
    """What was counted for the user of all."""
    quota = SqliteQuota(StoreSettings(folder=folder), SystemClock())
    decision = await quota.take(EVERYBODY, CALLS, 0)
    await quota.close()
    return decision.used


def measure(name: str, *, count: int, pause_seconds: float) -> None:
    """Let the processes take from a new file, and print what it gave."""
    with tempfile.TemporaryDirectory() as folder:
        argv = [sys.executable, __file__, folder, str(count), str(pause_seconds)]
        began = time.perf_counter()
        children = [subprocess.Popen(argv, stdout=subprocess.PIPE) for _ in range(PROCESSES)]  # noqa: S603 - ourselves
        lasted = sorted(seconds for child in children for seconds in json.loads(child.communicate()[0]))
        whole = time.perf_counter() - began
        lost = PROCESSES * (count // 2) - asyncio.run(used(folder))
    high = statistics.quantiles(lasted, n=100)
    print(f"{name:<12}{len(lasted):>8} takes in {whole:5.1f} s, {lost} lost")
    print(f"{'':<12}median {statistics.median(lasted) * 1000:6.3f} ms   90 % {high[89] * 1000:7.3f}", end="")
    print(f"   99 % {high[98] * 1000:7.3f}   worst {lasted[-1] * 1000:8.3f}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        times = asyncio.run(take(sys.argv[1], count=int(sys.argv[2]), pause_seconds=float(sys.argv[3])))
        print(json.dumps(times))
    else:
        each = A_SECOND // PROCESSES
        measure("paced", count=each * SECONDS, pause_seconds=1 / each)
        measure("saturated", count=SATURATED, pause_seconds=0)
