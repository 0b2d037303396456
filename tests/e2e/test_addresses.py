"""Names whose answers hold an address that must not be reached: refused, nothing connected, the address never told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from .client import REFUSED

if TYPE_CHECKING:
    from .client import World

PUBLIC = "93.184.216.34"
PUBLIC6 = "2606:2800:220::1"

# What the name answers, and the parts of it that no output may hold.
BAD_ANSWERS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "private": ({"bad.test": ["10.0.0.5"]}, ["10.0.0.5"]),
    "loopback": ({"bad.test": ["127.0.0.1"]}, ["127.0.0.1"]),
    "this network": ({"bad.test": ["0.0.0.0"]}, ["0.0.0.0"]),  # noqa: S104 an answer
    "metadata": ({"bad.test": ["169.254.169.254"]}, ["169.254"]),
    "shared space": ({"bad.test": ["100.64.0.1"]}, ["100.64.0.1"]),
    "multicast": ({"bad.test": ["239.255.255.250"]}, ["239.255"]),
    "platform": ({"bad.test": ["168.63.129.16"]}, ["168.63"]),
    "IPv6 loopback": ({"bad.test": ["::1"]}, ["::1"]),
    "unique local": ({"bad.test": ["fd00::5"]}, ["fd00::5"]),
    "link-local": ({"bad.test": ["fe80::5"]}, ["fe80::5"]),
    "site-local": ({"bad.test": ["fec0::5"]}, ["fec0::5"]),
    "mapped": ({"bad.test": ["::ffff:10.0.0.5"]}, ["10.0.0.5", "ffff", "a00:5"]),
    "mapped metadata": ({"bad.test": ["::ffff:a9fe:a9fe"]}, ["169.254", "a9fe"]),
    "NAT64": ({"bad.test": ["64:ff9b::a9fe:a9fe"]}, ["a9fe", "169.254"]),
    "6to4": ({"bad.test": ["2002:7f00:1::"]}, ["2002:7f00", "127.0.0.1"]),
    "mixed, public first": ({"bad.test": [PUBLIC, "10.0.0.5"]}, [PUBLIC, "10.0.0.5"]),
    "mixed, private first": ({"bad.test": ["10.0.0.5", PUBLIC]}, [PUBLIC, "10.0.0.5"]),
    "mixed families": ({"bad.test": [PUBLIC, "fd00::5"]}, [PUBLIC, "fd00::5"]),
    "mixed families, IPv6 good": ({"bad.test": [PUBLIC6, "192.168.1.1"]}, [PUBLIC6, "192.168.1.1"]),
    "alias": ({"bad.test": {"cname": "inner.test"}, "inner.test": ["10.0.0.5"]}, ["10.0.0.5", "inner.test"]),
    "own interface": ({"bad.test": ["198.41.0.4"]}, ["198.41.0.4"]),
    "own interface, IPv6": ({"bad.test": ["2001:503:ba3e::2:30"]}, ["2001:503", "ba3e"]),
}


@pytest.mark.parametrize("resolver", ["dns", "system"])
@pytest.mark.parametrize("case", BAD_ANSWERS)
def test_a_bad_answer_refuses_the_name(world: World, case: str, resolver: str) -> None:
    zone, secrets = BAD_ANSWERS[case]
    world.load(zone)
    refusal = world.refuse("https://bad.test/", environment={"WEBWARD_NETWORK_RESOLVER": resolver})
    assert (refusal.code, refusal.hop) == ("refused-address", 0)
    assert [secret for secret in secrets if secret in refusal.output] == []
    assert world.seen().connections == ()


@pytest.mark.parametrize("resolver", ["dns", "system"])
def test_the_same_name_with_public_answers_is_fetched(world: World, resolver: str) -> None:
    world.load({"good.test": {"cname": "inner.test"}, "inner.test": [PUBLIC, PUBLIC6]})
    outcome = world.webward("fetch", "https://good.test/", environment={"WEBWARD_NETWORK_RESOLVER": resolver})
    assert outcome.status == 0, outcome.stderr
    assert set(world.seen().connections) <= {PUBLIC, PUBLIC6}


@pytest.mark.parametrize(
    ("address", "setting", "value"),
    [
        ("10.0.0.5", "WEBWARD_EGRESS_UNSAFE_ALLOW_CIDR", "10.0.0.0/8"),
        ("198.41.0.4", "WEBWARD_EGRESS_UNSAFE_ALLOW_OWN_ADDRESSES", "true"),
    ],
    ids=["private", "own interface"],
)
def test_the_setting_that_opens_an_address_is_named_and_works(
    world: World, address: str, setting: str, value: str
) -> None:
    world.load({"bad.test": [address]})
    refusal = world.refuse("http://bad.test/")
    assert refusal.setting is not None
    assert setting == "WEBWARD_" + refusal.setting.upper().replace(".", "_").replace("-", "_")
    assert world.webward("fetch", "http://bad.test/", environment={setting: value}).status == 0
    assert world.seen().connections == (address,)


@pytest.mark.parametrize(("count", "status"), [(256, 0), (257, REFUSED)])
def test_a_name_may_have_only_so_many_addresses(world: World, count: int, status: int) -> None:
    world.load({"many.test": [f"93.184.{number // 256}.{number % 256}" for number in range(count)]})
    outcome = world.webward("fetch", "--envelope", "http://many.test/")
    assert outcome.status == status
    assert outcome.envelope.get("error", {}).get("code") == ("refused-host" if status else None)
    assert len(world.seen().connections) == (0 if status else 1)


def test_metadata_stays_refused_whatever_is_allowed(world: World) -> None:
    world.load({"bad.test": ["169.254.169.254"]})
    environment = {"WEBWARD_EGRESS_UNSAFE_ALLOW_CIDR": "0.0.0.0/0"}
    assert world.refuse("http://bad.test/", environment=environment).code == "refused-address"
    assert world.seen().connections == ()


@pytest.mark.parametrize("show", [False, True])
def test_check_shows_addresses_only_when_asked(world: World, show: bool) -> None:  # noqa: FBT001 a row
    world.load({"bad.test": ["10.0.0.5"]})
    outcome = world.webward("check", "http://bad.test/", *(["--show-addresses"] if show else []))
    assert outcome.status == 3
    assert ("10.0.0.5" in outcome.stdout + outcome.stderr) is show
    assert "private-use" in outcome.stdout + outcome.stderr
    assert world.seen().connections == ()
