"""The Retry-After field of a response (RFC 9110 section 10.2.3): seconds, or an instant."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

MAX_DIGITS = 9  # of seconds: thirty years


def retry_after_seconds(value: str | None, now: datetime) -> float | None:
    """How long a server asks to wait, never below 0; None when it does not say, or not in a form that is known."""
    if value is None:
        return None
    text = value.strip()
    if text.isdecimal() and text.isascii() and len(text) <= MAX_DIGITS:
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - now).total_seconds())
    except (ValueError, TypeError, OverflowError):  # no date, or one without its zone
        return None
