from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.content.dates import rfc3339

DATES = [
    ("2024-01-31", "2024-01-31"),
    ("20240131", "2024-01-31"),
    ("2024-01-31T10:00:00Z", "2024-01-31T10:00:00Z"),
    ("2024-01-31t10:00:00z", "2024-01-31T10:00:00Z"),
    ("2024-01-31T10:00Z", "2024-01-31T10:00:00Z"),
    ("2024-01-31T10:00:00+02:00", "2024-01-31T08:00:00Z"),
    ("2024-01-31T10:00:00 +0200", "2024-01-31T08:00:00Z"),
    ("1999-12-31T23:59:59-08", "2000-01-01T07:59:59Z"),
    ("2024-01-31 10:00:00 UTC", "2024-01-31T10:00:00Z"),
    ("2024-01-31T10:00:00.123456789+01:00", "2024-01-31T09:00:00Z"),
    ("20240131T101500Z", "2024-01-31T10:15:00Z"),
    ("2024-01-31T10:00:00", "2024-01-31"),
    ("2024-01-31 10:00", "2024-01-31"),
    ("2024/1/3", "2024-01-03"),
    ("2024-1-3", "2024-01-03"),
    ("3.1.2024", "2024-01-03"),
    ("03.01.2024, 10:00", "2024-01-03"),
    ("Mon, 03 Jan 2022 10:00:00 GMT", "2022-01-03T10:00:00Z"),
    ("Mon, 3 Jan 2022 10:00:00 -0500", "2022-01-03T15:00:00Z"),
    ("3 Jan 2022 10:00 EST", "2022-01-03T15:00:00Z"),
    ("Mon, 3 Jan 22 10:00:00 Z", "2022-01-03T10:00:00Z"),
    ("Tue, 3 Jan 89 9:00 PDT", "1989-01-03T16:00:00Z"),
    ("Mon, 3 Jan 2022 10:00 XYZ", "2022-01-03"),
    ("Mon, 33 Jan 2022 10:00 GMT", None),
    ("Mon, 3 Foo 2022 10:00 GMT", None),
    ("3 January 2022", "2022-01-03"),
    ("3rd of January 2022", None),
    ("January 3, 2022", "2022-01-03"),
    ("Jan. 3rd, 2022 at 10:00", "2022-01-03"),
    ("Monday, January 3, 2022", "2022-01-03"),
    ("  2024-01-31\n", "2024-01-31"),
    ("01/02/2022", None),
    ("2024-02-30", None),
    ("2024-13-01", None),
    ("2024-01-31T25:00:00Z", None),
    ("0000-00-00", None),
    ("0001-01-01T00:00:00Z", None),
    ("9999-12-31T23:59:59-23:59", None),
    ("1970-01-01T00:00:00Z", None),
    ("1899-12-31", None),
    ("2024", None),
    ("May 2024", None),
    ("Foo 3, 2022", None),
    ("yesterday", None),
    ("", None),
    ("\u0662\u0660\u0662\u0664-\u0660\u0661-\u0663\u0661", None),
    ("2024-01-31" + " x" * 100, None),
]


@pytest.mark.parametrize(("text", "expected"), DATES, ids=[ascii(row[0]) for row in DATES])
def test_dates(text: str, expected: str | None) -> None:
    assert rfc3339(text) == expected


@given(
    st.from_regex(r"[0-9]{1,8}[-/. T]?[0-9]{0,4}[-/.: ]?[0-9]{0,4}[A-Za-z:+ 0-9-]{0,20}", fullmatch=True)
    | st.text(max_size=30)
)
def test_any_text_gives_a_date_or_nothing(text: str) -> None:
    found = rfc3339(text)

    assert found is None or rfc3339(found) == found
