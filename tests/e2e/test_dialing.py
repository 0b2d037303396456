from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .client import World

PUBLIC, PUBLIC6 = "93.184.216.34", "2606:2800:220::1"
SILENT, SILENT6 = "93.184.216.251", "2606:2800:220:b1ac::1"
UNREACHABLE, UNREACHABLE6 = "93.184.216.250", "2606:2800:220:dead::1"


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize(
    ("answers", "reached"),
    [
        ([SILENT, PUBLIC], PUBLIC),
        ([UNREACHABLE, PUBLIC], PUBLIC),
        ([SILENT6, PUBLIC], PUBLIC),
        ([UNREACHABLE6, PUBLIC], PUBLIC),
        ([PUBLIC6, SILENT], PUBLIC6),
        ([SILENT6, UNREACHABLE6, UNREACHABLE, PUBLIC], PUBLIC),
    ],
    ids=["silent", "unreachable", "silent IPv6", "unreachable IPv6", "silent IPv4", "three bad"],
)
def test_a_dead_address_is_passed_over(world: World, answers: list[str], reached: str, scheme: str) -> None:
    world.load({"dual.test": answers})
    started = time.monotonic()
    outcome = world.webward("fetch", f"{scheme}://dual.test/")
    assert (outcome.status, outcome.stdout) == (0, f"This is dual.test at {reached}.")
    assert time.monotonic() - started < 8  # the dialer's own limit is 10
    assert world.seen().connections == (reached,)


def test_no_address_that_answers_is_a_failed_connection(world: World) -> None:
    world.load({"dead.test": [UNREACHABLE, UNREACHABLE6]})
    outcome = world.webward("fetch", "--envelope", "http://dead.test/")
    error = outcome.envelope["error"]
    assert (outcome.status, error["code"], error["retryable"]) == (5, "connect-failed", True)
    assert UNREACHABLE not in outcome.stdout + outcome.stderr


@pytest.mark.parametrize("resolver", ["dns", "system"])
def test_a_silent_name_server_ends_at_the_deadline(world: World, resolver: str) -> None:
    world.load({"silent.test": {"silent": True}})
    started = time.monotonic()
    outcome = world.webward(
        "fetch",
        "--envelope",
        "--timeout-ms",
        "1000",
        "http://silent.test/",
        environment={"WEBWARD_NETWORK_RESOLVER": resolver},
    )
    assert (outcome.status, outcome.envelope["error"]["code"]) == (4, "deadline-exceeded")
    assert 1 <= time.monotonic() - started < 4  # the resolver's own limit is 5


def test_a_silent_name_server_ends_at_the_resolvers_own_limit(world: World) -> None:
    world.load({"silent.test": {"silent": True}})
    environment = {"WEBWARD_LIMITS_RESOLVE_SECONDS": "1"}
    outcome = world.webward("fetch", "--envelope", "http://silent.test/", environment=environment)
    error = outcome.envelope["error"]
    assert (outcome.status, error["code"], error["retryable"]) == (5, "resolver-failed", True)


def test_a_failing_name_server_is_no_missing_name(world: World) -> None:
    world.load({"failing.test": {"rcode": "SERVFAIL"}})
    outcome = world.webward("fetch", "--envelope", "http://failing.test/")
    assert (outcome.status, outcome.envelope["error"]["code"]) == (5, "resolver-failed")


def test_a_silent_server_ends_at_the_deadline(world: World) -> None:
    world.load({"dead.test": [SILENT]})
    started = time.monotonic()
    outcome = world.webward("fetch", "--envelope", "--timeout-ms", "1000", "https://dead.test/")
    assert (outcome.status, outcome.envelope["error"]["code"]) == (4, "deadline-exceeded")
    assert time.monotonic() - started < 8  # the dialer's own limit is 10


@pytest.mark.parametrize("name", ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_proxies_of_the_environment_are_ignored(world: World, scheme: str, name: str) -> None:
    world.load({"site.test": [PUBLIC]})
    environment = {name: "http://93.184.216.99:3128", "NO_PROXY": ""}
    outcome = world.webward("fetch", f"{scheme}://site.test/", environment=environment)
    assert outcome.status == 0, outcome.stderr
    assert world.seen().connections == (PUBLIC,)
