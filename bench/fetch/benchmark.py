"""The parts of the benchmark, and the order in which they are run."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.fetch import case
from bench.fetch.client import ASKING, CLIENTS, STREAMS, WEBWARD
from bench.fetch.pages import READERS
from bench.fetch.target import CONNECTIONS, FETCHES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.fetch.case import Case
    from bench.fetch.client import Client
    from bench.fetch.record import Record
    from bench.fetch.world import Runner

PEER_ROUNDS = 2  # peers run in every second round
PAGE_ROUNDS = 2  # at most: a peer takes half a minute for the pages
DEADLINE_SECONDS = {"http": 5.0, "https": 15.0}  # all connections must be open by then, or nothing is shown
PROFILE_SECONDS = 10.0  # the kernel looks some hundred times a second


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """One run.

    Attributes:
        runner: Starts what is measured.
        record: Takes the figures.
        cases: Of the load.
        clients: That are measured.
        rounds: Of all cases.
        seconds: Of one client on one case.
        crawl4ai: A Python that has it; it needs older packages than webward.
    """

    runner: Runner
    record: Record
    cases: tuple[Case, ...]
    clients: tuple[Client, ...]
    rounds: int
    seconds: float
    crawl4ai: Path

    def load(self) -> None:
        """Every client on every case, in rounds, in another order each time."""
        for number, asked in product(range(self.rounds), self.cases):
            for client in self._turn(number, asked):
                order = {"client": client.name, "case": asdict(asked), "seconds": self.seconds}
                self._measure("load", client.name, asked.label, number, **order)

    def memory(self) -> None:
        """What live TLS connections hold."""
        for client in self.clients:
            if client.name != ASKING and client.does(case.HTTPS_KEPT):
                self._measure("memory", client.name, "", 0, client=client.name, connections=CONNECTIONS)

    def deadlines(self) -> None:
        """Whether deadlines hold."""
        if CLIENTS[WEBWARD] not in self.clients:
            return
        for scheme, seconds in DEADLINE_SECONDS.items():
            order = {"scheme": scheme, "fetches": FETCHES, "deadline_seconds": seconds}
            self._measure("deadlines", WEBWARD, scheme, 0, **order)

    def pages(self, count: int) -> None:
        """Fetch and read, end to end."""
        for number, reader in product(range(min(self.rounds, PAGE_ROUNDS)), READERS):
            python = self.crawl4ai if reader == "crawl4ai" else Path(sys.executable)
            if python.exists():
                self._measure("pages", reader, "", number, python=str(python), reader=reader, pages=count)

    def profiles(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Where the CPU time of the profiled cases goes, for webward and what it is compared with."""
        for asked, client in product(case.PROFILED, (WEBWARD, ASKING, STREAMS)):
            if not CLIENTS[client].does(asked):
                continue
            order: dict[str, Any] = {"client": client, "case": asdict(asked), "seconds": PROFILE_SECONDS}
            yield f"{client}: {asked.label}", self.runner.measured("bench.fetch.profile", **order)

    def _turn(self, number: int, asked: Case) -> Iterator[Client]:
        first = number % len(self.clients)
        for client in (*self.clients[first:], *self.clients[:first]):
            if client.does(asked) and not (client.peer and number % PEER_ROUNDS):
                yield client

    def _measure(self, part: str, who: str, what: str, number: int, **order: Any) -> None:  # noqa: ANN401 - JSON
        values = self.runner.measured(f"bench.fetch.{part}", **order)
        self.record.add(part, who, what, number, values)
        told = values.get("problem") or " ".join(f"{name}={value:,.1f}" for name, value in values.items())
        print(f"{part} {number} {who}: {what}: {told}", file=sys.stderr, flush=True)  # noqa: T201 - for who waits
