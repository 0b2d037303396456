"""A clock that stands still until it is told to go on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


class FrozenClock:
    """Implements `webward.ports.Clock`."""

    def __init__(self) -> None:
        self._seconds = 0.0

    def monotonic(self) -> float:
        """Seconds since the clock was made."""
        return self._seconds

    def now(self) -> datetime:
        """The first instant of 2026, and what was advanced since."""
        return EPOCH + timedelta(seconds=self._seconds)

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._seconds += seconds
