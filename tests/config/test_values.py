from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest

from webward.config import (
    EgressPolicy,
    Limits,
    NetworkSettings,
    ReadOptions,
    Rendition,
    Settings,
    settings_from_mapping,
)
from webward.errors import InvalidConfiguration

MIB = 1024 * 1024

# contracts/page.md, "Limits".
CONTRACT = {
    "deadline_seconds": 30,
    "max_deadline_seconds": 120,
    "redirects": 5,
    "body_bytes": 5 * MIB,
    "max_body_bytes": 50 * MIB,
    "answers": 256,
    "dialed_addresses": 16,
    "head_bytes": 64 * 1024,
    "head_fields": 256,
    "interim_responses": 8,
}

# Section, key, value, and a part of the message; the setting is section.key unless a row says otherwise.
BAD = [
    ("limits", "redirects", 21, "<= 20"),
    ("limits", "redirects", -1, ">= 0"),
    ("limits", "redirects", "5", "got `str`"),
    ("limits", "redirects", True, "got `bool`"),
    ("limits", "redirects", 1.5, "got `float`"),
    ("limits", "deadline-seconds", 0, "> 0"),
    ("limits", "deadline-seconds", -1.0, "> 0"),
    ("limits", "deadline-seconds", math.nan, "> 0"),
    ("limits", "deadline-seconds", math.inf, "<= 3600"),
    ("limits", "deadline-seconds", False, "got `bool`"),
    ("limits", "max-deadline-seconds", 3601, "<= 3600"),
    ("limits", "body-bytes", 0, ">= 1"),
    ("limits", "max-body-bytes", 1024 * MIB + 1, "<= 1073741824"),
    ("limits", "answers", 0, ">= 1"),
    ("limits", "dialed-addresses", 0, ">= 1"),
    ("limits", "idle-connections", -1, ">= 0"),
    ("egress", "preset", "publik", "did you mean 'public'"),
    ("egress", "preset", "stric", "did you mean 'strict'"),
    ("egress", "preset", "dev", "did you mean 'development'"),
    ("egress", "preset", ["public"], "no preset"),
    ("egress", "schemes", ["htps"], "did you mean 'https'"),
    ("egress", "schemes", ["ftp"], "'ftp'"),
    ("egress", "schemes", "https", "got `str`"),
    ("egress", "ports", [0], ">= 1"),
    ("egress", "ports", [65536], "<= 65535"),
    ("egress", "ports", ["443"], "got `str`"),
    ("egress", "ports", 443, "got `int`"),
    ("egress", "url-credentials", "authorisation", "did you mean 'authorization'"),
    ("egress", "allow-embedded-ipv4", 1, "got `int`"),
    ("egress", "unsafe-allow-own-addresses", "yes", "got `str`"),
    *(
        ("egress", key, value, "")
        for key in ("only-cidr", "deny-cidr", "unsafe-allow-cidr", "nat64-prefixes")
        for value in (["10.0.0.1/8"], ["10.0.0.0/33"], ["example.com"], [""], ["10/8"], ["fe80::1%eth0"], "::/0", [8])
    ),
    ("egress", "deny-cidr", ["10.0.0.1/8"], "10.0.0.0/8"),
    *(("egress", "nat64-prefixes", [f"2001:db8::/{bits}"], "96 bits") for bits in (31, 33, 52, 95, 97, 128)),
    ("egress", "nat64-prefixes", ["10.0.0.0/32"], "IPv6 prefix"),
    ("egress", "nat64-prefixes", ["::ffff:0:0/96"], "IPv6 prefix"),
    *(
        ("egress", key, [value], "example.com")
        for key in ("only-hosts", "deny-hosts", "unsafe-allow-hosts")
        for value in (
            *("", "*", "*.", "*.*.com", "a.*", "exa*ple.com", "a..b", ".com", "a.com/", "a.com:80", "https://a.com"),
            *(
                "u@a.com",
                "a b",
                "a\tb",
                "a\n",
                "[::1]",
                "::1",
                "1.2.3.4.5",
                "a?b",
                "a#b",
                r"a\b",
                "<b>",
                "\x00",
                "\ud800",
            ),
        )
    ),
    ("network", "resolver", "sistem", "did you mean 'system'"),
    ("network", "resolver-threads", 0, ">= 1"),
    ("network", "answer-cache-seconds", 61, "<= 60"),
    ("network", "answer-cache-seconds", -1, ">= 0"),
    ("network", "user-agent", "", "length >= 1"),
    ("network", "user-agent", "a\r\nX: y", "printable ASCII"),
    ("network", "user-agent", " a", "printable ASCII"),
    ("network", "user-agent", "é", "printable ASCII"),
    ("network", "user-agent", "x" * 257, "length <= 256"),
    ("network", "ca-file", 1, "got `int`"),
    ("search", "provider", "olama", "did you mean 'ollama'"),
    ("search", "provider", "google", "did you mean"),
    ("search", "max-results", 0, ">= 1"),
    ("search", "max-results", 11, "<= 10"),
    ("search", "max-results", True, "got `bool`"),
]

PROXIES = ["http://proxy.corp:3128", "http://10.0.0.1:3128", "http://[::1]:3128/", "http://user:hunter2@proxy:3128"]
BAD_PROXIES = [
    "",
    "hunter2",
    "proxy:3128",
    "https://user:hunter2@proxy:3128",
    "socks5://user:hunter2@proxy:1080",
    "HTTP://user:hunter2@proxy:3128",
    "http://user:hunter2@proxy:x",
    "http://user:hunter2@proxy:3128/path",
    "http://user:hunter2@proxy:3128/?hunter2",
    "http://user:hunter2@proxy:3128/#hunter2",
    "http://user:hunter2@",
    "http://user:hunter2@a b",
    "http://user:hunter2@proxy\ud800",
    "http://user:12/hunter2@proxy",
]


def test_limits_are_those_of_the_contract() -> None:
    assert {name: getattr(Limits(), name) for name in CONTRACT} == CONTRACT


@pytest.mark.parametrize(("section", "key", "value", "part"), BAD)
def test_a_bad_value_names_its_setting(section: str, key: str, value: Any, part: str) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        settings_from_mapping({section: {key: value}})
    error = caught.value
    assert (error.code, error.setting, error.retryable) == ("invalid-configuration", f"{section}.{key}", False)
    assert error.message.startswith(f"{section}.{key}: ")
    assert part in error.message


@pytest.mark.parametrize("name", ["deadline-seconds", "body-bytes"])
def test_a_default_is_not_above_its_ceiling(name: str) -> None:
    ceiling = f"max-{name}"
    settings_from_mapping({"limits": {name: 10, ceiling: 10}})
    with pytest.raises(InvalidConfiguration, match=f"limits.{name} is above limits.{ceiling}") as caught:
        settings_from_mapping({"limits": {name: 11, ceiling: 10}})
    assert caught.value.setting == f"limits.{ceiling}"


@pytest.mark.parametrize("proxy", PROXIES)
def test_a_proxy_is_host_and_port(proxy: str) -> None:
    assert NetworkSettings(proxy=proxy).proxy == proxy


@pytest.mark.parametrize("proxy", BAD_PROXIES)
def test_a_bad_proxy_is_not_repeated(proxy: str) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        settings_from_mapping({"network": {"proxy": proxy}})
    assert caught.value.setting == "network.proxy"
    assert "hunter2" not in f"{caught.value} {caught.value!r} {caught.value.args}"


@pytest.mark.parametrize("proxy", [["hunter2"], {"hunter2": 1}, 12])
def test_a_proxy_of_another_kind_is_not_repeated(proxy: Any) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        settings_from_mapping({"network": {"proxy": proxy}})
    assert caught.value.setting == "network.proxy"
    assert "hunter2" not in f"{caught.value} {caught.value!r}"


@pytest.mark.parametrize(
    ("pattern", "stored"),
    [
        ("example.com", "example.com"),
        ("EXAMPLE.com.", "example.com"),
        ("*.Example.com", "*.example.com"),
        ("bücher.test", "xn--bcher-kva.test"),
        ("*.bücher.test", "*.xn--bcher-kva.test"),
        ("evil。com", "evil.com"),
        ("intranet", "intranet"),
        ("_a.b-c.test", "_a.b-c.test"),
        ("127.1", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"),
        ("1.1.1.1", "1.1.1.1"),
    ],
)
def test_host_patterns_are_spelled_as_hosts_are(pattern: str, stored: str) -> None:
    policy = EgressPolicy(only_hosts=(pattern,), deny_hosts=(pattern,), unsafe_allow_hosts=(pattern,))
    assert policy.only_hosts == policy.deny_hosts == policy.unsafe_allow_hosts == (stored,)


@pytest.mark.parametrize(
    ("network", "stored"),
    [
        ("10.0.0.0/8", "10.0.0.0/8"),
        ("10.0.0.0/255.0.0.0", "10.0.0.0/8"),
        ("10.1.2.3", "10.1.2.3/32"),
        ("::1", "::1/128"),
        ("FD00::/8", "fd00::/8"),
        ("::ffff:10.1.2.3", "10.1.2.3/32"),
        ("::ffff:10.0.0.0/104", "10.0.0.0/8"),
        ("::ffff:0:0/96", "0.0.0.0/0"),
        ("::/0", "::/0"),
    ],
)
def test_networks_are_stored_as_they_are_judged(network: str, stored: str) -> None:
    policy = EgressPolicy(only_cidr=(network,), deny_cidr=(network,), unsafe_allow_cidr=(network,))
    assert policy.only_cidr == policy.deny_cidr == policy.unsafe_allow_cidr == (stored,)


@pytest.mark.parametrize("bits", [32, 40, 48, 56, 64, 96])
def test_nat64_prefixes_have_one_of_six_lengths(bits: int) -> None:
    assert EgressPolicy(nat64_prefixes=(f"2606:4700::/{bits}",)).nat64_prefixes == (f"2606:4700::/{bits}",)


def test_presets() -> None:
    public, strict, development = EgressPolicy.public(), EgressPolicy.strict(), EgressPolicy.development()
    assert public == EgressPolicy() == Settings().egress
    assert public.schemes == {"http", "https"}
    assert public.ports is None
    assert public.url_credentials == "refuse"
    assert public.allow_embedded_ipv4
    assert strict.schemes == {"https"}
    assert strict.ports == frozenset((443,))
    assert not strict.allow_embedded_ipv4
    assert development.unsafe_allow_cidr == ("127.0.0.0/8", "::1/128")
    assert development.unsafe_allow_hosts == ("localhost", "*.localhost")
    for policy in (public, strict):
        assert policy.unsafe_allow_cidr == policy.unsafe_allow_hosts == ()
    for policy in (public, strict, development):
        assert not policy.unsafe_allow_own_addresses
        assert policy.nat64_prefixes == ()


@pytest.mark.parametrize("value", [EgressPolicy(), Limits(), NetworkSettings(), ReadOptions(), Settings()])
def test_settings_are_frozen(value: msgspec.Struct) -> None:
    name = value.__struct_fields__[0]
    with pytest.raises(AttributeError):
        setattr(value, name, None)


def test_the_user_agent_says_who_asks() -> None:
    assert NetworkSettings().user_agent.startswith("webward/")
    assert "(+https://" in NetworkSettings().user_agent


@pytest.mark.parametrize(
    "options", [{"start": -1}, {"max_chars": 0}, {"format": "pdf"}, {"start": True}, {"stat": 1}, {"max_chars": "1"}]
)
def test_read_options_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, ReadOptions)
    assert msgspec.convert({"format": "text"}, ReadOptions).format is Rendition.TEXT
