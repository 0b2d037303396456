"""Writes the head of an HTTP/1.1 request (RFC 9112 section 3).

What is written here was checked before; it is checked again where it becomes lines, since one line too many is a second
request in the server's eyes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webward.core.headers import TOKEN, VALUE
from webward.errors import InvalidHeader

if TYPE_CHECKING:
    from collections.abc import Iterable

_REQUEST_TARGET = re.compile(r"[!-~]+")  # RFC 9112 section 3.2: of what a URI is written in, without white space


def write_request_head(method: str, request_target: str, fields: Iterable[tuple[str, str]]) -> bytes:
    """The request line and the header fields, to the blank line.

    Args:
        method: A token, in its own case.
        request_target: As RFC 9112 section 3.2 has it.
        fields: All of them, in order; values in Latin-1.

    Raises:
        InvalidHeader: One of them would not be read as what it is.
    """
    if not TOKEN.fullmatch(method) or not _REQUEST_TARGET.fullmatch(request_target):
        raise InvalidHeader("the method or the target of the request cannot be written as HTTP")
    lines = [f"{method} {request_target} HTTP/1.1"]
    for name, value in fields:
        if not TOKEN.fullmatch(name) or not VALUE.fullmatch(value):
            raise InvalidHeader(f"the header {name[:40]!r} cannot be written as HTTP")
        lines.append(f"{name}: {value}")
    lines.append("\r\n")
    return "\r\n".join(lines).encode("latin-1")
