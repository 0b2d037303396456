# ruff: noqa: RUF001, S104 - look-alike characters and 0.0.0.0 are what is tested

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, Any

import pytest
from ada_url import URL
from hypothesis import given, settings
from hypothesis import strategies as st

from webward.core.url import MAX_NAME_CHARS, MAX_URL_BYTES, join, parse
from webward.errors import InvalidUrl, SchemeRefused, WebwardError
from webward.model import Credentials

if TYPE_CHECKING:
    from webward.model import Target

LDH = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
CODE_POINTS = 0x110000

# Every literal of ssrf.md 2c and 5 that stands for 127.0.0.1, and a few of our own.
SPELLINGS_OF_LOOPBACK = [
    "http://127.0.0.1/",
    "http://127.1/",
    "http://127.0.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7F.1/",
    "http://0x7f.1/",
    "http://0x7f.0.0.0x1/",
    "http://017700000001/",
    "http://0177.0.0.1/",
    "http://0000000177.0.0.1/",
    "http://127.0.0.1./",
    "http://127%2e0%2e0%2e1/",
    "http://%31%32%37.0.0.1/",
    "http://127。0。0。1/",
    "http://127．0．0．1/",
    "http://①②⑦.⓪.⓪.①/",
    "http://１２７.0.0.1/",
    "http://127.0.0.\u00ad1/",
    "http:/127.0.0.1/",
    "http:127.0.0.1/",
    "http:///127.0.0.1/",
    " http://127.0.0.1/ ",
    "HTTP://127.0.0.1/",
    "http://127.0.0.1#@pub.test/",
    "http://127.0.0.1?@pub.test/",
    "http://pub.test@127.0.0.1/",
    "http://pub.test:80@127.0.0.1:80/",
    "http://pub.test;@127.0.0.1/",
    "http://pub.test%40@127.0.0.1/",
    "http://pub.test%2f@127.0.0.1/",
]

LITERALS = [
    ("http://0/", "0.0.0.0"),
    ("http://0x/", "0.0.0.0"),
    ("http://0x.0x.0/", "0.0.0.0"),
    ("http://4294967295/", "255.255.255.255"),
    ("http://1.2.3/", "1.2.0.3"),
    ("http://[::]/", "::"),
    ("http://[::1]/", "::1"),
    ("https://[::1]/", "::1"),
    ("http://[0:0:0:0:0:0:0:1]/", "::1"),
    ("http://[0000::0001]/", "::1"),
    ("http://[::127.0.0.1]/", "::7f00:1"),
    ("http://[::ffff:127.0.0.1]/", "::ffff:7f00:1"),
    ("http://[::FFFF:7F00:1]/", "::ffff:7f00:1"),
    ("http://[::ffff:10.1.2.3]:8080/", "::ffff:a01:203"),
    ("http://[2606:4700::1111]/", "2606:4700::1111"),
]

NAMES = [
    ("http://pub.test/", "pub.test"),
    ("http://PUB.Test/", "pub.test"),
    ("http://pub.test./", "pub.test"),
    ("http://LOCALHOST./", "localhost"),
    ("http://ⓛocalhost/", "localhost"),
    ("http://loc\u00adalhost/", "localhost"),
    ("http://loc\u200balhost/", "localhost"),
    ("http://localhost。/", "localhost"),
    ("http://metadata.google.internal./", "metadata.google.internal"),
    ("http://intranet/", "intranet"),
    ("http://127.0.0.1.nip.test/", "127.0.0.1.nip.test"),
    ("http://7f000001.nip.test/", "7f000001.nip.test"),
    ("http://1.1.1.1.in-addr.test/", "1.1.1.1.in-addr.test"),
    ("http://bücher.test/", "xn--bcher-kva.test"),
    ("http://BÜCHER.test/", "xn--bcher-kva.test"),
    ("http://b%C3%BCcher.test/", "xn--bcher-kva.test"),
    ("http://xn--bcher-kva.test/", "xn--bcher-kva.test"),
    ("http://faß.test/", "xn--fa-hia.test"),
    ("http://evil。com/", "evil.com"),
    ("http://ｅｖｉｌ.com/", "evil.com"),
    ("http://ev%69l.com/", "evil.com"),
    ("http://_dmarc.pub.test/", "_dmarc.pub.test"),
    ("http://-a-.pub.test/", "-a-.pub.test"),
    ("http://x.invalid/", "x.invalid"),
    ("http://pub.test#@127.0.0.1/", "pub.test"),
    ("http://pub.test?@127.0.0.1/", "pub.test"),
    ("http://pub.test/@127.0.0.1/", "pub.test"),
    ("http://pub.test/a@b@c", "pub.test"),
    ("http://pub.test?a@b@c", "pub.test"),
    ("http://known.host:x@evil.test/", "evil.test"),
    ("http://evil.test@evil.test/", "evil.test"),
    ("http://evil.test:81@evil.test:81/", "evil.test"),
    (f"http://{'a' * 63}.test/", f"{'a' * 63}.test"),
    (f"http://{'a.' * 126}a/", f"{'a.' * 126}a"),
    (f"http://{'a.' * 126}a./", f"{'a.' * 126}a"),
]

INVALID = [
    # two parsers, two hosts
    r"http://127.0.0.1\@pub.test/",
    r"http://pub.test\@127.0.0.1/",
    r"http://127.0.0.1:6666\@1.1.1.1/",
    r"http://127.0.0.1:80\.pub.test/",
    r"http:\\127.0.0.1/",
    r"http:/\127.0.0.1/",
    r"http://pub.test/a\b",
    r"\\127.0.0.1/",
    "http://a@127.0.0.1@pub.test/",
    "http:a@127.0.0.1@pub.test/",
    "http:///a@127.0.0.1@pub.test/",
    "http://@@pub.test/",
    "http://a@b@pub.test?x",
    # control characters and spaces
    "http://pub.test/\r\nX-Injected: 1",
    "http://pub.test\r\nHost: x/",
    "http://pub.test/?a\nb",
    "http://pub.test/#a\x00b",
    "http://\t127.0.0.1/",
    "http://127.0\t.0.1/",
    "ht\ntp://127.0.0.1/",
    "http://127.0\n.0.1/",
    "\x00http://127.0.0.1/",
    "http://127.0.0.1\x00.pub.test/",
    "http://pub.test\x00.evil/",
    "http://pub.test%00.evil/",
    "http://pub.test\x7f/",
    "\thttp://pub.test/",
    "http://pub.test/\n",
    "http://pub test/",
    "http://pub.test/a b",
    "http://pub.test/?a b",
    "http://\ud800.test/",
    "http://pub.test/\udfff",
    # hosts that are none
    "http://",
    "http:///",
    "http://?x",
    "http://.",
    "http://..",
    "http://./",
    "http://.pub.test/",
    "http://a..b/",
    "http://pub.test../",
    "http://[::1]x/",
    "http://a[::1]/",
    "http://[::1",
    "http://[]/",
    "http://[v1.x]/",
    "http://[example.com]/",
    "http://[127.0.0.1]/",
    "http://[fe80::1%25eth0]/",
    "http://[fe80::1%eth0]/",
    "http://[::1%25lo]/",
    "http://[fd00:ec2::254%251]/",
    "http://xn--/",
    "http://xn--a.test/",
    "http://xn--bcher-.test/",
    "http://\u00ad/",
    "http://pub<.test/",
    "http://pub.test%2f.evil/",
    "http://pub.test%40evil/",
    "http://pub.test%3a80/",
    "http://pub!.test/",
    "http://a,b.test/",
    "http://evil.com\u2024/",
    "http://pub.test\uff0f.evil/",
    f"http://{'a' * 64}.test/",
    f"http://{'a.' * 127}a/",
    # ends in a number, but is no address
    "http://4294967296/",
    "http://1.2.3.4.5/",
    "http://256.256.256.256/",
    "http://127.0.0.256/",
    "http://08.0.0.1/",
    "http://09/",
    "http://0xg.1/",
    "http://pub.test.0/",
    "http://pub.0x7f/",
    "http://pub.1./",
    "http://١٢٧.0.0.1/",
    # ports
    "http://pub.test:65536/",
    "http://pub.test:80a/",
    "http://pub.test:-1/",
    "http://pub.test:８０/",
    "http://pub.test:80:80/",
    # no scheme
    "",
    " ",
    "pub.test",
    "/path",
    "//127.0.0.1/",
    "?x",
    "#x",
    "example.com:8080",
    "example.com:8080/x",
    "localhost:80/x",
    "127.0.0.1:80",
    "1http://pub.test/",
]

OTHER_SCHEMES = [
    "file:///etc/passwd",
    "file://127.0.0.1/etc/passwd",
    "gopher://127.0.0.1:6379/_x",
    "ftp://pub.test/",
    "dict://127.0.0.1:11211/stats",
    "data:text/html,x",
    "jar:http://pub.test!/",
    "http+unix://%2Fvar%2Frun%2Fdocker.sock/",
    "blob:http://pub.test/x",
    "view-source:http://pub.test/",
    "javascript:alert(1)",
    "mailto:a@pub.test",
    "ws://pub.test/",
    "wss://pub.test/",
    "about:blank",
    "ldap://127.0.0.1/",
    "tftp://127.0.0.1/x",
]

REQUEST_TARGETS = [
    ("http://pub.test", "/", ""),
    ("http://pub.test?q=1", "/?q=1", ""),
    ("http://pub.test/?", "/?", ""),
    ("http://pub.test/#", "/", ""),
    ("http://pub.test/a/./b/../c", "/a/c", ""),
    ("http://pub.test/%2e%2e/a", "/a", ""),
    ("http://pub.test/a%2fb", "/a%2fb", ""),
    ("http://pub.test/é?é#é", "/%C3%A9?%C3%A9", "%C3%A9"),
    ("http://pub.test/a?b#c?d#e", "/a?b", "c?d#e"),
    ("http://pub.test/?a=\\", "/?a=\\", ""),
    ("http://pub.test/#\\", "/", "\\"),
    ("http://pub.test//127.0.0.1/", "//127.0.0.1/", ""),
    ("http://pub.test/http://127.0.0.1/", "/http://127.0.0.1/", ""),
    ("http://pub.test:81/p?q#f", "/p?q", "f"),
    ("http://u:p@pub.test:81/p?q#f", "/p?q", "f"),
]

PORTS = [
    ("http://pub.test/", 80),
    ("https://pub.test/", 443),
    ("http://pub.test:/", 80),
    ("http://pub.test:80/", 80),
    ("http://pub.test:443/", 443),
    ("https://pub.test:80/", 80),
    ("http://pub.test:0/", 0),
    ("http://pub.test:00080/", 80),
    ("http://pub.test:65535/", 65535),
    ("http://[::1]:8080/", 8080),
]

CREDENTIALS = [
    ("http://user:pw@pub.test/x", "user", "pw", "http://pub.test/x"),
    ("http://user@pub.test/", "user", "", "http://pub.test/"),
    ("http://:pw@pub.test/", "", "pw", "http://pub.test/"),
    ("http://user%40x:p%3Aw%2F@pub.test:81/", "user@x", "p:w/", "http://pub.test:81/"),
    ("http://us%C3%A9r:é@pub.test/", "usér", "é", "http://pub.test/"),
    ("http://pub.test@pub.test/", "pub.test", "", "http://pub.test/"),
    ("http://pub.test:81@pub.test:81/", "pub.test", "81", "http://pub.test:81/"),
    ("http://a:b:c@[::1]/", "a", "b:c", "http://[::1]/"),
]

JOINED = [
    ("/x", "http://pub.test/x#f"),
    ("x", "http://pub.test/a/x#f"),
    ("?q", "http://pub.test/a/b?q#f"),
    ("", "http://pub.test/a/b?old#f"),
    ("#g", "http://pub.test/a/b?old#g"),
    ("x#", "http://pub.test/a/x#"),
    ("//other.test/x", "http://other.test/x#f"),
    ("///other.test/x", "http://other.test/x#f"),
    ("https://pub.test/x", "https://pub.test/x#f"),
    ("http:x", "http://pub.test/a/x#f"),
    ("  /x  ", "http://pub.test/x#f"),
    ("/a b?c d", "http://pub.test/a%20b?c%20d#f"),
    ("/é", "http://pub.test/%C3%A9#f"),
    ("http://127.1/", "http://127.0.0.1/#f"),
    ("//bücher.test", "http://xn--bcher-kva.test/#f"),
    ("../../../x", "http://pub.test/x#f"),
    ("a@b@c", "http://pub.test/a/a@b@c#f"),
]

BAD_LOCATIONS = [
    ("file:///etc/passwd", "refused-scheme"),
    ("javascript:alert(1)", "refused-scheme"),
    ("data:,x", "refused-scheme"),
    ("/\\127.0.0.1/", "invalid-url"),
    ("\\\\127.0.0.1/", "invalid-url"),
    ("http://127.0.0.1\\@pub.test/", "invalid-url"),
    ("http://a@b@c.test/", "invalid-url"),
    (" http://a@b@c.test/", "invalid-url"),
    ("//a@b@c.test/", "invalid-url"),
    ("/x\r\nSet-Cookie: a=b", "invalid-url"),
    ("/x\x00", "invalid-url"),
    ("\t/x", "invalid-url"),
    ("http://", "invalid-url"),
    ("http://[fe80::1%25eth0]/", "invalid-url"),
    ("//1.2.3.4.5/", "invalid-url"),
    ("/" + "x" * MAX_URL_BYTES, "invalid-url"),
    ("/\ud800", "invalid-url"),
]

PIECES = st.sampled_from(
    (
        *("http:", "https:", "HTTP:", "ftp:", "/", "//", "\\", "@", "@@", ":", ":80", ":0", ":65536", "?", "#", "%"),
        *(
            "%2e",
            "%00",
            "%40",
            ".",
            "..",
            "。",
            "\u2024",
            "127.0.0.1",
            "0x7f",
            "017",
            "1",
            "[::1]",
            "[",
            "]",
            "[::ffff:",
        ),
        *("pub.test", "a", "b", "é", "ß", "\u00ad", "\u200d", "xn--", "xn--bcher-kva", " ", "\t", "\n", "\x00", "\x7f"),
        *("\ud800", "\U0001f600", "١", "①", "<", ">", "|", "^", "`", "{", "'", '"', ";", "&", "=", "_", "-", "*"),
    )
)
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=())),
    st.lists(PIECES, max_size=12).map("".join),
    st.tuples(st.sampled_from(("http://", "https://")), st.lists(PIECES, max_size=12).map("".join)).map("".join),
    st.text(st.characters(exclude_categories=()), max_size=8).map("http://{}.test/".format),
    st.text(st.characters(exclude_categories=())).map("http://pub.test/{}".format),
)
BASE = parse("http://pub.test/a/b?old#f")


def parsed(text: str) -> Target | None:
    """The target, or None for a refusal of ours; any other error is a failure of the test."""
    try:
        return parse(text)
    except WebwardError:
        return None


@pytest.mark.parametrize("text", SPELLINGS_OF_LOOPBACK)
def test_every_spelling_of_an_address_is_that_address(text: str) -> None:
    target = parse(text)
    assert target.address == IPv4Address("127.0.0.1")
    assert target.host == "127.0.0.1"
    assert target.url.startswith("http://127.0.0.1/")


@pytest.mark.parametrize(("text", "address"), LITERALS)
def test_a_literal_becomes_an_address(text: str, address: str) -> None:
    target = parse(text)
    assert target.address == ip_address(address)
    assert target.host == address


@pytest.mark.parametrize(("text", "host"), NAMES)
def test_a_name_becomes_an_a_label_name(text: str, host: str) -> None:
    target = parse(text)
    assert (target.host, target.address) == (host, None)


@pytest.mark.parametrize("text", INVALID)
def test_what_is_ambiguous_or_broken_is_invalid(text: str) -> None:
    with pytest.raises(InvalidUrl) as caught:
        parse(text)
    assert (caught.value.code, caught.value.retryable) == ("invalid-url", False)


@pytest.mark.parametrize("text", OTHER_SCHEMES)
def test_other_schemes_are_refused(text: str) -> None:
    with pytest.raises(SchemeRefused) as caught:
        parse(text)
    assert (caught.value.code, caught.value.retryable) == ("refused-scheme", False)


def test_a_url_without_a_scheme_is_told_what_to_write() -> None:
    with pytest.raises(InvalidUrl, match=r"https://example\.com"):
        parse("example.com")


@pytest.mark.parametrize(("text", "request_target", "fragment"), REQUEST_TARGETS)
def test_path_and_query_become_the_request_target(text: str, request_target: str, fragment: str) -> None:
    target = parse(text)
    assert (target.request_target, target.fragment) == (request_target, fragment)


@pytest.mark.parametrize(("text", "port"), PORTS)
def test_the_port_is_the_effective_one(text: str, port: int) -> None:
    assert parse(text).port == port


@pytest.mark.parametrize(("text", "username", "password", "url"), CREDENTIALS)
def test_credentials_are_taken_out_of_the_url(text: str, username: str, password: str, url: str) -> None:
    target = parse(text)
    assert target.credentials == Credentials(username, password)
    assert target.url == url
    assert "pw" not in repr(target)


@pytest.mark.parametrize("text", ["http://pub.test/", "http://@pub.test/", "http://:@pub.test/", "http://pub.test/a@b"])
def test_no_credentials_are_none(text: str) -> None:
    assert parse(text).credentials is None


def test_a_name_of_the_greatest_length_passes_and_one_more_does_not() -> None:
    label = "a" * 63
    longest = ".".join((label, label, label, "a" * (MAX_NAME_CHARS - 3 * 64)))
    assert parse(f"http://{longest}/").host == longest
    with pytest.raises(InvalidUrl, match="253"):
        parse(f"http://{longest}a/")


@pytest.mark.parametrize("filler", ["x", "é", '"'], ids=["ascii", "two bytes", "grows when encoded"])
def test_a_url_is_limited_in_bytes_as_it_will_be_sent(filler: str) -> None:
    start = "http://pub.test/"
    grown = len(parse(start + filler).url) - len(start)
    fitting = (MAX_URL_BYTES - len(start)) // grown
    assert len(parse(start + filler * fitting).url) <= MAX_URL_BYTES
    with pytest.raises(InvalidUrl, match="longer than 8192 bytes"):
        parse(start + filler * (fitting + 1))


@pytest.mark.parametrize(("location", "url"), JOINED)
def test_a_location_is_joined_as_browsers_do(location: str, url: str) -> None:
    target = join(BASE, location)
    assert target.url == url
    assert target.fragment == url.partition("#")[2]
    assert target == parse(url)


@pytest.mark.parametrize(("location", "code"), BAD_LOCATIONS)
def test_a_bad_location_is_an_error(location: str, code: str) -> None:
    with pytest.raises(WebwardError) as caught:
        join(BASE, location)
    assert caught.value.code == code


@pytest.mark.parametrize("base", ["http://pub.test/", "http://pub.test/#fragment"])
def test_credentials_of_a_location_are_seen(base: str) -> None:
    target = join(parse(base), "http://user:pw@other.test/")
    assert target.credentials == Credentials("user", "pw")
    assert "user" not in target.url


def test_credentials_of_the_base_are_not_inherited() -> None:
    assert join(parse("http://user:pw@pub.test/a"), "/b").credentials is None


def test_no_code_point_of_a_host_reaches_dns() -> None:
    """A new Unicode release must not open a hole: each code point is refused, or leaves a name of LDH and _."""
    kept = 0
    for number in range(CODE_POINTS):
        character = chr(number)
        text = f"http://a{character}b.test/"
        if not URL.can_parse(text):  # then parse must refuse it: nothing else makes the pieces
            continue
        target = parsed(text)
        if target is not None:
            kept += 1
            assert LDH.fullmatch(target.host), hex(number)
            assert target.host.endswith(".test") or character in "/?#", hex(number)
    assert kept > 100_000


@settings(max_examples=500)
@given(TEXTS)
def test_any_text_is_a_target_or_an_error_of_ours(text: str) -> None:
    target = parsed(text)
    if target is None:
        return
    assert all(piece.isascii() for piece in (target.url, target.host, target.request_target, target.fragment))
    assert not any(character <= " " or character == "\x7f" for character in target.url)
    assert target.address is not None or LDH.fullmatch(target.host)
    assert target.request_target.startswith("/")
    assert 0 <= target.port <= 65535
    assert "@" not in target.url.partition("://")[2].partition("/")[0]
    assert target.url.split("#")[0] == f"{target.scheme}://{written_authority(target)}{target.request_target}"


def written_authority(target: Target) -> str:
    """As the URL has it: a final dot is kept there."""
    authority = target.url.partition("://")[2].partition("/")[0]
    host, dot, port = authority.partition(".:")
    assert (f"{host}:{port}" if dot else authority.removesuffix(".")) == target.authority
    return authority


@settings(max_examples=500)
@given(TEXTS)
def test_parsing_is_idempotent(text: str) -> None:
    first = parsed(text)
    if first is not None:
        second = parse(first.url)
        assert second.credentials is None
        assert {name: getattr(second, name) for name in TARGET_FIELDS} == {
            name: getattr(first, name) for name in TARGET_FIELDS
        }


TARGET_FIELDS = ("url", "scheme", "host", "port", "request_target", "fragment", "address")


@settings(max_examples=500)
@given(TEXTS)
def test_any_location_is_a_target_or_an_error_of_ours(location: str) -> None:
    try:
        target = join(BASE, location)
    except WebwardError:
        return
    assert parse(target.url).origin == target.origin


@given(st.ip_addresses(v=6))
def test_a_canonical_address_is_kept(address: IPv6Address) -> None:
    assert parse(f"http://[{address}]/").address == address


@given(st.integers(0, 2**32 - 1), st.sampled_from(("{}", "{:#x}", "0{:o}", "{:#X}")))
def test_any_number_is_an_ipv4_address(number: int, spelling: str) -> None:
    assert parse(f"http://{spelling.format(number)}/").address == IPv4Address(number)


@pytest.mark.parametrize(
    ("base", "location", "url"),
    [
        ("http://93.184.216.34/r", "/2", "http://93.184.216.34/2"),
        ("http://93.184.216.34:8080/r", "?q", "http://93.184.216.34:8080/r?q"),
        ("https://[2606:2800:220::34]/r#f", "2", "https://[2606:2800:220::34]/2#f"),
    ],
)
def test_a_relative_location_keeps_an_address_of_its_base(base: str, location: str, url: str) -> None:
    joined = join(parse(base), location)

    assert joined.url == url
    assert joined.address == parse(base).address


@pytest.mark.parametrize("value", [None, b"http://a.test/", 1, ["http://a.test/"]], ids=repr)
def test_what_is_no_text_is_an_invalid_url(value: Any) -> None:
    with pytest.raises(InvalidUrl):
        parse(value)


def test_a_refused_scheme_is_not_repeated() -> None:
    with pytest.raises(SchemeRefused) as caught:
        parse("sk-live-abc123:@example.com/")
    assert "sk-live" not in caught.value.message
