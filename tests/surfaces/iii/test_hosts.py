"""Which hosts may be requested, from the text of a URL to the address that is dialed."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from tests.surfaces.iii.bench import URL, real

from webward.contracts.iii.configuration import DEFAULTS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.surfaces.iii.bench import Bench

CLOSED = replace(DEFAULTS, allow_loopback=False)
LOOPBACK = ["127.0.0.1", "127.9.9.9", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "2130706433", "0x7f.1", "127.1"]

# Blocked whatever is allowed: the table of the contract, and what the seed lists.
BLOCKED = [
    *("10.0.0.1", "172.16.5.5", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "240.0.0.1"),  # noqa: S104 - refused
    *("192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "255.255.255.255", "192.0.0.8"),
    *("[::]", "[fe80::1]", "[febf::1]", "[fc00::1]", "[fd12::1]", "[ff02::1]", "[fec0::1]", "[2001:db8::1]"),
    *("[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[::ffff:10.0.0.1]"),
    *("[64:ff9b::a00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::1]", "[2002:a00:1::]", "[::a9fe:a9fe]"),
    *("[64:ff9b::101:101]", "[2002:101:101::]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[::127.0.0.1]"),
    *("0xa9fea9fe", "0251.0376.0251.0376", "\uff11\uff10.0.0.1", "169.254.169.254."),
    *("metadata.google.internal", "db.internal", "printer.local", "intranet", "168.63.129.16"),
]
PUBLIC = ["1.1.1.1", "93.184.216.34", "[2606:4700:4700::1111]", "site.test"]


@asynccontextmanager
async def served() -> AsyncIterator[int]:
    """The port of a web server on loopback."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line, _, _ = (await reader.readuntil(b"\r\n\r\n")).partition(b"\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n" + line)
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST.", "a.localhost", "127.1", "[::ffff:127.0.0.1]"])
async def test_a_server_on_loopback_is_reached(host: str) -> None:
    async with served() as port, real() as fetch:
        envelope = await fetch({"url": f"http://{host}:{port}/here"})
    assert (envelope["status"], envelope["body"]) == (200, "GET /here HTTP/1.1")


@pytest.mark.parametrize("host", [*LOOPBACK, "localhost", "localhost.", "a.localhost"])
async def test_loopback_can_be_closed(host: str) -> None:
    async with served() as port, real(CLOSED) as fetch:
        envelope = await fetch({"url": f"http://{host}:{port}/"})
    assert envelope["error"] == "blocked_host"
    assert "allow_loopback" in envelope["message"]


async def test_a_redirect_to_loopback_is_closed_with_it(bench: Bench) -> None:
    await bench.configure(allow_loopback=False)
    bench.web.host("localhost", "127.0.0.1")
    for host in ("127.0.0.1:8080", "localhost", "[::1]:8080"):
        bench.web.redirect(URL, f"http://{host}/")
        envelope = await bench.fetch()
        assert (envelope["error"], "allow_loopback" in envelope["message"]) == ("blocked_host", True)


@pytest.mark.parametrize("host", BLOCKED)
async def test_what_is_blocked_is_blocked_whatever_is_allowed(bench: Bench, host: str) -> None:
    envelope = await bench.fetch(f"http://{host}/")
    assert envelope["error"] == "blocked_host"
    assert "allow_loopback" not in envelope["message"]
    assert bench.web.connections == []


@pytest.mark.parametrize("host", PUBLIC)
@pytest.mark.parametrize("port", ["", ":80", ":8080"])
async def test_what_is_public_is_requested(bench: Bench, host: str, port: str) -> None:
    bench.web.page(f"http://{host}{'' if port == ':80' else port}/", "here")
    envelope = await bench.fetch(f"http://{host}{port}/")
    assert (envelope["ok"], envelope["body"]) == (True, "here")
    assert bench.web.connections[0][1] == int(port.removeprefix(":") or 80)


@pytest.mark.parametrize("port", [22, 25, 6000, 6667])
async def test_a_bad_port_is_blocked(bench: Bench, port: int) -> None:
    envelope = await bench.fetch(f"http://site.test:{port}/")
    assert (envelope["error"], "port" in envelope["message"]) == ("blocked_host", True)


@pytest.mark.parametrize("addresses", [("10.0.0.7",), ("93.184.216.34", "10.0.0.7"), ("127.0.0.1", "192.168.0.7")])
async def test_one_bad_address_blocks_a_name_and_is_not_told(bench: Bench, addresses: tuple[str, ...]) -> None:
    bench.web.host("mixed.test", *addresses)
    envelope = await bench.fetch("http://mixed.test/")
    assert envelope["error"] == "blocked_host"
    assert not any(address in envelope["message"] for address in addresses)
    assert "address rule" in envelope["message"]
    assert bench.web.connections == []


async def test_a_name_may_lead_to_loopback_while_that_is_allowed(bench: Bench) -> None:
    bench.web.page("http://dev.test/", "here")
    bench.web.host("dev.test", "127.0.0.5")
    assert (await bench.fetch("http://dev.test/"))["body"] == "here"
    await bench.configure(allow_loopback=False)
    envelope = await bench.fetch("http://dev.test/")
    assert envelope["error"] == "blocked_host"
    assert "127.0.0.5" not in envelope["message"]
