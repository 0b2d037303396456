"""A network namespace in which public addresses are this machine, with its servers; and the processes measured in it.

Servers and this process have the first core, what is measured has the last.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.e2e import namespace

from bench.fetch.usage import allow_many_descriptors

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[2]
INSIDE = "--inside"
CORES = sorted(os.sched_getaffinity(0))  # before this process is bound to one of them

LIMIT_SECONDS = 120.0  # of one measured process; the slowest takes a fifth of that on a quiet machine

# Fresh connections by the ten thousand from one address to one other: ports may be used again at once.
KERNEL = {"ipv4/tcp_tw_reuse": "1", "ipv4/ip_local_port_range": "1025 65000"}


def enter(module: str, arguments: list[str]) -> int:
    """Run a module of this package in a new namespace, and give its exit status."""
    try:
        prefix = namespace.prefix()
    except OSError as error:
        print(f"no network namespace: {error}", file=sys.stderr)  # noqa: T201 (a program's own word)
        return 2
    command = [*prefix, sys.executable, "-m", module, INSIDE, *arguments]
    return subprocess.run(command, cwd=ROOT, check=False).returncode  # noqa: S603 (its own words)


def configure(folder: Path) -> None:
    """Set up the namespace of this process, and give this process and its servers the first core.

    Raises:
        OSError: It is no fresh one.
    """
    namespace.configure(folder)
    for name, value in KERNEL.items():
        Path("/proc/sys/net", name).write_text(value)
    allow_many_descriptors()
    os.sched_setaffinity(0, CORES[:1])


class Runner:
    """Starts what is measured.

    Args:
        folder: The home of what runs.
        authority: The only certificates that are trusted.
    """

    def __init__(self, folder: Path, authority: Path) -> None:
        self._environment = {
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "SSL_CERT_FILE": str(authority),
            "PYTHONDONTWRITEBYTECODE": os.environ.get("PYTHONDONTWRITEBYTECODE", ""),
        }

    def measured(
        self, task: str, *, python: str = sys.executable, limit_seconds: float = LIMIT_SECONDS, **order: object
    ) -> dict[str, Any]:
        """What a task gives that runs in a process of its own; under ``problem`` why there is nothing else."""
        command = self.command(task, python=python, **order)
        environment = self.environment(python)
        try:
            done = subprocess.run(  # noqa: S603 (its own words)
                command, cwd=ROOT, env=environment, capture_output=True, timeout=limit_seconds, check=False
            )
        except subprocess.TimeoutExpired:
            return {"problem": f"did not end in {limit_seconds:g} s"}
        if done.returncode != 0:
            told = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            return {"problem": told or f"ended with {done.returncode}"}
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found

    def command(self, task: str, *, python: str = sys.executable, **order: object) -> list[str]:
        """The command line of a task."""
        return [python, "-m", "bench.fetch.child", json.dumps({"task": task, "core": CORES[-1], **order})]

    def environment(self, python: str = sys.executable) -> Mapping[str, str]:
        """Of a measured process: nothing of the user's, and no program on the path but its own Python."""
        return {**self._environment, "PATH": str(Path(python).absolute().parent)}
