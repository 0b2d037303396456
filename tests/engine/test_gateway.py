from __future__ import annotations

import asyncio
import os
import socket
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from webward.config import EgressPolicy, Limits, NetworkSettings, Settings
from webward.engine.gateway import Gateway
from webward.errors import AddressRefused, HostRefused, InvalidInput, InvalidUrl, NameNotFound, SchemeRefused
from webward.testing import FakeResolver, FixedInterfaces, LoopbackWeb

from .sites import WAIT_SECONDS, secure

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator
    from pathlib import Path

    from webward.model import Checked

URL = "http://site.test/"
NETWORK_CASES = {"dns": NetworkSettings(resolver="dns"), "system": NetworkSettings(resolver="system")}
FETCH = """
import asyncio, sys
from webward import EgressPolicy, Gateway, Settings
async def main():
    async with Gateway(Settings(egress=EgressPolicy.development())) as gateway:
        print((await gateway.fetch(sys.argv[1])).text)
asyncio.run(main())
"""


@pytest.mark.parametrize("name", ["fetch", "read", "check"])
async def test_a_gateway_must_be_open(name: str) -> None:
    async with LoopbackWeb() as web:
        web.page(URL)
        gateway = web.gateway()
        with pytest.raises(InvalidInput, match="async with"):
            await getattr(gateway, name)(URL)
        async with gateway:
            await getattr(gateway, name)(URL)
        with pytest.raises(InvalidInput, match="async with"):
            await getattr(gateway, name)(URL)


@pytest.mark.parametrize("network", NETWORK_CASES.values(), ids=NETWORK_CASES)
async def test_a_gateway_of_settings_alone_is_whole(network: NetworkSettings) -> None:
    async with Gateway(Settings(network=network)) as gateway:
        for text, kind in ((URL.replace("site.test", "127.0.0.1"), AddressRefused), ("http://localhost/", HostRefused)):
            with pytest.raises(kind):
                await gateway.fetch(text)


async def test_a_gateway_owns_what_it_made() -> None:
    class Counting:
        closed = 0

        async def close(self) -> None:
            self.closed += 1

    transport = Counting()
    async with Gateway(Settings(), transport=transport, resolver=FakeResolver()) as gateway:  # type: ignore[arg-type]
        with pytest.raises(NameNotFound):
            await gateway.fetch(URL)
        assert transport.closed == 0
    assert transport.closed == 1


async def test_closing_closes_kept_connections() -> None:
    async with LoopbackWeb() as web:
        web.page(URL)
        async with web.gateway() as gateway:
            await gateway.fetch(URL)
        async with web.gateway() as gateway:
            assert not (await gateway.fetch(URL)).hops[0].reused
        assert len(web.connections) == 2


async def test_many_fetches_at_once_do_not_mix() -> None:
    async with LoopbackWeb() as web:
        for number in range(100):
            web.page(f"http://{number % 7}.site.test/{number}", f"page {number}")
        async with web.gateway() as gateway:
            texts = await asyncio.gather(
                *(gateway.fetch(f"http://{number % 7}.site.test/{number}") for number in range(100))
            )
    assert [fetched.text for fetched in texts] == [f"page {number}" for number in range(100)]


def shape(checked: Checked) -> list[tuple[str, bool]]:
    return [(verdict.rule, verdict.allowed) for verdict in checked.verdicts]


PASSED = [("scheme", True), ("credentials", True), ("port", True), ("host", True)]


@pytest.mark.parametrize(
    ("text", "verdicts", "questions"),
    [
        ("http://site.test/", [*PASSED, ("address", True), ("address", True)], ["site.test"]),
        ("http://93.184.216.34/", [*PASSED, ("address", True)], []),
        ("http://mixed.test/", [*PASSED, ("address", True), ("address", False)], ["mixed.test"]),
        ("http://127.1/", [*PASSED, ("address", False)], []),
        ("http://intranet/", [*PASSED[:3], ("host", False)], []),
        ("http://site.test:22/", [*PASSED[:2], ("port", False)], []),
        ("http://user@site.test/", [*PASSED[:1], ("credentials", False)], []),
    ],
)
async def test_check_tells_every_verdict_and_requests_nothing(
    text: str, verdicts: list[tuple[str, bool]], questions: list[str]
) -> None:
    async with LoopbackWeb() as web:
        web.host("site.test", "93.184.216.34", "2606:4700::1")
        web.host("mixed.test", "93.184.216.34", "10.0.0.1", "10.0.0.2")
        async with web.gateway() as gateway:
            checked = await gateway.check(text)
        assert web.connections == []
        assert web.resolver.questions == questions
    assert shape(checked) == verdicts
    assert checked.allowed is all(allowed for _, allowed in verdicts)


@pytest.mark.parametrize(
    ("text", "kind"),
    [("site.test", InvalidUrl), ("ftp://site.test/", SchemeRefused), ("http://unknown.test/", NameNotFound)],
)
async def test_check_raises_what_no_rule_can_judge(text: str, kind: type[Exception]) -> None:
    async with LoopbackWeb() as web, web.gateway() as gateway:
        with pytest.raises(kind):
            await gateway.check(text)


async def test_check_agrees_with_fetch() -> None:
    async with LoopbackWeb() as web:
        web.page(URL)
        async with web.gateway(interfaces=FixedInterfaces("93.184.216.1")) as gateway:
            assert not (await gateway.check(URL)).allowed
            with pytest.raises(AddressRefused):
                await gateway.fetch(URL)


async def test_the_policy_of_the_settings_is_the_judge() -> None:
    settings = Settings(egress=EgressPolicy.strict(), limits=Limits(answers=1))
    async with LoopbackWeb() as web:
        web.host("site.test", "93.184.216.34", "93.184.216.35")
        async with web.gateway(settings) as gateway:
            assert shape(await gateway.check(URL)) == [("scheme", False)]
            assert shape(await gateway.check("https://site.test/"))[-1] == ("answers", False)


@asynccontextmanager
async def serving(tls: ssl.SSLContext | None = None) -> AsyncIterator[tuple[int, list[bytes]]]:
    """A plain server on loopback: its port, and the heads that came."""
    heads: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    async with server:
        yield server.sockets[0].getsockname()[1], heads


async def run_fetch(text: str, **environment: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", FETCH, text), env={**os.environ, **environment}, stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(4 * WAIT_SECONDS):
        output, _ = await process.communicate()
    return output.decode().strip()


async def test_proxies_and_passwords_of_the_environment_are_not_used(tmp_path: Path) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login user password s3cr3t\n", encoding="ascii")
    netrc.chmod(0o600)
    with socket.create_server(("127.0.0.1", 0)) as trap:
        proxy = f"http://127.0.0.1:{trap.getsockname()[1]}"
        names = ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")
        async with serving() as (port, heads):
            output = await run_fetch(
                f"http://127.0.0.1:{port}/", NETRC=str(netrc), NO_PROXY="", no_proxy="", **dict.fromkeys(names, proxy)
            )
        trap.settimeout(0)
        with pytest.raises(BlockingIOError):
            trap.accept()
    assert output == "hello"
    assert len(heads) == 1
    assert b"uthorization" not in heads[0]


async def test_the_systems_trust_store_can_be_replaced_from_the_environment(tmp_path: Path) -> None:
    trust = secure(tmp_path, "127.0.0.1")
    async with serving(trust.tls) as (port, heads):
        assert await run_fetch(f"https://127.0.0.1:{port}/", SSL_CERT_FILE=str(tmp_path / "ca.pem")) == "hello"
    assert len(heads) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        {"cookies": "x"},
        {"headers": 1},
        {"headers": [("a",)]},
        {"timeout_ms": "1"},
        {"max_bytes": True},
    ],
    ids=str,
)
async def test_arguments_of_the_wrong_kind_are_input_errors(arguments: Any) -> None:
    async with LoopbackWeb() as web, web.gateway() as gateway:
        for call in (gateway.fetch, gateway.read):
            with pytest.raises(InvalidInput):
                await call("http://a.test/", **arguments)


async def test_follow_redirects_is_a_truth_value() -> None:
    async with LoopbackWeb() as web, web.gateway() as gateway:
        with pytest.raises(InvalidInput):
            await gateway.fetch("http://a.test/", follow_redirects="no")  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [{"format": "\ud800"}, {"start": "\ud800"}, {"content_filter": 1}], ids=repr)
async def test_options_of_the_wrong_kind_are_input_errors(options: Any) -> None:
    async with LoopbackWeb() as web, web.gateway() as gateway:
        with pytest.raises(InvalidInput):
            await gateway.render(b"<p>x", **options)


@pytest.mark.parametrize("body", [None, "text", memoryview(b"x")])
async def test_a_document_is_bytes(body: Any) -> None:
    async with LoopbackWeb() as web, web.gateway() as gateway:
        with pytest.raises(InvalidInput):
            await gateway.render(body)


async def test_a_gateway_is_opened_once() -> None:
    async with LoopbackWeb() as web:
        gateway = web.gateway()
        async with gateway:
            pass
        with pytest.raises(InvalidInput):
            await gateway.__aenter__()


async def test_a_name_without_addresses_is_not_allowed() -> None:
    async with LoopbackWeb() as web, web.gateway() as gateway:
        web.resolver.answer("empty.test", [])
        with pytest.raises(NameNotFound):
            await gateway.check("http://empty.test/")
