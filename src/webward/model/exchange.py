"""Values of a request and its response, on one hop and over all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar, overload

from msgspec import Struct

if TYPE_CHECKING:
    from datetime import datetime

    from webward.model.route import AddressClass


Default = TypeVar("Default")


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
    MAX_RESULTS_CLAMPED = "max-results-clamped"
    DOMAINS_FILTERED = "domains-filtered"
    DATES_IGNORED = "dates-ignored"
    RESULTS_DROPPED = "results-dropped"
    ENGINES_UNRESPONSIVE = "engines-unresponsive"


class Headers(Mapping[str, str]):
    """Header fields of a message: names in any case, repeated values joined with ``, `` (RFC 9110 section 5.2)."""

    __slots__ = ("_fields",)

    def __init__(self, fields: tuple[tuple[str, str], ...] = ()) -> None:
        self._fields = tuple([(name.lower(), value) for name, value in fields])

    def __getitem__(self, name: str) -> str:
        value = self.get(name)
        if value is None:
            raise KeyError(name)
        return value

    @overload
    def get(self, name: str, default: None = None) -> str | None: ...
    @overload
    def get(self, name: str, default: str | Default) -> str | Default: ...
    def get(self, name: str, default: object = None) -> object:
        """The values of a field, joined, or the default; asked of each response, so without an exception."""
        wanted = name.lower()
        values = [value for known, value in self._fields if known == wanted]
        return ", ".join(values) if values else default

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

    def __repr__(self) -> str:
        names = ", ".join(name for name, _ in self.headers)
        return f"<Request {self.method} with {names or 'no headers'}>"  # a value may be a key


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
