from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from webward.config import EgressPolicy, Settings, checked_settings
from webward.contracts.iii.configuration import (
    CEILINGS,
    DEFAULTS,
    WebConfiguration,
    configuration_schema,
    decode_configuration,
    gateway_settings,
    kept,
    stored_form,
)
from webward.errors import InvalidConfiguration

# The seed's block, and the key of the guidance.
SEED = {
    "default_timeout_ms": 30000,
    "max_timeout_ms": 120000,
    "default_response_bytes": 262144,
    "max_response_bytes": 5242880,
    "max_transform_bytes": 1048576,
    "max_redirects": 5,
    "user_agent": "iii-harness/0.1 (+web::fetch)",
    "allow_loopback": True,
    "inject_guidance": True,
}


def test_the_defaults_are_those_of_the_seed() -> None:
    assert stored_form(DEFAULTS) == SEED
    assert decode_configuration(SEED) == DEFAULTS


@pytest.mark.parametrize("value", [None, {}, {"web": {}}, {"web": None}, dict.fromkeys(SEED), {"unheard": 1}])
def test_what_is_missing_has_its_default(value: object) -> None:
    assert decode_configuration(value) == DEFAULTS


@pytest.mark.parametrize("wrap", [lambda value: value, lambda value: {"web": value}], ids=["flat", "under web"])
def test_a_value_is_flat_or_under_its_name(wrap: Any) -> None:
    small = replace(DEFAULTS, max_redirects=0, max_transform_bytes=0, allow_loopback=False, user_agent="me/1")
    assert decode_configuration(wrap(stored_form(small))) == small


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ([], "object"),
        ("x", "object"),
        (5, "object"),
        ({"\ud800": 1}, "surrogate"),
        ({"default_timeout_ms": 0}, "default_timeout_ms"),
        ({"max_timeout_ms": "5"}, "max_timeout_ms"),
        ({"max_timeout_ms": 5.5}, "max_timeout_ms"),
        ({"max_response_bytes": -1}, "max_response_bytes"),
        ({"max_redirects": -1}, "max_redirects"),
        ({"max_redirects": True}, "max_redirects"),
        ({"allow_loopback": "false"}, "allow_loopback"),
        ({"web": {"inject_guidance": 1}}, "inject_guidance"),
        *(({"user_agent": text}, "user_agent") for text in ("", " a", "a ", "a\n", "a\r\nb: c", "caf\xe9", "x" * 257)),
    ],
    ids=repr,
)
def test_a_bad_value_names_its_key(value: object, key: str) -> None:
    with pytest.raises(InvalidConfiguration, match=key):
        decode_configuration(value)


def test_more_than_can_be_borne_counts_as_what_can() -> None:
    found = decode_configuration(dict.fromkeys(CEILINGS, 10**12))
    assert {key: getattr(found, key) for key in CEILINGS} == CEILINGS


@pytest.mark.parametrize(
    ("value", "allowed"),
    [
        ({"max_redirects": "x"}, True),
        ({"max_redirects": "x", "allow_loopback": True}, True),
        ({"max_redirects": "x", "allow_loopback": False}, False),
        ({"web": {"max_redirects": "x", "allow_loopback": False}}, False),
        ([], True),
    ],
)
def test_a_ban_on_loopback_is_heard_even_in_a_bad_value(value: object, allowed: bool) -> None:  # noqa: FBT001 - a row
    assert kept(value, DEFAULTS) == replace(DEFAULTS, allow_loopback=allowed)


def test_a_ban_is_not_lifted_by_a_bad_value() -> None:
    banned = replace(DEFAULTS, allow_loopback=False)
    assert kept({"max_redirects": "x", "allow_loopback": True}, banned) == banned


def test_the_schema_is_an_object_with_every_key() -> None:
    schema = configuration_schema()
    assert schema["type"] == "object"
    assert list(schema["properties"]) == list(SEED)
    assert {key: entry["default"] for key, entry in schema["properties"].items()} == SEED
    assert all(entry["description"] for entry in schema["properties"].values())
    assert b"\\\\Z" not in msgspec.json.encode(schema)


def test_a_gateway_keeps_the_configuration() -> None:
    found = gateway_settings(
        Settings(),
        WebConfiguration(max_timeout_ms=2_000, max_response_bytes=99, max_redirects=3, user_agent="me/1"),
    )
    assert checked_settings(found) == found
    assert (found.limits.max_deadline_seconds, found.limits.max_body_bytes, found.limits.redirects) == (2.0, 99, 3)
    assert (found.network.user_agent, found.content.workers) == ("me/1", 1)


@pytest.mark.parametrize("extreme", [1, 10**12])
def test_every_good_configuration_makes_good_settings(extreme: int) -> None:
    decoded = decode_configuration({**dict.fromkeys(CEILINGS, extreme), "max_transform_bytes": extreme})
    checked_settings(gateway_settings(Settings(), decoded))


@pytest.mark.parametrize("policy", [EgressPolicy.public(), EgressPolicy.development(), EgressPolicy.strict()])
def test_loopback_is_open_where_it_is_allowed_and_nowhere_else(policy: EgressPolicy) -> None:
    given = Settings(egress=replace(policy, deny_hosts=("evil.test",), unsafe_allow_own_addresses=True))
    for allowed in (True, False):
        egress = gateway_settings(given, replace(DEFAULTS, allow_loopback=allowed)).egress
        assert egress.unsafe_allow_cidr == (("127.0.0.0/8", "::1/128") if allowed else ())
        assert not egress.unsafe_allow_own_addresses
        assert (egress.schemes, egress.ports, egress.deny_hosts) == (policy.schemes, policy.ports, ("evil.test",))
        assert egress.allow_embedded_ipv4 == policy.allow_embedded_ipv4


def test_what_an_operator_opened_is_closed() -> None:
    opened = EgressPolicy(unsafe_allow_hosts=("intra.corp",), unsafe_allow_cidr=("10.0.0.0/8",))
    egress = gateway_settings(Settings(egress=opened), DEFAULTS).egress
    assert "intra.corp" not in egress.unsafe_allow_hosts
    assert "10.0.0.0/8" not in egress.unsafe_allow_cidr


VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers(), max_size=2)


@given(st.dictionaries(st.sampled_from(list(SEED)), VALUES))
def test_any_value_makes_good_settings_or_is_told(stored: dict[str, Any]) -> None:
    try:
        found = decode_configuration(stored)
    except InvalidConfiguration:
        return
    checked_settings(gateway_settings(Settings(), found))
