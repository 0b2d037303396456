"""Waiting for what a worker does, and making it wait."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Changes:
    """Lets tests wait for a state, without polling."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def happened(self) -> None:
        """Something has changed: whoever waits looks again."""
        self._next.set()
        self._next = asyncio.Event()

    async def until(self, holds: Callable[[], object], seconds: float) -> None:
        """Wait until something holds; it is asked anew after every change.

        Raises:
            TimeoutError: It did not within that time.
        """
        async with asyncio.timeout(seconds):
            while not holds():
                await self._next.wait()


class Gate:
    """Where the engine's answers wait while it is shut; those that wait go on in the order in which they came.

    Attributes:
        waiting: How many answers wait.
    """

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self._open = asyncio.Event()
        self._open.set()
        self.waiting = 0

    def shut(self) -> None:
        """Hold back every answer from now on."""
        self._open.clear()

    def open(self) -> None:
        """Let all go on."""
        self._open.set()

    async def passed(self) -> None:
        """Wait for as long as it is shut."""
        self.waiting += 1
        self._changes.happened()
        try:
            await self._open.wait()
        finally:
            self.waiting -= 1
