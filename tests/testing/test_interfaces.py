from __future__ import annotations

from ipaddress import ip_address

from webward.testing import FixedInterfaces


def test_the_machine_has_the_addresses_that_were_given() -> None:
    interfaces = FixedInterfaces("93.184.216.34", "2606:4700::1")
    assert ip_address("93.184.216.34") in interfaces
    assert ip_address("2606:4700:0::1") in interfaces
    assert ip_address("93.184.216.35") not in interfaces


def test_by_default_it_has_none() -> None:
    assert ip_address("93.184.216.34") not in FixedInterfaces()
