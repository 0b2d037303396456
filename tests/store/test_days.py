from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.errors import InvalidInput
from webward.store.days import day_of, end_of, zone_of

# Zone, instant, the day it is in, and when that ends.
DAYS = [
    ("UTC", "2026-01-01T00:00", "2026-01-01", "2026-01-02T00:00"),
    ("UTC", "2026-01-01T23:59:59.999999", "2026-01-01", "2026-01-02T00:00"),
    ("Europe/Berlin", "2026-01-01T22:59", "2026-01-01", "2026-01-01T23:00"),
    ("Europe/Berlin", "2026-01-01T23:00", "2026-01-02", "2026-01-02T23:00"),
    ("Pacific/Kiritimati", "2026-01-01T10:00", "2026-01-02", "2026-01-02T10:00"),
    ("America/New_York", "2026-01-01T04:59", "2025-12-31", "2026-01-01T05:00"),
    ("Asia/Kathmandu", "2026-01-01T18:14", "2026-01-01", "2026-01-01T18:15"),
    # A day of 23 hours, and one of 25.
    ("Europe/Berlin", "2026-03-28T23:00", "2026-03-29", "2026-03-29T22:00"),
    ("Europe/Berlin", "2026-03-29T21:59", "2026-03-29", "2026-03-29T22:00"),
    ("Europe/Berlin", "2026-10-24T22:00", "2026-10-25", "2026-10-25T23:00"),
    ("Europe/Berlin", "2026-10-25T22:59", "2026-10-25", "2026-10-25T23:00"),
    # The clocks leave out midnight: 3 November ends at one o'clock.
    ("America/Sao_Paulo", "2018-11-04T02:59", "2018-11-03", "2018-11-04T03:00"),
    ("America/Sao_Paulo", "2018-11-04T03:00", "2018-11-04", "2018-11-05T02:00"),
    # Midnight comes twice: the day begins with the first.
    ("America/Havana", "2025-11-02T03:59", "2025-11-01", "2025-11-02T04:00"),
    ("America/Havana", "2025-11-02T05:30", "2025-11-02", "2025-11-03T05:00"),
    # At one minute past midnight the clocks go back to the day before, which then ends with the second midnight.
    ("America/St_Johns", "2010-11-07T02:29", "2010-11-06", "2010-11-07T02:30"),
    ("America/St_Johns", "2010-11-07T03:00", "2010-11-06", "2010-11-07T03:30"),
    # Samoa had no 30 December.
    ("Pacific/Apia", "2011-12-30T09:59", "2011-12-29", "2011-12-30T10:00"),
    ("Pacific/Apia", "2011-12-30T10:00", "2011-12-31", "2011-12-31T10:00"),
]
HOSTILE = [
    *("", "Nowhere", "Europe/Berlinn", "europe", "Europe", "/etc/passwd", "../../../etc/passwd", "UTC\0", "\ud800"),
    *("a" * 1_000_000, ".", "Europe/Berlin/", " UTC", "Europe/../Europe/Berlin"),
]


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(("zone", "now", "day", "ends"), DAYS)
def test_a_day_is_that_of_the_zone(zone: str, now: str, day: str, ends: str) -> None:
    found = day_of(instant(now), zone_of(zone))
    assert date.fromordinal(found).isoformat() == day
    assert end_of(found, zone_of(zone), instant(now)) == instant(ends)


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_zone_is_said(name: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        zone_of(name)
    assert "time zone" in caught.value.message
    assert len(caught.value.message) < 200


@given(
    now=st.datetimes(datetime(1950, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 - hypothesis wants them so
    name=st.sampled_from(["UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kolkata", "Africa/Cairo", "Asia/Tehran"]),
)
def test_a_day_ends_where_the_next_begins(now: datetime, name: str) -> None:
    zone = zone_of(name)
    day = day_of(now, zone)
    ends = end_of(day, zone, now)
    assert now < ends < now + timedelta(hours=26)
    assert day_of(ends, zone) == day + 1
    assert day_of(ends - timedelta(microseconds=1), zone) == day
