"""What a process and its children have used."""

from __future__ import annotations

import os
import resource
from pathlib import Path

KIB_A_MIB = 1024
NANOSECONDS = 1e9


def cpu_seconds() -> float:
    """User and system time of this process and of its children, the living ones too."""
    own = sum(_seconds(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own + sum(_alive_seconds(child) for child in _children())


def peak_mib() -> float:
    """The most memory that this process ever had at once."""
    return _status("VmHWM") / KIB_A_MIB


def memory_mib() -> float:
    """The memory that this process has now."""
    return _status("VmRSS") / KIB_A_MIB


def descriptors() -> list[str]:
    """What the open descriptors of this process are."""
    found = []
    for link in Path("/proc/self/fd").iterdir():
        try:
            found.append(str(link.readlink()))
        except OSError:
            continue  # the one that listed the folder
    return found


def sockets() -> int:
    """How many sockets are open."""
    return sum(one.startswith("socket:") for one in descriptors())


def allow_many_descriptors() -> None:
    """As many as the system lets this user have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _seconds(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def _children() -> list[int]:
    tasks = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _alive_seconds(child: int) -> float:
    """By the scheduler's own record, which counts nanoseconds where other files count hundredths."""
    times = Path(f"/proc/{child}/task").glob("*/schedstat")
    return sum(int(time.read_text().split()[0]) for time in times) / NANOSECONDS


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{field}:"))
