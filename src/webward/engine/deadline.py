"""The one deadline of a call."""

from __future__ import annotations

import asyncio
import math
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from webward.errors import DeadlineExceeded

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_nearest = ContextVar[tuple[float, float]]("nearest", default=(math.inf, math.inf))
"""When the first of the deadlines around this passes, by the clock of the event loop, and of how many seconds it is."""


def now() -> float:
    """The time by the clock that deadlines are measured with, in seconds."""
    return asyncio.get_running_loop().time()


@asynccontextmanager
async def deadline(seconds: float, *, since: float | None = None) -> AsyncIterator[None]:
    """Cancel what runs here when the time is over; a timeout of a single step is an error of its own.

    Args:
        seconds: How long it may take.
        since: When it began, by `now`, if that was earlier.

    Raises:
        DeadlineExceeded: The time is over.
    """
    when = (now() if since is None else since) + seconds
    token = _nearest.set(min(_nearest.get(), (when, seconds)))
    try:
        async with asyncio.timeout_at(when):
            yield
    except TimeoutError:
        raise _exceeded(seconds) from None
    finally:
        _nearest.reset(token)


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
