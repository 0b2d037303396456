"""The targets, each a ratio within one run or a ceiling, and whether it is met."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bench.fetch.case import CORE, CROWDED, Case
from bench.fetch.client import ASKING, FLOOR, HTTPX2, STREAMS, WEBWARD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.fetch.record import Record

CONNECTIONS = 512
FETCHES = 3000
HTTPX2_LIMITS = {("http", True): 0.40, ("https", True): 0.40, ("http", False): 0.50, ("https", False): 0.65}


@dataclass(frozen=True, slots=True)
class Target:
    """What is wanted of a figure, and the figure if it was measured."""

    name: str
    limit: float
    value: float | None
    at_least: bool = False

    @property
    def verdict(self) -> str:
        """In one word."""
        if self.value is None:
            return "not measured"
        met = self.value >= self.limit if self.at_least else self.value <= self.limit
        return "met" if met else "missed"


def targets(record: Record) -> Iterator[Target]:
    """All of them, with what a record says."""
    yield from _against_the_floor(record)
    yield from _against_streams(record)
    yield from _growth(record)
    yield from _against_httpx2(record)
    kept = (record.median("memory", WEBWARD, "", "connections") or 0) >= CONNECTIONS
    memory = record.median("memory", WEBWARD, "", "over_idle_mib") if kept else None
    yield Target(f"{CONNECTIONS} live TLS connections, MiB over idle", 128, memory)
    for scheme in ("http", "https"):
        late = record.median("deadlines", WEBWARD, scheme, "late_max_ms")
        yield Target(f"{FETCHES} slow fetches at once over {scheme}, ms past the deadline", 250, late)
    read = record.ratio("pages", WEBWARD, "mcp-server-fetch", "", "pages_per_cpu_second")
    yield Target("pages read per CPU second / mcp-server-fetch", 10, read, at_least=True)


def _against_the_floor(record: Record) -> Iterator[Target]:
    case = Case(scheme="https", kept=False)
    for who, limit in ((WEBWARD, 1.30), (ASKING, 1.35)):
        yield Target(f"{case.label}: {who} / {FLOOR}", limit, _cpu_ratio(record, who, FLOOR, case))


def _against_streams(record: Record) -> Iterator[Target]:
    for case in (case for case in CORE if case.kept and case.scheme == "http"):
        yield Target(f"{case.label}: {WEBWARD} / {STREAMS}", 1.35, _cpu_ratio(record, WEBWARD, STREAMS, case))


def _growth(record: Record) -> Iterator[Target]:
    for large in CROWDED:
        small = replace(large, concurrency=64)
        mine, theirs = (record.growth("load", who, small.label, large.label, "cpu_us") for who in (WEBWARD, STREAMS))
        value = mine / theirs if mine and theirs else None
        yield Target(f"{small.label}, to {large.concurrency}: growth of {WEBWARD} / of {STREAMS}", 1.15, value)


def _against_httpx2(record: Record) -> Iterator[Target]:
    for case in CORE:
        limit = HTTPX2_LIMITS[case.scheme, case.kept]
        yield Target(f"{case.label}: {WEBWARD} / {HTTPX2}", limit, _cpu_ratio(record, WEBWARD, HTTPX2, case))


def _cpu_ratio(record: Record, who: str, other: str, case: Case) -> float | None:
    return record.ratio("load", who, other, case.label, "cpu_us")
