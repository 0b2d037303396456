"""What the tests of judging share: the presets, the addresses, and what becomes of them."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from webward.config import EgressPolicy, Limits
from webward.core.egress import Egress
from webward.core.url import parse
from webward.errors import AddressRefused, WebwardError

PUBLIC = "93.184.216.34"
PUBLIC_IPV6 = "2606:4700::1111"
OWN = frozenset((ip_address("203.0.112.7"), ip_address("2606:4700::7"), ip_address("10.7.7.7")))

PUBLIC_EGRESS = Egress(EgressPolicy.public(), Limits())
STRICT_EGRESS = Egress(EgressPolicy.strict(), Limits())
DEVELOPMENT_EGRESS = Egress(EgressPolicy.development(), Limits())
NAME = parse("https://pub.test/")


def routed(egress: Egress, *texts: str) -> list[str]:
    route = egress.route(NAME, tuple(map(ip_address, texts)), OWN)
    return [str(judged.address) for judged in route.addresses]


def refused(egress: Egress, *texts: str) -> AddressRefused:
    with pytest.raises(AddressRefused) as caught:
        egress.route(NAME, tuple(map(ip_address, texts)), OWN)
    return caught.value


def assert_tells_no_address(error: WebwardError) -> None:
    words = (word.strip("().:,;'\"") for word in f"{error} {error.setting} {error!r}".split())
    assert not [word for word in words if is_address(word)]


def is_address(word: str) -> bool:
    try:
        ip_address(word)
    except ValueError:
        return False
    return True
