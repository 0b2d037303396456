"""How long `webward check` takes from start to end, against a Python that only imports what any client needs.

The target is a ratio of at most 2.0. Runs are interleaved, so that a busy moment of the machine strikes both alike.
"""
# ruff: noqa: T201 - a benchmark prints
# A script and no package; what it prints is its result.

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 20
TARGET_RATIO = 2.0
ANSWERED = {0, 3}  # exit status: a loopback literal is refused, and that is the answer wanted here

# Installed packages have byte code; a developer who switched its writing off would measure the compiler.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

CHECK = [str(Path(sys.executable).with_name("webward")), "check", "http://127.0.0.1/"]
BARE = [sys.executable, "-c", "import asyncio, ssl"]


def run_seconds(command: list[str]) -> float:
    """Wall time of one run, which must have given an answer."""
    start = time.perf_counter()
    ended = subprocess.run(command, capture_output=True, check=False, env=ENVIRONMENT)  # noqa: S603 (both stand above)
    seconds = time.perf_counter() - start
    if ended.returncode not in ANSWERED:
        sys.exit(f"{' '.join(command)} ended with {ended.returncode}: {ended.stderr.decode(errors='replace')}")
    return seconds


def main() -> None:
    """Measure both and print the medians and their ratio."""
    run_seconds(CHECK)  # the first run also writes the byte code
    run_seconds(BARE)
    pairs = [(run_seconds(CHECK), run_seconds(BARE)) for _ in range(RUNS)]
    check_ms, bare_ms = (statistics.median(column) * 1000 for column in zip(*pairs, strict=True))
    print(f"webward check        {check_ms:6.1f} ms   median of {RUNS}")
    print(f"import asyncio, ssl  {bare_ms:6.1f} ms   median of {RUNS}")
    print(f"ratio                {check_ms / bare_ms:6.2f}      target: at most {TARGET_RATIO}")


if __name__ == "__main__":
    main()
