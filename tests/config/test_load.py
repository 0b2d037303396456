from __future__ import annotations

import json
import sys
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from webward.config import (
    CONFIG_VARIABLE,
    EgressPolicy,
    Settings,
    StoreSettings,
    load_settings,
    settings_from_mapping,
    settings_schema,
    settings_toml,
)
from webward.config.egress import NAT64_PREFIX_LENGTHS
from webward.config.load import keys_of, section_kinds, variable_of
from webward.errors import InvalidConfiguration

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PASSWORD = "hunter2"  # noqa: S105 - what must not be seen
NOWHERE = dict.fromkeys(("XDG_CONFIG_HOME", "XDG_STATE_HOME", "APPDATA", "LOCALAPPDATA"), "/nonexistent")
DEFAULTS = Settings(store=StoreSettings(folder="/nonexistent/webward"))
KEYS = [(section, key) for section, kind in section_kinds().items() for key in keys_of(kind) if key != "preset"]


def from_environment(**variables: str) -> Settings:
    return load_settings(environ={**NOWHERE, **variables})


def written(folder: Path, text: str) -> str:
    path = folder / "webward.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


# --- where settings come from


def test_nothing_is_the_defaults() -> None:
    assert load_settings(environ=NOWHERE) == DEFAULTS
    assert settings_from_mapping({}) == Settings()


def test_each_source_beats_the_one_before(tmp_path: Path) -> None:
    path = written(tmp_path, "[limits]\nredirects = 1\nanswers = 1\nhead-fields = 1\n")
    environ = {**NOWHERE, "WEBWARD_LIMITS_REDIRECTS": "2", "WEBWARD_LIMITS_ANSWERS": "2"}
    limits = load_settings(path, environ=environ, overrides={"limits": {"redirects": 3}}).limits
    assert (limits.redirects, limits.answers, limits.head_fields) == (3, 2, 1)
    assert limits.interim_responses == 8


def test_overrides_meet_sections_that_the_file_lacks() -> None:
    settings = load_settings(environ=NOWHERE, overrides={"egress": {"preset": "strict"}, "limits": {}})
    assert settings == replace(DEFAULTS, egress=EgressPolicy.strict())


def test_a_list_from_the_environment_replaces_that_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, '[egress]\ndeny-hosts = ["a.test", "b.test"]\n')
    environ = {**NOWHERE, "WEBWARD_EGRESS_DENY_HOSTS": "c.test"}
    assert load_settings(path, environ=environ).egress.deny_hosts == ("c.test",)


def test_the_file_is_the_argument_then_the_variable_then_the_users_own(tmp_path: Path) -> None:
    paths = []
    for number, name in enumerate(("argument", "variable", "user/webward"), 1):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        paths.append(written(folder, f"[limits]\nredirects = {number}\n"))
    user = {"XDG_CONFIG_HOME": str(tmp_path / "user"), "APPDATA": str(tmp_path / "user")}
    variable = {**user, CONFIG_VARIABLE: paths[1]}
    assert load_settings(paths[0], environ=variable).limits.redirects == 1
    assert load_settings(environ=variable).limits.redirects == 2
    if sys.platform != "darwin":  # there the folder cannot be moved
        assert load_settings(environ=user).limits.redirects == 3


@pytest.mark.parametrize("as_argument", [True, False], ids=["argument", "variable"])
def test_a_named_file_must_be_there(tmp_path: Path, as_argument: bool) -> None:  # noqa: FBT001 - a row
    path = str(tmp_path / "none.toml")
    with pytest.raises(InvalidConfiguration, match="cannot read the settings file") as caught:
        load_settings(path if as_argument else None, environ=NOWHERE if as_argument else {CONFIG_VARIABLE: path})
    assert path in caught.value.message


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidConfiguration, match="cannot read the settings file"):
        load_settings(str(tmp_path), environ=NOWHERE)


@pytest.mark.parametrize(
    "content",
    [b"[limits", b"redirects", b"a = 1\na = 2", b"\xff", b'[network]\nproxy = "http://u:hunter2@p', b"\x00"],
)
def test_a_file_that_is_no_toml_is_an_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "webward.toml"
    path.write_bytes(content)
    with pytest.raises(InvalidConfiguration, match="is no valid TOML") as caught:
        load_settings(str(path), environ=NOWHERE)
    assert PASSWORD not in f"{caught.value} {caught.value!r}"


# --- what is unknown


@pytest.mark.parametrize(
    ("mapping", "setting", "nearest"),
    [
        ({"egres": {}}, "egres", "egress"),
        ({"limit": {}}, "limit", "limits"),
        ({"Network": {}}, "Network", "network"),
        ({"egress": {"deny-host": []}}, "egress.deny-host", "egress.deny-hosts"),
        ({"egress": {"deny_hosts": []}}, "egress.deny_hosts", "egress.deny-hosts"),
        ({"egress": {"allow-cidr": []}}, "egress.allow-cidr", "egress.unsafe-allow-cidr"),
        ({"egress": {"nat64-prefix": []}}, "egress.nat64-prefix", "egress.nat64-prefixes"),
        ({"limits": {"deadline": 1}}, "limits.deadline", "limits.deadline-seconds"),
        ({"limits": {"max-redirects": 1}}, "limits.max-redirects", "limits.redirects"),
        ({"network": {"proxi": "http://u:hunter2@p:1"}}, "network.proxi", "network.proxy"),
        ({"network": {"useragent": "x"}}, "network.useragent", "network.user-agent"),
    ],
)
def test_an_unknown_key_is_told_the_nearest(mapping: dict[str, Any], setting: str, nearest: str) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        settings_from_mapping(mapping)
    error = caught.value
    assert (error.code, error.setting) == ("invalid-configuration", setting)
    assert repr(setting) in error.message
    assert f"did you mean {nearest!r}?" in error.message
    assert PASSWORD not in f"{error} {error!r}"


@pytest.mark.parametrize("section", ["egress", "limits", "network"])
@pytest.mark.parametrize("value", [3, "x", [], None])
def test_a_section_has_keys(section: str, value: Any) -> None:
    with pytest.raises(InvalidConfiguration, match="must be a section") as caught:
        settings_from_mapping({section: value})
    assert caught.value.setting == section
    assert f"[{section}]" in caught.value.message


def test_a_section_of_the_file_that_has_none_is_told_before_it_is_merged(tmp_path: Path) -> None:
    with pytest.raises(InvalidConfiguration, match="must be a section"):
        load_settings(written(tmp_path, "limits = 3\n"), environ={**NOWHERE, "WEBWARD_LIMITS_REDIRECTS": "2"})


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("WEBWARD_EGRES_PORTS", "WEBWARD_EGRESS_PORTS"),
        ("WEBWARD_CONFG", "WEBWARD_CONFIG"),
        ("WEBWARD_PROXY", "WEBWARD_NETWORK_PROXY"),
        ("WEBWARD_LIMITS_REDIRECT", "WEBWARD_LIMITS_REDIRECTS"),
        ("WEBWARD_EGRESS_DENY-HOSTS", "WEBWARD_EGRESS_DENY_HOSTS"),
    ],
)
def test_an_unknown_variable_is_told_the_nearest(name: str, nearest: str) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        from_environment(**{name: PASSWORD})
    assert caught.value.setting == name
    assert f"did you mean {nearest!r}?" in caught.value.message
    assert PASSWORD not in f"{caught.value} {caught.value!r}"


def test_variables_of_others_are_left_alone() -> None:
    others = {"HTTP_PROXY": "http://p:1", "webward_x": "1", "XWEBWARD_Y": "1", "WEBWARD_REQUIRE_NETNS": "1"}
    assert from_environment(**others) == DEFAULTS


# --- the environment


@pytest.mark.parametrize(
    ("name", "text", "section", "field", "value"),
    [
        ("WEBWARD_EGRESS_PORTS", "443, 8443", "egress", "ports", {443, 8443}),
        ("WEBWARD_EGRESS_SCHEMES", "https", "egress", "schemes", {"https"}),
        ("WEBWARD_EGRESS_DENY_HOSTS", "a.test,*.b.test,", "egress", "deny_hosts", ("a.test", "*.b.test")),
        ("WEBWARD_EGRESS_DENY_CIDR", "", "egress", "deny_cidr", ()),
        ("WEBWARD_EGRESS_UNSAFE_ALLOW_CIDR", "10.0.0.0/8", "egress", "unsafe_allow_cidr", ("10.0.0.0/8",)),
        ("WEBWARD_EGRESS_UNSAFE_ALLOW_OWN_ADDRESSES", "true", "egress", "unsafe_allow_own_addresses", True),
        ("WEBWARD_EGRESS_UNSAFE_ALLOW_OWN_ADDRESSES", "false", "egress", "unsafe_allow_own_addresses", False),
        ("WEBWARD_EGRESS_ALLOW_EMBEDDED_IPV4", "0", "egress", "allow_embedded_ipv4", False),
        ("WEBWARD_LIMITS_DEADLINE_SECONDS", "1.5", "limits", "deadline_seconds", 1.5),
        ("WEBWARD_LIMITS_BODY_BYTES", "1000", "limits", "body_bytes", 1000),
        ("WEBWARD_NETWORK_RESOLVER", "system", "network", "resolver", "system"),
        ("WEBWARD_NETWORK_USER_AGENT", "a, b", "network", "user_agent", "a, b"),
        ("WEBWARD_NETWORK_PROXY", "http://p:1", "network", "proxy", "http://p:1"),
    ],
)
def test_a_variable_sets_a_field(name: str, text: str, section: str, field: str, value: object) -> None:
    assert getattr(getattr(from_environment(**{name: text}), section), field) == value


@pytest.mark.parametrize(
    ("name", "text", "setting", "part"),
    [
        ("WEBWARD_LIMITS_REDIRECTS", "many", None, "got `str`"),
        ("WEBWARD_LIMITS_REDIRECTS", "21", None, "<= 20"),
        ("WEBWARD_LIMITS_REDIRECTS", "", None, "got `str`"),
        ("WEBWARD_LIMITS_DEADLINE_SECONDS", "nan", None, "> 0"),
        ("WEBWARD_LIMITS_DEADLINE_SECONDS", "inf", None, "<= 3600"),
        ("WEBWARD_EGRESS_PORTS", "http", None, "got `str`"),
        ("WEBWARD_EGRESS_PORTS", "0", None, ">= 1"),
        ("WEBWARD_EGRESS_PRESET", "strickt", None, "did you mean 'strict'?"),
        ("WEBWARD_EGRESS_SCHEMES", "htp", None, "did you mean 'http'?"),
        ("WEBWARD_EGRESS_ALLOW_EMBEDDED_IPV4", "yes", None, "got `str`"),
        ("WEBWARD_EGRESS_DENY_CIDR", "10.0.0.1/8", "egress.deny-cidr", "10.0.0.0/8"),
        ("WEBWARD_NETWORK_PROXY", "hunter2", "network.proxy", "http://host:port"),
        ("WEBWARD_NETWORK_PROXY", "", "network.proxy", "http://host:port"),
    ],
)
def test_a_bad_variable_is_named(name: str, text: str, setting: str | None, part: str) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        from_environment(**{name: text})
    assert caught.value.setting == (setting or name)
    assert part in caught.value.message
    assert "$" not in caught.value.message
    assert PASSWORD not in f"{caught.value} {caught.value!r}"


@pytest.mark.parametrize(("section", "key"), KEYS)
def test_every_key_has_a_variable(section: str, key: str) -> None:
    usual = f"WEBWARD_{section}_{key}".upper().replace("-", "_").replace(".", "_")
    assert variable_of(section, key) == {"WEBWARD_STORE_SECRET": "WEBWARD_SECRET"}.get(usual, usual)
    try:
        from_environment(**{variable_of(section, key): "1"})
    except InvalidConfiguration as error:
        assert "unknown" not in error.message  # noqa: PT017 - a value that is bad was read at least


# --- presets


@pytest.mark.parametrize("preset", ["public", "strict", "development"])
def test_a_preset_is_where_the_fields_come_from(preset: str) -> None:
    assert settings_from_mapping({"egress": {"preset": preset}}).egress == getattr(EgressPolicy, preset)()


def test_a_field_beats_its_preset() -> None:
    policy = settings_from_mapping({"egress": {"preset": "strict", "ports": [443, 8443]}}).egress
    assert policy.ports == frozenset((443, 8443))
    assert policy.schemes == {"https"}
    assert not policy.allow_embedded_ipv4


def test_unsafe_lists_extend_their_preset() -> None:
    unsafe = {"unsafe-allow-cidr": ["10.0.0.0/8", "127.0.0.0/8", "::1"], "unsafe-allow-hosts": ["wiki.corp"]}
    policy = settings_from_mapping({"egress": {"preset": "development", **unsafe}}).egress
    assert policy.unsafe_allow_cidr == ("127.0.0.0/8", "::1/128", "10.0.0.0/8")
    assert policy.unsafe_allow_hosts == ("localhost", "*.localhost", "wiki.corp")
    public = settings_from_mapping({"egress": unsafe}).egress
    assert public.unsafe_allow_cidr == ("10.0.0.0/8", "127.0.0.0/8", "::1/128")


def test_a_preset_from_the_environment_takes_the_lists_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, '[egress]\nunsafe-allow-cidr = ["10.0.0.0/8"]\n')
    policy = load_settings(path, environ={**NOWHERE, "WEBWARD_EGRESS_PRESET": "development"}).egress
    assert policy.unsafe_allow_cidr == ("127.0.0.0/8", "::1/128", "10.0.0.0/8")


# --- what is shown


@pytest.mark.parametrize(
    "mapping",
    [
        {},
        {"egress": {"preset": "strict"}},
        {"egress": {"preset": "development"}},
        {"egress": {"preset": "development", "unsafe-allow-cidr": ["10.0.0.0/8"], "unsafe-allow-hosts": ["b.corp"]}},
        {
            "egress": {
                "only-hosts": ["z.test", "*.a.test"],
                "deny-cidr": ["fd00::/8", "10.0.0.0/8"],
                "ports": [81, 8, 443],
            }
        },
        {"egress": {"preset": "development", "unsafe-allow-cidr": ["::1", "127.0.0.0/8"]}},
        {"egress": {"deny-cidr": ["10.0.0.0/8", "::ffff:10.0.0.0/104"], "deny-hosts": ["A.test", "a.test."]}},
        {"egress": {"ports": [], "schemes": []}},
        {"limits": {"deadline-seconds": 0.001, "redirects": 0, "idle-seconds": 1e-7}},
        {
            "network": {
                "user-agent": 'a "quoted" \\ # agent',
                "ca-file": "C:\\ca\té\U0001f600.pem",
                "resolver": "system",
            }
        },
        {"network": {"ca-file": "\x7f\x00\x1f"}},
        {"network": {"proxy": "http://proxy.corp:3128", "answer-cache-seconds": 0}},
    ],
)
def test_toml_gives_the_settings_that_it_shows(mapping: Mapping[str, Mapping[str, object]]) -> None:
    settings = settings_from_mapping(mapping)
    assert settings_from_mapping(tomllib.loads(settings_toml(settings))) == settings


NETWORKS = st.ip_addresses().map(str)
HOSTS = st.sampled_from(("a.test", "*.b.test", "intranet", "1.1.1.1", "bücher.test"))
PREFIXES = st.sampled_from([f"2606:4700::/{bits}" for bits in NAT64_PREFIX_LENGTHS])
EGRESS = st.fixed_dictionaries(
    {},
    optional={
        "preset": st.sampled_from(("public", "strict", "development")),
        "ports": st.lists(st.integers(1, 65535), max_size=3),
        "only-hosts": st.lists(HOSTS, max_size=3),
        "deny-cidr": st.lists(NETWORKS, max_size=3),
        "nat64-prefixes": st.lists(PREFIXES, max_size=2),
        "unsafe-allow-hosts": st.lists(HOSTS, max_size=3),
        "unsafe-allow-cidr": st.lists(NETWORKS, max_size=3),
        "unsafe-allow-own-addresses": st.booleans(),
    },
)
LIMITS = st.fixed_dictionaries({}, optional={"deadline-seconds": st.floats(0, 120, exclude_min=True)})


@settings(max_examples=300)
@given(EGRESS, LIMITS, st.text(st.characters(codec="utf-8")))
def test_toml_round_trips(egress: dict[str, Any], limits: dict[str, Any], ca_file: str) -> None:
    settings = settings_from_mapping({"egress": egress, "limits": limits, "network": {"ca-file": ca_file}})
    assert settings_from_mapping(tomllib.loads(settings_toml(settings))) == settings


@pytest.mark.parametrize(
    ("proxy", "shown"),
    [
        ("http://user:hunter2@proxy:3128", "http://user:********@proxy:3128"),
        ("http://user:a:hunter2@proxy:3128/", "http://user:********@proxy:3128/"),
        ("http://user:a@hunter2@proxy:3128", "http://user:********@proxy:3128"),
        ("http://:hunter2@proxy", "http://:********@proxy"),
        ("http://proxy:3128", "http://proxy:3128"),
    ],
)
def test_a_proxy_password_is_masked(proxy: str, shown: str) -> None:
    text = settings_toml(settings_from_mapping({"network": {"proxy": proxy}}))
    assert tomllib.loads(text)["network"]["proxy"] == shown
    assert PASSWORD not in text


@pytest.mark.parametrize(
    "mapping",
    [
        {"network": {"proxy": f"http://u:{PASSWORD}@p:1", "resolver": "x"}},
        {"network": {"proxy": f"http://u:{PASSWORD}@p:1", "proxi": 1}},
        {"network": {"proxy": f"http://u:{PASSWORD}@p:1"}, "limits": {"redirects": 99}},
        {"network": {"proxy": f"ftp://u:{PASSWORD}@p:1"}},
        {"network": {"proxy": [f"http://u:{PASSWORD}@p:1"]}},
    ],
)
def test_no_error_holds_a_proxy_password(mapping: dict[str, Any]) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        settings_from_mapping(mapping)
    assert PASSWORD not in f"{caught.value} {caught.value!r} {caught.value.args} {caught.value.setting}"


@pytest.mark.parametrize(("section", "key"), KEYS)
def test_every_key_is_shown(section: str, key: str) -> None:
    part = settings_toml(Settings()).partition(f"[{section}]\n")[2].partition("\n[")[0]
    assert any(line.startswith((f"{key} = ", f"# {key} is not set")) for line in part.splitlines())


def test_the_schema_is_json_and_names_every_key() -> None:
    definitions = json.loads(json.dumps(settings_schema()))["$defs"]

    assert set(definitions["SettingsFile"]["properties"]) == {name for name in section_kinds() if "." not in name}
    for kind in section_kinds().values():
        definition = definitions[kind.__name__]
        assert set(definition["properties"]) == {field.encode_name for field in fields(kind)}
        assert definition["additionalProperties"] is False
