"""The one deadline of a call."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from webward.errors import DeadlineExceeded

if TYPE_CHECKING:
    from types import TracebackType


class deadline:  # noqa: N801 - used like a function, as asyncio.timeout is
    """Cancel what runs in this context when the time is over; a timeout of a single step is an error of its own.

    Raises:
        DeadlineExceeded: The time is over.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._timeout = asyncio.timeout(seconds)

    async def __aenter__(self) -> None:
        await self._timeout.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self._timeout.__aexit__(kind, error, trace)
            if isinstance(error, TimeoutError):
                raise error
        except TimeoutError:
            message = f"the deadline of {self._seconds:g} s has passed; a call asks for another one with timeout_ms"
            raise DeadlineExceeded(message, setting="limits.deadline-seconds") from None
