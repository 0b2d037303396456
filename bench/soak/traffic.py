"""The calls: many agents at once over one gateway, each with a deadline, some of which give up before it."""
# ruff: noqa: S311 - the choice is the same in every run, on purpose

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections import Counter
from typing import Any

from bench.soak.hostile import GOOD_URLS, HOSTILE_URLS
from bench.soak.sample import Sample, faults, slope, take, warm
from webward import Gateway, Limits, Settings
from webward.errors import WebwardError

AGENTS = 64
GOOD_SHARE = 0.5
GIVING_UP_SHARE = 0.1
DEADLINES_SECONDS = (0.3, 1.0, 3.0)
PAUSE_SECONDS = 0.5  # at most, between the calls of an agent: what is busy all the time shows nothing but that
GRACE_SECONDS = 1.0  # past a deadline: the machine has other things to do, too
SETTLE_SECONDS = 1.0
SAMPLE_SECONDS = 5.0
# The loop's own, the resolver's channel, and for each agent a connection and a second one in a Happy Eyeballs race.
SPARE_DESCRIPTORS = 32


class Traffic:
    """Calls of all agents.

    Attributes:
        outcomes: How often a call ended in which way.
        late: Calls that ended too long after their deadline.
        stuck: Calls that had not ended so long after it, when somebody looked.
    """

    def __init__(self, gateway: Gateway, until: float) -> None:
        self._gateway = gateway
        self._until = until
        self._choice = random.Random(0)
        self._due: dict[int, tuple[float, str]] = {}
        self.outcomes: Counter[str] = Counter()
        self.late: Counter[str] = Counter()
        self.stuck: Counter[str] = Counter()

    async def run(self) -> None:
        """All agents until the time is over."""
        async with asyncio.TaskGroup() as group:
            for agent in range(AGENTS):
                group.create_task(self._agent(agent))

    def look(self) -> None:
        """Note what is stuck."""
        limit = time.monotonic() - GRACE_SECONDS
        self.stuck.update(url for due, url in self._due.values() if due < limit)

    async def _agent(self, agent: int) -> None:
        while time.monotonic() < self._until:
            url = self._choice.choice(GOOD_URLS if self._choice.random() < GOOD_SHARE else HOSTILE_URLS)
            seconds = self._choice.choice(DEADLINES_SECONDS)
            due = time.monotonic() + seconds
            self._due[agent] = due, url
            self.outcomes[await self._outcome(url, seconds)] += 1
            if time.monotonic() > due + GRACE_SECONDS:
                self.late[url] += 1
            del self._due[agent]
            await asyncio.sleep(self._choice.random() * PAUSE_SECONDS)

    async def _outcome(self, url: str, seconds: float) -> str:
        """Only good pages are read: a deadline is about the network, and reading a bomb takes as long as it takes."""
        patience = seconds * self._choice.random() if self._choice.random() < GIVING_UP_SHARE else None
        call = self._gateway.read if url in GOOD_URLS and self._choice.random() < GOOD_SHARE else self._gateway.fetch
        try:
            async with asyncio.timeout(patience):
                answer = await call(url, timeout_ms=round(seconds * 1000))
        except WebwardError as error:
            return error.code
        except TimeoutError:
            return "given up"
        return str(answer.status)


async def measure(*, minutes: float) -> dict[str, Any]:
    """What was not as it should be, and how the calls ended; samples are printed as they are taken."""
    settings = Settings(limits=Limits(idle_connections=AGENTS))
    before, during = take(0, 0), list[Sample]()
    started = time.monotonic()
    async with Gateway(settings) as gateway:
        traffic = Traffic(gateway, started + minutes * 60)
        running = asyncio.create_task(traffic.run())
        while not running.done():
            await asyncio.wait([running], timeout=SAMPLE_SECONDS)
            traffic.look()
            during.append(_told((time.monotonic() - started) / 60, traffic))
        await running
    await asyncio.sleep(SETTLE_SECONDS)
    after = _told((time.monotonic() - started) / 60, traffic)
    most = before.descriptors + 3 * AGENTS + SPARE_DESCRIPTORS
    found = [*faults(before, during, after, most_descriptors=most)]
    found += [f"{url} was stuck past its deadline ({count} times)" for url, count in traffic.stuck.items()]
    found += [f"{url} ended long after its deadline ({count} times)" for url, count in traffic.late.items()]
    return {
        "faults": found,
        "slope_mib_a_minute": slope(warm(during)),
        "outcomes": dict(traffic.outcomes.most_common()),
    }


def _told(minutes: float, traffic: Traffic) -> Sample:
    sample = take(minutes, traffic.outcomes.total())
    print(sample, file=sys.stderr, flush=True)  # noqa: T201 - for who waits
    return sample
