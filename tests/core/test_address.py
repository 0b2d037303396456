from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.core.address import (
    IPV4_RANGES,
    IPV6_RANGES,
    METADATA_ADDRESSES,
    Network,
    SpecialRange,
    classify,
    embedded,
    mapped,
)
from webward.model import Address, AddressClass

C = AddressClass
TOP = {4: 2**32 - 1, 6: 2**128 - 1}

# Range; class of the address before it, of its first, of its last, and of the one behind it.
IPV4_EDGES = [
    ("0.0.0.0/8", None, C.THIS_NETWORK, C.THIS_NETWORK, C.GLOBAL),
    ("10.0.0.0/8", C.GLOBAL, C.PRIVATE, C.PRIVATE, C.GLOBAL),
    ("100.64.0.0/10", C.GLOBAL, C.SHARED, C.SHARED, C.GLOBAL),
    ("127.0.0.0/8", C.GLOBAL, C.LOOPBACK, C.LOOPBACK, C.GLOBAL),
    ("168.63.129.16/32", C.GLOBAL, C.PLATFORM, C.PLATFORM, C.GLOBAL),
    ("169.254.0.0/16", C.GLOBAL, C.LINK_LOCAL, C.LINK_LOCAL, C.GLOBAL),
    ("172.16.0.0/12", C.GLOBAL, C.PRIVATE, C.PRIVATE, C.GLOBAL),
    ("192.0.0.0/24", C.GLOBAL, C.PROTOCOL, C.PROTOCOL, C.GLOBAL),
    ("192.0.2.0/24", C.GLOBAL, C.DOCUMENTATION, C.DOCUMENTATION, C.GLOBAL),
    ("192.31.196.0/24", C.GLOBAL, C.AS112, C.AS112, C.GLOBAL),
    ("192.52.193.0/24", C.GLOBAL, C.RELAY, C.RELAY, C.GLOBAL),
    ("192.88.99.0/24", C.GLOBAL, C.RELAY, C.RELAY, C.GLOBAL),
    ("192.168.0.0/16", C.GLOBAL, C.PRIVATE, C.PRIVATE, C.GLOBAL),
    ("192.175.48.0/24", C.GLOBAL, C.AS112, C.AS112, C.GLOBAL),
    ("198.18.0.0/15", C.GLOBAL, C.BENCHMARKING, C.BENCHMARKING, C.GLOBAL),
    ("198.51.100.0/24", C.GLOBAL, C.DOCUMENTATION, C.DOCUMENTATION, C.GLOBAL),
    ("203.0.113.0/24", C.GLOBAL, C.DOCUMENTATION, C.DOCUMENTATION, C.GLOBAL),
    ("224.0.0.0/4", C.GLOBAL, C.MULTICAST, C.MULTICAST, C.RESERVED),
    ("240.0.0.0/4", C.MULTICAST, C.RESERVED, C.RESERVED, None),
]
IPV6_EDGES = [
    ("::/128", None, C.UNSPECIFIED, C.UNSPECIFIED, C.LOOPBACK),
    ("::1/128", C.UNSPECIFIED, C.LOOPBACK, C.LOOPBACK, C.IPV4_EMBEDDED),
    ("::/96", None, C.UNSPECIFIED, C.IPV4_EMBEDDED, C.UNALLOCATED),
    ("::ffff:0:0/96", C.UNALLOCATED, C.IPV4_EMBEDDED, C.IPV4_EMBEDDED, C.UNALLOCATED),
    ("::ffff:0:0:0/96", C.UNALLOCATED, C.IPV4_EMBEDDED, C.IPV4_EMBEDDED, C.UNALLOCATED),
    ("64:ff9b::/96", C.UNALLOCATED, C.NAT64, C.NAT64, C.UNALLOCATED),
    ("64:ff9b:1::/48", C.UNALLOCATED, C.NAT64, C.NAT64, C.UNALLOCATED),
    ("100::/64", C.UNALLOCATED, C.DISCARD, C.DISCARD, C.DISCARD),
    ("100:0:0:1::/64", C.DISCARD, C.DISCARD, C.DISCARD, C.UNALLOCATED),
    ("2000::/3", C.UNALLOCATED, C.GLOBAL, C.GLOBAL, C.UNALLOCATED),
    ("2001::/23", C.GLOBAL, C.TEREDO, C.PROTOCOL, C.GLOBAL),
    ("2001::/32", C.GLOBAL, C.TEREDO, C.TEREDO, C.PROTOCOL),
    ("2001:2::/48", C.PROTOCOL, C.BENCHMARKING, C.BENCHMARKING, C.PROTOCOL),
    ("2001:db8::/32", C.GLOBAL, C.DOCUMENTATION, C.DOCUMENTATION, C.GLOBAL),
    ("2002::/16", C.GLOBAL, C.SIX_TO_FOUR, C.SIX_TO_FOUR, C.GLOBAL),
    ("2620:4f:8000::/48", C.GLOBAL, C.AS112, C.AS112, C.GLOBAL),
    ("3ffe::/16", C.GLOBAL, C.RESERVED, C.RESERVED, C.DOCUMENTATION),
    ("3fff::/20", C.RESERVED, C.DOCUMENTATION, C.DOCUMENTATION, C.GLOBAL),
    ("5f00::/16", C.UNALLOCATED, C.SEGMENT_ROUTING, C.SEGMENT_ROUTING, C.UNALLOCATED),
    ("fc00::/7", C.UNALLOCATED, C.UNIQUE_LOCAL, C.UNIQUE_LOCAL, C.UNALLOCATED),
    ("fe80::/10", C.UNALLOCATED, C.LINK_LOCAL, C.LINK_LOCAL, C.SITE_LOCAL),
    ("fec0::/10", C.LINK_LOCAL, C.SITE_LOCAL, C.SITE_LOCAL, C.MULTICAST),
    ("ff00::/8", C.SITE_LOCAL, C.MULTICAST, C.MULTICAST, None),
    ("::/0", None, C.UNSPECIFIED, C.MULTICAST, None),
]

# Unallocated, or a part of a range that other lists forget (ssrf.md 4).
WITHIN = [
    ("0.1.2.3", C.THIS_NETWORK),
    ("100.100.100.200", C.SHARED),
    ("192.0.0.8", C.PROTOCOL),
    ("192.0.0.9", C.PROTOCOL),
    ("192.0.0.10", C.PROTOCOL),
    ("192.0.0.170", C.PROTOCOL),
    ("192.0.0.192", C.PROTOCOL),
    ("232.1.1.1", C.MULTICAST),
    ("255.255.255.255", C.RESERVED),
    ("200::1", C.UNALLOCATED),
    ("400::1", C.UNALLOCATED),
    ("800::1", C.UNALLOCATED),
    ("1000::1", C.UNALLOCATED),
    ("4000::1", C.UNALLOCATED),
    ("6000::1", C.UNALLOCATED),
    ("8000::1", C.UNALLOCATED),
    ("e000::1", C.UNALLOCATED),
    ("f000::1", C.UNALLOCATED),
    ("fe00::1", C.UNALLOCATED),
    ("2001:1::1", C.PROTOCOL),
    ("2001:3::1", C.PROTOCOL),
    ("2001:4:112::1", C.PROTOCOL),
    ("2001:10::1", C.PROTOCOL),
    ("2001:20::1", C.PROTOCOL),
    ("2001:30::1", C.PROTOCOL),
    ("feff::1", C.SITE_LOCAL),
    ("ff0e::1", C.MULTICAST),
    ("93.184.216.34", C.GLOBAL),
    ("8.8.8.8", C.GLOBAL),
    ("2001:200::1", C.GLOBAL),
    ("2001:4860:4860::8888", C.GLOBAL),
    ("2400:cb00::1", C.GLOBAL),
    ("2600::1", C.GLOBAL),
    ("2606:4700::1111", C.GLOBAL),
    ("2a00:1450::1", C.GLOBAL),
]

EMBEDDED = [
    ("10.0.0.1", []),
    ("::", []),
    ("::1", []),
    ("2606:4700::1111", []),
    ("fd00:ec2::254", []),
    ("::ffff:10.0.0.1", [("10.0.0.1", C.IPV4_EMBEDDED)]),
    ("::10.0.0.1", [("10.0.0.1", C.IPV4_EMBEDDED)]),
    ("::2", [("0.0.0.2", C.IPV4_EMBEDDED)]),
    ("::ffff:0:10.0.0.1", [("10.0.0.1", C.IPV4_EMBEDDED)]),
    ("64:ff9b::10.0.0.1", [("10.0.0.1", C.IPV4_EMBEDDED)]),
    ("2002:a00:1::1", [("10.0.0.1", C.SIX_TO_FOUR)]),
    ("2001:0:a00:1::5601:5601", [("10.0.0.1", C.TEREDO), ("169.254.169.254", C.TEREDO)]),
    ("2001:0:4136:e378:8000:63bf:80fe:fefe", [("65.54.227.120", C.TEREDO), ("127.1.1.1", C.TEREDO)]),
    ("2606:4700::5efe:10.0.0.1", [("10.0.0.1", C.ISATAP)]),
    ("2606:4700::200:5efe:10.0.0.1", [("10.0.0.1", C.ISATAP)]),
    ("fe80::5efe:10.0.0.1", [("10.0.0.1", C.ISATAP)]),
    ("::5efe:10.0.0.1", [("10.0.0.1", C.ISATAP)]),
    ("2606:4700::100:5efe:10.0.0.1", []),
    ("2606:4700::5eff:10.0.0.1", []),
    ("2002:a00:1::5efe:10.0.0.2", [("10.0.0.1", C.SIX_TO_FOUR), ("10.0.0.2", C.ISATAP)]),
]

# RFC 6052 section 2.4: 192.0.2.33 behind a prefix of each length.
NAT64_EXAMPLES = [
    ("2001:db8::/32", "2001:db8:c000:221::"),
    ("2001:db8:100::/40", "2001:db8:1c0:2:21::"),
    ("2001:db8:122::/48", "2001:db8:122:c000:2:2100::"),
    ("2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::"),
    ("2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100::"),
    ("2001:db8:122:344::/96", "2001:db8:122:344::192.0.2.33"),
    ("64:ff9b::/96", "64:ff9b::192.0.2.33"),
    ("64:ff9b:1::/48", "64:ff9b:1:c000:2:2100::"),
    ("64:ff9b:1:fffe::/64", "64:ff9b:1:fffe:c0:2:2100::"),
    ("64:ff9b:1::/96", "64:ff9b:1::192.0.2.33"),
]

METADATA = [
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
]


def at(network: Network, offset: int) -> Address | None:
    """The address at an offset, which may lie outside the range, or outside all addresses."""
    number = int(network.network_address) + offset
    if not 0 <= number <= TOP[network.version]:
        return None
    return IPv4Address(number) if network.version == 4 else IPv6Address(number)


def class_of(address: Address | None) -> AddressClass | None:
    return None if address is None else classify(address).address_class


@pytest.mark.parametrize(("text", "before", "first", "last", "after"), IPV4_EDGES + IPV6_EDGES)
def test_edges_and_neighbors_of_a_range(
    text: str,
    before: AddressClass | None,
    first: AddressClass,
    last: AddressClass,
    after: AddressClass | None,
) -> None:
    network = ip_network(text)
    size = network.num_addresses
    assert class_of(at(network, -1)) == before
    assert class_of(at(network, 0)) == first
    assert class_of(at(network, size - 1)) == last
    assert class_of(at(network, size)) == after


@pytest.mark.parametrize(
    ("rows", "edges"), [(IPV4_RANGES, IPV4_EDGES), (IPV6_RANGES, IPV6_EDGES)], ids=["ipv4", "ipv6"]
)
def test_every_row_is_tested_and_has_a_source(
    rows: tuple[SpecialRange, ...], edges: list[tuple[str, *tuple[AddressClass | None, ...]]]
) -> None:
    networks = {row.network: row.source for row in rows}
    assert set(networks) == {ip_network(text) for text, *_ in edges}
    assert all(networks.values())


@pytest.mark.parametrize(("text", "kind"), WITHIN)
def test_class_of_an_address(text: str, kind: AddressClass) -> None:
    assert class_of(ip_address(text)) == kind


@pytest.mark.parametrize(("text", "hidden"), EMBEDDED)
def test_embedded_ipv4_is_found(text: str, hidden: list[tuple[str, AddressClass]]) -> None:
    assert [(str(one.address), one.form) for one in embedded(ip_address(text))] == hidden


@pytest.mark.parametrize(("prefix", "text"), NAT64_EXAMPLES)
def test_a_declared_nat64_prefix_is_read_at_its_length(prefix: str, text: str) -> None:
    hidden = embedded(ip_address(text), (IPv6Network(prefix),))
    assert [(str(one.address), one.form) for one in hidden] == [("192.0.2.33", C.NAT64)]


def test_an_address_in_two_declared_prefixes_is_read_at_both() -> None:
    prefixes = (IPv6Network("2001:db8::/32"), IPv6Network("2001:db8:a00:1::/96"))
    hidden = embedded(ip_address("2001:db8:a00:1::192.0.2.33"), prefixes)
    assert [str(one.address) for one in hidden] == ["10.0.0.1", "192.0.2.33"]


@pytest.mark.parametrize(
    "text",
    [
        "64:ff9b:1:a9fe:a9:fe00::",
        "64:ff9b:1:a9:fe:a9fe::",
        "64:ff9b:1:0:a9:fea9:fe00:0",
        "64:ff9b:1::169.254.169.254",
        "64:ff9b:1:1:2:3:169.254.169.254",
    ],
    ids=["48", "56", "64", "96", "any 96"],
)
def test_the_local_nat64_range_is_read_at_every_length(text: str) -> None:
    assert IPv4Address("169.254.169.254") in {one.address for one in embedded(ip_address(text))}


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("::ffff:0.0.0.0", "0.0.0.0"),  # noqa: S104 - an address to judge
        ("::ffff:255.255.255.255", "255.255.255.255"),
        ("::fffe:ffff:ffff", None),
        ("::1:0:0:0", None),
        ("::10.0.0.1", None),
        ("::ffff:0:10.0.0.1", None),
        ("64:ff9b::10.0.0.1", None),
        ("10.0.0.1", None),
    ],
)
def test_only_mapped_addresses_are_dialed_as_ipv4(text: str, inner: str | None) -> None:
    assert mapped(ip_address(text)) == (None if inner is None else IPv4Address(inner))


def test_metadata_addresses_are_those_of_the_clouds() -> None:
    assert frozenset(map(ip_address, METADATA)) == METADATA_ADDRESSES


@given(st.ip_addresses())
def test_every_address_has_a_class(address: Address) -> None:
    row = classify(address)
    assert row.network.version == address.version
    assert address in row.network


@given(st.ip_addresses(v=6))
def test_outside_of_2000_3_nothing_is_global(address: IPv6Address) -> None:
    is_global = classify(address).address_class is C.GLOBAL
    assert address in IPv6Network("2000::/3") or not is_global


@given(st.ip_addresses(v=4), st.sampled_from(NAT64_EXAMPLES))
def test_nat64_round_trips(address: IPv4Address, example: tuple[str, str]) -> None:
    prefix = IPv6Network(example[0])
    assert [one.address for one in embedded(behind(prefix, address), (prefix,))] == [address]


def behind(prefix: IPv6Network, address: IPv4Address) -> IPv6Address:
    """RFC 6052 section 2.2, octet by octet."""
    octets = bytearray(prefix.network_address.packed)
    place = prefix.prefixlen // 8
    for octet in address.packed:
        place += place == 8
        octets[place] = octet
        place += 1
    return IPv6Address(bytes(octets))


@given(st.ip_addresses(v=4))
def test_ipv4_class_follows_the_table(address: IPv4Address) -> None:
    holding = [row for row in IPV4_RANGES if address in row.network]
    smallest = max(holding, key=lambda row: row.network.prefixlen, default=None)
    expected = C.GLOBAL if smallest is None else smallest.address_class
    assert classify(address).address_class is expected
    assert isinstance(classify(address).network, IPv4Network)
