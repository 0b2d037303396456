from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from webward.contracts import page
from webward.errors import ConnectFailed, InvalidInput, NameNotFound, ProviderFailed, WebwardError
from webward.model import Hit, Note, SearchResponse
from webward.testing import FrozenClock, LoopbackWeb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webward import Fetched, Page

RESULTS = Path(__file__).parents[2] / "docs" / "results.md"
MAX_LINE = 1000


async def _fetched(body: bytes | str, *headers: tuple[str, str], url: str = "http://a.test/") -> Fetched:
    async with LoopbackWeb() as web, web.gateway(clock=FrozenClock()) as gateway:
        web.page("http://a.test/", body, headers=headers)
        web.redirect("http://b.test/", "http://a.test/")
        return await gateway.fetch(url)


async def _page(body: str, **options: Any) -> Page:
    async with LoopbackWeb() as web, web.gateway(clock=FrozenClock()) as gateway:
        web.page("http://a.test/", body)
        return await gateway.read("http://a.test/", **options)


async def test_a_text_body_is_text() -> None:
    envelope = page.fetched_envelope(await _fetched("é\n", ("Content-Type", "text/plain; charset=utf-8")))

    assert (envelope["body"], envelope["body_encoding"]) == ("é\n", "text")
    assert (envelope["media_type"], envelope["charset"]) == ("text/plain", "utf-8")
    assert (envelope["bytes"], envelope["wire_bytes"]) == (3, 3)


async def test_another_body_is_base64_and_has_no_charset() -> None:
    envelope = page.fetched_envelope(await _fetched(b"\0\xff", ("Content-Type", "application/octet-stream")))

    assert (base64.b64decode(envelope["body"]), envelope["body_encoding"]) == (b"\0\xff", "base64")
    assert "charset" not in envelope


async def test_headers_are_joined_but_for_set_cookie() -> None:
    envelope = page.fetched_envelope(
        await _fetched("", ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), ("Vary", "x"), ("VARY", "y"))
    )

    assert envelope["headers"] == {"set-cookie": ["a=1", "b=2"], "vary": "x, y", "content-length": "0"}
    assert "media_type" not in envelope


async def test_hops_timing_and_instant() -> None:
    envelope = page.fetched_envelope(await _fetched("", url="http://b.test/"))

    assert [(hop["url"], hop["status"], hop["address_class"]) for hop in envelope["hops"]] == [
        ("http://b.test/", 302, "global"),
        ("http://a.test/", 200, "global"),
    ]
    assert set(envelope["timing_ms"]) == {"resolve", "dial", "tls", "head", "body", "total"}
    assert envelope["retrieved_at"] == "2026-01-01T00:00:00.000Z"


async def test_a_window_of_a_page() -> None:
    envelope = page.page_envelope(await _page("<title>T</title><p>one two", max_chars=3))

    assert (envelope["text"], envelope["title"], envelope["format"]) == ("one", "T", "markdown")
    assert (envelope["start"], envelope["next_start"], envelope["truncated_text"]) == (0, 3, True)
    assert "body" not in envelope
    assert "description" not in envelope


def test_what_a_search_found() -> None:
    hit = Hit(title="", url="https://a.test/", snippet="s")
    response = SearchResponse(query="q", hits=(hit,), provider="brave", notes=(Note.DATES_IGNORED, "other"))
    assert json.loads(page.encode(page.search_envelope(response))) == {
        "ok": True,
        "query": "q",
        "provider": "brave",
        "results": [{"title": "", "url": "https://a.test/", "snippet": "s"}],
        "notes": ["dates-ignored", "other"],
    }


@pytest.mark.parametrize(
    ("error", "fields"),
    [
        (NameNotFound("gone"), {"code": "name-not-found", "message": "gone", "retryable": False, "hop": 0}),
        (
            ConnectFailed("no", setting="limits.dial-seconds"),
            {
                "code": "connect-failed",
                "message": "no",
                "retryable": True,
                "hop": 0,
                "setting": "limits.dial-seconds",
            },
        ),
        (
            ProviderFailed("busy", retryable=True, retry_after_seconds=1.5),
            {"code": "provider-failed", "message": "busy", "retryable": True, "hop": 0, "retry_after_ms": 1500},
        ),
        (WebwardError("bug"), {"code": "internal", "message": "bug", "retryable": False, "hop": 0}),
    ],
    ids=lambda value: getattr(value, "code", None),
)
def test_a_failure(error: WebwardError, fields: dict[str, object]) -> None:
    assert page.failure_envelope(error) == {"ok": False, "error": fields}


def test_the_hop_of_a_failure() -> None:
    error = ConnectFailed("no")
    error.hop = 2

    assert page.failure_envelope(error)["error"]["hop"] == 2


@pytest.mark.parametrize(
    ("envelope", "line"),
    [
        ({"id": "é", "ok": True}, '{"id":"é","ok":true}'.encode()),
        ({"id": "\ud800", "ok": True}, b'{"id":"\\ud800","ok":true}'),
    ],
    ids=["text", "lone surrogate"],
)
def test_an_envelope_is_one_line(envelope: page.Envelope, line: bytes) -> None:
    assert page.encode(envelope) == line


@pytest.mark.parametrize("line", [b"{", b"\xff", b"x" * (MAX_LINE + 1), b"[" * MAX_LINE], ids=repr)
def test_a_line_that_is_no_json_is_an_error(line: bytes) -> None:
    with pytest.raises(InvalidInput):
        page.parse_line(line, max_bytes=MAX_LINE)


@pytest.mark.parametrize(
    ("value", "fields"),
    [
        ({"id": "a"}, {"id": "a"}),
        ({"id": 1}, {"id": 1}),
        ({"id": True}, {}),
        ({"id": None}, {}),
        ({"id": [1]}, {}),
        ({}, {}),
        ([1], {}),
        (None, {}),
    ],
    ids=json.dumps,
)
def test_what_counts_as_an_id(value: object, fields: dict[str, object]) -> None:
    assert page.request_id(value) == fields


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        (b'{"id": "a", "tool', {"id": "a"}),
        (b' {"id":-7}', {"id": -7}),
        (b'{"id": "a\\"b", ' + b"[" * 5000, {"id": 'a"b'}),
        (b'{"id": "a', {}),
        (b'{"id": 1.5, ', {}),
        (b'{"id": true, ', {}),
        (b'{"id": "\xff", ', {}),
        (b'{"id": "a\nb", ', {}),
        (b'{"id": ' + b"9" * 5000 + b", ", {}),
        (b'{"tool": {"id": "a", ', {}),
        (b'[{"id": "a", ', {}),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_the_id_at_the_beginning_of_a_broken_line(line: bytes, fields: dict[str, object]) -> None:
    assert page.leading_id(line) == fields


def _names(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            if name != "headers":
                yield from _names(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _names(inner)


@pytest.mark.parametrize("note", Note)
def test_the_docs_explain_every_note(note: Note) -> None:
    assert f"`{note}`" in RESULTS.read_text(encoding="utf-8")


async def test_the_docs_name_every_field() -> None:
    docs = RESULTS.read_text(encoding="utf-8")
    html = "<html lang=en><title>T</title><meta name=description content=D><p>one two"
    failure = page.failure_envelope(ConnectFailed("no", setting="x"))
    envelopes = [
        page.fetched_envelope(await _fetched("", ("Content-Type", "text/plain"))),
        page.page_envelope(await _page(html, max_chars=3)),
        failure,
    ]

    undocumented = {name for name in _names(envelopes) if f"`{name}`" not in docs and f'"{name}"' not in docs}
    assert undocumented == set()
