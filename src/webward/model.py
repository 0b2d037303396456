"""Frozen values that cross layers, each named as the field names it.

A string becomes a `Target` (core.url), a judged `Target` a `Route` (core.egress), a `Route` a `Fetched` (engine.fetch),
a `Fetched` a `Page` (engine.read). Each is made in that one place, so that no check can be skipped.
They are structs rather than dataclasses: defined and made several times faster, at every start and on every hop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from datetime import datetime

    from webward.config import EgressPolicy

Address = IPv4Address | IPv6Address


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


class Note(StrEnum):
    """Stable words on what was done or found on the way to an answer; docs/results.md explains each."""

    CHARSET_GUESSED = "charset-guessed"
    CREDENTIALS_DROPPED = "credentials-dropped"
    DEADLINE_CLAMPED = "deadline-clamped"
    MAX_BYTES_CLAMPED = "max-bytes-clamped"
    WRONG_CONTENT_CODING = "wrong-content-coding"
    UNKNOWN_CONTENT_CODING = "unknown-content-coding"
    TRUNCATED_CODING = "truncated-coding"
    CORRUPT_CODING = "corrupt-coding"
    TRAILING_GARBAGE = "trailing-garbage"
    TOO_MANY_MEMBERS = "too-many-members"
    FROM_BYTES = "from-bytes"


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
        host = f"[{self.host}]" if self.address is not None and self.address.version == 6 else self.host  # noqa: PLR2004
        return host if self.port == DEFAULT_PORTS.get(self.scheme) else f"{host}:{self.port}"

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host, port (RFC 6454)."""
        return self.scheme, self.host, self.port


DEFAULT_PORTS = {"http": 80, "https": 443}


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
    """An address that the policy allows, in the form that is dialled."""

    address: Address
    address_class: AddressClass


class Route(Struct, frozen=True, kw_only=True):
    """A target with the judged addresses to dial, and the policy that judged them."""

    target: Target
    addresses: tuple[JudgedAddress, ...]
    policy: EgressPolicy


class Headers(Mapping[str, str]):
    """Header fields of a message: names in any case, repeated values joined with ``, `` (RFC 9110 section 5.2)."""

    __slots__ = ("_fields",)

    def __init__(self, fields: tuple[tuple[str, str], ...] = ()) -> None:
        self._fields = tuple((name.lower(), value) for name, value in fields)

    def __getitem__(self, name: str) -> str:
        values = self.get_list(name)
        if not values:
            raise KeyError(name)
        return ", ".join(values)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name for name, _ in self._fields))

    def __len__(self) -> int:
        return len({name for name, _ in self._fields})

    def __repr__(self) -> str:
        return f"Headers({self._fields!r})"

    def get_list(self, name: str) -> tuple[str, ...]:
        """All values of a field in order, apart; what ``set-cookie`` needs."""
        wanted = name.lower()
        return tuple(value for known, value in self._fields if known == wanted)


class Request(Struct, frozen=True, kw_only=True):
    """One request, ready to be sent to a target: every field is checked."""

    method: str
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""


class ResponseHead(Struct, frozen=True, kw_only=True):
    """Status line and header fields of a response."""

    status: int
    reason: str
    headers: Headers


class PhaseTimes(Struct, frozen=True, kw_only=True):
    """Seconds that one exchange spent until its head was read; 0 for what a reused connection does not need."""

    dial_seconds: float = 0.0
    tls_seconds: float = 0.0
    head_seconds: float = 0.0


class Hop(Struct, frozen=True, kw_only=True):
    """One request and its response."""

    url: str
    status: int
    address_class: AddressClass
    reused: bool
    tls: str | None = None


class Timing(Struct, frozen=True, kw_only=True):
    """Milliseconds by phase, summed over all hops."""

    resolve_ms: float
    dial_ms: float
    tls_ms: float
    head_ms: float
    body_ms: float
    total_ms: float


class Answer(Struct, frozen=True, kw_only=True):
    """What `Fetched` and `Page` share (contracts/page.py says how it is written as JSON).

    Attributes:
        url: As asked for, normalized, without user name and password.
        final_url: Of the last hop.
        status: HTTP status of the last hop; any status is an answer.
        reason: Reason phrase of the last hop, often empty.
        headers: Header fields of the last hop.
        media_type: Essence as declared (RFC 9110 section 8.3), or None.
        charset: Charset that turned the body into text, or None for what is no text.
        body_bytes: Size of the body after content decoding.
        wire_bytes: Size of the body before content decoding.
        truncated: The body was cut at the limit, or ended before its declared length.
        hops: All hops; the last is the answer.
        timing: Milliseconds by phase.
        notes: Stable words on what was done or found on the way.
        retrieved_at: When the answer came, in UTC.
    """

    url: str
    final_url: str
    status: int
    reason: str
    headers: Headers
    media_type: str | None
    charset: str | None
    body_bytes: int
    wire_bytes: int
    truncated: bool
    hops: tuple[Hop, ...]
    timing: Timing
    notes: tuple[Note, ...]
    retrieved_at: datetime

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.status} {self.final_url} ({self.body_bytes} bytes)>"


class Fetched(Answer, frozen=True, kw_only=True):
    """What `fetch` returns: an answer with its body.

    Attributes:
        body: After content decoding.
        text: The body as text, when the media type is textual or absent and the bytes are text.
    """

    body: bytes
    text: str | None


class Page(Answer, frozen=True, kw_only=True):
    """What `read` returns: an answer as a rendition for a reader.

    Attributes:
        format: The rendition given: ``markdown``, ``text``, ``html`` or ``json``.
        text: The window of the rendition that was asked for.
        total_chars: Characters (code points) of the whole rendition.
        start: Where the window begins.
        next_start: Where the next window begins, or None at the end.
        truncated_text: Whether the window cut the text.
        title: Of the document, if it has one.
        description: Of the document, if it has one.
        language: Of the document as declared (BCP 47), if it is.
        content_hash: SHA-256 of the decoded body, in hex; equal for all windows of one snapshot.
    """

    format: str
    text: str
    total_chars: int
    start: int
    next_start: int | None
    truncated_text: bool
    title: str | None
    description: str | None
    language: str | None
    content_hash: str


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
