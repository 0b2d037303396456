"""A string becomes a `Target`, once: what browsers would make of it (WHATWG URL, through ada), or an error.

What two parsers could read differently is rejected before the parse; what DNS must never see is rejected after it.
Everything downstream uses the parsed pieces, never the string.
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING

from ada_url import URL, HostType, idna, join_url
from msgspec.structs import replace

from webward.errors import InvalidUrl, SchemeRefused
from webward.model import DEFAULT_PORTS, Credentials, Target

if TYPE_CHECKING:
    from webward.model import Address

MAX_URL_BYTES = 8 * 1024  # RFC 9110 section 4.1 asks for 8000 octets at least
MAX_NAME_CHARS = 253  # RFC 1035 section 2.3.4, without the final dot

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.\-]*:")
_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_NAME = re.compile(r"(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}")  # RFC 1035 section 2.3.4, and _ as in RFC 8552
# What ada writes: the host stands alone behind the slashes where there is neither user name nor port.
_WRITTEN = re.compile(r"(?P<scheme>https?)://(?:(?P<host>\[[0-9a-f:.]+\]|[^\[\]@:/?#]+)/)?")
_LITERAL_ENDS = (*"0123456789", "]")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")  # what the WHATWG "ends in a number" checker calls one


def parse(text: str) -> Target:
    """Parse a URL that a caller gave.

    Spaces around it are ignored, as browsers do; no other white space and no control character may be in it.

    Raises:
        InvalidUrl: The text is no URL that may be requested.
        SchemeRefused: The scheme is neither http nor https.
    """
    if not isinstance(text, str):
        raise InvalidUrl("the URL must be text")
    text = text.strip(" ")
    _require_plain(text)
    if " " in text:
        raise InvalidUrl("the URL holds a space; write it as %20")
    scheme = _SCHEME.match(text)
    if scheme is None or _looks_like_host(text, scheme.group()):
        raise InvalidUrl("the URL has no scheme; write it out, as in https://example.com")
    return _target(text)


def join(base: Target, location: str) -> Target:
    """Join a Location header's value to the URL that was requested (RFC 9110 section 10.2.2).

    The fragment is inherited where the location has none. Spaces are percent-encoded, as browsers do.

    Raises:
        InvalidUrl: The result is no URL that may be requested.
        SchemeRefused: The scheme is neither http nor https.
    """
    location = location.strip(" ")
    _require_plain(location)
    try:
        href = join_url(base.url, location)  # parsed again below: a host that is inherited has no host type in ada
    except ValueError:
        raise InvalidUrl("the redirect's location cannot be parsed (WHATWG URL standard)") from None
    joined = _target(href)
    if "#" in location or not base.fragment:
        return joined
    return replace(joined, url=f"{joined.url}#{base.fragment}", fragment=base.fragment)


def _require_plain(text: str) -> None:
    if _UNWRITABLE.search(text):
        raise InvalidUrl("the URL holds a control character or a lone surrogate")
    _require_short(text)
    if "\\" not in text and "@" not in text:
        return
    before_query = text.partition("#")[0].partition("?")[0]
    if "\\" in before_query:
        # http://127.0.0.1\@public.example/ is one host to a browser and another to RFC 3986 (GHSA-v359-jj2v-j536).
        raise InvalidUrl("the URL holds a backslash before its query")
    if before_query.count("@") > 1 and _authority(before_query).count("@") > 1:
        raise InvalidUrl("the URL holds more than one @ before its path")


def _require_short(text: str) -> None:
    if (len(text) if text.isascii() else len(text.encode())) > MAX_URL_BYTES:
        raise InvalidUrl(f"the URL is longer than {MAX_URL_BYTES} bytes")


def _authority(before_query: str) -> str:
    scheme = _SCHEME.match(before_query)
    if scheme is None and not before_query.startswith("//"):
        return ""
    rest = before_query[scheme.end() :] if scheme else before_query
    return rest.lstrip("/").partition("/")[0]


def _looks_like_host(text: str, scheme: str) -> bool:
    """Whether what parses as a scheme is a host before its port: ``example.com:8080``, ``localhost:80/x``."""
    after = text[len(scheme) : len(scheme) + 1]
    return "." in scheme or (after.isdigit() and scheme.lower()[:-1] not in DEFAULT_PORTS)


def _target(text: str) -> Target:
    try:
        url = URL(text)
    except ValueError:
        raise InvalidUrl("the URL cannot be parsed (WHATWG URL standard)") from None
    href = url.href  # each of ada's getters costs as much as its parse, so few are asked
    written = _WRITTEN.match(href)
    if written is None:
        # Not told which: sk-live-secret:@example.com has a secret for its scheme.
        raise SchemeRefused("the URL's scheme cannot be requested; only http and https can")
    scheme, hostname, port, credentials = written["scheme"], written["host"], "", None
    if hostname is None:  # there is a user name, a password or a port
        credentials, port, hostname = _take_credentials(url), url.port, url.hostname
        href = url.href
    origin = f"{scheme}://{hostname}:{port}" if port else f"{scheme}://{hostname}"
    _require_short(href)  # percent-encoding makes it up to three times as long
    if not href.startswith(f"{origin}/") or not href.isascii():
        raise InvalidUrl("the URL cannot be written in ASCII")  # ada does; this is a second lock
    request_target, _, fragment = href.removeprefix(origin).partition("#")
    address = _literal(url, hostname)
    return Target(
        url=href,
        scheme=scheme,
        host=hostname.strip("[]") if address else _name(hostname),
        port=int(port) if port else DEFAULT_PORTS[scheme],
        request_target=request_target,
        fragment=fragment,
        address=address,
        credentials=credentials,
    )


def _take_credentials(url: URL) -> Credentials | None:
    if not url.username and not url.password:
        return None
    from urllib.parse import unquote  # noqa: PLC0415 - few URLs hold credentials, and importing it takes 2 ms

    credentials = Credentials(unquote(url.username), unquote(url.password))
    url.username = url.password = ""
    return credentials


def _literal(url: URL, hostname: str) -> Address | None:
    if not hostname.endswith(_LITERAL_ENDS):
        return None
    kind = url.host_type
    if kind == HostType.IPV4:
        return IPv4Address(hostname)
    return IPv6Address(hostname.strip("[]")) if kind == HostType.IPV6 else None


def _name(hostname: str) -> str:
    """Check an A-label name (RFC 1035, 5890); one final dot is dropped."""
    name = hostname.removesuffix(".")
    if len(name) > MAX_NAME_CHARS:
        raise InvalidUrl(f"the host name is longer than {MAX_NAME_CHARS} characters")
    if not _NAME.fullmatch(name):
        raise InvalidUrl("a label of the host name is empty, too long, or holds a character that DNS names lack")
    labels = name.split(".")
    if _NUMBER.fullmatch(labels[-1]):  # resolvers read such names as addresses, each in its own way
        raise InvalidUrl("the host name ends in a number but is no IPv4 address")
    if not all(_is_a_label(label) for label in labels if label.startswith("xn--")):
        raise InvalidUrl("a label of the host name begins with xn-- but is no internationalized name")
    return name


def _is_a_label(label: str) -> bool:
    try:
        decoded = idna.decode(label)
    except (UnicodeError, ValueError):
        return False
    return bool(decoded) and decoded != label
