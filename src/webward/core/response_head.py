"""Parses the head of an HTTP/1.1 response, and what it says about framing (RFC 9112 sections 4 to 6).

Lenient where servers err without harm (bare LF, folded lines, no reason, the same length twice), strict where two
readers could see two messages.
"""

from __future__ import annotations

import re

from msgspec import Struct

from webward.model import Headers, ResponseHead

# A line may end in LF alone (section 2.2). A value may hold controls, which RFC 9110 section 5.5 forbids and servers
# send in cookies, but no NUL, and nothing that any reader takes for the end of a line. What is possessive (`*+`) gives
# nothing back: two parts that could share the blanks of a broken line would try all shares.
_STATUS_LINE = re.compile(r"HTTP/([0-9]\.[0-9]) ([1-9][0-9]{2})(?: ([^\x00\r\n\v\f]*))?\r?\n")
_FIELD_LINE = re.compile(r"^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*+([^\x00\r\n\v\f]*+)\r?$", re.MULTILINE)
_FOLD = re.compile(r"\r?\n[ \t]+")
_LENGTH = re.compile(r"[0-9]{1,20}")

_FRAMING_NAMES = ("content-length", "transfer-encoding", "connection")

Fields = list[tuple[str, str]]


class BrokenResponseError(Exception):
    """The other end does not speak HTTP as it must.

    The text tells what it did and wants a subject in front. It holds nothing that was sent, which would speak to a
    model through an error.
    """

    def __init__(self, text: str, *, setting: str | None = None) -> None:
        super().__init__(text)
        self.setting = setting


class ParsedHead(Struct, frozen=True, kw_only=True):
    """A head and its framing.

    Attributes:
        head: What is told of it.
        length: Bytes of the body, as declared, unless that is not what counts.
        chunked: Whether the body comes in chunks.
        persistent: Whether the connection may go on behind the message (section 9.3): only HTTP/1.1 says so without
            doubt, and who sends a length together with chunks may be smuggling (section 6.3, rule 3).
    """

    head: ResponseHead
    length: int | None
    chunked: bool
    persistent: bool


def parse_response_head(data: bytes, *, max_fields: int) -> ParsedHead:
    """A head from its first byte to the end of its last field's line, without the blank line.

    Raises:
        BrokenResponseError: It is no head, its framing is not told in one way, or it has more fields than that.
    """
    version, status, reason, fields = _split(data)
    if len(fields) > max_fields:
        raise BrokenResponseError(f"sent more than {max_fields} header fields", setting="limits.head-fields")
    framing: dict[str, list[str]] = {name: [] for name in _FRAMING_NAMES}
    for name, value in fields:
        if name in framing:
            framing[name].append(value)
    codings = [value.lower() for value in framing["transfer-encoding"]]
    lengths = framing["content-length"]
    if codings and codings != ["chunked"]:  # section 6.1; none other is asked for
        raise broken("it codes the transfer in another way than chunked")
    length = _length(lengths) if lengths else None
    if length is not None and lengths != [length]:
        fields = [*(field for field in fields if field[0] != "content-length"), ("content-length", length)]
    return ParsedHead(
        head=ResponseHead(status=int(status), reason=reason, headers=Headers(tuple(fields))),
        length=int(length) if length is not None and not codings else None,
        chunked=bool(codings),
        persistent=version == "1.1" and not _closes(framing["connection"]) and not (codings and lengths),
    )


def broken(what: str) -> BrokenResponseError:
    """The error for what is not HTTP at all."""
    return BrokenResponseError(f"speaks broken HTTP: {what}")


def _split(data: bytes) -> tuple[str, str, str, Fields]:
    """Version, status, reason and fields."""
    try:
        return _split_text(data.decode())  # at once, which is right when all of it is UTF-8
    except UnicodeDecodeError:
        version, status, reason, fields = _split_text(data.decode("latin-1"))
        return version, status, _utf_8_or_latin_1(reason), [(name, _utf_8_or_latin_1(value)) for name, value in fields]


def _split_text(text: str) -> tuple[str, str, str, Fields]:
    status_line = _STATUS_LINE.match(text)
    if status_line is None:
        raise broken("its answer begins with no status line")
    version, status, reason = status_line.groups("")
    return version, status, reason, _fields(text[status_line.end() :])


def _fields(section: str) -> Fields:
    """Names in lower case and values, from all lines behind the status line; a line that is none is an error."""
    found = _FIELD_LINE.findall(section)
    if len(found) != section.count("\n"):
        section = _FOLD.sub(" ", section)  # section 5.2
        found = _FIELD_LINE.findall(section)
        if len(found) != section.count("\n"):
            raise broken("a line of the head is no header field")
    return [(name.lower(), value.rstrip(" \t")) for name, value in found]


def _length(values: list[str]) -> str:
    """The one length that is declared, be it several times (RFC 9112 section 6.3, rule 5)."""
    lengths = {part.strip(" \t") for value in values for part in value.split(",")}
    length = lengths.pop()
    if lengths or not _LENGTH.fullmatch(length):
        raise broken("its Content-Length is not one number")
    return length


def _closes(options: list[str]) -> bool:
    """Whether a Connection field says so (RFC 9112 section 9.6)."""
    return "close" in [option.strip(" \t") for option in ",".join(options).lower().split(",")]


def _utf_8_or_latin_1(value: str) -> str:
    """Of each value by itself: they are opaque octets (RFC 9110 section 5.5), here as Latin-1."""
    try:
        return value.encode("latin-1").decode()
    except UnicodeDecodeError:
        return value
