from __future__ import annotations

from datetime import UTC, datetime

import pytest

from webward.core.retry_after import retry_after_seconds

NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("", None),
        ("0", 0.0),
        ("120", 120.0),
        (" 3 ", 3.0),
        ("999999999", 999_999_999.0),
        ("9999999999", None),
        ("-1", None),
        ("1.5", None),
        ("٣", None),
        ("soon", None),
        ("Thu, 01 Jan 2026 12:00:30 GMT", 30.0),
        ("Thursday, 01-Jan-26 12:00:30 GMT", 30.0),
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0.0),
        ("Thu, 01 Jan 2026 12:00:30", None),
        ("Thu, 32 Jan 2026 12:00:30 GMT", None),
        ("Thu, 01 Jan 99999 12:00:30 GMT", None),
    ],
)
def test_how_long_to_wait(value: str | None, seconds: float | None) -> None:
    assert retry_after_seconds(value, NOW) == seconds
