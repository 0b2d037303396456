"""How long a take from a quota lasts when many processes share one file, and whether one is lost.

Eight processes take 200 a second in all, each at moments of its own; then as fast as they can. Targets, paced: median
0.10 ms, 99 % below 5 ms, the worst 100 ms. The floor is the same with nothing but one `UPDATE` of sqlite3, in a
round before and one after.
"""
# ruff: noqa: T201 - a benchmark prints

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING

from webward.config import StoreSettings
from webward.model import Resource
from webward.net.clock import SystemClock
from webward.store import SqliteQuota

if TYPE_CHECKING:
    from collections.abc import Iterator

PROCESSES = 8
A_SECOND = 200  # of all processes together
SECONDS = 30
SATURATED = 2000  # takes of one process, without a pause
USERS = 500
CALLS = Resource("calls", 1_000_000)
EVERYBODY = "everybody"  # one that all processes take for, to see that none is lost


def moments(count: int, pause_seconds: float) -> Iterator[str]:
    """A user for each take, at moments that nobody can foresee."""
    draw = random.Random()  # noqa: S311 - moments and users, nothing secret
    for number in range(count):
        if pause_seconds:
            time.sleep(draw.expovariate(1 / pause_seconds))
        yield EVERYBODY if number % 2 else f"user {draw.randrange(USERS)}"


async def take(folder: str, count: int, pause_seconds: float) -> list[float]:
    """Take so often, and give how long each lasted, in seconds."""
    quota = SqliteQuota(StoreSettings(folder=folder, wait_seconds=30), SystemClock())
    await quota.take(EVERYBODY, CALLS, 0)  # opens the file
    lasted = []
    for user in moments(count, pause_seconds):
        began = time.perf_counter()
        decision = await quota.take(user, CALLS)
        lasted.append(time.perf_counter() - began)
        if not decision.allowed:
            raise RuntimeError("a take was refused")
    await quota.close()
    return lasted


def count_bare(folder: str, count: int, pause_seconds: float) -> list[float]:
    """The same with one statement, and nothing around it."""
    connection = sqlite3.connect(f"{folder}/bare.sqlite3", timeout=30, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("CREATE TABLE IF NOT EXISTS usage (user TEXT PRIMARY KEY, used INTEGER) WITHOUT ROWID")
    for user in [EVERYBODY, *(f"user {number}" for number in range(USERS))]:
        connection.execute("INSERT OR IGNORE INTO usage VALUES (?, 0)", (user,))
    lasted = []
    for user in moments(count, pause_seconds):
        began = time.perf_counter()
        connection.execute("UPDATE usage SET used = used + 1 WHERE user = ?", (user,)).close()
        lasted.append(time.perf_counter() - began)
    connection.close()
    return lasted


async def used(folder: str) -> int:
    """What was counted for the user of all."""
    quota = SqliteQuota(StoreSettings(folder=folder), SystemClock())
    decision = await quota.take(EVERYBODY, CALLS, 0)
    await quota.close()
    return decision.used


def measure(way: str, name: str, *, count: int, pause_seconds: float) -> None:
    """Let the processes take from a new file, and print what it gave."""
    with tempfile.TemporaryDirectory() as folder:
        argv = [sys.executable, __file__, way, folder, str(count), str(pause_seconds)]
        children = [subprocess.Popen(argv, stdout=subprocess.PIPE) for _ in range(PROCESSES)]  # noqa: S603 - ourselves
        lasted = sorted(seconds for child in children for seconds in json.loads(child.communicate()[0]))
        lost = PROCESSES * (count // 2) - asyncio.run(used(folder)) if way == "take" else 0
    high = statistics.quantiles(lasted, n=100)
    times = (statistics.median(lasted), high[89], high[98], lasted[-1])
    shown = "   ".join(f"{seconds * 1000:8.3f}" for seconds in times)
    print(f"{name:<10} {way:<5} {len(lasted):>6} takes, {lost} lost:   {shown}")


def main() -> None:
    """Measure all."""
    print("milliseconds:                             median      90 %       99 %      worst")
    each = A_SECOND // PROCESSES
    for way, seconds in (("bare", SECONDS // 2), ("take", SECONDS), ("bare", SECONDS // 2)):
        measure(way, "paced", count=each * seconds, pause_seconds=1 / each)
    for way in ("bare", "take"):
        measure(way, "saturated", count=SATURATED, pause_seconds=0)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        way, folder, count, pause_seconds = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
        bare = way == "bare"
        times = count_bare(folder, count, pause_seconds) if bare else asyncio.run(take(folder, count, pause_seconds))
        print(json.dumps(times))
    else:
        main()
