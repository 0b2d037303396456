"""Values of the way out: what an address is for, a target, a verdict, a route."""

from __future__ import annotations

from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from webward.config import EgressPolicy

Address = IPv4Address | IPv6Address

DEFAULT_PORTS = {"http": 80, "https": 443}


class AddressClass(StrEnum):
    """What an address is for, in the words of the IANA special-purpose registries (RFC 6890)."""

    GLOBAL = "global"
    THIS_NETWORK = "this-network"
    PRIVATE = "private-use"
    SHARED = "shared-address-space"
    LOOPBACK = "loopback"
    LINK_LOCAL = "link-local"
    SITE_LOCAL = "site-local"
    UNIQUE_LOCAL = "unique-local"
    METADATA = "metadata"
    PLATFORM = "cloud-platform"
    PROTOCOL = "protocol-assignment"
    RELAY = "relay-anycast"
    AS112 = "as112"
    DOCUMENTATION = "documentation"
    BENCHMARKING = "benchmarking"
    MULTICAST = "multicast"
    RESERVED = "reserved"
    UNSPECIFIED = "unspecified"
    UNALLOCATED = "unallocated"
    DISCARD = "discard-only"
    SEGMENT_ROUTING = "segment-routing"
    IPV4_EMBEDDED = "ipv4-embedded"
    NAT64 = "nat64"
    TEREDO = "teredo"
    SIX_TO_FOUR = "6to4"
    ISATAP = "isatap"
    OWN = "own-interface"
    ZONED = "zoned"


class Credentials(Struct, frozen=True):
    """User name and password taken from a URL, percent-decoded; never printed."""

    username: str
    password: str

    def __repr__(self) -> str:
        return "Credentials(...)"


class Target(Struct, frozen=True, kw_only=True):
    """A URL that was parsed, and what a request to it is built from.

    Attributes:
        url: The normalized URL, without user name and password.
        scheme: Lower case, without the colon.
        host: A-label name in lower case without a final dot, or an address in its canonical spelling.
        port: The effective port.
        request_target: Path and query, ASCII (RFC 9112 section 3.2.1).
        fragment: What follows ``#``, without it.
        address: The address, when the host is a literal.
        credentials: What stood before ``@``, if anything did.
    """

    url: str
    scheme: str
    host: str
    port: int
    request_target: str
    fragment: str
    address: Address | None
    credentials: Credentials | None

    @property
    def authority(self) -> str:
        """Host, and port where it is not the scheme's own, as the Host header has it (RFC 9110 section 7.2)."""
        host = f"[{self.host}]" if self.address is not None and self.address.version == 6 else self.host  # noqa: PLR2004 - IP's
        return host if self.port == DEFAULT_PORTS.get(self.scheme) else f"{host}:{self.port}"

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host, port (RFC 6454)."""
        return self.scheme, self.host, self.port


class Verdict(Struct, frozen=True, kw_only=True):
    """The answer of one rule to one question.

    Attributes:
        rule: Name of the rule.
        allowed: Whether the rule lets the request pass.
        reason: One sentence for people; holds no resolved address.
        code: The error code of a refusal.
        setting: Name of the setting that would change the answer.
        address_class: Class of the address, for rules about addresses.
    """

    rule: str
    allowed: bool
    reason: str
    code: str | None = None
    setting: str | None = None
    address_class: AddressClass | None = None


class JudgedAddress(Struct, frozen=True):
    """An address that the policy allows, in the form that is dialed."""

    address: Address
    address_class: AddressClass


class Route(Struct, frozen=True, kw_only=True):
    """A target with the judged addresses to dial, and the policy that judged them."""

    target: Target
    addresses: tuple[JudgedAddress, ...]
    policy: EgressPolicy


class Checked(Struct, frozen=True, kw_only=True):
    """What `check` returns: the verdict of every rule asked, in order; the last one may be a refusal.

    Attributes:
        url: As asked for, normalized.
        verdicts: One for each rule, up to the first refusal.
        addresses: What the name resolved to. For the operator: a caller who is not trusted must not see them.
    """

    url: str
    verdicts: tuple[Verdict, ...]
    addresses: tuple[Address, ...]

    @property
    def allowed(self) -> bool:
        """Whether a request would be sent."""
        return all(verdict.allowed for verdict in self.verdicts)
