"""Values of a quota: what is counted, and what a take gives."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads the annotations

from msgspec import Struct


class Resource(Struct, frozen=True):
    """What is counted for each user, by the day.

    Attributes:
        name: One word for all that count the same thing: lower-case letters, digits and hyphens, at most 64.
        daily_limit: Units for one user and day; 0 means none.
        timezone: Where the day begins, as the IANA time zone database names it. All that count the same thing must
            say the same.
    """

    name: str
    daily_limit: int
    timezone: str = "UTC"


class Decision(Struct, frozen=True, kw_only=True):
    """What a take gives.

    Attributes:
        allowed: Whether the units were taken; else none was.
        used: Units that the user has taken in this day, with these.
        limit: Units for one user and day.
        resets_at: When the next day begins, in UTC.
    """

    allowed: bool
    used: int
    limit: int
    resets_at: datetime
