"""Header fields of a request: what a caller may set, and what crosses from one origin to another.

A field that could change how a message is framed, who it is for, or that opens a cloud's metadata service is an error,
so that nobody believes it was sent.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from webward.errors import InvalidHeader

if TYPE_CHECKING:
    from webward.model import Credentials

MAX_REQUEST_HEAD_BYTES = 64 * 1024  # what servers take at the most; a caller's own mistake is told early

Fields = tuple[tuple[str, str], ...]

TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")  # RFC 9110 section 5.6.2
VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")  # RFC 9110 section 5.5: no CR, LF, NUL nor other controls

FORBIDDEN_NAMES = frozenset(
    (
        *("host", "content-length", "transfer-encoding", "trailer", "connection", "keep-alive", "te", "upgrade"),
        *("http2-settings", "expect"),
        *("metadata", "metadata-flavor"),  # Azure; Google, IBM, Yandex
    )
)
FORBIDDEN_PREFIXES = (
    "proxy-",
    *("x-aws-ec2-metadata-token", "x-google-metadata", "x-aliyun-ecs-metadata-token"),
    *("metadata-token", "x-metadata-token"),  # Linode; Huawei
)

# What may go on to another origin; an allow list, since nobody can list every header that holds a secret.
SAFELISTED = frozenset(("accept", "accept-language", "accept-encoding", "user-agent"))
SAFELISTED_WITH_BODY = frozenset(("content-type", "content-language"))
BODY_NAMES = frozenset(("content-type", "content-language", "content-encoding", "content-location"))


def check_fields(headers: Mapping[str, str] | Iterable[tuple[str, str]] | None) -> Fields:
    """The header fields of a caller, checked; white space around values is dropped.

    Raises:
        InvalidHeader: A name is no token, a value holds a control character or what Latin-1 lacks, a field is one
            that a caller must not set, or all of them are too long.
    """
    if headers is None:
        return ()
    fields = tuple(_check_field(name, value) for name, value in _pairs(headers))
    if sum(len(name) + len(value) for name, value in fields) > MAX_REQUEST_HEAD_BYTES:
        raise InvalidHeader(f"the request headers are longer than {MAX_REQUEST_HEAD_BYTES} bytes")
    return fields


def with_defaults(fields: Fields, defaults: Fields) -> Fields:
    """The fields, and each default whose name is not among them."""
    given = {name.lower() for name, _ in fields}
    return fields + tuple((name, value) for name, value in defaults if name.lower() not in given)


def with_field(fields: Fields, name: str, value: str) -> Fields:
    """The fields with one value for a name that they have; without it, as they are."""
    return tuple((known, value if known.lower() == name.lower() else given) for known, given in fields)


def is_reserved(name: str) -> bool:
    """Whether a field is none that a caller may set."""
    lower = name.lower()
    return lower in FORBIDDEN_NAMES or lower.startswith(FORBIDDEN_PREFIXES)


def without_body(fields: Fields) -> Fields:
    """The fields without those that describe a body."""
    return tuple(field for field in fields if field[0].lower() not in BODY_NAMES)


def across_origins(fields: Fields, *, has_body: bool) -> Fields:
    """The fields that may go on to another origin."""
    kept = SAFELISTED | SAFELISTED_WITH_BODY if has_body else SAFELISTED
    return tuple(field for field in fields if field[0].lower() in kept)


def basic_authorization(credentials: Credentials) -> str:
    """The value of an Authorization field in the Basic scheme (RFC 7617)."""
    return "Basic " + b64encode(f"{credentials.username}:{credentials.password}".encode()).decode()


def _pairs(headers: Mapping[str, str] | Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    try:
        return [(name, value) for name, value in (headers.items() if isinstance(headers, Mapping) else headers)]
    except (TypeError, ValueError):
        raise InvalidHeader("headers must be a mapping, or pairs of a name and a value") from None


def _check_field(name: object, value: object) -> tuple[str, str]:
    if not isinstance(name, str) or not isinstance(value, str):
        raise InvalidHeader("header names and values must be text")
    if not TOKEN.fullmatch(name):
        raise InvalidHeader(f"the header name {name[:40]!r} is no token (RFC 9110 section 5.6.2)")
    if is_reserved(name):
        raise InvalidHeader(f"the header {name} cannot be set by a caller")
    value = value.strip(" \t")
    if not VALUE.fullmatch(value):
        raise InvalidHeader(f"the value of {name} holds a control character or one that Latin-1 lacks")
    return name, value
