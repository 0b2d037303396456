"""What a process holds at one moment, and what many such moments say."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from typing import TYPE_CHECKING

from bench.fetch.usage import descriptors, memory_mib

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SLOPE_MIB_A_MINUTE = 1.0  # after warm-up; a leak of 1 KB a call is four times that
NOISE_MIB = 8.0  # which a short run may differ by: bodies under way, and what the allocator keeps
WARM_UP_SHARE = 1 / 3  # of the samples: until then pools and caches fill


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One moment.

    Attributes:
        minutes: Since the beginning.
        memory_mib: Of the process.
        descriptors: That are open.
        tasks: Of the event loop.
        calls: That ended so far.
    """

    minutes: float
    memory_mib: float
    descriptors: int
    tasks: int
    calls: int

    def __str__(self) -> str:
        return (
            f"{self.minutes:6.2f} min  {self.memory_mib:7.1f} MiB  {self.descriptors:4} descriptors  "
            f"{self.tasks:4} tasks  {self.calls:8} calls"
        )


def take(minutes: float, calls: int) -> Sample:
    """This moment, without the garbage that waits to be collected."""
    gc.collect()
    return Sample(
        minutes=minutes,
        memory_mib=memory_mib(),
        descriptors=len(descriptors()),
        tasks=len(asyncio.all_tasks()),
        calls=calls,
    )


def warm(samples: Sequence[Sample]) -> Sequence[Sample]:
    """Those after warm-up."""
    return samples[round(len(samples) * WARM_UP_SHARE) :]


def slope(samples: Sequence[Sample]) -> float:
    """Growth of memory in MiB a minute: the median over all pairs, which no single peak moves."""
    slopes = [
        (later.memory_mib - earlier.memory_mib) / (later.minutes - earlier.minutes)
        for earlier, later in combinations(samples, 2)
    ]
    return median(slopes) if slopes else 0.0


def faults(before: Sample, during: Sequence[Sample], after: Sample, *, most_descriptors: int) -> Iterator[str]:
    """What is not as it should be."""
    minutes = during[-1].minutes - warm(during)[0].minutes
    if (growth := slope(warm(during))) * minutes > max(SLOPE_MIB_A_MINUTE * minutes, NOISE_MIB):
        yield f"memory grows by {growth:.2f} MiB a minute"
    if (most := max(sample.descriptors for sample in during)) > most_descriptors:
        yield f"{most} descriptors were open at once, where {most_descriptors} would do"
    if after.descriptors > before.descriptors:
        yield f"{after.descriptors - before.descriptors} descriptors are open yet"
    if after.tasks > before.tasks:
        yield f"{after.tasks - before.tasks} tasks are left"
