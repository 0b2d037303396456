"""Answers as the engine would give them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from webward.contracts.iii.configuration import DEFAULTS, WebConfiguration
from webward.contracts.iii.request import FetchRequest, decode_request
from webward.model import AddressClass, Fetched, Headers, Hop, Timing

URL = "https://site.test/"
TIMING = Timing(resolve_ms=0, dial_ms=0, tls_ms=0, head_ms=0, body_ms=0, total_ms=0)


def hop(url: str, status: int = 302) -> Hop:
    return Hop(url=url, status=status, address_class=AddressClass.GLOBAL, reused=False)


def answer(body: bytes = b"", *, via: tuple[str, ...] = (), **changes: Any) -> Fetched:
    """An answer of some bytes, after redirects of some URLs."""
    facts: dict[str, Any] = {
        "url": URL,
        "final_url": URL,
        "status": 200,
        "reason": "Whatever",
        "headers": Headers(),
        "media_type": None,
        "charset": None,
        "body_bytes": len(body),
        "wire_bytes": len(body),
        "truncated": False,
        "hops": (*(hop(url) for url in via), hop(URL, 200)),
        "timing": TIMING,
        "notes": (),
        "retrieved_at": datetime(2026, 12, 1, tzinfo=UTC),
        "text": None,
    }
    return Fetched(body=body, **(facts | changes))


def request(configuration: WebConfiguration = DEFAULTS, **payload: Any) -> FetchRequest:
    return decode_request({"url": URL, **payload}, configuration)
