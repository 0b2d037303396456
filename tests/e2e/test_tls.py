from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .client import World

PUBLIC = "93.184.216.34"
PUBLIC6 = "2606:2800:220::1"
PAGE = {"headers": [["Content-Type", "text/html"]], "body": "<title>Welcome</title><h1>Hello</h1><p>World &amp; all"}


@pytest.mark.parametrize("address", [PUBLIC, PUBLIC6])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_default_policy_fetches_a_public_page(world: World, scheme: str, address: str) -> None:
    world.load({"site.test": [address]})
    outcome = world.webward("fetch", f"{scheme}://site.test/path?query")
    assert (outcome.status, outcome.stdout) == (0, f"This is site.test at {address}.")
    seen = world.seen()
    (request,) = seen.requests
    assert (request.scheme, request.host, request.path) == (scheme, "site.test", "/path?query")
    assert "\r\nuser-agent: webward/" in request.head.lower()
    assert seen.connections == (address,)
    assert sorted(seen.questions) == ["site.test A", "site.test AAAA"]


def test_the_default_policy_reads_a_public_page(world: World) -> None:
    world.load({"site.test": [PUBLIC, PUBLIC6]}, {"site.test/": PAGE})
    outcome = world.webward("read", "https://site.test/")
    assert outcome.status == 0, outcome.stderr
    assert "# Hello" in outcome.stdout
    assert "World & all" in outcome.stdout
    assert [request.scheme for request in world.seen().requests] == ["https"]


def test_the_envelope_tells_about_the_hop(world: World) -> None:
    world.load({"site.test": [PUBLIC]})
    envelope = world.webward("fetch", "--envelope", "https://site.test/").envelope
    (hop,) = envelope["hops"]
    assert (envelope["ok"], envelope["status"], envelope["final_url"]) == (True, 200, "https://site.test/")
    assert (hop["address_class"], hop["reused"]) == ("global", False)
    assert hop["tls"].startswith("TLSv1.")


@pytest.mark.parametrize(("url", "address"), [(f"https://{PUBLIC}/", PUBLIC), (f"https://[{PUBLIC6}]/", PUBLIC6)])
def test_a_literal_is_checked_against_the_address_in_the_certificate(world: World, url: str, address: str) -> None:
    world.load({})
    assert world.webward("fetch", url).status == 0
    assert world.seen().connections == (address,)
    world.load({}, certificates={address: {"names": ["site.test"]}})
    assert world.webward("fetch", "--envelope", url).envelope["error"]["code"] == "tls-failed"


@pytest.mark.parametrize(
    "fault",
    [{"names": ["other.test"]}, {"names": ["*.test.test"]}, {"names": [PUBLIC]}, {"expired": True}, {"stranger": True}],
    ids=["wrong name", "wrong wildcard", "address for a name", "expired", "untrusted"],
)
def test_a_bad_certificate_ends_the_call(world: World, fault: dict[str, Any]) -> None:
    world.load({"site.test": [PUBLIC]}, certificates={"site.test": fault})
    outcome = world.webward("fetch", "--envelope", "https://site.test/")
    error = outcome.envelope["error"]
    assert (outcome.status, error["code"], error["retryable"], error["hop"]) == (5, "tls-failed", False, 0)
    seen = world.seen()
    assert set(seen.connections) == {PUBLIC}
    assert seen.requests == ()


def test_without_the_extra_authority_nothing_is_trusted(world: World) -> None:
    world.load({"site.test": [PUBLIC]})
    outcome = world.webward("fetch", "--envelope", "https://site.test/", environment={"SSL_CERT_FILE": ""})
    assert (outcome.status, outcome.envelope["error"]["code"]) == (5, "tls-failed")
