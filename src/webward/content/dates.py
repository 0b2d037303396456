"""Dates as pages and feeds write them, to RFC 3339: what is ambiguous or cannot be is no date."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DATE_CHARS = 64
"""Longer than any date with its weekday, offset and zone name."""

FIRST_YEAR = 1900
LAST_YEAR = 2199
"""Years outside are zeros and typing errors of software, not dates of pages."""

_UNSET = ("1900-01-01", "1970-01-01")  # what a zero becomes

_WEEKDAY = r"(?:[A-Za-z]{3,9}\.?,? )?"
_TAIL = r"(?:[T,\s].*)?"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ZONES = {
    **dict.fromkeys(("Z", "UT", "UTC", "GMT"), "Z"),
    "EDT": "-04",
    "EST": "-05",
    "CDT": "-05",
    "CST": "-06",
    "MDT": "-06",
    "MST": "-07",
    "PDT": "-07",
    "PST": "-08",
}
_CENTURY_TURN = "50"
_ZONE = re.compile(r" (UTC|GMT|[+-][\d:]+)\Z")


def rfc3339(text: str) -> str | None:
    """The date or, when its offset is known, the instant in UTC, as RFC 3339 writes it; None for what is neither.

    ISO 8601, RFC 5322 and English dates are read; dates in figures only where their order is certain: year first, or
    with dots, which no country puts behind the month.
    """
    text = " ".join(text[: 4 * MAX_DATE_CHARS].split())
    if len(text) > MAX_DATE_CHARS or not text.isascii():
        return None
    for pattern, read in _READERS:
        found = pattern.fullmatch(text)
        if found:
            try:
                moment = read(found)
                return _written(moment)
            except (ValueError, OverflowError):  # the 30th of February; a year of a hundred digits
                return None
    return None


def _written(moment: datetime) -> str | None:
    # Without an offset the instant is not known (RFC 3339 section 4.3), so that only the date is told.
    written = moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if moment.tzinfo else moment.date().isoformat()
    return written if FIRST_YEAR <= moment.year <= LAST_YEAR and not written.startswith(_UNSET) else None


def _iso(found: re.Match[str]) -> datetime:
    return datetime.fromisoformat(
        _ZONE.sub(r"\1", found[0].replace(",", ".").upper()).replace("UTC", "Z").replace("GMT", "Z")
    )


def _mail(found: re.Match[str]) -> datetime:
    """RFC 5322 section 3.3, with the two-digit years and the zones of section 4.3; other zones tell nothing."""
    year = found["year"]
    if len(year) == len("99"):
        year = ("20" if year < _CENTURY_TURN else "19") + year
    zone = _ZONES.get(found["zone"], found["zone"] if found["zone"][0] in "+-" else "")
    return datetime.fromisoformat(
        f"{year:>04}-{_month(found['month']):02}-{found['day']:>02}T{found['hour']:>02}:{found['rest']}{zone}"
    )


def _month(name: str) -> int:
    return _MONTHS.index(name[:3].lower()) + 1


def _in_order(found: re.Match[str]) -> datetime:
    month = found["month"]
    number = int(month) if month.isdecimal() else _month(month)
    return datetime(int(found["year"]), number, int(found["day"]))  # noqa: DTZ001 - a date without a time has no zone


_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], datetime]], ...] = (
    (
        re.compile(
            r"\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,12})?)?(?:Z| ?(?:UTC|GMT|[+-]\d\d(?::?\d\d)?))?)?"
            r"|\d{8}(?:T\d{4}(?:\d\d)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?",
            re.IGNORECASE,
        ),
        _iso,
    ),
    (
        re.compile(
            rf"{_WEEKDAY}(?P<day>\d\d?) (?P<month>[A-Za-z]{{3,9}}) (?P<year>\d\d|\d{{4}}) "
            r"(?P<hour>\d\d?):(?P<rest>\d\d(?::\d\d)?) (?P<zone>[A-Z]{1,5}|[+-]\d{4})"
        ),
        _mail,
    ),
    (re.compile(rf"(?P<year>\d{{4}})(?P<mark>[-/.])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?){_TAIL}"), _in_order),
    (re.compile(rf"(?P<day>\d\d?)\.\s?(?P<month>\d\d?)\.\s?(?P<year>\d{{4}}){_TAIL}"), _in_order),
    (
        re.compile(
            rf"{_WEEKDAY}(?P<day>\d\d?)(?:st|nd|rd|th|\.)? (?P<month>[A-Za-z]{{3,9}})\.?,? (?P<year>\d{{4}}){_TAIL}"
        ),
        _in_order,
    ),
    (
        re.compile(
            rf"{_WEEKDAY}(?P<month>[A-Za-z]{{3,9}})\.? (?P<day>\d\d?)(?:st|nd|rd|th)?,? (?P<year>\d{{4}}){_TAIL}"
        ),
        _in_order,
    ),
)
