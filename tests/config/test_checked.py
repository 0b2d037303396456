from __future__ import annotations

import pytest

from webward import EgressPolicy, Gateway, Limits, NetworkSettings, Settings
from webward.config import checked_settings
from webward.errors import InvalidConfiguration

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
