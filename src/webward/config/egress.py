"""The rules for what may leave, as a value; options that open something begin with ``unsafe``."""

from __future__ import annotations

import re
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TYPE_CHECKING, Annotated, Literal

from ada_url import URL
from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from webward.errors import InvalidConfiguration

if TYPE_CHECKING:
    from collections.abc import Callable

Network = IPv4Network | IPv6Network
NAT64_PREFIX_LENGTHS = (32, 40, 48, 56, 64, 96)  # RFC 6052 section 2.2
LOOPBACK_CIDR = ("127.0.0.0/8", "::1/128")
LOOPBACK_HOSTS = ("localhost", "*.localhost")
HOST = re.compile(r"(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}")
_MAPPED = IPv6Network("::ffff:0:0/96")

Port = Annotated[int, Meta(ge=1, le=65535)]


class EgressPolicy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab", cache_hash=True):
    """The rules for what may leave. Deny beats allow; metadata addresses are refused whatever is allowed.

    Host patterns are a name (``example.com``) or all names below it (``*.example.com``).

    Attributes:
        schemes: Schemes that may be requested.
        ports: Ports that may be dialed; by default all that the Fetch standard does not call bad.
        only_hosts: When given, no other host may be requested; an empty list allows none.
        only_cidr: When given, no other address may be dialed; an empty list allows none.
        deny_hosts: Hosts that are refused.
        deny_cidr: Addresses that are refused, embedded in IPv6 too.
        url_credentials: What becomes of ``user:password@``: refused, or sent to the first origin as Authorization.
        allow_embedded_ipv4: Whether an IPv4-mapped address of a public address may be dialed.
        nat64_prefixes: NAT64 prefixes of this network (RFC 6052); addresses in them are judged by what they embed.
        unsafe_allow_hosts: Internal names that may be asked for; their addresses are still judged.
        unsafe_allow_cidr: Addresses that may be dialed though their class is refused.
        unsafe_allow_own_addresses: Whether the machine's own addresses may be dialed.
    """

    schemes: frozenset[Literal["http", "https"]] = frozenset(("http", "https"))
    ports: frozenset[Port] | None = None
    only_hosts: tuple[str, ...] | None = None
    only_cidr: tuple[str, ...] | None = None
    deny_hosts: tuple[str, ...] = ()
    deny_cidr: tuple[str, ...] = ()
    url_credentials: Literal["refuse", "authorization"] = "refuse"
    allow_embedded_ipv4: bool = True
    nat64_prefixes: tuple[str, ...] = ()
    unsafe_allow_hosts: tuple[str, ...] = ()
    unsafe_allow_cidr: tuple[str, ...] = ()
    unsafe_allow_own_addresses: bool = False

    @classmethod
    def public(cls) -> EgressPolicy:
        """The default: http and https to public addresses, every port that is not a bad one."""
        return cls()

    @classmethod
    def strict(cls) -> EgressPolicy:
        """Https on port 443 only, and no address that embeds another."""
        return cls(schemes=frozenset(("https",)), ports=frozenset((443,)), allow_embedded_ipv4=False)

    @classmethod
    def development(cls) -> EgressPolicy:
        """As `public`, and loopback too: for servers on one's own machine."""
        return cls(unsafe_allow_hosts=LOOPBACK_HOSTS, unsafe_allow_cidr=LOOPBACK_CIDR)

    def __post_init__(self) -> None:
        for name in ("only_hosts", "deny_hosts", "unsafe_allow_hosts"):
            self._normalize(name, _host_pattern)
        for name in ("only_cidr", "deny_cidr", "unsafe_allow_cidr", "nat64_prefixes"):
            self._normalize(name, lambda text, name: str(_network(text, name)))
        for prefix in map(ip_network, self.nat64_prefixes):
            if prefix.version == 4 or prefix.prefixlen not in NAT64_PREFIX_LENGTHS:  # noqa: PLR2004 - IP version
                raise _bad("nat64_prefixes", str(prefix), "an IPv6 prefix of 32, 40, 48, 56, 64 or 96 bits")

    def _normalize(self, name: str, normal: Callable[[str, str], str]) -> None:
        """Bring the entries of a list to their normal form, each once."""
        entries = getattr(self, name)
        if entries is None:
            return
        if isinstance(entries, str):  # whose letters would become the entries
            raise _bad(name, entries, "a list")
        force_setattr(self, name, tuple(dict.fromkeys(normal(entry, name) for entry in entries)))


class EgressSection(EgressPolicy, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """An egress policy as a settings file writes it.

    Attributes:
        preset: The rules to start from: ``public``, ``strict`` or ``development``; the other keys change them, and
            those that begin with ``unsafe-allow`` add to them.
    """

    preset: Literal["public", "strict", "development"] = "public"


def _bad(name: str, text: str, wanted: str) -> InvalidConfiguration:
    setting = f"egress.{name.replace('_', '-')}"
    return InvalidConfiguration(f"{setting}: {text!r} is not {wanted}", setting=setting)


def _network(text: str, name: str) -> Network:
    try:
        network = ip_network("" if "%" in text else text)  # a zoned address is never reachable
    except ValueError:
        raise _bad(name, text, "a network such as 10.0.0.0/8 (host bits zero)") from None
    if isinstance(network, IPv6Network) and network.subnet_of(_MAPPED):  # judged and dialed as IPv4, so listed as it
        return IPv4Network((network.network_address.packed[12:], network.prefixlen - _MAPPED.prefixlen))
    return network


def _host_pattern(text: str, name: str) -> str:
    wildcard, host = ("*.", text[2:]) if text.startswith("*.") else ("", text)
    url = f"http://{host}/"
    hostname = ""
    if host.isprintable() and not set(host) & set("/\\?#@:[]") and URL.can_parse(url):
        hostname = URL(url).hostname.removesuffix(".")  # as core.url spells a host, or the pattern would never match
    if not HOST.fullmatch(hostname):
        raise _bad(name, text, "a host name such as example.com or *.example.com")
    return wildcard + hostname
