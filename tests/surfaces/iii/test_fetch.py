"""Requests in raw mode: what is sent, what comes back, and what every failure becomes."""

from __future__ import annotations

import asyncio
import gzip
import json
from base64 import b64decode
from typing import TYPE_CHECKING, Any

import pytest
from tests.surfaces.iii.bench import URL, WAIT_SECONDS

from webward.surfaces.iii.fetch import CALLS_AT_ONCE
from webward.testing import Close, Pause, Reset, Send

if TYPE_CHECKING:
    from tests.surfaces.iii.bench import Bench

TEXT = [("Content-Type", "text/plain; charset=utf-8")]
JSON = [("Content-Type", "application/json")]
OTHER = "http://other.test/"


def head(status: int, *fields: str) -> Send:
    return Send("\r\n".join([f"HTTP/1.1 {status} Scripted", *fields, "", ""]).encode())


async def test_a_url_is_enough(bench: Bench) -> None:
    bench.web.page(URL, "Design for failure.", headers=TEXT)
    envelope = await bench.fetch()
    assert (envelope["ok"], envelope["status"], envelope["body"]) == (True, 200, "Design for failure.")
    assert envelope["headers"]["content-type"] == "text/plain; charset=utf-8"
    (request,) = bench.web.requests
    assert (request.method, request.headers["user-agent"]) == ("GET", "iii-harness/0.1 (+web::fetch)")


async def test_the_user_agent_is_the_configured_one(bench: Bench) -> None:
    bench.web.page(URL)
    await bench.configure(user_agent="me/1")
    await bench.fetch()
    await bench.fetch(headers={"user-agent": "you/2"})
    assert [request.headers["user-agent"] for request in bench.web.requests] == ["me/1", "you/2"]


@pytest.mark.parametrize("status", [200, 204, 304, 300, 404, 500, 503])
async def test_every_status_is_an_answer(bench: Bench, status: int) -> None:
    bench.web.page(URL, status=status, headers=TEXT)
    envelope = await bench.fetch()
    assert (envelope["ok"], envelope["status"], envelope["bytes_truncated"]) == (True, status, False)
    assert "redirect_chain" not in envelope


@pytest.mark.parametrize("status", [300, 304, 305])
async def test_a_location_of_another_status_leads_nowhere(bench: Bench, status: int) -> None:
    bench.web.redirect(URL, OTHER, status=status)
    assert (await bench.fetch())["status"] == status


@pytest.mark.parametrize(("body", "parsed"), [('{"a": [1]}', {"a": [1]}), ("null", None)])
async def test_json_comes_parsed_and_raw(bench: Bench, body: str, parsed: object) -> None:
    bench.web.page(URL, body, headers=JSON)
    envelope = await bench.fetch(response_format="json")
    assert (envelope["json"], envelope["body"], envelope["response_format"]) == (parsed, body, "json")


async def test_much_json_is_parsed_beside_the_loop(bench: Bench) -> None:
    numbers = list(range(200_000))
    bench.web.page(URL, json.dumps(numbers), headers=JSON)
    assert (await bench.fetch(response_format="json"))["json"] == numbers


async def test_what_is_no_json_comes_raw(bench: Bench) -> None:
    bench.web.page(URL, "<html>", headers=JSON)
    envelope = await bench.fetch(response_format="json")
    assert ("json" in envelope, envelope["body"]) == (False, "<html>")
    assert isinstance(envelope["parse_error"], str)


async def test_bytes_come_as_base64(bench: Bench) -> None:
    body = bytes(range(256))
    bench.web.page(URL, body, headers=[("Content-Type", "application/octet-stream")])
    assert b64decode((await bench.fetch(response_format="base64"))["body"]) == body
    assert (await bench.fetch())["body"] == body.decode(errors="replace")


@pytest.mark.parametrize(
    ("pieces", "cap", "body", "is_cut"),
    [
        ((b"abcd", b"efgh"), 6, "abcdef", True),
        ((b"abcde",), 100, "abcde", False),
        ((b"abcdefgh",), 4, "abcd", True),
        ((b"abcdefgh",), 8, "abcdefgh", False),
        ((b"abcdefgh",), 7, "abcdefg", True),
        ((b"x" * 1000,), 10, "x" * 10, True),
    ],
)
async def test_a_body_over_the_cap_is_cut(
    bench: Bench,
    pieces: tuple[bytes, ...],
    cap: int,
    body: str,
    is_cut: bool,  # noqa: FBT001 - a row
) -> None:
    length = sum(map(len, pieces))
    bench.web.script(URL, head(200, "Content-Type: text/plain", f"Content-Length: {length}"), *map(Send, pieces))
    envelope = await bench.fetch(max_bytes=cap)
    assert (envelope["body"], envelope["bytes_truncated"]) == (body, is_cut)


async def test_the_operators_ceiling_is_the_cap(bench: Bench) -> None:
    bench.web.page(URL, "x" * 100, headers=TEXT)
    await bench.configure(max_response_bytes=10)
    for asked in (None, 50):
        assert (await bench.fetch(max_bytes=asked))["body"] == "x" * 10


async def test_a_stream_without_end_is_cut_too(bench: Bench) -> None:
    bench.web.script(URL, head(200, "Content-Type: text/plain"), Send(b"x" * 1000, times=10_000), Reset())
    assert (await bench.fetch(max_bytes=5000))["bytes_truncated"] is True


async def test_codings_are_undone_under_the_cap(bench: Bench) -> None:
    bench.web.page(URL, gzip.compress(b"x" * 1_000_000), headers=[*TEXT, ("Content-Encoding", "gzip")])
    envelope = await bench.fetch(max_bytes=2000)
    assert (envelope["body"], envelope["bytes_truncated"]) == ("x" * 2000, True)
    assert envelope["headers"]["content-encoding"] == "gzip"
    assert "content-length" in envelope["headers"]


async def test_a_charset_is_found(bench: Bench) -> None:
    bench.web.page(URL, "caf\xe9".encode("latin-1"), headers=[("Content-Type", "text/plain; charset=iso-8859-1")])
    assert (await bench.fetch())["body"] == "caf\xe9"


async def test_raw_text_is_untouched(bench: Bench) -> None:
    body = "a\u200bb\u202e <|im_start|> \x1b[1m\r\n"
    bench.web.page(URL, body, headers=TEXT)
    assert (await bench.fetch())["body"] == body


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
async def test_json_is_sent(bench: Bench, method: str) -> None:
    bench.web.page(URL)
    assert (await bench.fetch(method=method.lower(), json={"a": 1}, body="ignored"))["ok"]
    (request,) = bench.web.requests
    assert (request.method, request.body, request.headers["content-type"]) == (method, b'{"a":1}', "application/json")


async def test_a_body_is_sent_as_it_is(bench: Bench) -> None:
    bench.web.page(URL)
    await bench.fetch(method="POST", body="a=\xe9")
    (request,) = bench.web.requests
    assert (request.body, request.headers.get("content-type")) == (b"a=\xc3\xa9", None)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_get_and_head_send_no_body(bench: Bench, method: str) -> None:
    bench.web.page(URL, headers=TEXT)
    await bench.fetch(method=method, json={"a": 1}, body="x")
    (request,) = bench.web.requests
    assert (request.method, request.body, request.headers.get("content-type")) == (method, b"", None)


async def test_what_is_not_the_callers_is_not_sent(bench: Bench) -> None:
    bench.web.page(URL)
    await bench.fetch(headers={"HOST": "evil.test", "Proxy-Authorization": "x", "X-Mine": "y", "Metadata": "true"})
    (request,) = bench.web.requests
    assert (request.headers["host"], request.headers["x-mine"]) == ("site.test", "y")
    assert not {"proxy-authorization", "metadata"} & set(request.headers)


async def test_user_and_password_become_authorization(bench: Bench) -> None:
    bench.web.redirect(URL, OTHER)
    bench.web.page(OTHER)
    envelope = await bench.fetch("http://me:secret@site.test/")
    assert [request.headers.get("authorization") for request in bench.web.requests] == ["Basic bWU6c2VjcmV0", None]
    assert envelope["redirect_chain"] == [URL]


async def test_a_redirect_is_followed(bench: Bench) -> None:
    bench.web.redirect(URL, "/next")
    bench.web.redirect(f"{URL}next", OTHER)
    bench.web.page(OTHER, "here", headers=TEXT)
    envelope = await bench.fetch("HTTP://Site.test")
    assert (envelope["body"], envelope["redirect_chain"]) == ("here", ["HTTP://Site.test", f"{URL}next"])


async def test_a_redirect_is_an_answer_where_it_is_not_followed(bench: Bench) -> None:
    bench.web.redirect(URL, OTHER)
    envelope = await bench.fetch(follow_redirects=False)
    assert (envelope["status"], envelope["headers"]["location"]) == (302, OTHER)
    assert len(bench.web.requests) == 1


@pytest.mark.parametrize(
    ("status", "method", "becomes"),
    [
        (303, "POST", "GET"),
        (303, "HEAD", "HEAD"),
        (301, "POST", "GET"),
        (302, "POST", "GET"),
        (302, "PUT", "PUT"),
        (307, "POST", "POST"),
        (308, "POST", "POST"),
    ],
)
async def test_the_method_of_a_redirect_is_the_fetch_standards(
    bench: Bench, status: int, method: str, becomes: str
) -> None:
    bench.web.redirect(URL, "/next", status=status)
    bench.web.page(f"{URL}next")
    await bench.fetch(method=method, body="x")
    request = bench.web.requests[-1]
    assert (request.method, request.body) == (becomes, b"x" if becomes in {"POST", "PUT"} else b"")
    assert ("content-length" in request.headers) == (becomes in {"POST", "PUT"})


@pytest.mark.parametrize(
    ("target", "kept"),
    [(f"{URL}next", {"authorization", "cookie", "x-mine"}), (OTHER, set()), ("http://site.test:8080/", set())],
)
async def test_credentials_stay_with_their_origin(bench: Bench, target: str, kept: set[str]) -> None:
    bench.web.redirect(URL, target)
    bench.web.page(target)
    await bench.fetch(headers={"Authorization": "a", "Cookie": "b", "X-Mine": "c", "Accept": "d/e"})
    sent = bench.web.requests[-1].headers
    assert {"authorization", "cookie", "x-mine"} & set(sent) == kept
    assert sent["accept"] == "d/e"


async def fails(bench: Bench, url: str = URL, **payload: Any) -> tuple[str, str]:
    envelope = await bench.fetch(url, **payload)
    assert set(envelope) == {"ok", "error", "message"}
    assert envelope["ok"] is False
    return envelope["error"], envelope["message"]


@pytest.mark.parametrize(
    "payload", [{}, None, [], "x", {"url": 5}, {"url": ""}, {"url": URL, "method": "FETCH"}], ids=repr
)
async def test_a_bad_payload_is_an_envelope(bench: Bench, payload: object) -> None:
    envelope = await bench.function(payload)
    assert (envelope["ok"], envelope["error"]) == (False, "invalid_payload")


@pytest.mark.parametrize(
    "url",
    ["ftp://site.test/", "file:///etc/passwd", "garbage", "//site.test/", "http://", "http://[::1/", "http://a:99999/"],
)
async def test_what_is_no_url_is_told(bench: Bench, url: str) -> None:
    assert (await fails(bench, url))[0] == "invalid_url"


@pytest.mark.parametrize("field", ["target_elements", "excluded_tags"])
async def test_what_is_no_selector_is_named_before_anything_is_sent(bench: Bench, field: str) -> None:
    selectors: Any = {field: ["p", "p["]}
    code, message = await fails(bench, format="markdown", **selectors)
    assert (code, field in message, "'p['" in message) == ("invalid_payload", True, True)
    assert bench.web.requests == []


@pytest.mark.parametrize("headers", [{"a b": "c"}, {"a": "b\r\nc: d"}, {"": "x"}, {"a": "\u2603"}], ids=repr)
async def test_a_header_that_is_none_is_a_transport_error(bench: Bench, headers: dict[str, str]) -> None:
    assert (await fails(bench, headers=headers))[0] == "transport_error"


@pytest.mark.parametrize("most", [0, 2])
async def test_a_loop_ends(bench: Bench, most: int) -> None:
    bench.web.redirect(URL, URL)
    await bench.configure(max_redirects=most)
    code, message = await fails(bench)
    assert (code, f"more than {most} " in message) == ("too_many_redirects", True)
    assert len(bench.web.requests) == most + 1


@pytest.mark.parametrize(
    ("location", "code"),
    [
        ("http://[", "transport_error"),
        ("http://1.2.3.4.5/", "transport_error"),
        ("ftp://other.test/", "invalid_url"),
        ("file:///etc/passwd", "invalid_url"),
        ("http://10.0.0.1/", "blocked_host"),
        ("http://169.254.169.254/latest", "blocked_host"),
        ("http://db.internal/", "blocked_host"),
    ],
)
async def test_where_a_redirect_must_not_lead(bench: Bench, location: str, code: str) -> None:
    bench.web.redirect(URL, location)
    assert (await fails(bench))[0] == code


BROKEN: dict[str, tuple[Any, ...]] = {
    "nothing": (Close(),),
    "a reset": (Reset(),),
    "no HTTP": (Send(b"SSH-2.0-x\r\n\r\n"), Close()),
    "half a head": (Send(b"HTTP/1.1 200 OK\r\nContent-"), Close()),
    "half a body": (head(200, "Content-Length: 9"), Send(b"text"), Close()),
    "half a chunk": (head(200, "Transfer-Encoding: chunked"), Send(b"9\r\ntext"), Reset()),
    "half a coding": (
        head(200, "Content-Encoding: gzip", "Content-Length: 30"),
        Send(gzip.compress(bytes(range(256)))[:30]),
    ),
}


@pytest.mark.parametrize("case", BROKEN)
async def test_a_broken_answer_is_a_transport_error(bench: Bench, case: str) -> None:
    bench.web.script(URL, *BROKEN[case])
    assert (await fails(bench))[0] == "transport_error"


async def test_a_name_without_addresses_is_a_transport_error(bench: Bench) -> None:
    assert (await fails(bench, "http://nowhere.test/"))[0] == "transport_error"


SLOW: dict[str, tuple[Any, ...]] = {
    "no head": (Pause(10 * WAIT_SECONDS),),
    "no body": (head(200, "Content-Length: 9"), Pause(10 * WAIT_SECONDS)),
    "a drip": (head(200, "Content-Length: 9999"), Send(b"x", times=9999, every_seconds=0.01)),
}


@pytest.mark.parametrize("case", SLOW)
async def test_what_is_too_slow_is_a_timeout(bench: Bench, case: str) -> None:
    bench.web.script(URL, *SLOW[case])
    code, message = await fails(bench, timeout_ms=100)
    assert (code, "100 ms" in message) == ("timeout", True)


async def test_the_deadline_is_one_over_all_hops(bench: Bench) -> None:
    bench.web.script(URL, Pause(0.05), head(302, "Location: /", "Content-Length: 0"))
    await bench.configure(max_redirects=20, max_timeout_ms=200)
    assert (await fails(bench, timeout_ms=99_999))[0] == "timeout"
    assert len(bench.web.requests) < 8


async def test_the_deadline_covers_the_reading(bench: Bench) -> None:
    size = 5 * 1024 * 1024
    bench.web.page(URL, "<p>tea" * (size // 8), headers=[("Content-Type", "text/html")])
    await bench.configure(max_transform_bytes=size)
    wishes: Any = {"format": "markdown", "content_filter": {"type": "bm25", "query": "tea"}, "max_bytes": size}
    assert (await fails(bench, timeout_ms=500, **wishes))[0] == "timeout"


async def test_the_deadline_covers_the_wait_for_a_turn(bench: Bench) -> None:
    bench.web.script(URL, Pause(10 * WAIT_SECONDS))
    ahead = [asyncio.create_task(bench.fetch()) for _ in range(CALLS_AT_ONCE)]
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            while len(bench.web.requests) < CALLS_AT_ONCE:
                await asyncio.wait(ahead, timeout=0.01)
            bench.web.page(OTHER)
            assert (await fails(bench, OTHER, timeout_ms=50))[0] == "timeout"
        assert len(bench.web.requests) == CALLS_AT_ONCE
    finally:
        await bench.function.drain(0.0)
        await asyncio.wait(ahead)


async def test_a_fault_of_ours_is_an_envelope(bench: Bench) -> None:
    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: told.append(context))

    class Broken:
        def knows(self, _host: str) -> bool:
            return True

        async def resolve(self, _host: str) -> Any:
            raise ZeroDivisionError("/home/secret")

        async def close(self) -> None: ...

    bench.web.resolver = Broken()  # type: ignore[assignment]
    assert await fails(bench) == ("transport_error", "internal error")
    assert isinstance(told[0]["exception"], ZeroDivisionError)


async def test_calls_at_once_do_not_mix(bench: Bench) -> None:
    for number in range(50):
        bench.web.page(f"{URL}{number}", str(number), headers=TEXT)
    envelopes = await asyncio.gather(*(bench.fetch(f"{URL}{number}") for number in range(50)))
    assert [envelope["body"] for envelope in envelopes] == [str(number) for number in range(50)]


async def test_a_result_is_one_message_of_json(bench: Bench) -> None:
    bench.web.page(URL, b"\0\xff" * 1000, headers=[("X-A", "\xe9")])
    json.dumps(await bench.fetch(), allow_nan=False).encode()
    await bench.configure(max_response_bytes=40 * 1024 * 1024)
    bench.web.page(URL, b"\1" * (12 * 1024 * 1024), headers=TEXT)
    code, message = await fails(bench)
    assert (code, "max_bytes" in message) == ("transport_error", True)
    assert (await bench.fetch(response_format="base64"))["ok"]


async def test_calls_are_drained(bench: Bench) -> None:
    bench.web.script(URL, Pause(0.1), head(200, "Content-Length: 0"))
    bench.web.script(OTHER, Pause(10 * WAIT_SECONDS))
    quick, endless = asyncio.create_task(bench.fetch()), asyncio.create_task(bench.fetch(OTHER))
    async with asyncio.timeout(WAIT_SECONDS):
        await asyncio.wait([quick])
        await bench.function.drain(0.0)
        assert (await quick)["ok"]
        ended = await endless
    assert (ended["error"], "stopping" in ended["message"]) == ("transport_error", True)
    await bench.function.drain(0.0)


async def test_a_call_that_is_canceled_by_others_stays_canceled(bench: Bench) -> None:
    bench.web.script(URL, Pause(10 * WAIT_SECONDS))
    task = asyncio.create_task(bench.fetch())
    asyncio.get_running_loop().call_later(0.05, task.cancel)
    with pytest.raises(asyncio.CancelledError):
        await task
