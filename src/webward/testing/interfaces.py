"""Interfaces with the addresses that a test says."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webward.model import Address


class FixedInterfaces:
    """Implements `webward.ports.Interfaces`; by default the machine has no address but loopback."""

    def __init__(self, *addresses: str) -> None:
        self._addresses = frozenset(map(ip_address, addresses))

    def addresses(self) -> frozenset[Address]:
        """The addresses that were given."""
        return self._addresses
