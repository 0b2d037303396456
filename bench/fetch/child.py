"""The measured process: a task and its arguments as JSON on the command line, what came of it as JSON on stdout."""
# ruff: noqa: T201 - that is its output

from __future__ import annotations

import asyncio
import json
import os
import sys
from importlib import import_module

from bench.fetch.usage import allow_many_descriptors

MAX_PROBLEM_CHARS = 160


def main() -> None:
    """Take the core that is meant for clients, and measure."""
    order = json.loads(sys.argv[1])
    os.sched_setaffinity(0, {order.pop("core")})
    allow_many_descriptors()
    print(json.dumps(_measured(order.pop("task"), order)))


def _measured(task: str, order: dict[str, object]) -> object:
    """What the module of the task measures, or why it could not: that is a result, too."""
    try:
        return asyncio.run(import_module(task).measure(**order))
    except ModuleNotFoundError as error:
        return {"problem": f"{error.name} is not installed"}
    except Exception as error:  # noqa: BLE001 - any client may fail in any way
        return {"problem": f"{type(error).__name__}: {error}"[:MAX_PROBLEM_CHARS]}


if __name__ == "__main__":
    main()
