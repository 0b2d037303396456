"""Values of a quota: what is counted, and what a take gives."""

from __future__ import annotations

import re
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations

from msgspec import Struct

from webward.errors import InvalidInput

MOST_UNITS = 2**53  # what every language holds exactly; two of them are still far below what SQLite holds

_NAME = re.compile(r"[a-z][a-z0-9-]{0,63}\Z")


class Resource(Struct, frozen=True):
    """What is counted for each user, by the day.

    Attributes:
        name: One word for all that count the same thing: lower-case letters, digits and hyphens, at most 64.
        daily_limit: Units for one user and day; 0 means none.
        timezone: Where the day begins, as the IANA time zone database names it. All that count the same thing must
            say the same.

    Raises:
        InvalidInput: The name or the limit is wrong.
    """

    name: str
    daily_limit: int
    timezone: str = "UTC"

    def __post_init__(self) -> None:
        name: object = self.name
        timezone: object = self.timezone
        if not isinstance(name, str) or not _NAME.match(name):
            raise InvalidInput("the name of a resource is lower-case letters, digits and hyphens, at most 64")
        if not isinstance(timezone, str):
            raise InvalidInput("timezone must be the name of a time zone")
        require_units("daily_limit", self.daily_limit)


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


def require_units(name: str, units: object) -> None:
    """See that something is a number of units.

    Raises:
        InvalidInput: It is none.
    """
    if isinstance(units, bool) or not isinstance(units, int) or not 0 <= units <= MOST_UNITS:
        raise InvalidInput(f"{name} must be a whole number from 0 to 2**53")
