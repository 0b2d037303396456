from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from typing import TYPE_CHECKING

import pytest

from webward.net.dialer import ATTEMPT_SECONDS, Dialer, as_judged
from webward.testing import FakeResolver

from .rig import OTHER_PUBLIC, PUBLIC, WAIT_SECONDS, Far, judged, route

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webward.model import Address
    from webward.net.dialer import SocketAddress

LOOPBACK = "127.0.0.1"
SHORT_SECONDS = 0.1
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems answer a full queue with a reset")


class Map:
    """A dial map that remembers what it was asked."""

    def __init__(self, places: dict[str, SocketAddress]) -> None:
        self._places = places
        self.asked: list[tuple[str, int]] = []

    def __call__(self, address: Address, port: int) -> SocketAddress:
        self.asked.append((str(address), port))
        return self._places[str(address)]


def dialer(dial_map: Map, *, dial_seconds: float = WAIT_SECONDS) -> Dialer:
    return Dialer(dial_seconds=dial_seconds, resolver=FakeResolver(), dial_map=dial_map)


@contextlib.contextmanager
def listening(host: str = LOOPBACK) -> Iterator[tuple[socket.socket, SocketAddress]]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as listener:
        yield listener, listener.getsockname()[:2]


@contextlib.contextmanager
def refusing() -> Iterator[SocketAddress]:
    """A place where nobody listens: the port is taken, so that nobody else begins to."""
    with socket.socket() as holder:
        holder.bind((LOOPBACK, 0))
        yield holder.getsockname()


@contextlib.contextmanager
def silent() -> Iterator[SocketAddress]:
    """A place that swallows connection attempts: its queue is full."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind((LOOPBACK, 0))
        listener.listen(0)
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.settimeout(0)
            waiting.connect_ex(listener.getsockname())
        yield listener.getsockname()


def has_ipv6() -> bool:
    try:
        with listening("::1"):
            return True
    except OSError:
        return False


async def test_the_judged_address_and_the_port_of_the_target_are_dialed() -> None:
    with listening() as (listener, place):
        dial_map = Map({PUBLIC: place})
        dialed = await dialer(dial_map).dial(route("http://shop.test:8080/", PUBLIC))
        far = Far(listener.accept()[0])
        await dialed.wire.write(b"hello")
        assert await far.receive() == b"hello"
        assert dial_map.asked == [(PUBLIC, 8080)]
        assert dialed.wire.peer == judged(PUBLIC)
        assert dialed.dial_seconds > 0
        dialed.wire.abort()
        assert await far.ended()
        far.close()


async def test_one_connection_is_made_when_the_first_address_answers() -> None:
    with listening() as (first, first_place), listening() as (second, second_place):
        dial_map = Map({PUBLIC: first_place, OTHER_PUBLIC: second_place})
        dialed = await dialer(dial_map).dial(route("http://shop.test/", PUBLIC, OTHER_PUBLIC))
        first.accept()[0].close()
        second.settimeout(0)
        with pytest.raises(BlockingIOError):
            second.accept()
        assert dialed.wire.peer == judged(PUBLIC)
        dialed.wire.abort()


async def test_the_second_address_is_dialed_when_the_first_refuses() -> None:
    with refusing() as closed, listening() as (_, place):
        dial_map = Map({PUBLIC: closed, OTHER_PUBLIC: place})
        dialed = await dialer(dial_map).dial(route("http://shop.test/", PUBLIC, OTHER_PUBLIC))
        assert dialed.wire.peer == judged(OTHER_PUBLIC)
        dialed.wire.abort()


@on_linux
async def test_the_second_address_is_dialed_beside_a_first_that_is_silent() -> None:
    with silent() as hole, listening() as (_, place):
        dial_map = Map({PUBLIC: hole, OTHER_PUBLIC: place})
        dialed = await dialer(dial_map).dial(route("http://shop.test/", PUBLIC, OTHER_PUBLIC))
        assert dialed.wire.peer == judged(OTHER_PUBLIC)
        assert dialed.dial_seconds >= ATTEMPT_SECONDS / 2
        dialed.wire.abort()


@pytest.mark.skipif(not has_ipv6(), reason="no IPv6 on loopback")
async def test_an_ipv6_address_is_dialed() -> None:
    with listening("::1") as (_, place):
        dialed = await dialer(Map({"2606:4700::1": place})).dial(route("http://shop.test/", "2606:4700::1"))
        assert str(dialed.wire.peer.address) == "2606:4700::1"
        dialed.wire.abort()


@pytest.mark.skipif(not has_ipv6(), reason="no IPv6 on loopback")
async def test_families_help_each_other_out() -> None:
    with refusing() as closed, listening("::1") as (_, place):
        dial_map = Map({PUBLIC: closed, "2606:4700::1": place})
        dialed = await dialer(dial_map).dial(route("http://shop.test/", PUBLIC, "2606:4700::1"))
        assert str(dialed.wire.peer.address) == "2606:4700::1"
        dialed.wire.abort()


@pytest.mark.parametrize("addresses", [(PUBLIC,), (PUBLIC, OTHER_PUBLIC)], ids=["one", "two"])
async def test_all_addresses_refusing_is_an_error(addresses: tuple[str, ...]) -> None:
    with refusing() as first, refusing() as second:
        dial_map = Map({PUBLIC: first, OTHER_PUBLIC: second})
        with pytest.raises(ConnectionRefusedError):
            await dialer(dial_map).dial(route("http://shop.test/", *addresses))


@on_linux
async def test_a_peer_other_than_the_judged_address_is_refused() -> None:
    """The kernel takes 0.0.0.0 for loopback: asked for one address, connected to another."""
    with listening() as (listener, (_, port)):
        with pytest.raises(PermissionError, match="peer"):
            await dialer(Map({PUBLIC: ("0.0.0.0", port)})).dial(route("http://shop.test/", PUBLIC))  # noqa: S104 - the very point
        far = Far(listener.accept()[0])
        assert await far.ended()
        far.close()


@on_linux
async def test_a_dial_has_its_own_time_limit() -> None:
    with silent() as hole, pytest.raises(TimeoutError):
        await dialer(Map({PUBLIC: hole}), dial_seconds=SHORT_SECONDS).dial(route("http://shop.test/", PUBLIC))


async def test_the_time_limit_of_a_dial_holds_for_tls() -> None:
    with listening() as (listener, place):
        with pytest.raises(TimeoutError):
            await dialer(Map({PUBLIC: place}), dial_seconds=SHORT_SECONDS).dial(route("https://shop.test/", PUBLIC))
        far = Far(listener.accept()[0])
        assert (await far.receive()).startswith(b"\x16\x03")  # a TLS handshake record
        assert await far.ended()
        far.close()


@on_linux
@pytest.mark.parametrize("addresses", [(PUBLIC,), (PUBLIC, OTHER_PUBLIC)], ids=["one", "two"])
async def test_a_cancelled_dial_ends(addresses: tuple[str, ...]) -> None:
    with silent() as hole:
        dial_map = Map({PUBLIC: hole, OTHER_PUBLIC: hole})
        dialling = asyncio.create_task(dialer(dial_map).dial(route("http://shop.test/", *addresses)))
        await asyncio.wait({dialling}, timeout=SHORT_SECONDS)
        dialling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await dialling


async def test_a_cancelled_handshake_closes_the_connection() -> None:
    with listening() as (listener, place):
        slow = dialer(Map({PUBLIC: place}), dial_seconds=2 * WAIT_SECONDS)
        dialling = asyncio.create_task(slow.dial(route("https://shop.test/", PUBLIC)))
        await asyncio.wait({dialling}, timeout=SHORT_SECONDS)
        dialling.cancel()
        await asyncio.wait({dialling})
        far = Far(listener.accept()[0])
        assert (await far.receive()).startswith(b"\x16\x03")
        assert await far.ended()
        far.close()


def test_on_the_real_network_an_address_is_where_it_is() -> None:
    assert as_judged(judged(PUBLIC).address, 443) == (PUBLIC, 443)
