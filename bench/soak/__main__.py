"""The soak: enters its namespace, starts the servers, and fails when something grows or sticks."""
# ruff: noqa: T201 - it prints

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.fetch import certificate, world
from bench.fetch.nameserver import NameServer
from bench.soak import hostile

OVERTIME_SECONDS = 60.0  # to start and to settle


def main() -> int:
    """Enter the namespace, or work in it."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument(world.INSIDE, action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.inside:
        return world.enter("bench.soak", sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        try:
            return _run(options.minutes, Path(name))
        except (OSError, subprocess.SubprocessError) as error:
            print(error, file=sys.stderr)
            return 2


def _run(minutes: float, folder: Path) -> int:
    world.configure(folder)
    made = certificate.make(folder, hostile.HOST)
    NameServer(hostile.ZONE)
    hostile.serve(made.chain)
    runner = world.Runner(folder, made.authority)
    done = subprocess.run(  # noqa: S603 (its own words)
        runner.command("bench.soak.traffic", minutes=minutes),
        env=runner.environment(),
        cwd=world.ROOT,
        stdout=subprocess.PIPE,
        timeout=minutes * 60 + OVERTIME_SECONDS,
        check=True,
    )
    found = json.loads(done.stdout)
    print(json.dumps(found, indent=2))
    return 1 if found.get("problem") or found["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
