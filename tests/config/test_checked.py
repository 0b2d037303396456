from __future__ import annotations

from ipaddress import ip_address
from typing import Any

import pytest

from webward import EgressPolicy, Gateway, Limits, NetworkSettings, Settings
from webward.config import checked_settings, settings_from_mapping
from webward.core.egress import Egress
from webward.core.url import parse
from webward.errors import HostRefused, InvalidConfiguration

BAD = [
    (Settings(egress=EgressPolicy(ports=frozenset((0,)))), "egress.ports"),
    (Settings(egress=EgressPolicy(schemes=frozenset(("ftp",)))), "egress.schemes"),  # type: ignore[arg-type]
    (Settings(limits=Limits(deadline_seconds=-1)), "limits.deadline-seconds"),
    (Settings(limits=Limits(redirects=21)), "limits.redirects"),
    (Settings(limits=Limits(head_bytes="9")), "limits.head-bytes"),  # type: ignore[arg-type]
    (Settings(network=NetworkSettings(user_agent="a\r\nb")), "network.user-agent"),
    (Settings(network=NetworkSettings(resolver="magic")), "network.resolver"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("settings", "setting"), BAD, ids=[row[1] for row in BAD])
def test_settings_made_in_python_are_checked_by_the_gateway(settings: Settings, setting: str) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        Gateway(settings)
    assert caught.value.setting == setting


@pytest.mark.parametrize("policy", [EgressPolicy.public(), EgressPolicy.strict(), EgressPolicy.development()])
def test_good_settings_come_back_equal(policy: EgressPolicy) -> None:
    settings = Settings(egress=policy)
    assert checked_settings(settings) == settings


def test_what_are_no_settings_is_an_error() -> None:
    with pytest.raises(InvalidConfiguration):
        Gateway({"limits": {}})  # type: ignore[arg-type]


def test_a_proxy_password_is_in_no_repr() -> None:
    settings = Settings(network=NetworkSettings(proxy="http://user:hunter2@proxy.test:3128"))
    assert "hunter2" not in repr(settings)


@pytest.mark.parametrize("name", ["deny_hosts", "only_hosts", "deny_cidr", "unsafe_allow_cidr"])
def test_a_text_is_no_list(name: str) -> None:
    with pytest.raises(InvalidConfiguration):
        EgressPolicy(**dict[str, Any]({name: "example.com"}))


def test_an_empty_list_of_allowed_hosts_allows_none() -> None:
    egress = Egress(EgressPolicy(only_hosts=()), Limits())
    with pytest.raises(HostRefused):
        egress.admit(parse("https://example.com/"))


def test_an_empty_list_of_allowed_networks_allows_none() -> None:
    egress = Egress(EgressPolicy(only_cidr=()), Limits())
    assert not egress.judge_address(ip_address("93.184.216.34"), ()).allowed


@pytest.mark.parametrize("text", ["webward ", "webward\n", " webward", "a\tb"], ids=repr)
def test_a_user_agent_is_one_that_can_be_sent(text: str) -> None:
    with pytest.raises(InvalidConfiguration):
        settings_from_mapping({"network": {"user-agent": text}})


def test_a_certificate_file_is_looked_at_when_the_gateway_is_made() -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        Gateway(Settings(network=NetworkSettings(ca_file="/nowhere.pem")))
    assert caught.value.setting == "network.ca-file"
