from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from base64 import b64encode
from ipaddress import ip_address
from typing import TYPE_CHECKING, Self

import pytest
import trustme

from webward.config import Limits, NetworkSettings, Settings
from webward.engine.gateway import Gateway
from webward.errors import AddressRefused, ConnectFailed, ProtocolFailed, TlsFailed, WebwardError
from webward.net.proxy import MAX_HEAD_BYTES, open_tunnel, parse_proxy
from webward.testing import FixedInterfaces, LoopbackWeb

from .rig import Far, wired

if TYPE_CHECKING:
    from pathlib import Path

    from webward.testing import FakeResolver

OPEN = b"HTTP/1.1 200 Connection established\r\n\r\n"
PASSWORD = "s3cr3t"  # noqa: S105 - of nobody


class SmallProxy:
    """A CONNECT proxy on loopback: answers as it is told, and passes bytes on to a web when it says yes."""

    def __init__(self, web: LoopbackWeb, *answers: bytes) -> None:
        self._web = web
        self._answers = list(answers or (OPEN,))
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.port = 0
        self.heads: list[str] = []

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *exception: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def asked(self) -> list[str]:
        """The request lines."""
        return [head.partition("\r\n")[0] for head in self.heads]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError), contextlib.closing(writer):
            self.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
            answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
            writer.write(answer)
            await writer.drain()
            if answer.endswith(OPEN):
                await self._tunnel(reader, writer)

    async def _tunnel(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = self.asked[-1].split(" ")[1].rpartition(":")
        place = self._web.dial_map(ip_address(host.strip("[]")), int(port))
        far_reader, far_writer = await asyncio.open_connection(*place)
        with contextlib.closing(far_writer):
            await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()


def gateway(setting: str, resolver: FakeResolver, ca_file: str | None = None) -> Gateway:
    settings = Settings(network=NetworkSettings(proxy=setting, ca_file=ca_file), limits=Limits(dial_seconds=0.5))
    return Gateway(settings, resolver=resolver, interfaces=FixedInterfaces())


def through(proxy: SmallProxy, web: LoopbackWeb, credentials: str = "", ca_file: str | None = None) -> Gateway:
    return gateway(f"http://{credentials}127.0.0.1:{proxy.port}", web.resolver, ca_file)


async def failure(proxy: SmallProxy, web: LoopbackWeb, credentials: str = "") -> WebwardError:
    async with through(proxy, web, credentials) as opened:
        with pytest.raises(WebwardError) as caught:
            await opened.fetch("http://shop.test/")
    return caught.value


async def test_plain_http_goes_through_a_tunnel_to_the_judged_address() -> None:
    async with LoopbackWeb() as web, SmallProxy(web) as proxy:
        web.page("http://shop.test/a", "Shop")
        async with through(proxy, web) as opened:
            assert (await opened.fetch("http://shop.test/a")).text == "Shop"
            assert (await opened.fetch("http://shop.test/a")).hops[0].reused
        assert proxy.heads == ["CONNECT 93.184.216.1:80 HTTP/1.1\r\nhost: 93.184.216.1:80\r\n\r\n"]
        assert web.resolver.questions == ["shop.test", "shop.test"]


async def test_tls_is_spoken_through_the_tunnel_with_the_target(tmp_path: Path) -> None:
    authority, tls = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("shop.test").configure_cert(tls)
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    async with LoopbackWeb(tls=tls) as web, SmallProxy(web) as proxy:
        web.page("https://shop.test/", "Shop")
        web.host("other.test")
        async with through(proxy, web, ca_file=str(tmp_path / "ca.pem")) as opened:
            fetched = await opened.fetch("https://shop.test/")
            assert (fetched.text, fetched.hops[0].tls) == ("Shop", "TLSv1.3")
            with pytest.raises(TlsFailed):
                await opened.fetch("https://other.test/")
        assert proxy.asked == ["CONNECT 93.184.216.1:443 HTTP/1.1", "CONNECT 93.184.216.2:443 HTTP/1.1"]


async def test_an_ipv6_address_stands_in_brackets() -> None:
    async with LoopbackWeb() as web, SmallProxy(web) as proxy:
        web.host("six.test", "2606:4700::1")
        async with through(proxy, web) as opened:
            assert (await opened.fetch("http://six.test:8080/")).status == 404
        assert proxy.asked == ["CONNECT [2606:4700::1]:8080 HTTP/1.1"]


@pytest.mark.parametrize("text", ["http://inner.test/", "http://10.0.0.1/", "http://[::1]/"])
async def test_what_is_refused_is_not_asked_of_the_proxy(text: str) -> None:
    async with LoopbackWeb() as web, SmallProxy(web) as proxy:
        web.host("inner.test", "10.0.0.1")
        async with through(proxy, web) as opened:
            with pytest.raises(AddressRefused):
                await opened.fetch(text)
        assert proxy.heads == []


async def test_credentials_go_to_the_proxy_alone() -> None:
    async with LoopbackWeb() as web, SmallProxy(web) as proxy:
        web.page("http://shop.test/", "Shop")
        async with through(proxy, web, "us%20er:p%40ss@") as opened:
            await opened.fetch("http://shop.test/")
        value = b64encode(b"us er:p@ss").decode()
        assert f"proxy-authorization: Basic {value}\r\n" in proxy.heads[0]
        assert [name for name in web.requests[0].headers if "auth" in name] == []


async def test_wrong_credentials_are_told_without_the_password() -> None:
    async with LoopbackWeb() as web:
        web.host("shop.test", "93.184.216.1", "93.184.216.2")
        answer = b"HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n"
        async with SmallProxy(web, answer) as proxy:
            error = await failure(proxy, web, f"user:{PASSWORD}@")
        assert len(proxy.heads) == 1
    assert isinstance(error, ConnectFailed)
    assert (error.setting, error.retryable) == ("network.proxy", False)
    assert PASSWORD not in f"{error!r}{error}{vars(error)}"
    assert b64encode(f"user:{PASSWORD}".encode()).decode() not in f"{error!r}{error}{vars(error)}"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "status 403"),
        (b"HTTP/1.1 502 Bad Gateway\r\n\r\n<html>", "status 502"),
        (b"HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\n\r\n", "status 302"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "broken HTTP"),
        (b"\x05\x00", "broken HTTP"),
        (b"", "the proxy closed the connection without an answer"),
        (b"HTTP/1.1 200", "without an answer"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 2 * MAX_HEAD_BYTES, "longer than 16384 bytes"),
        (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", "broken HTTP"),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * 9 + OPEN, "interim responses"),
    ],
    ids=[
        *("forbidden", "bad gateway", "redirect", "SSH", "SOCKS", "nothing", "half a line", "long head", "101"),
        "many interim",
    ],
)
async def test_a_proxy_that_does_not_open_a_tunnel_is_told(answer: bytes, message: str) -> None:
    async with LoopbackWeb() as web, SmallProxy(web, answer) as proxy:
        web.host("shop.test")
        error = await failure(proxy, web)
        assert web.requests == []
    assert isinstance(error, ConnectFailed)
    assert (error.setting, error.retryable) == ("network.proxy", True)
    assert message in error.message


async def test_a_proxy_that_is_down_is_told() -> None:
    async with LoopbackWeb() as web:
        web.host("shop.test", "93.184.216.1", "93.184.216.2")
        with socket.socket() as holder:
            holder.bind(("127.0.0.1", 0))
            setting = f"http://user:{PASSWORD}@127.0.0.1:{holder.getsockname()[1]}"
            async with gateway(setting, web.resolver) as opened:
                with pytest.raises(ConnectFailed, match="proxy cannot be reached") as caught:
                    await opened.fetch("http://shop.test/")
    assert (caught.value.setting, caught.value.retryable) == ("network.proxy", True)
    assert PASSWORD not in repr(caught.value)


async def test_a_silent_proxy_falls_under_the_time_limit_of_the_dial() -> None:
    async with LoopbackWeb() as web:
        web.host("shop.test")
        with socket.create_server(("127.0.0.1", 0)) as listener:
            async with gateway(f"http://127.0.0.1:{listener.getsockname()[1]}", web.resolver) as opened:
                with pytest.raises(ConnectFailed) as caught:
                    await opened.fetch("http://shop.test/")
                far = Far(listener.accept()[0])
                assert (await far.receive()).startswith(b"CONNECT ")
                assert await far.ended()
                far.close()
    assert caught.value.setting == "limits.dial-seconds"


async def test_the_next_address_is_asked_for_when_the_proxy_cannot_reach_the_first() -> None:
    async with LoopbackWeb() as web, SmallProxy(web, b"HTTP/1.1 503 Down\r\n\r\n", OPEN) as proxy:
        web.page("http://shop.test/", "Shop")
        web.host("shop.test", "93.184.216.1", "93.184.216.2")
        async with through(proxy, web) as opened:
            assert (await opened.fetch("http://shop.test/")).text == "Shop"
        assert proxy.asked == ["CONNECT 93.184.216.1:80 HTTP/1.1", "CONNECT 93.184.216.2:80 HTTP/1.1"]
        assert [str(request.address) for request in web.requests] == ["93.184.216.2"]


async def test_interim_answers_of_a_proxy_are_passed_over() -> None:
    async with LoopbackWeb() as web, SmallProxy(web, b"HTTP/1.1 100 Continue\r\n\r\n" + OPEN) as proxy:
        web.page("http://shop.test/", "Shop")
        async with through(proxy, web) as opened:
            assert (await opened.fetch("http://shop.test/")).text == "Shop"


async def test_bytes_of_the_proxy_in_the_tunnel_are_refused() -> None:
    """They would be read as the answer of the target, before the request or under its TLS."""
    async with LoopbackWeb() as web, SmallProxy(web, OPEN + b"HTTP/1.1 200 OK\r\n") as proxy:
        web.page("http://shop.test/", "Shop")
        error = await failure(proxy, web)
    assert isinstance(error, ProtocolFailed)
    assert error.setting == "network.proxy"


async def test_bytes_that_came_apart_from_the_proxys_answer_are_refused_too() -> None:
    async with wired() as (wire, far):
        opening = asyncio.create_task(open_tunnel(wire, parse_proxy("http://127.0.0.1"), 443))
        await far.receive()
        wire.data_received(OPEN)
        wire.data_received(b"HTTP/1.1 200 OK\r\n\r\n")  # before the task that waits for the answer goes on
        with pytest.raises(ProtocolFailed):
            await opening


async def test_a_proxy_may_be_named() -> None:
    async with LoopbackWeb() as web, SmallProxy(web) as proxy:
        web.page("http://shop.test/", "Shop")
        web.host("proxy.corp", "127.0.0.1")
        async with gateway(f"http://proxy.corp:{proxy.port}", web.resolver) as opened:
            assert (await opened.fetch("http://shop.test/")).text == "Shop"
        assert proxy.asked == ["CONNECT 93.184.216.1:80 HTTP/1.1"]


async def test_a_proxy_whose_name_is_not_found_is_told_apart_from_the_target() -> None:
    async with LoopbackWeb() as web:
        web.host("shop.test")
        async with gateway("http://proxy.corp:3128", web.resolver) as opened:
            with pytest.raises(ConnectFailed) as caught:
                await opened.fetch("http://shop.test/")
    assert (caught.value.setting, caught.value.retryable) == ("network.proxy", True)


@pytest.mark.parametrize(
    ("setting", "host", "port", "authorization"),
    [
        ("http://proxy.corp:3128", "proxy.corp", 3128, None),
        ("http://proxy.corp", "proxy.corp", 80, None),
        ("http://10.0.0.1:8080/", "10.0.0.1", 8080, None),
        ("http://[fd00::1]:3128", "fd00::1", 3128, None),
        ("http://user:p%3Aw@proxy.corp", "proxy.corp", 80, "Basic dXNlcjpwOnc="),
        ("http://user@proxy.corp", "proxy.corp", 80, "Basic dXNlcjo="),
    ],
)
def test_the_setting_says_where_the_proxy_is(setting: str, host: str, port: int, authorization: str | None) -> None:
    proxy = parse_proxy(setting)
    assert (proxy.host, proxy.port, proxy.authorization) == (host, port, authorization)
    assert authorization is None or authorization not in repr(proxy)


@pytest.mark.parametrize(
    ("host", "address"), [("proxy.corp", None), ("10.0.0.1", "10.0.0.1"), ("[fd00::1]", "fd00::1")]
)
def test_a_proxy_may_be_an_address(host: str, address: str | None) -> None:
    found = parse_proxy(f"http://{host}:3128").address
    assert found == (ip_address(address) if address else None)
