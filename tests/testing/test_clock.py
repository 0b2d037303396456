from __future__ import annotations

from datetime import timedelta

from webward.testing import FrozenClock


def test_time_stands_still_until_it_is_advanced() -> None:
    clock = FrozenClock()
    assert clock.monotonic() == clock.monotonic() == 0
    assert clock.now() == clock.now()


def test_both_times_advance_together() -> None:
    clock = FrozenClock()
    first = clock.now()
    clock.advance(1.5)
    clock.advance(60)
    assert clock.monotonic() == 61.5
    assert clock.now() - first == timedelta(seconds=61.5)


def test_the_date_is_always_the_same_and_in_utc() -> None:
    assert FrozenClock().now().isoformat() == "2026-01-01T00:00:00+00:00"
