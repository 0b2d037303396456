"""A name that answers with a public address first and with loopback next must never lead to loopback."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .client import World

PUBLIC, OTHER = "93.184.216.34", "93.184.216.35"
REBINDING = {"rebind.test": {"sequence": [[PUBLIC], ["127.0.0.1"]], "ttl": 0}}
RESOLVERS = pytest.mark.parametrize("resolver", ["dns", "system"])


@RESOLVERS
def test_one_fetch_asks_once_and_dials_what_it_judged(world: World, resolver: str) -> None:
    world.load(REBINDING)
    outcome = world.webward("fetch", "http://rebind.test/", environment={"WEBWARD_NETWORK_RESOLVER": resolver})
    assert (outcome.status, outcome.stdout) == (0, f"This is rebind.test at {PUBLIC}.")
    seen = world.seen()
    assert seen.connections == (PUBLIC,)
    assert sorted(seen.questions) == ["rebind.test A", "rebind.test AAAA"]


@RESOLVERS
def test_a_redirect_to_the_same_name_is_judged_again(world: World, resolver: str) -> None:
    world.load(REBINDING, {"rebind.test/": {"status": 302, "headers": [["Location", "/next"]]}})
    environment = {"WEBWARD_NETWORK_RESOLVER": resolver, "WEBWARD_NETWORK_ANSWER_CACHE_SECONDS": "60"}
    outcome = world.webward("fetch", "--envelope", "http://rebind.test/", environment=environment)
    error = outcome.envelope["error"]
    assert (outcome.status, error["code"], error["hop"]) == (3, "refused-address", 1)
    assert "127.0.0.1" not in outcome.stdout + outcome.stderr
    assert world.seen().connections == (PUBLIC,)


@RESOLVERS
def test_a_later_line_is_judged_again(world: World, resolver: str) -> None:
    world.load(REBINDING)
    lines = ({"id": "first", "url": "http://rebind.test/"}, {"id": "second", "url": "http://rebind.test/"})
    answers = world.fetch_all(*lines, environment={"WEBWARD_NETWORK_RESOLVER": resolver})
    assert answers["first"]["ok"]
    assert answers["second"]["error"]["code"] == "refused-address"
    assert world.seen().connections == (PUBLIC,)


def test_a_kept_connection_is_left_when_the_name_has_moved(world: World) -> None:
    world.load({"moved.test": {"sequence": [[PUBLIC], [OTHER]], "ttl": 0}})
    lines = ({"id": "first", "url": "http://moved.test/"}, {"id": "second", "url": "http://moved.test/"})
    answers = world.fetch_all(*lines)
    assert answers["second"]["body"] == f"This is moved.test at {OTHER}."
    assert answers["second"]["hops"][0]["reused"] is False
    assert world.seen().connections == (PUBLIC, OTHER)


def test_a_kept_connection_is_used_when_the_name_stays(world: World) -> None:
    world.load({"stays.test": {"addresses": [PUBLIC], "ttl": 0}})
    lines = ({"id": "first", "url": "https://stays.test/"}, {"id": "second", "url": "https://stays.test/"})
    answers = world.fetch_all(*lines)
    assert [answers[line]["hops"][0]["reused"] for line in ("first", "second")] == [False, True]
    seen = world.seen()
    assert seen.connections == (PUBLIC,)
    assert seen.questions.count("stays.test A") == 2
