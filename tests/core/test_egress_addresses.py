from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.judging import (
    DEVELOPMENT_EGRESS,
    OWN,
    PUBLIC,
    PUBLIC_EGRESS,
    PUBLIC_IPV6,
    STRICT_EGRESS,
    assert_tells_no_address,
    refused,
    routed,
)

from webward.config import EgressPolicy, Limits
from webward.core.address import IPV4_RANGES, IPV6_RANGES, METADATA_ADDRESSES, SpecialRange, classify, mapped
from webward.core.egress import Egress, refusal
from webward.model import Address, AddressClass

C = AddressClass
ANYTHING = ("0.0.0.0/0", "::/0")

OPEN_EGRESS = Egress(EgressPolicy(unsafe_allow_cidr=ANYTHING), Limits())

# ssrf.md 2a, what stands above and below its table, and section 3, 1 to 14.
ADDRESSES = [
    ("0.0.0.0", C.THIS_NETWORK),  # noqa: S104 - an address to judge
    ("0.1.2.3", C.THIS_NETWORK),
    ("10.0.0.1", C.PRIVATE),
    ("172.16.0.1", C.PRIVATE),
    ("192.168.0.1", C.PRIVATE),
    ("127.0.0.1", C.LOOPBACK),
    ("169.254.169.254", C.METADATA),
    ("169.254.170.2", C.METADATA),
    ("169.254.1.1", C.LINK_LOCAL),
    ("192.0.0.1", C.PROTOCOL),
    ("192.0.2.1", C.DOCUMENTATION),
    ("198.51.100.1", C.DOCUMENTATION),
    ("203.0.113.1", C.DOCUMENTATION),
    ("198.18.0.1", C.BENCHMARKING),
    ("240.0.0.1", C.RESERVED),
    ("255.255.255.255", C.RESERVED),
    ("100.64.0.1", C.SHARED),
    ("100.100.100.200", C.METADATA),
    ("192.0.0.9", C.PROTOCOL),
    ("192.0.0.10", C.PROTOCOL),
    ("192.0.0.192", C.METADATA),
    ("192.88.99.1", C.RELAY),
    ("192.31.196.1", C.AS112),
    ("192.52.193.1", C.RELAY),
    ("192.175.48.1", C.AS112),
    ("224.0.0.1", C.MULTICAST),
    ("232.1.1.1", C.MULTICAST),
    ("239.255.255.250", C.MULTICAST),
    ("168.63.129.16", C.METADATA),
    ("::", C.UNSPECIFIED),
    ("::1", C.LOOPBACK),
    ("::ffff:127.0.0.1", C.LOOPBACK),
    ("::ffff:169.254.169.254", C.METADATA),
    ("::ffff:100.100.100.200", C.METADATA),
    ("::ffff:100.64.0.1", C.SHARED),
    ("::ffff:224.0.0.1", C.MULTICAST),
    ("::ffff:168.63.129.16", C.METADATA),
    ("::ffff:192.0.0.192", C.METADATA),
    ("::127.0.0.1", C.IPV4_EMBEDDED),
    ("::8.8.8.8", C.IPV4_EMBEDDED),
    ("::169.254.169.254", C.METADATA),
    ("::a9fe:a9fe", C.METADATA),
    ("::ffff:0:127.0.0.1", C.IPV4_EMBEDDED),
    ("::ffff:0:7f00:1", C.IPV4_EMBEDDED),
    ("::ffff:0:8.8.8.8", C.IPV4_EMBEDDED),
    ("::ffff:0:169.254.169.254", C.METADATA),
    ("64:ff9b::7f00:1", C.NAT64),
    ("64:ff9b::a9fe:a9fe", C.METADATA),
    ("64:ff9b::a83f:8110", C.METADATA),
    ("64:ff9b::808:808", C.NAT64),
    ("64:ff9b:1::1", C.NAT64),
    ("64:ff9b:1::a9fe:a9fe", C.METADATA),
    ("100::1", C.DISCARD),
    ("100:0:0:1::1", C.DISCARD),
    ("2001::1", C.TEREDO),
    ("2001:0:7f00:1::1", C.TEREDO),
    ("2001::5601:5601", C.METADATA),
    ("2001:0:4136:e378:8000:63bf:80fe:fefe", C.TEREDO),
    ("2001:2::1", C.BENCHMARKING),
    ("2001:10::1", C.PROTOCOL),
    ("2001:20::1", C.PROTOCOL),
    ("2001:30::1", C.PROTOCOL),
    ("2001:db8::1", C.DOCUMENTATION),
    ("3fff::1", C.DOCUMENTATION),
    ("2002::1", C.SIX_TO_FOUR),
    ("2002:808:808::1", C.SIX_TO_FOUR),
    ("2002:7f00:1::1", C.SIX_TO_FOUR),
    ("2002:7f00:1::", C.SIX_TO_FOUR),
    ("2002:6440:1::1", C.SIX_TO_FOUR),
    ("2002:a9fe:a9fe::1", C.METADATA),
    ("2002:a9fe:a9fe::", C.METADATA),
    ("2620:4f:8000::1", C.AS112),
    ("5f00::1", C.SEGMENT_ROUTING),
    ("fc00::1", C.UNIQUE_LOCAL),
    ("fd00::1", C.UNIQUE_LOCAL),
    ("fd00:ec2::254", C.METADATA),
    ("fd00:ec2::254%1", C.ZONED),
    ("fd20:ce::254", C.METADATA),
    ("fe80::1", C.LINK_LOCAL),
    ("fe80::1%1", C.ZONED),
    ("2606:4700::1111%eth0", C.ZONED),
    ("::1%lo", C.ZONED),
    ("fec0::1", C.SITE_LOCAL),
    ("feff::1", C.SITE_LOCAL),
    ("ff02::1", C.MULTICAST),
    ("ff0e::1", C.MULTICAST),
    ("4000::1", C.UNALLOCATED),
    ("200::1", C.UNALLOCATED),
    ("2001:4860:4860::5efe:7f00:1", C.ISATAP),
    ("2001:4860:4860::200:5efe:a00:1", C.ISATAP),
    ("2001:4860:4860::5efe:a9fe:a9fe", C.METADATA),
    ("::5efe:10.0.0.1", C.UNALLOCATED),
    ("3ffe::1", C.RESERVED),
]

ALLOWED = [
    PUBLIC,
    PUBLIC_IPV6,
    "1.1.1.1",
    "2001:200::1",
    "2400:cb00::1",
    "2a00:1450::1",
    f"::ffff:{PUBLIC}",
    "2001:4860:4860::5efe:808:808",  # ISATAP of a public address
    "2001:4860:4860::200:5efe:808:808",
]
EMBEDDING_A_PUBLIC_ONE = [(f"::ffff:{PUBLIC}", C.IPV4_EMBEDDED), ("2001:4860:4860::5efe:808:808", C.ISATAP)]

IPV6_FORMS = {
    "mapped": "::ffff:{quad}",
    "compatible": "::{quad}",
    "translated": "::ffff:0:{quad}",
    "nat64": "64:ff9b::{quad}",
    "nat64 local": "64:ff9b:1::{quad}",
    "6to4": "2002:{high:x}:{low:x}::1",
    "teredo server": "2001:0:{high:x}:{low:x}::",
    "teredo client": "2001::{not_high:x}:{not_low:x}",
    "isatap": "2606:4700::5efe:{quad}",
    "isatap global": "2606:4700::200:5efe:{quad}",
}


def embed(address: IPv4Address, form: str) -> Address:
    high, low = int(address) >> 16, int(address) & 0xFFFF
    text = IPV6_FORMS[form].format(quad=address, high=high, low=low, not_high=high ^ 0xFFFF, not_low=low ^ 0xFFFF)
    return ip_address(text)


@pytest.mark.parametrize(("text", "kind"), ADDRESSES)
def test_an_address_that_is_not_public_is_refused(text: str, kind: AddressClass) -> None:
    error = refused(PUBLIC_EGRESS, text)
    assert (error.code, error.address_class, error.retryable) == ("refused-address", kind, False)
    assert_tells_no_address(error)
    assert_tells_no_address(refused(STRICT_EGRESS, text))


@pytest.mark.parametrize("text", ALLOWED)
def test_a_public_address_is_dialed(text: str) -> None:
    address = ip_address(text)
    assert routed(PUBLIC_EGRESS, text) == [str(mapped(address) or address)]


@pytest.mark.parametrize(("text", "kind"), EMBEDDING_A_PUBLIC_ONE)
def test_strict_refuses_every_embedded_address(text: str, kind: AddressClass) -> None:
    opened = EgressPolicy(allow_embedded_ipv4=False, unsafe_allow_cidr=ANYTHING)
    for egress in (STRICT_EGRESS, Egress(opened, Limits())):
        error = refused(egress, text)
        assert (error.address_class, error.setting) == (kind, "egress.allow-embedded-ipv4")


@pytest.mark.parametrize("row", IPV4_RANGES + IPV6_RANGES, ids=lambda row: str(row.network))
def test_edges_and_neighbors_are_judged_by_their_own_class(row: SpecialRange) -> None:
    network = row.network
    first, last = int(network.network_address), int(network.broadcast_address)
    make = type(network.network_address)
    for number in (first - 1, first, last, last + 1):
        if 0 <= number < 2**network.max_prefixlen:
            address = make(number)
            kind = classify(mapped(address) or address).address_class
            assert PUBLIC_EGRESS.judge_address(address, ()).allowed == (kind is C.GLOBAL), address


@pytest.mark.parametrize("address", sorted(METADATA_ADDRESSES, key=str), ids=str)
@pytest.mark.parametrize(
    "egress",
    [PUBLIC_EGRESS, STRICT_EGRESS, DEVELOPMENT_EGRESS, OPEN_EGRESS],
    ids=["public", "strict", "development", "everything opened"],
)
def test_metadata_addresses_are_refused_whatever_is_allowed(egress: Egress, address: Address) -> None:
    forms = [address]
    if isinstance(address, IPv4Address):
        forms += [embed(address, form) for form in IPV6_FORMS]
    for form in forms:
        error = refused(egress, str(form))
        assert (error.address_class, error.setting) == (C.METADATA, None), form
        assert_tells_no_address(error)


@pytest.mark.parametrize("address", sorted(METADATA_ADDRESSES, key=str), ids=str)
def test_metadata_addresses_are_refused_though_they_are_listed(address: Address) -> None:
    policy = EgressPolicy(unsafe_allow_cidr=(str(address),), only_cidr=(str(address),), unsafe_allow_own_addresses=True)
    assert refused(Egress(policy, Limits()), str(address)).address_class == C.METADATA


@pytest.mark.parametrize("text", [text for text, kind in ADDRESSES if kind not in {C.METADATA, C.ZONED}])
def test_an_allow_list_opens_all_but_metadata(text: str) -> None:
    assert routed(OPEN_EGRESS, text) == [str(mapped(ip_address(text)) or ip_address(text))]


@pytest.mark.parametrize("text", [text for text, kind in ADDRESSES if kind is C.ZONED])
def test_an_allow_list_opens_no_zone(text: str) -> None:
    assert refused(OPEN_EGRESS, text).address_class == C.ZONED


@pytest.mark.parametrize(
    ("allowed", "text", "code"),
    [
        ("10.0.0.0/8", "10.1.2.3", "ok"),
        ("10.0.0.0/8", "::ffff:10.1.2.3", "ok"),
        ("10.0.0.0/8", "11.0.0.0", "ok"),
        ("10.0.0.0/8", "192.168.0.1", "refused-address"),
        ("10.0.0.0/8", "64:ff9b::10.1.2.3", "refused-address"),
        ("10.0.0.0/8", "2002:a01:203::1", "refused-address"),
        ("10.0.0.0/8", "2606:4700::5efe:10.1.2.3", "refused-address"),
        ("0.0.0.0/0", "::1", "refused-address"),
        ("::/0", "10.1.2.3", "refused-address"),
        ("::/0", "::ffff:10.1.2.3", "refused-address"),
        ("::ffff:10.0.0.0/104", "10.1.2.3", "ok"),
        ("::ffff:10.0.0.0/104", "::ffff:10.1.2.3", "ok"),
        ("64:ff9b::/96", "64:ff9b::10.1.2.3", "ok"),
        ("fd00::/8", "fd00::1", "ok"),
        ("fd00::/8", "fc00::1", "refused-address"),
    ],
)
def test_an_allow_list_is_read_on_the_address_that_is_dialed(allowed: str, text: str, code: str) -> None:
    verdict = Egress(EgressPolicy(unsafe_allow_cidr=(allowed,)), Limits()).judge_address(ip_address(text), ())
    assert (verdict.code or "ok") == code


@pytest.mark.parametrize("form", [None, *IPV6_FORMS])
@pytest.mark.parametrize("denied", ["10.1.2.3", "10.0.0.0/8", "::ffff:10.0.0.0/104"])
def test_deny_beats_allow_in_every_form(form: str | None, denied: str) -> None:
    """The first report is microsoft/vscode#335127: 10.1.2.3 denied, ::ffff:10.1.2.3 reached."""
    address: Address = IPv4Address("10.1.2.3")
    if form is not None:
        address = embed(IPv4Address("10.1.2.3"), form)
    policy = EgressPolicy(deny_cidr=(denied,), unsafe_allow_cidr=ANYTHING)
    assert refused(Egress(policy, Limits()), str(address)).setting == "egress.deny-cidr"


@pytest.mark.parametrize("text", [PUBLIC, f"::ffff:{PUBLIC}", PUBLIC_IPV6])
def test_a_public_address_can_be_denied(text: str) -> None:
    egress = Egress(EgressPolicy(deny_cidr=("93.184.216.0/24", "2606:4700::/32")), Limits())
    assert refused(egress, text).setting == "egress.deny-cidr"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("8.8.8.8", "ok"),
        ("::ffff:8.8.8.8", "ok"),
        ("8.9.0.0", "refused-address"),
        ("2606:4700::1111", "refused-address"),
        ("10.0.0.1", "refused-address"),
        ("64:ff9b::8.8.8.8", "refused-address"),
    ],
)
def test_only_cidr_restricts_and_opens_nothing(text: str, code: str) -> None:
    egress = Egress(EgressPolicy(only_cidr=("8.8.0.0/16", "10.0.0.0/8")), Limits())
    assert (egress.judge_address(ip_address(text), ()).code or "ok") == code


# --- NAT64

NAT64 = [
    ("2606:4700::/32", "2606:4700:{0:02x}{1:02x}:{2:02x}{3:02x}::"),
    ("2606:4700:100::/40", "2606:4700:1{0:02x}:{1:02x}{2:02x}:{3:02x}::"),
    ("2606:4700:122::/48", "2606:4700:122:{0:02x}{1:02x}:{2:02x}:{3:02x}00::"),
    ("2606:4700:122:300::/56", "2606:4700:122:3{0:02x}:{1:02x}:{2:02x}{3:02x}::"),
    ("2606:4700:122:344::/64", "2606:4700:122:344:{0:02x}:{1:02x}{2:02x}:{3:02x}00:0"),
    ("2606:4700:122:344::/96", "2606:4700:122:344::{0:02x}{1:02x}:{2:02x}{3:02x}"),
    ("64:ff9b::/96", "64:ff9b::{0:02x}{1:02x}:{2:02x}{3:02x}"),
    ("64:ff9b:1::/48", "64:ff9b:1:{0:02x}{1:02x}:{2:02x}:{3:02x}00::"),
    ("64:ff9b:1::/96", "64:ff9b:1::{0:02x}{1:02x}:{2:02x}{3:02x}"),
    ("2001:db8::/32", "2001:db8:{0:02x}{1:02x}:{2:02x}{3:02x}::"),
]


@pytest.mark.parametrize(("prefix", "form"), NAT64)
def test_a_declared_nat64_prefix_is_judged_by_what_it_embeds(prefix: str, form: str) -> None:
    public, private, metadata = (
        form.format(*IPv4Address(text).packed) for text in (PUBLIC, "10.0.0.1", "169.254.169.254")
    )
    egress = Egress(EgressPolicy(nat64_prefixes=(prefix,)), Limits())
    verdict = egress.judge_address(ip_address(public), ())
    assert (verdict.allowed, verdict.address_class) == (True, C.GLOBAL)
    assert routed(egress, public) == [str(ip_address(public))]
    assert refused(egress, private).address_class == C.PRIVATE
    assert refused(egress, metadata).address_class == C.METADATA
    opened = Egress(EgressPolicy(nat64_prefixes=(prefix,), unsafe_allow_cidr=("10.0.0.0/8",)), Limits())
    assert routed(opened, private) == [str(ip_address(private))]
    denying = Egress(EgressPolicy(nat64_prefixes=(prefix,), deny_cidr=(PUBLIC,)), Limits())
    assert refused(denying, public).setting == "egress.deny-cidr"
    only = Egress(EgressPolicy(nat64_prefixes=(prefix,), only_cidr=("8.8.8.8",)), Limits())
    assert refused(only, public).setting == "egress.only-cidr"


@pytest.mark.parametrize(("prefix", "form"), NAT64)
def test_strict_refuses_nat64_though_it_is_declared(prefix: str, form: str) -> None:
    policy = EgressPolicy(nat64_prefixes=(prefix,), allow_embedded_ipv4=False)
    error = refused(Egress(policy, Limits()), form.format(*IPv4Address(PUBLIC).packed))
    assert (error.address_class, error.setting) == (C.NAT64, "egress.allow-embedded-ipv4")


def test_nat64_that_is_not_declared_names_the_setting() -> None:
    assert refused(PUBLIC_EGRESS, f"64:ff9b::{PUBLIC}").setting == "egress.nat64-prefixes"


def test_an_address_in_two_declared_prefixes_must_be_good_in_both() -> None:
    egress = Egress(EgressPolicy(nat64_prefixes=("2606:4700:808:808::/96", "2606:4700::/32")), Limits())
    assert routed(egress, f"2606:4700:808:808::{PUBLIC}") != []
    assert refused(egress, "2606:4700:808:808::10.0.0.1").address_class == C.PRIVATE
    other = Egress(EgressPolicy(nat64_prefixes=("2606:4700:a00:1::/96", "2606:4700::/32")), Limits())
    assert refused(other, f"2606:4700:a00:1::{PUBLIC}").address_class == C.NAT64


# --- own addresses


@pytest.mark.parametrize(
    "text",
    [
        "203.0.112.7",
        "2606:4700::7",
        "::ffff:203.0.112.7",
        "64:ff9b::203.0.112.7",
        "2002:cb00:7007::1",
        "2606:4700::5efe:203.0.112.7",
        "10.7.7.7",
    ],
)
@pytest.mark.parametrize("egress", [PUBLIC_EGRESS, STRICT_EGRESS, OPEN_EGRESS], ids=["public", "strict", "open"])
def test_own_addresses_are_refused_in_every_form(text: str, egress: Egress) -> None:
    without = egress.judge_address(ip_address(text), ())
    verdict = egress.judge_address(ip_address(text), OWN)

    assert not verdict.allowed
    if without.allowed:
        assert (verdict.address_class, verdict.setting) == (C.OWN, "egress.unsafe-allow-own-addresses")
    else:
        assert verdict == without


@pytest.mark.parametrize("text", ["203.0.112.7", "2002:cb00:7007::1", "2606:4700::5efe:203.0.112.7", "10.7.7.7"])
def test_an_allow_list_does_not_open_own_addresses(text: str) -> None:
    assert refused(OPEN_EGRESS, text).setting == "egress.unsafe-allow-own-addresses"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("203.0.112.7", "ok"),
        ("2606:4700::7", "ok"),
        ("::ffff:203.0.112.7", "ok"),
        ("10.7.7.7", "refused-address"),
    ],
)
def test_opened_own_addresses_are_judged_by_their_class(text: str, code: str) -> None:
    egress = Egress(EgressPolicy(unsafe_allow_own_addresses=True), Limits())
    assert (egress.judge_address(ip_address(text), OWN).code or "ok") == code


@given(st.ip_addresses(), st.sampled_from((PUBLIC_EGRESS, STRICT_EGRESS, DEVELOPMENT_EGRESS, OPEN_EGRESS)))
def test_every_address_has_a_verdict(address: Address, egress: Egress) -> None:
    verdict = egress.judge_address(address, OWN)
    assert verdict.address_class is not None
    assert verdict.allowed == (verdict.code is None)
    if not verdict.allowed:
        assert_tells_no_address(refusal(verdict))


@given(st.ip_addresses(v=6))
def test_outside_of_2000_3_only_mapped_addresses_are_allowed(address: IPv6Address) -> None:
    if address in IPv6Network("2000::/3") or mapped(address) is not None:
        return
    for egress in (PUBLIC_EGRESS, STRICT_EGRESS):
        assert not egress.judge_address(address, ()).allowed


@given(st.ip_addresses(v=4), st.sampled_from(sorted(IPV6_FORMS)))
def test_no_form_reaches_what_the_plain_address_does_not(address: IPv4Address, form: str) -> None:
    if PUBLIC_EGRESS.judge_address(embed(address, form), ()).allowed:
        assert PUBLIC_EGRESS.judge_address(address, ()).allowed
    assert not STRICT_EGRESS.judge_address(embed(address, form), ()).allowed
