from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from webward.config import Limits
from webward.core import url
from webward.errors import InvalidHeader, ProtocolFailed
from webward.model import PhaseTimes, Request
from webward.net.http1 import Http1Exchange, begin

from .rig import Far, disturbed, wired

if TYPE_CHECKING:
    from webward.model import ResponseHead
    from webward.net.wire import Wire

GET = Request(method="GET", headers=())
TARGET = url.parse("http://shop.test/")
LIMITS = Limits(head_bytes=1000, head_fields=10, interim_responses=2)
OK = b"HTTP/1.1 200 OK\r\n"
EARLY = b"HTTP/1.1 103 Early Hints\r\n\r\n"


async def begun(
    wire: Wire, far: Far, response: bytes, *, close: bool = False, limits: Limits = LIMITS
) -> Http1Exchange:
    """An exchange whose request was answered so."""

    async def answer() -> None:
        await far.receive()
        await far.send(response)
        if close:
            far.close()

    exchange, _ = await asyncio.gather(begin(wire, limits, TARGET, GET, PhaseTimes()), answer())
    return exchange


async def head_of(response: bytes, *, close: bool = False) -> ResponseHead:
    async with wired() as (wire, far):
        return (await begun(wire, far, response, close=close)).head


async def body_of(exchange: Http1Exchange) -> bytes:
    body = b""
    while piece := await exchange.read():
        body += piece
    return body


def fields(count: int) -> bytes:
    return b"".join(b"X-%d: a\r\n" % number for number in range(count))


def field_of(size: int) -> bytes:
    """A field that counts for so many bytes."""
    return b"X: " + b"a" * (size - len("X") - len(": \r\n")) + b"\r\n"


@pytest.mark.parametrize(
    ("text", "request_", "sent"),
    [
        ("http://shop.test/a?b=1#c", GET, b"GET /a?b=1 HTTP/1.1\r\nHost: shop.test\r\n\r\n"),
        ("https://shop.test:8443/", GET, b"GET / HTTP/1.1\r\nHost: shop.test:8443\r\n\r\n"),
        ("https://shop.test:443/", GET, b"GET / HTTP/1.1\r\nHost: shop.test\r\n\r\n"),
        ("http://[2606:4700::1]:81/", GET, b"GET / HTTP/1.1\r\nHost: [2606:4700::1]:81\r\n\r\n"),
        ("http://SHOP.test./caf\u00e9", GET, b"GET /caf%C3%A9 HTTP/1.1\r\nHost: shop.test\r\n\r\n"),
        (
            "http://shop.test/",
            Request(method="GET", headers=(("X-Note", "caf\u00e9"), ("X-Note", "b"))),
            b"GET / HTTP/1.1\r\nHost: shop.test\r\nX-Note: caf\xe9\r\nX-Note: b\r\n\r\n",
        ),
        (
            "http://shop.test/",
            Request(method="POST", headers=(), body=b"a=1"),
            b"POST / HTTP/1.1\r\nHost: shop.test\r\nContent-Length: 3\r\n\r\na=1",
        ),
        (
            "http://shop.test/",
            Request(method="PUT", headers=()),
            b"PUT / HTTP/1.1\r\nHost: shop.test\r\nContent-Length: 0\r\n\r\n",
        ),
        (
            "http://shop.test/",
            Request(method="DELETE", headers=(), body=b"x"),
            b"DELETE / HTTP/1.1\r\nHost: shop.test\r\nContent-Length: 1\r\n\r\nx",
        ),
        ("http://shop.test/", Request(method="HEAD", headers=()), b"HEAD / HTTP/1.1\r\nHost: shop.test\r\n\r\n"),
    ],
    ids=[
        *("path and query", "other port", "own port", "IPv6", "not ASCII", "fields"),
        *("body", "empty body", "DELETE with body", "HEAD"),
    ],
)
async def test_the_request_on_the_wire(text: str, request_: Request, sent: bytes) -> None:
    async with wired() as (wire, far):
        beginning = asyncio.create_task(begin(wire, LIMITS, url.parse(text), request_, PhaseTimes()))
        assert await far.receive() == sent
        await far.send(OK + b"\r\n")
        await beginning


@pytest.mark.parametrize(
    ("response", "setting"),
    [
        (OK + field_of(1001) + b"\r\n", "limits.head-bytes"),
        (OK + field_of(500) + field_of(501) + b"\r\n", "limits.head-bytes"),
        (b"HTTP/1.1 103 E\r\n" + field_of(500) + b"\r\n" + OK + field_of(501) + b"\r\n", "limits.head-bytes"),
        (OK + fields(11) + b"\r\n", "limits.head-fields"),
        (b"HTTP/1.1 103 E\r\n" + fields(11) + b"\r\n", "limits.head-fields"),
        (EARLY * 3 + OK + b"\r\n", "limits.interim-responses"),
    ],
    ids=["long field", "long head", "long with interim", "many fields", "many interim fields", "many interim"],
)
async def test_a_head_above_a_limit_is_refused(response: bytes, setting: str) -> None:
    with pytest.raises(ProtocolFailed) as caught:
        await head_of(response)
    assert caught.value.setting == setting
    assert not caught.value.retryable


@pytest.mark.parametrize(
    "response",
    [
        OK + field_of(1000) + b"\r\n",
        b"HTTP/1.1 103 E\r\n" + field_of(500) + b"\r\n" + OK + field_of(500) + b"\r\n",
        OK + fields(10) + b"\r\n",
        EARLY * 2 + OK + b"\r\n",
    ],
    ids=["long head", "long with interim", "many fields", "many interim"],
)
async def test_a_head_at_a_limit_passes(response: bytes) -> None:
    assert (await head_of(response)).status == 200


async def test_a_request_that_cannot_be_written_closes_the_connection() -> None:
    async with wired() as (wire, far):
        with pytest.raises(InvalidHeader):
            await begin(wire, LIMITS, TARGET, Request(method="GET", headers=(("X", "a\r\nY: b"),)), PhaseTimes())
        assert await far.ended()


async def test_a_line_without_end_is_refused_when_it_passes_the_limit() -> None:
    with pytest.raises(ProtocolFailed) as caught:
        await head_of(OK + b"X: " + b"a" * 2000)
    assert caught.value.setting == "limits.head-bytes"


async def test_an_unasked_switch_of_protocols_is_refused() -> None:
    with pytest.raises(ProtocolFailed, match="which nobody asked for"):
        await head_of(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")


@pytest.mark.parametrize(
    "response", [b"", b"HTTP/1.1 200", OK + b"X: a\r\n", EARLY], ids=["nothing", "half line", "half head", "interim"]
)
async def test_no_whole_answer_before_the_end_is_told(response: bytes) -> None:
    with pytest.raises(ProtocolFailed, match="without an answer"):
        await head_of(response, close=True)


@pytest.mark.parametrize(
    ("response", "value"),
    [(b"caf\xc3\xa9", "caf\u00e9"), (b"caf\xe9", "caf\u00e9"), (b"\xff\xfe", "\u00ff\u00fe")],
    ids=["UTF-8", "Latin-1", "neither"],
)
async def test_field_values_and_reasons_may_be_utf_8_or_latin_1(response: bytes, value: str) -> None:
    head = await head_of(b"HTTP/1.1 404 " + response + b"\r\nX-Name: " + response + b"\r\n\r\n")
    assert (head.status, head.reason, head.headers["x-name"]) == (404, value, value)


@pytest.mark.parametrize(
    ("response", "body", "complete"),
    [
        (OK + b"Content-Length: 5\r\n\r\nhello", b"hello", True),
        (OK + b"Content-Length: 9\r\n\r\nhello", b"hello", False),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", b"hello", True),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nX-T: 1\r\n\r\n", b"hello", True),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", b"hello", False),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhel", b"hel", False),
        (OK + b"\r\nhello", b"hello", True),
        (b"HTTP/1.0 200 OK\r\n\r\nhello", b"hello", True),
        (b"HTTP/1.1 204 No Content\r\n\r\n", b"", True),
    ],
    ids=[
        *("length", "short of length", "chunks", "extension and trailer", "no last chunk", "half a chunk"),
        *("until close", "HTTP/1.0", "no content"),
    ],
)
async def test_a_body_ends_as_declared_or_is_not_complete(response: bytes, body: bytes, *, complete: bool) -> None:
    async with wired() as (wire, far):
        exchange = await begun(wire, far, response, close=True)
        assert await body_of(exchange) == body
        assert exchange.complete is complete


@pytest.mark.parametrize(
    "chunks",
    [b"zz\r\nhello\r\n", b"5\r\nhelloXX", b"-5\r\n", b"ffffffffffffffffffffffffff\r\n", b"5;" + b"a" * 2000],
    ids=["no number", "no line end", "negative", "huge", "long extension"],
)
async def test_broken_chunks_are_an_error(chunks: bytes) -> None:
    async with wired() as (wire, far):
        exchange = await begun(wire, far, OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunks)
        with pytest.raises(ProtocolFailed, match="broken HTTP"):
            await body_of(exchange)
        assert not exchange.complete


async def test_tiny_chunks_leave_other_tasks_their_turn() -> None:
    """They come together, so that no read has to wait; reading them must not hold up the loop or the deadline."""
    turns = 0

    def take_turn() -> None:
        nonlocal turns
        turns += 1
        loop.call_soon(take_turn)

    loop = asyncio.get_running_loop()
    async with wired() as (wire, far):
        exchange = await begun(wire, far, OK + b"Transfer-Encoding: chunked\r\n\r\n")
        await far.send(b"1\r\na\r\n" * 3000)
        await disturbed(wire)
        loop.call_soon(take_turn)
        for _ in range(3000):
            await exchange.read()
        assert turns >= 10


async def test_a_reset_in_the_body_is_an_error() -> None:
    async with wired() as (wire, far):
        exchange = await begun(wire, far, OK + b"Content-Length: 9\r\n\r\nhello")
        far.reset()
        with pytest.raises(ProtocolFailed, match="broke in the exchange"):
            await body_of(exchange)


@pytest.mark.parametrize(
    ("response", "settled"),
    [
        (OK + b"Content-Length: 2\r\n\r\nok", True),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", True),
        (OK + b"Content-Length: 0\r\n\r\n", True),
        (b"HTTP/1.1 304 Not Modified\r\n\r\n", True),
        (OK + b"Content-Length: 2\r\n\r\nok" + OK, False),
        (b"HTTP/1.1 204 No Content\r\n\r\nok", False),
        (OK + b"Content-Length: 2\r\nConnection: close\r\n\r\nok", False),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", False),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok", False),
    ],
    ids=[
        *("length", "chunks", "empty", "304", "second response behind", "body behind 204", "close"),
        *("HTTP/1.0", "HTTP/1.0 keep-alive"),
    ],
)
async def test_a_connection_goes_on_only_after_a_clean_end(response: bytes, *, settled: bool) -> None:
    async with wired() as (wire, far):
        exchange = await begun(wire, far, response)
        await body_of(exchange)
        assert exchange.settle() is settled


@pytest.mark.parametrize(
    ("response", "settled"),
    [
        (OK + b"Content-Length: 2\r\n\r\nok", True),
        (OK + b"Content-Length: 3\r\n\r\nok", False),
        (OK + b"Content-Length: 2\r\n\r\nokX", False),
        (OK + b"\r\nok", False),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 9 + b"0\r\n\r\n", True),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 999 + b"0\r\n\r\n", False),
    ],
    ids=["here", "not all here", "bytes behind", "until close", "chunks", "a thousand chunks"],
)
async def test_an_unread_body_is_passed_over_only_when_all_of_it_is_here(response: bytes, *, settled: bool) -> None:
    async with wired() as (wire, far):
        exchange = await begun(wire, far, response)
        assert exchange.settle() is settled


async def test_bytes_that_the_wire_still_holds_keep_it_from_going_on() -> None:
    async with wired() as (wire, far):
        exchange = await begun(wire, far, OK + b"Content-Length: 2\r\n\r\nok")
        await body_of(exchange)
        await far.send(b"X")
        await disturbed(wire)
        assert not exchange.settle()
