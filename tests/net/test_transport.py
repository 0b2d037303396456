from __future__ import annotations

import asyncio
import errno
from typing import TYPE_CHECKING

import pytest

from webward.config import Limits
from webward.errors import ConnectFailed, ProtocolFailed, TlsFailed, WebwardError
from webward.model import Request

from .rig import OTHER_PUBLIC, PUBLIC, Far, judged, route, served, transport

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from webward.model import Address
    from webward.net.transport import HttpTransport

    Serve = Callable[[Far, int], Awaitable[None]]

GET = Request(method="GET", headers=())
ROUTE = route("http://shop.test/")
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
HEAD_END = b"\r\n\r\n"
SHORT = Limits(dial_seconds=0.2)
MOMENT_SECONDS = 0.05


class Site:
    """Answers on each connection as its row says, request by request; b"" closes without an answer."""

    def __init__(self, *rows: tuple[bytes, ...]) -> None:
        self._rows = rows
        self.requests: list[tuple[int, str]] = []

    async def __call__(self, far: Far, number: int) -> None:
        for answer in self._rows[number]:
            head = await far.receive_until(HEAD_END)
            self.requests.append((number, head.split(b" ")[0].decode()))
            await far.send(answer)
            if not answer:
                return
        await far.receive()


async def body_of(opened: HttpTransport, request: Request = GET) -> tuple[bytes, bool]:
    """The body, and whether it came over a kept connection."""
    async with opened.exchange(ROUTE, request) as exchange:
        body = b""
        while piece := await exchange.read():
            body += piece
        return body, exchange.reused


async def test_an_exchange_tells_its_head_its_peer_and_its_times() -> None:
    async with served(Site((OK, OK))) as dial_map:
        opened = transport(dial_map)
        async with opened.exchange(ROUTE, GET) as exchange:
            assert exchange.head.status == 200
            assert exchange.peer == judged(PUBLIC)
            assert exchange.tls is None
            assert exchange.phases.dial_seconds > 0
            assert exchange.phases.head_seconds > 0
            assert exchange.phases.tls_seconds < exchange.phases.dial_seconds
        async with opened.exchange(ROUTE, GET) as exchange:
            assert exchange.reused
            assert (exchange.phases.dial_seconds, exchange.phases.tls_seconds) == (0, 0)
        await opened.close()


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"])
async def test_a_kept_connection_that_is_dead_is_replaced(method: str) -> None:
    site = Site((OK, b""), (OK,))
    async with served(site) as dial_map:
        opened = transport(dial_map)
        await body_of(opened)
        _, reused = await body_of(opened, Request(method=method, headers=()))
        assert not reused
        assert site.requests == [(0, "GET"), (0, method), (1, method)]
        await opened.close()


@pytest.mark.parametrize("method", ["POST", "PATCH"])
async def test_what_must_not_be_sent_twice_goes_over_a_new_connection(method: str) -> None:
    site = Site((OK, b""), (b"",))
    async with served(site) as dial_map:
        opened = transport(dial_map)
        await body_of(opened)
        with pytest.raises(ProtocolFailed):
            await body_of(opened, Request(method=method, headers=()))
        assert site.requests == [(0, "GET"), (1, method)]
        await opened.close()


async def test_a_new_connection_that_is_dead_is_not_tried_again() -> None:
    site = Site((OK, b""), (b"",), (OK,))
    async with served(site) as dial_map:
        opened = transport(dial_map)
        await body_of(opened)
        with pytest.raises(ProtocolFailed, match="without an answer"):
            await body_of(opened)
        assert [number for number, _ in site.requests] == [0, 0, 1]


async def test_an_answer_that_has_begun_is_not_asked_for_again() -> None:
    connections: list[int] = []

    async def serve(far: Far, number: int) -> None:
        connections.append(number)
        for answer in (OK, b"HTTP/1.1 2"):
            await far.receive_until(HEAD_END)
            await far.send(answer)

    async with served(serve) as dial_map:
        opened = transport(dial_map)
        await body_of(opened)
        with pytest.raises(ProtocolFailed):
            await body_of(opened)
        assert connections == [0]


@pytest.mark.parametrize(
    "first",
    [
        OK + b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nPOISON",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok",
        b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
    ],
    ids=["bytes behind", "close", "HTTP/1.0"],
)
async def test_a_connection_that_did_not_end_cleanly_is_closed(first: bytes) -> None:
    async with served(Site((first,), (OK,))) as dial_map:
        opened = transport(dial_map)
        assert await body_of(opened) == (b"ok", False)
        assert await body_of(opened) == (b"ok", False)
        await opened.close()


@pytest.mark.parametrize(
    ("response", "kept"),
    [
        (OK, True),
        (b"HTTP/1.1 302 F\r\nContent-Length: 99\r\n\r\nnot all", False),
        (b"HTTP/1.1 302 F\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", False),
        (b"HTTP/1.1 302 F\r\n\r\n", False),
    ],
    ids=["all here", "not all here", "broken chunks", "until close"],
)
async def test_leaving_without_reading_keeps_the_connection_if_all_is_here(response: bytes, *, kept: bool) -> None:
    async with served(Site((response, OK), (OK,))) as dial_map:
        opened = transport(dial_map)
        async with opened.exchange(ROUTE, GET):
            pass
        assert (await body_of(opened))[1] is kept
        await opened.close()


async def test_an_error_while_reading_closes_the_connection() -> None:
    async with served(Site((OK,), (OK,))) as dial_map:
        opened = transport(dial_map)
        with pytest.raises(ZeroDivisionError):
            async with opened.exchange(ROUTE, GET):
                raise ZeroDivisionError
        assert not (await body_of(opened))[1]
        await opened.close()


async def test_cancelling_closes_the_connection() -> None:
    ended = asyncio.Event()

    async def serve(far: Far, _: int) -> None:
        await far.receive_until(HEAD_END)
        if await far.ended():
            ended.set()

    async with served(serve) as dial_map, asyncio.timeout(5):
        fetching = asyncio.create_task(body_of(transport(dial_map)))
        await asyncio.wait({fetching}, timeout=MOMENT_SECONDS)
        fetching.cancel()
        await ended.wait()


async def test_closing_closes_what_is_kept() -> None:
    ended = asyncio.Event()

    async def serve(far: Far, _: int) -> None:
        await far.receive_until(HEAD_END)
        await far.send(OK)
        if await far.ended():
            ended.set()

    async with served(serve) as dial_map, asyncio.timeout(5):
        opened = transport(dial_map)
        await body_of(opened)
        await opened.close()
        await ended.wait()


async def test_the_limit_of_kept_connections_holds() -> None:
    async with served(Site((OK,), (OK,))) as dial_map:
        opened = transport(dial_map, limits=Limits(idle_connections=0))
        assert not (await body_of(opened))[1]
        assert not (await body_of(opened))[1]


async def test_a_kept_connection_serves_only_a_route_that_judged_its_peer() -> None:
    async with served(Site((OK,), (OK,))) as dial_map:
        opened = transport(dial_map)
        await body_of(opened)
        async with opened.exchange(route("http://shop.test/", OTHER_PUBLIC), GET) as exchange:
            assert not exchange.reused
            assert exchange.peer == judged(OTHER_PUBLIC)
        await opened.close()


async def answer_at_once(far: Far, _: int) -> None:
    await far.send(b"HTTP/1.1 400 This is no TLS\r\n\r\n")
    await far.receive()


async def close_at_once(far: Far, _: int) -> None:
    await far.receive()


async def reset_at_once(far: Far, _: int) -> None:
    await far.receive()
    far.reset()


async def say_nothing(far: Far, _: int) -> None:
    while await far.receive():
        pass


@pytest.mark.parametrize(
    ("serve", "kind", "setting", "retryable"),
    [
        (answer_at_once, TlsFailed, None, False),
        (close_at_once, TlsFailed, None, True),
        (reset_at_once, TlsFailed, None, True),
        (say_nothing, ConnectFailed, "limits.dial-seconds", True),
    ],
    ids=["no TLS", "close", "reset", "silence"],
)
async def test_a_handshake_that_fails_is_translated(
    serve: Serve, kind: type[WebwardError], setting: str | None, *, retryable: bool
) -> None:
    async with served(serve) as dial_map:
        with pytest.raises(kind) as caught:
            async with transport(dial_map, limits=SHORT).exchange(route("https://shop.test/"), GET):
                pass
    assert (caught.value.setting, caught.value.retryable) == (setting, retryable)
    assert "shop.test" in caught.value.message


@pytest.mark.parametrize(
    ("serve", "message"),
    [
        (close_at_once, "without an answer"),
        (reset_at_once, "the connection broke in the exchange: Connection reset by peer"),
        (Site((b"SSH-2.0-OpenSSH_9.6\r\n\r\n",)), "broken HTTP"),
    ],
    ids=["close", "reset", "SSH"],
)
async def test_an_exchange_that_fails_is_translated(serve: Serve, message: str) -> None:
    async with served(serve) as dial_map:
        with pytest.raises(ProtocolFailed, match=message) as caught:
            await body_of(transport(dial_map))
    assert not caught.value.retryable


async def test_a_reset_in_the_body_is_translated() -> None:
    async def serve(far: Far, _: int) -> None:
        await far.receive_until(HEAD_END)
        await far.send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
        await far.receive()
        far.reset()

    async with served(serve) as dial_map, transport(dial_map).exchange(ROUTE, GET) as exchange:
        assert await exchange.read() == b"half"
        await exchange.wire.write(b"now")
        with pytest.raises(ProtocolFailed, match="broke in the exchange"):
            await exchange.read()


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (ConnectionRefusedError(errno.ECONNREFUSED, "127.0.0.1 refuses"), "Connection refused"),
        (OSError(errno.ENETUNREACH, "no way to 10.0.0.1"), "Network is unreachable"),
        (OSError(errno.EMFILE, "127.0.0.1"), "Too many open files"),
        (OSError("Multiple exceptions: 127.0.0.1, 127.0.0.2"), "every address failed"),
    ],
    ids=["refused", "unreachable", "no files", "several"],
)
async def test_a_dial_that_fails_is_translated_and_tells_no_address(problem: OSError, message: str) -> None:
    def fails(_address: Address, _port: int) -> tuple[str, int]:
        raise problem

    with pytest.raises(ConnectFailed) as caught:
        await body_of(transport(fails))
    assert caught.value.message == f"shop.test cannot be reached: {message}"
    assert caught.value.retryable
