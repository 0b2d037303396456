"""Interfaces with the addresses that a test says."""

from __future__ import annotations

from ipaddress import ip_address


class FixedInterfaces:
    """Implements `webward.ports.Interfaces`; by default the machine has no address but loopback."""

    def __init__(self, *addresses: str) -> None:
        self._addresses = frozenset(map(ip_address, addresses))

    def __contains__(self, address: object) -> bool:
        return address in self._addresses
