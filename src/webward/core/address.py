"""What an address is for: the special-purpose ranges as tables, each row with its source, and what IPv6 hides of IPv4.

IPv4 is a deny table. IPv6 is an allow rule: global is what lies in 2000::/3 and in no row; all the rest is refused,
so that ranges which are not allocated yet need no row. Python's own ``is_global`` is wrong at a third of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING

from webward.model import Address, AddressClass

if TYPE_CHECKING:
    from collections.abc import Iterator

Network = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class SpecialRange:
    """A range of addresses, its class, and where that is written: never in four numbers, which look like an address.

    Attributes:
        first, last: The range as numbers, which compare much faster than addresses.
    """

    network: Network
    address_class: AddressClass
    source: str
    first: int
    last: int


def _rows(*rows: tuple[str, AddressClass, str]) -> tuple[SpecialRange, ...]:
    ranges = (_range(network, kind, source) for network, kind, source in rows)
    return tuple(sorted(ranges, key=lambda row: -row.network.prefixlen))  # the most specific first


def _range(text: str, kind: AddressClass, source: str) -> SpecialRange:
    network = ip_network(text)
    first = int(network.network_address)
    return SpecialRange(network, kind, source, first=first, last=first | int(network.hostmask))


_C = AddressClass

IPV4_RANGES = _rows(
    ("0.0.0.0/8", _C.THIS_NETWORK, "RFC 6890 section 2.2.2"),
    ("10.0.0.0/8", _C.PRIVATE, "RFC 1918"),
    ("100.64.0.0/10", _C.SHARED, "RFC 6598"),
    ("127.0.0.0/8", _C.LOOPBACK, "RFC 6890 section 2.2.2"),
    ("168.63.129.16/32", _C.PLATFORM, "Azure platform services"),
    ("169.254.0.0/16", _C.LINK_LOCAL, "RFC 3927"),
    ("172.16.0.0/12", _C.PRIVATE, "RFC 1918"),
    ("192.0.0.0/24", _C.PROTOCOL, "RFC 6890 section 2.1"),
    ("192.0.2.0/24", _C.DOCUMENTATION, "RFC 5737"),
    ("192.31.196.0/24", _C.AS112, "RFC 7535"),
    ("192.52.193.0/24", _C.RELAY, "RFC 7450"),
    ("192.88.99.0/24", _C.RELAY, "RFC 7526"),
    ("192.168.0.0/16", _C.PRIVATE, "RFC 1918"),
    ("192.175.48.0/24", _C.AS112, "RFC 7534"),
    ("198.18.0.0/15", _C.BENCHMARKING, "RFC 2544"),
    ("198.51.100.0/24", _C.DOCUMENTATION, "RFC 5737"),
    ("203.0.113.0/24", _C.DOCUMENTATION, "RFC 5737"),
    ("224.0.0.0/4", _C.MULTICAST, "RFC 5771"),
    ("240.0.0.0/4", _C.RESERVED, "RFC 1112 section 4"),
)

IPV6_RANGES = _rows(
    ("::/128", _C.UNSPECIFIED, "RFC 4291 section 2.5.2"),
    ("::1/128", _C.LOOPBACK, "RFC 4291 section 2.5.3"),
    ("::/96", _C.IPV4_EMBEDDED, "RFC 4291 section 2.5.5"),
    ("::ffff:0:0/96", _C.IPV4_EMBEDDED, "RFC 4291 section 2.5.5"),
    ("::ffff:0:0:0/96", _C.IPV4_EMBEDDED, "RFC 2765 section 2.1"),
    ("64:ff9b::/96", _C.NAT64, "RFC 6052 section 2.1"),
    ("64:ff9b:1::/48", _C.NAT64, "RFC 8215"),
    ("100::/64", _C.DISCARD, "RFC 6666"),
    ("100:0:0:1::/64", _C.DISCARD, "RFC 9780"),
    ("2000::/3", _C.GLOBAL, "RFC 4291 section 2.5.4"),
    ("2001::/23", _C.PROTOCOL, "RFC 2928"),
    ("2001::/32", _C.TEREDO, "RFC 4380"),
    ("2001:2::/48", _C.BENCHMARKING, "RFC 5180"),
    ("2001:db8::/32", _C.DOCUMENTATION, "RFC 3849"),
    ("2002::/16", _C.SIX_TO_FOUR, "RFC 3056, RFC 7526"),
    ("2620:4f:8000::/48", _C.AS112, "RFC 7534"),
    ("3ffe::/16", _C.RESERVED, "RFC 3701"),
    ("3fff::/20", _C.DOCUMENTATION, "RFC 9637"),
    ("5f00::/16", _C.SEGMENT_ROUTING, "RFC 9602"),
    ("fc00::/7", _C.UNIQUE_LOCAL, "RFC 4193"),
    ("fe80::/10", _C.LINK_LOCAL, "RFC 4291 section 2.5.6"),
    ("fec0::/10", _C.SITE_LOCAL, "RFC 3879"),
    ("ff00::/8", _C.MULTICAST, "RFC 4291 section 2.7"),
    ("::/0", _C.UNALLOCATED, "IANA IPv6 address space"),
)

# Where clouds hand out credentials; refused under any allow list. AWS (instance, container, pod), ECS local, Tencent,
# Scaleway, Alibaba, Oracle classic, Azure platform; then AWS, EKS, Google and Scaleway over IPv6.
METADATA_ADDRESSES: frozenset[Address] = frozenset(
    ip_address(text)
    for text in (
        "169.254.169.254",
        "169.254.170.2",
        "169.254.170.23",
        "169.254.42.42",
        "169.254.0.23",
        "100.100.100.200",
        "192.0.0.192",
        "168.63.129.16",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
        "fd00:42::42",
    )
)

_GLOBAL_IPV4 = _range("0.0.0.0/0", AddressClass.GLOBAL, "IANA IPv4 address space")
_LOW_32_BITS = 0xFFFF_FFFF

# The leading bits of IPv6 prefixes, as numbers.
_MAPPED = int(IPv6Address("::ffff:0:0")) >> 32
_LOW_FORMS = frozenset(int(IPv6Address(form)) >> 32 for form in ("::", "::ffff:0:0", "::ffff:0:0:0", "64:ff9b::"))
_NAT64_LOCAL = int(IPv6Address("64:ff9b:1::")) >> 80
_SIX_TO_FOUR = int(IPv6Address("2002::")) >> 112
_TEREDO = int(IPv6Address("2001::")) >> 96

_NO_EMBEDDING = (0, 1)  # :: and ::1 are in ::/96, but RFC 4291 section 2.5.5.1 excepts them
_NAT64_LOCAL_LENGTHS = (48, 56, 64, 96)  # RFC 8215 section 5: a network takes any prefix in it
_ISATAP_MARKS = (0x0000_5EFE, 0x0200_5EFE)  # RFC 5214 section 6.1, with the local and the global bit


@dataclass(frozen=True, slots=True)
class Embedded:
    """An IPv4 address inside an IPv6 one, and the form that holds it."""

    address: IPv4Address
    form: AddressClass


def classify(address: Address) -> SpecialRange:
    """The most specific range that holds an address; embedded addresses are not looked at."""
    number = int(address)
    for row in IPV4_RANGES if address.version == 4 else IPV6_RANGES:  # noqa: PLR2004 - IP version
        if row.first <= number <= row.last:
            return row
    return _GLOBAL_IPV4


def mapped(address: Address) -> IPv4Address | None:
    """The IPv4 address of an IPv4-mapped one, which the kernel would dial over IPv4 (RFC 4291 section 2.5.5.2)."""
    if isinstance(address, IPv6Address) and int(address) >> 32 == _MAPPED:
        return _low_32(address)
    return None


def embedded(address: Address, nat64: tuple[IPv6Network, ...] = ()) -> tuple[Embedded, ...]:
    """All IPv4 addresses that an IPv6 address may lead to, in every form that is known.

    Args:
        address: Any address; an IPv4 one embeds nothing.
        nat64: NAT64 prefixes of this network; in them, the one embedding that it declares is what counts.
    """
    if isinstance(address, IPv4Address):
        return ()
    return tuple(_embedded(address, nat64))


def _embedded(address: IPv6Address, nat64: tuple[IPv6Network, ...]) -> Iterator[Embedded]:
    number = int(address)
    declared = [prefix.prefixlen for prefix in nat64 if address in prefix]
    for length in declared or (_NAT64_LOCAL_LENGTHS if number >> 80 == _NAT64_LOCAL else ()):
        yield Embedded(_at_prefix(number, length), AddressClass.NAT64)
    if not declared and number >> 32 in _LOW_FORMS and number not in _NO_EMBEDDING:
        yield Embedded(_low_32(address), AddressClass.IPV4_EMBEDDED)
    if number >> 112 == _SIX_TO_FOUR:
        yield Embedded(IPv4Address(number >> 80 & _LOW_32_BITS), AddressClass.SIX_TO_FOUR)
    if number >> 96 == _TEREDO:
        yield Embedded(IPv4Address(number >> 64 & _LOW_32_BITS), AddressClass.TEREDO)  # the server
        yield Embedded(IPv4Address(~number & _LOW_32_BITS), AddressClass.TEREDO)  # the client, its bits inverted
    if number >> 32 & _LOW_32_BITS in _ISATAP_MARKS:
        yield Embedded(_low_32(address), AddressClass.ISATAP)


def _low_32(address: IPv6Address) -> IPv4Address:
    return IPv4Address(int(address) & _LOW_32_BITS)


def _at_prefix(number: int, prefix_length: int) -> IPv4Address:
    """The IPv4 address behind a NAT64 prefix; bits 64 to 71 are skipped (RFC 6052 section 2.2)."""
    if prefix_length == 96:  # noqa: PLR2004 - the only length that ends behind the skipped bits
        return IPv4Address(number & _LOW_32_BITS)
    bits = f"{number:0128b}"
    without_reserved = bits[:64] + bits[72:]
    return IPv4Address(int(without_reserved[prefix_length : prefix_length + 32], 2))
