from __future__ import annotations

from ipaddress import ip_address

from ifaddr import IP, Adapter

from webward.net.clock import SystemClock
from webward.net.interfaces import REFRESH_SECONDS, SystemInterfaces
from webward.testing import FrozenClock


class Machine:
    """Adapters that a test can change."""

    def __init__(self, *ips: str | tuple[str, int, int]) -> None:
        self.ips = list(ips)
        self.reads = 0

    def adapters(self) -> list[Adapter]:
        self.reads += 1
        return [Adapter("eth0", "eth0", [IP(ip, 24, "eth0")]) for ip in self.ips]


def test_addresses_of_both_families_are_told_without_loopback() -> None:
    machine = Machine("127.0.0.1", "127.8.9.1", ("::1", 0, 0), "192.0.2.2", ("2606:4700::2", 0, 0))
    assert SystemInterfaces(FrozenClock(), machine.adapters).addresses() == {
        ip_address("192.0.2.2"),
        ip_address("2606:4700::2"),
    }


def test_zones_are_dropped_so_that_addresses_compare() -> None:
    machine = Machine(("fe80::1", 0, 4), ("fe80::2%eth0", 0, 4))
    assert SystemInterfaces(FrozenClock(), machine.adapters).addresses() == {
        ip_address("fe80::1"),
        ip_address("fe80::2"),
    }


def test_the_machine_is_read_again_after_a_while() -> None:
    clock, machine = FrozenClock(), Machine("192.0.2.2")
    interfaces = SystemInterfaces(clock, machine.adapters)
    first = interfaces.addresses()
    machine.ips.append("192.0.2.3")
    clock.advance(REFRESH_SECONDS - 1)
    assert interfaces.addresses() == first
    assert machine.reads == 1
    clock.advance(1)
    assert interfaces.addresses() == {ip_address("192.0.2.2"), ip_address("192.0.2.3")}
    assert machine.reads == 2


def test_a_machine_without_addresses_is_not_read_each_time() -> None:
    machine = Machine()
    interfaces = SystemInterfaces(FrozenClock(), machine.adapters)
    assert interfaces.addresses() == interfaces.addresses() == frozenset()
    assert machine.reads == 1


def test_this_machine_can_be_read() -> None:
    for address in SystemInterfaces(SystemClock()).addresses():
        assert not address.is_loopback


def test_an_address_can_be_asked_for() -> None:
    interfaces = SystemInterfaces(FrozenClock(), Machine("192.0.2.2").adapters)
    assert ip_address("192.0.2.2") in interfaces
    assert ip_address("192.0.2.3") not in interfaces
