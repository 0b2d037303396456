"""The settings as frozen values, with their defaults and bounds; a bad value is an error when the value is made.

Keys are kebab-case in files (``[limits] body-bytes``), upper case in the environment (``WEBWARD_LIMITS_BODY_BYTES``).
Options that open something begin with ``unsafe``.
"""

from __future__ import annotations

import re
import sys
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Annotated, Literal

from ada_url import URL
from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from webward._version import __version__
from webward.errors import InvalidConfiguration

Network = IPv4Network | IPv6Network
PROJECT_PAGE = "https://github.com/webward/webward"
USER_AGENT = f"webward/{__version__} (+{PROJECT_PAGE})"
MIB = 1024 * 1024
NAT64_PREFIX_LENGTHS = (32, 40, 48, 56, 64, 96)  # RFC 6052 section 2.2
LOOPBACK_CIDR = ("127.0.0.0/8", "::1/128")
LOOPBACK_HOSTS = ("localhost", "*.localhost")
_HOST = re.compile(r"(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}")
_MAPPED = IPv6Network("::ffff:0:0/96")

Port = Annotated[int, Meta(ge=1, le=65535)]
Seconds = Annotated[float, Meta(gt=0, le=3600)]
Count = Annotated[int, Meta(ge=1, le=1_000_000)]
Bytes = Annotated[int, Meta(ge=1, le=1024 * MIB)]


class Rendition(StrEnum):
    """The form that a document is given for its reader."""

    MARKDOWN = "markdown"
    TEXT = "text"
    HTML = "html"


class ReadOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to make of a page.

    Attributes:
        format: The rendition of an HTML document.
        start: First character of the window.
        max_chars: Length of the window in characters, or None for all that follows.
    """

    format: Rendition = Rendition.MARKDOWN
    start: Annotated[int, Meta(ge=0)] = 0
    max_chars: Annotated[int, Meta(ge=1)] | None = None


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """Ceilings of the gateway. A caller may ask for less than a default, or for more up to the ``max`` beside it.

    Attributes:
        deadline_seconds: Of one call over names, dial, TLS, head, body and all hops.
        max_deadline_seconds: The most that a caller may ask for.
        redirects: Hops that are followed.
        body_bytes: Of a body after content decoding; what comes after is cut.
        max_body_bytes: The most that a caller may ask for.
        head_bytes: Of a response head, interim heads included.
        head_fields: Header fields of one response.
        interim_responses: 1xx responses before the final one.
        resolve_seconds: Of the questions about one name.
        dial_seconds: Of connecting and the TLS handshake together.
        answers: Addresses of one name; a name with more is refused, since all are judged.
        dialled_addresses: Judged addresses that are tried.
        idle_connections: Connections kept for reuse, over all origins.
        idle_seconds: How long a connection is kept.
    """

    deadline_seconds: Seconds = 30.0
    max_deadline_seconds: Seconds = 120.0
    redirects: Annotated[int, Meta(ge=0, le=20)] = 5  # 20 is the Fetch standard's own ceiling
    body_bytes: Bytes = 5 * MIB
    max_body_bytes: Bytes = 50 * MIB
    head_bytes: Bytes = 64 * 1024
    head_fields: Count = 256
    interim_responses: Count = 8
    resolve_seconds: Seconds = 5.0
    dial_seconds: Seconds = 10.0
    answers: Count = 256
    dialled_addresses: Count = 16
    idle_connections: Annotated[int, Meta(ge=0, le=100_000)] = 64
    idle_seconds: Seconds = 30.0

    def __post_init__(self) -> None:
        for name in ("deadline-seconds", "body-bytes"):
            attribute = name.replace("-", "_")
            if getattr(self, attribute) > getattr(self, f"max_{attribute}"):
                raise InvalidConfiguration(f"limits.{name} is above limits.max-{name}", setting=f"limits.max-{name}")


class EgressPolicy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """The rules for what may leave. Deny beats allow; metadata addresses are refused whatever is allowed.

    Host patterns are a name (``example.com``) or all names below it (``*.example.com``).

    Attributes:
        preset: The rules to start from: ``public``, ``strict`` or ``development``; the other keys change them.
        schemes: Schemes that may be requested.
        ports: Ports that may be dialled; by default all that the Fetch standard does not call bad.
        only_hosts: When given, no other host may be requested.
        only_cidr: When given, no other address may be dialled.
        deny_hosts: Hosts that are refused.
        deny_cidr: Addresses that are refused, embedded in IPv6 too.
        url_credentials: What becomes of ``user:password@``: refused, or sent to the first origin as Authorization.
        allow_embedded_ipv4: Whether an IPv4-mapped address of a public address may be dialled.
        nat64_prefixes: NAT64 prefixes of this network (RFC 6052); addresses in them are judged by what they embed.
        unsafe_allow_hosts: Internal names that may be asked for; their addresses are still judged.
        unsafe_allow_cidr: Addresses that may be dialled though their class is refused.
        unsafe_allow_own_addresses: Whether the machine's own addresses may be dialled.
    """

    preset: Literal["public", "strict", "development"] = "public"
    schemes: frozenset[Literal["http", "https"]] = frozenset(("http", "https"))
    ports: frozenset[Port] | None = None
    only_hosts: tuple[str, ...] = ()
    only_cidr: tuple[str, ...] = ()
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
        return cls(preset="strict", schemes=frozenset(("https",)), ports=frozenset((443,)), allow_embedded_ipv4=False)

    @classmethod
    def development(cls) -> EgressPolicy:
        """As `public`, and loopback too: for servers on one's own machine."""
        return cls(preset="development", unsafe_allow_hosts=LOOPBACK_HOSTS, unsafe_allow_cidr=LOOPBACK_CIDR)

    def __post_init__(self) -> None:
        for name in ("only_hosts", "deny_hosts", "unsafe_allow_hosts"):
            patterns = dict.fromkeys(_host_pattern(text, name) for text in getattr(self, name))
            force_setattr(self, name, tuple(patterns))
        for name in ("only_cidr", "deny_cidr", "unsafe_allow_cidr", "nat64_prefixes"):
            networks = dict.fromkeys(str(_network(text, name)) for text in getattr(self, name))
            force_setattr(self, name, tuple(networks))
        for prefix in map(ip_network, self.nat64_prefixes):
            if prefix.version == 4 or prefix.prefixlen not in NAT64_PREFIX_LENGTHS:  # noqa: PLR2004 - IP version
                raise _bad("nat64_prefixes", str(prefix), "an IPv6 prefix of 32, 40, 48, 56, 64 or 96 bits")


class NetworkSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """How the network is reached.

    Attributes:
        resolver: ``dns`` asks the name servers itself; ``system`` asks getaddrinfo (VPN rules, local services). Both
            ask for the full name with its root dot, so that neither a search list nor, on Linux, a hosts file answers.
        resolver_threads: Lookups at once with the system resolver; one more is an error, never a queue.
        answer_cache_seconds: The most that an answer is kept (never beyond its TTL); 0 keeps none.
        proxy: ``http://[user:password@]host:port`` of a CONNECT proxy that all requests go through. It is trusted.
        user_agent: What sites are told unless a caller says otherwise.
        ca_file: PEM file of the only certificate authorities to trust; by default the system's own.
    """

    resolver: Literal["dns", "system"] = "dns" if sys.platform == "linux" else "system"
    resolver_threads: Annotated[int, Meta(ge=1, le=256)] = 32
    answer_cache_seconds: Annotated[float, Meta(ge=0, le=60)] = 60.0
    proxy: str | None = None
    user_agent: Annotated[str, Meta(min_length=1, max_length=256, pattern=r"^[\x21-\x7e][\x20-\x7e]*$")] = USER_AGENT
    ca_file: str | None = None

    def __post_init__(self) -> None:
        if self.proxy is not None and not _is_proxy(self.proxy):
            raise InvalidConfiguration(
                "network.proxy must be http://host:port, with user:password@ before the host if the proxy wants them",
                setting="network.proxy",
            )

    def __repr__(self) -> str:
        return f"NetworkSettings(resolver={self.resolver!r}, proxy={'set' if self.proxy else None})"  # without password


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """All settings of a gateway."""

    egress: EgressPolicy = EgressPolicy()
    limits: Limits = Limits()
    network: NetworkSettings = NetworkSettings()


def _is_proxy(text: str) -> bool:
    if not text.startswith("http://") or not URL.can_parse(text):
        return False
    url = URL(text)
    return bool(url.hostname) and url.pathname == "/" and not url.search and not url.hash


def _bad(name: str, text: str, wanted: str) -> InvalidConfiguration:
    setting = f"egress.{name.replace('_', '-')}"
    return InvalidConfiguration(f"{setting}: {text!r} is not {wanted}", setting=setting)


def _network(text: str, name: str) -> Network:
    try:
        network = ip_network("" if "%" in text else text)  # a zoned address is never reachable
    except ValueError:
        raise _bad(name, text, "a network such as 10.0.0.0/8 (host bits zero)") from None
    if isinstance(network, IPv6Network) and network.subnet_of(_MAPPED):  # judged and dialled as IPv4, so listed as it
        return IPv4Network((network.network_address.packed[12:], network.prefixlen - _MAPPED.prefixlen))
    return network


def _host_pattern(text: str, name: str) -> str:
    wildcard, host = ("*.", text[2:]) if text.startswith("*.") else ("", text)
    url = f"http://{host}/"
    hostname = ""
    if host.isprintable() and not set(host) & set("/\\?#@:[]") and URL.can_parse(url):
        hostname = URL(url).hostname.removesuffix(".")  # as core.url spells a host, or the pattern would never match
    if not _HOST.fullmatch(hostname):
        raise _bad(name, text, "a host name such as example.com or *.example.com")
    return wildcard + hostname
