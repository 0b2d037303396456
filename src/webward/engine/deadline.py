"""The one deadline of a call."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from webward.errors import DeadlineExceeded

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@asynccontextmanager
async def deadline(seconds: float) -> AsyncIterator[None]:
    """Cancel what runs here when the time is over; a timeout of a single step is an error of its own.

    Raises:
        DeadlineExceeded: The time is over.
    """
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        message = f"the deadline of {seconds:g} s has passed; a call asks for another one with timeout_ms"
        raise DeadlineExceeded(message, setting="limits.deadline-seconds") from None
