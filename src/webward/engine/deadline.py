"""The one deadline of a call."""

from __future__ import annotations

import asyncio
import math
from contextvars import ContextVar
from typing import TYPE_CHECKING

from webward.errors import DeadlineExceeded

if TYPE_CHECKING:
    from types import TracebackType

_nearest = ContextVar[tuple[float, float]]("nearest", default=(math.inf, math.inf))
"""When the first of the deadlines around this passes, by the clock of the event loop, and of how many seconds it is."""


def now() -> float:
    """The time by the clock that deadlines are measured with, in seconds."""
    return asyncio.get_running_loop().time()


class deadline:  # noqa: N801 - used like a function, as asyncio.timeout is
    """Cancel what runs in this context when the time is over; a timeout of a single step is an error of its own.

    Args:
        seconds: How long it may take.
        since: When it began, by `now`, if that was earlier.

    Raises:
        DeadlineExceeded: The time is over.
    """

    def __init__(self, seconds: float, *, since: float | None = None) -> None:
        self._seconds = seconds
        self._since = since

    async def __aenter__(self) -> None:
        when = (now() if self._since is None else self._since) + self._seconds
        self._token = _nearest.set(min(_nearest.get(), (when, self._seconds)))
        self._timeout = asyncio.timeout_at(when)
        await self._timeout.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _nearest.reset(self._token)
        try:
            await self._timeout.__aexit__(kind, error, trace)
            if isinstance(error, TimeoutError):
                raise error
        except TimeoutError:
            raise _exceeded(self._seconds) from None


def require_time() -> None:
    """Ask for the deadlines around this, in work that does not let the event loop tell.

    Raises:
        DeadlineExceeded: One has passed.
    """
    when, seconds = _nearest.get()
    if now() >= when:
        raise _exceeded(seconds)


def _exceeded(seconds: float) -> DeadlineExceeded:
    message = f"the deadline of {seconds:g} s has passed; a call asks for another one with timeout_ms"
    return DeadlineExceeded(message, setting="limits.deadline-seconds")
