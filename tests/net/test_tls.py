from __future__ import annotations

import asyncio
import asyncio.sslproto
import gc
import socket
import ssl
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
import trustme

from webward.config import NetworkSettings, Settings
from webward.errors import InvalidConfiguration, TlsFailed
from webward.net.dialer import Dialer
from webward.net.tls import READ_BYTES, client_context, connect_tls, start_tls
from webward.net.wire import Wire
from webward.testing import FakeResolver, LoopbackWeb

from .rig import WAIT_SECONDS, judged, route

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NOW = datetime.now(UTC)
DAY = timedelta(days=1)


class Authority:
    """A certificate authority that the gateway is told to trust, and one that it is not."""

    def __init__(self, folder: Path) -> None:
        self.trusted, self.stranger = trustme.CA(), trustme.CA()
        self.file = str(folder / "ca.pem")
        self.trusted.cert_pem.write_to_path(self.file)
        self.settings = Settings(network=NetworkSettings(ca_file=self.file))

    def server(self, *names: str, authority: trustme.CA | None = None, **details: Any) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        (authority or self.trusted).issue_cert(*names, **details).configure_cert(context)
        return context


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


async def test_a_good_certificate_is_taken(authority: Authority) -> None:
    async with LoopbackWeb(tls=authority.server("shop.test")) as web:
        web.page("https://shop.test/", "<h1>Shop</h1>")
        async with web.gateway(authority.settings) as gateway:
            fetched = await gateway.fetch("https://shop.test/")
    assert fetched.text == "<h1>Shop</h1>"
    assert fetched.hops[0].tls == "TLSv1.3"
    assert fetched.timing.tls_ms > 0


class OtherLoop(asyncio.SelectorEventLoop):
    """Has TLS of its own, as uvloop."""

    async def create_connection(self, *arguments: Any, **options: Any) -> Any:
        return await super().create_connection(*arguments, **options)

    async def start_tls(self, *arguments: Any, **options: Any) -> Any:
        return await super().start_tls(*arguments, **options)


async def connected(authority: Authority, server: asyncio.Server, way: str, host: str = "shop.test") -> Wire:
    """A connection, and TLS on it from the first byte or on top."""
    place, wire = server.sockets[0].getsockname(), Wire(judged())
    context = client_context(authority.file)
    loop = asyncio.get_running_loop()
    if way == "first":
        sock = socket.create_connection(place)
        await connect_tls(sock, wire, context, host=host, seconds=WAIT_SECONDS)
    else:
        await loop.create_connection(lambda: wire, *place)
        await start_tls(wire, context, host=host, seconds=WAIT_SECONDS)
    return wire


@pytest.mark.parametrize("way", ["first", "on top"])
@pytest.mark.parametrize(
    ("loop", "buffer_bytes"),
    [(asyncio.SelectorEventLoop, READ_BYTES), (OtherLoop, asyncio.sslproto.SSLProtocol.max_size)],
    ids=["ours", "other"],
)
def test_a_connection_has_a_small_read_buffer_where_the_loop_is_cpythons(
    authority: Authority, way: str, loop: Callable[[], asyncio.AbstractEventLoop], buffer_bytes: int
) -> None:
    async def work() -> None:
        server = await asyncio.start_server(echo, "127.0.0.1", 0, ssl=authority.server("shop.test"))
        async with server, asyncio.timeout(WAIT_SECONDS):
            wire = await connected(authority, server, way)
            await wire.write(b"x" * 3 * READ_BYTES)
            read = 0
            while read < 3 * READ_BYTES:
                read += len(await wire.read())
            protocol = wire.unwrapped()._ssl_protocol  # type: ignore[attr-defined]  # noqa: SLF001 - asyncio's own
            assert len(protocol._ssl_buffer) == protocol.max_size == buffer_bytes  # noqa: SLF001 - likewise
            assert wire.tls == "TLSv1.3"
            wire.abort()

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(work())


@pytest.mark.parametrize("way", ["first", "on top"])
async def test_a_name_that_tls_cannot_have_closes_the_connection(authority: Authority, way: str) -> None:
    closed = asyncio.Event()

    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer), suppress(ConnectionError):
            await reader.read()
        closed.set()

    server = await asyncio.start_server(wait, "127.0.0.1", 0)
    async with server, asyncio.timeout(WAIT_SECONDS):
        with pytest.raises(UnicodeError):
            await connected(authority, server, way, host=".test")
        await closed.wait()


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with closing(writer), suppress(ConnectionError):
        while data := await reader.read(READ_BYTES):
            writer.write(data)
            await writer.drain()


async def test_an_authority_that_is_gone_leaves_no_socket_open(authority: Authority, tmp_path: Path) -> None:
    async with LoopbackWeb(tls=authority.server("shop.test")) as web:
        gone = str(tmp_path / "gone.pem")
        dialer = Dialer(dial_seconds=WAIT_SECONDS, resolver=FakeResolver(), ca_file=gone, dial_map=web.dial_map)
        with pytest.raises(InvalidConfiguration):
            await dialer.dial(route("https://shop.test/"))
    gc.collect()  # a socket that was left open would warn, and warnings are errors here


async def test_what_is_longer_than_the_buffer_is_read_whole(authority: Authority) -> None:
    page = "x" * 20 * READ_BYTES
    async with LoopbackWeb(tls=authority.server("shop.test")) as web:
        web.page("https://shop.test/", page)
        async with web.gateway(authority.settings) as gateway:
            fetched = [await gateway.fetch("https://shop.test/") for _ in range(2)]
    assert [one.text == page for one in fetched] == [True, True]
    assert fetched[1].hops[0].reused


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("https://SHOP.test./", ("shop.test",)),
        ("https://a.shop.test/", ("*.shop.test",)),
        ("https://b\u00fccher.test/", ("xn--bcher-kva.test",)),
        ("https://93.184.216.34/", ("93.184.216.34",)),
        ("https://0x5db8d822/", ("93.184.216.34",)),
        ("https://[2606:4700::1]/", ("2606:4700::1",)),
    ],
    ids=["final dot", "wildcard", "A-label", "IPv4", "odd IPv4", "IPv6"],
)
async def test_the_certificate_is_checked_for_the_name_as_the_target_has_it(
    authority: Authority, text: str, names: tuple[str, ...]
) -> None:
    async with LoopbackWeb(tls=authority.server(*names)) as web:
        for host in ("shop.test", "a.shop.test", "xn--bcher-kva.test"):
            web.host(host)
        async with web.gateway(authority.settings) as gateway:
            assert (await gateway.fetch(text)).status == 404


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda it: it.server("other.test"), "not valid for 'shop.test'"),
        (lambda it: it.server("*.shop.test"), "not valid for 'shop.test'"),
        (lambda it: it.server("93.184.216.1"), "not valid for 'shop.test'"),
        (lambda it: it.server("shop.test", not_before=NOW - 2 * DAY, not_after=NOW - DAY), "expired"),
        (lambda it: it.server("shop.test", not_before=NOW + DAY, not_after=NOW + 2 * DAY), "not yet valid"),
        (lambda it: it.server("shop.test", authority=it.stranger), "local issuer certificate"),
        (lambda it: it.server("other.test", common_name="shop.test"), "not valid for 'shop.test'"),
    ],
    ids=["other name", "wildcard below", "address only", "expired", "not yet", "unknown authority", "common name only"],
)
async def test_a_bad_certificate_is_refused_before_any_request(
    authority: Authority, make: Callable[[Authority], ssl.SSLContext], message: str
) -> None:
    async with LoopbackWeb(tls=make(authority)) as web:
        web.host("shop.test")
        async with web.gateway(authority.settings) as gateway:
            with pytest.raises(TlsFailed) as caught:
                await gateway.fetch("https://shop.test/")
        assert web.requests == []
    assert message in caught.value.message
    assert not caught.value.retryable


async def test_an_address_needs_a_certificate_for_the_address(authority: Authority) -> None:
    """A name that spells the address is no address entry."""
    async with LoopbackWeb(tls=authority.server("shop.test")) as web, web.gateway(authority.settings) as gateway:
        with pytest.raises(TlsFailed, match=r"not valid for '93\.184\.216\.34'"):
            await gateway.fetch("https://93.184.216.34/")


@pytest.mark.parametrize(
    ("text", "sent"), [("https://shop.test./", "shop.test"), ("https://93.184.216.34/", None)], ids=["name", "address"]
)
async def test_the_name_is_told_and_an_address_is_not(authority: Authority, text: str, sent: str | None) -> None:
    told: list[str | None] = []

    def remember(_connection: object, name: str | None, _context: ssl.SSLContext) -> None:
        told.append(name)

    tls = authority.server("shop.test", "93.184.216.34")
    tls.sni_callback = remember
    async with LoopbackWeb(tls=tls) as web:
        web.host("shop.test")
        async with web.gateway(authority.settings) as gateway:
            await gateway.fetch(text)
    assert told == [sent]


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated:DeprecationWarning")
async def test_a_server_with_nothing_newer_than_tls_1_1_is_refused(authority: Authority) -> None:
    tls = authority.server("shop.test")
    tls.set_ciphers("ALL:@SECLEVEL=0")
    tls.minimum_version = tls.maximum_version = ssl.TLSVersion.TLSv1_1
    async with LoopbackWeb(tls=tls) as web:
        web.host("shop.test")
        async with web.gateway(authority.settings) as gateway:
            with pytest.raises(TlsFailed):
                await gateway.fetch("https://shop.test/")
    assert web.requests == []


async def test_tls_1_2_is_still_spoken(authority: Authority) -> None:
    tls = authority.server("shop.test")
    tls.maximum_version = ssl.TLSVersion.TLSv1_2
    async with LoopbackWeb(tls=tls) as web:
        web.host("shop.test")
        async with web.gateway(authority.settings) as gateway:
            assert (await gateway.fetch("https://shop.test/")).hops[0].tls == "TLSv1.2"


async def test_another_name_at_the_same_address_does_not_ride_along(authority: Authority) -> None:
    """The certificate is good for the first name only, and the connection to the first is alive."""
    async with LoopbackWeb(tls=authority.server("first.test")) as web:
        web.host("first.test", "93.184.216.50")
        web.host("second.test", "93.184.216.50")
        async with web.gateway(authority.settings) as gateway:
            await gateway.fetch("https://first.test/")
            with pytest.raises(TlsFailed):
                await gateway.fetch("https://second.test/")
            assert (await gateway.fetch("https://first.test/")).hops[0].reused
        assert [request.headers["host"] for request in web.requests] == ["first.test", "first.test"]


async def test_a_redirect_to_another_name_is_checked_for_that_name(authority: Authority) -> None:
    async with LoopbackWeb(tls=authority.server("first.test")) as web:
        web.redirect("https://first.test/", "https://second.test/")
        web.host("second.test", "93.184.216.50")
        async with web.gateway(authority.settings) as gateway:
            with pytest.raises(TlsFailed) as caught:
                await gateway.fetch("https://first.test/")
    assert caught.value.hop == 1


async def test_without_a_ca_file_the_system_decides(authority: Authority) -> None:
    async with LoopbackWeb(tls=authority.server("shop.test")) as web:
        web.host("shop.test")
        async with web.gateway() as gateway:
            with pytest.raises(TlsFailed):
                await gateway.fetch("https://shop.test/")


def test_a_context_is_made_once_for_each_trust_setting(authority: Authority) -> None:
    context = client_context(authority.file)
    assert context is client_context(authority.file)
    assert context is not client_context(None)
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    assert not context.hostname_checks_common_name
    assert context.minimum_version is ssl.TLSVersion.TLSv1_2


@pytest.mark.parametrize(
    ("content", "reason"), [(None, "No such file"), ("no certificate\n", "holds no certificate")], ids=["none", "text"]
)
def test_a_bad_ca_file_is_a_configuration_error(tmp_path: Path, content: str | None, reason: str) -> None:
    file = tmp_path / "bad.pem"
    if content is not None:
        file.write_text(content, encoding="ascii")
    with pytest.raises(InvalidConfiguration, match=reason) as caught:
        client_context(str(file))
    assert caught.value.setting == "network.ca-file"
