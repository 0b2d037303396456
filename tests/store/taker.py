"""A process that takes from a quota, as a test tells it.

It says ``ready`` once the file is open. Each line names a user to take for; it answers how many units it has got.
"""

from __future__ import annotations

import argparse
import asyncio
import sys

from webward.config import StoreSettings
from webward.model import Resource
from webward.net.clock import SystemClock
from webward.store import SqliteQuota


def say(text: object) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


async def take(folder: str, *, limit: int, count: int, tells_all: bool) -> None:
    resource = Resource("calls", limit)
    quota = SqliteQuota(StoreSettings(folder=folder, wait_seconds=30), SystemClock())
    await quota.take("nobody", resource, 0)
    say("ready")
    while user := sys.stdin.readline().strip():
        got = 0
        for _ in range(count):
            got += (await quota.take(user, resource)).allowed
            if tells_all:
                say(got)
        if not tells_all:
            say(got)
    await quota.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--limit", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--tells-all", action="store_true")
    asyncio.run(take(**vars(parser.parse_args())))
