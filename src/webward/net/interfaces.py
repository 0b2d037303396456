"""Addresses of the machine's own interfaces: a public one leads past the firewall to services that listen inside."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import ifaddr

    from webward.model import Address
    from webward.ports import Clock

REFRESH_SECONDS = 30.0  # how long a new interface may stay unnoticed; reading them all costs about a millisecond
_LOOPBACK = (IPv4Network("127.0.0.0/8"), IPv6Network("::1/128"))  # judged by their class, which a policy may open


class SystemInterfaces:
    """Implements `ports.Interfaces`.

    Args:
        clock: For the age of what was read.
        adapters: Reads the adapters of the machine.
    """

    def __init__(self, clock: Clock, adapters: Callable[[], Iterable[ifaddr.Adapter]] | None = None) -> None:
        self._clock = clock
        self._adapters = adapters or _system_adapters
        self._addresses: frozenset[Address] = frozenset()
        self._stale_at = float("-inf")

    def __contains__(self, address: object) -> bool:
        return address in self.addresses()

    def addresses(self) -> frozenset[Address]:
        """Addresses of all interfaces, loopback ones left out, at most `REFRESH_SECONDS` old."""
        if self._clock.monotonic() >= self._stale_at:
            self._addresses = _addresses(self._adapters())
            self._stale_at = self._clock.monotonic() + REFRESH_SECONDS
        return self._addresses


def _system_adapters() -> Iterable[ifaddr.Adapter]:
    import ifaddr  # noqa: PLC0415 - importing it takes 8 ms, and an address that is refused anyway needs none of it

    return ifaddr.get_adapters()


def _addresses(adapters: Iterable[ifaddr.Adapter]) -> frozenset[Address]:
    texts = (ip.ip if isinstance(ip.ip, str) else ip.ip[0] for adapter in adapters for ip in adapter.ips)
    found = (ip_address(text.partition("%")[0]) for text in texts)
    return frozenset(address for address in found if not any(address in network for network in _LOOPBACK))
