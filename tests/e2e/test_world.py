"""The harness itself: what it records can be seen, so that a test which sees nothing means something."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from .namespace import OWN_ADDRESSES, UNREACHABLE
from .origin import BLACK_HOLES

if TYPE_CHECKING:
    from .client import World

FETCH = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())"
DIAL = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 0.3)"


@pytest.mark.parametrize("address", ["93.184.216.34", "10.0.0.5", "127.0.0.1", "2606:2800:220::1", "fd00::5"])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_plain_client_reaches_every_address(world: World, scheme: str, address: str) -> None:
    world.load({"plain.test": [address]})
    outcome = world.run(sys.executable, "-c", FETCH, f"{scheme}://plain.test/path")
    assert outcome.stdout == f"This is plain.test at {address}.\n"
    seen = world.seen()
    assert seen.connections == (address,)
    assert [(request.scheme, request.path) for request in seen.requests] == [(scheme, "/path")]
    assert "plain.test" in seen.names


def test_a_connection_without_a_request_is_seen(world: World) -> None:
    world.load({})
    assert world.run(sys.executable, "-c", DIAL, "10.0.0.5", "443").status == 0
    seen = world.seen()
    assert (seen.connections, seen.requests) == (("10.0.0.5",), ())


@pytest.mark.parametrize("address", [*BLACK_HOLES, *(network.partition("/")[0] for network in UNREACHABLE)])
def test_some_addresses_cannot_be_reached(world: World, address: str) -> None:
    world.load({})
    outcome = world.run(sys.executable, "-c", DIAL, address, "443")
    problem = "timed out" if address in BLACK_HOLES else "route to host"
    assert problem in outcome.stderr
    assert world.seen().connections == ()


@pytest.mark.parametrize(
    ("name", "address"),
    [("pub2.test", "10.6.6.7"), ("hosts-file.test", "10.8.8.8"), ("metadata", "169.254.169.254")],
    ids=["search domain", "hosts file", "bare name"],
)
def test_the_traps_for_resolvers_are_set(world: World, name: str, address: str) -> None:
    world.load({"pub2.test.corp.example": ["10.6.6.7"], "metadata.corp.example": ["169.254.169.254"]})
    world.run(sys.executable, "-c", FETCH, f"http://{name}/")
    assert world.seen().connections == (address,)


def test_a_sequence_changes_its_answer(world: World) -> None:
    world.load({"turn.test": {"sequence": [["93.184.216.34"], ["127.0.0.1"]], "ttl": 0}})
    for _ in range(3):
        world.run(sys.executable, "-c", FETCH, "http://turn.test/")
    assert world.seen().connections == ("93.184.216.34", "127.0.0.1", "127.0.0.1")


def test_the_own_addresses_are_served(world: World) -> None:
    world.load({})
    for address in OWN_ADDRESSES:
        assert world.run(sys.executable, "-c", DIAL, address.partition("/")[0], "80").status == 0
