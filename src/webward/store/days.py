"""Days of a time zone: which one an instant is in, and when it ends; daylight saving and skipped days included."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from webward.errors import InvalidInput

_ONE_DAY = timedelta(days=1)


@lru_cache(maxsize=64)
def zone_of(name: str) -> tzinfo:
    """The time zone of a name in the IANA time zone database.

    Raises:
        InvalidInput: There is none.
    """
    if name == "UTC":
        return UTC  # it needs no database, which Windows and small containers have not
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(f"there is no time zone {name[:64]!r}; say one such as Europe/Berlin") from None


def day_of(instant: datetime, zone: tzinfo) -> int:
    """The day in which an instant falls, as its proleptic Gregorian ordinal."""
    return instant.astimezone(zone).toordinal()


def end_of(day: int, zone: tzinfo, now: datetime) -> datetime:
    """When the day after a day begins, in UTC.

    Midnight may be left out by the clocks, or come twice: then it is the first instant of the day that is still to
    come.
    """
    midnight = datetime.combine(date.fromordinal(day) + _ONE_DAY, time(), zone)
    first = midnight.astimezone(UTC)
    return first if first > now else midnight.replace(fold=1).astimezone(UTC)
