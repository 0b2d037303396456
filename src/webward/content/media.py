"""Media types: what a Content-Type field declares, what the bytes show, and which kind of content that makes.

A declared type is obeyed, as RFC 9110 and the WHATWG MIME Sniffing standard want; bytes are asked when there is none.
"""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from webward.content.labels import UTF_16, encoding_for

if TYPE_CHECKING:
    from collections.abc import Iterator

KEPT_CHARS = 128
"""Of a field whose meaning is kept, as most answers declare one of a few; nobody else can fill the memory with them."""

RESOURCE_HEADER_BYTES = 1445
"""How many bytes are looked at (MIME Sniffing section 5.2)."""


class ContentKind(StrEnum):
    """What a body is for a reader."""

    HTML = "html"
    MARKDOWN = "markdown"
    JSON = "json"
    XML = "xml"
    TEXT = "text"
    IMAGE = "image"
    BINARY = "binary"


@dataclass(frozen=True, slots=True)
class MediaType:
    """A media type as declared: the essence in lower case, and the charset parameter as it was written."""

    essence: str
    _: KW_ONLY
    charset: str | None = None


_HTTP_WHITESPACE = " \t\r\n"
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_QUOTED_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")

# One member of a comma-joined list: commas inside a quoted string do not part it, and an open quote runs to the end.
_MEMBER = re.compile(r'(?:[^",]|"(?:[^"\\]|\\.?)*(?:"|\Z))+', re.DOTALL)
# What a quoted parameter value is, up to its closing quote or the end (Fetch, "collect an HTTP quoted string").
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)(\\?)"?', re.DOTALL)
_QUOTED_PAIR = re.compile(r"\\(.)", re.DOTALL)


def parse_media_type(value: str) -> MediaType | None:
    """Media type of a Content-Type field, or None when it holds no valid one.

    Of several members the last valid one counts, and a charset lives on while the essence stays the same (Fetch
    standard, "extract a MIME type"): a field that was sent twice arrives joined with commas.
    """
    return _kept(value) if len(value) <= KEPT_CHARS else _parsed(value)


def _parsed(value: str) -> MediaType | None:
    found: MediaType | None = None
    for member in _MEMBER.findall(value):
        parsed = _parse_one(member)
        if parsed is None or parsed.essence == "*/*":
            continue
        if found is not None and parsed.charset is None and parsed.essence == found.essence:
            continue
        found = parsed
    return found


_kept = lru_cache(maxsize=256)(_parsed)


def _parse_one(member: str) -> MediaType | None:
    """One media type (MIME Sniffing section 4.4)."""
    essence, _, rest = member.strip(_HTTP_WHITESPACE).partition(";")
    main, _, sub = essence.rstrip(_HTTP_WHITESPACE).partition("/")
    if not (_TOKEN.fullmatch(main) and _TOKEN.fullmatch(sub)):
        return None
    charset = next((value for name, value in _parameters(rest) if name == "charset"), None)
    return MediaType(f"{main}/{sub}".lower(), charset=charset)


def _parameters(text: str) -> Iterator[tuple[str, str]]:
    """Valid parameters in order; a broken one is left out and hurts no other."""
    position = 0
    while position < len(text):
        end = _find(text, ";", position)
        equals = text.find("=", position, end)
        if equals < 0:
            position = end + 1
            continue
        name = text[position:equals].lstrip(_HTTP_WHITESPACE).lower()
        quoted = _QUOTED.match(text, equals + 1)
        if quoted:
            value = _QUOTED_PAIR.sub(r"\1", quoted[1]) + quoted[2]
            end = _find(text, ";", quoted.end())
        else:
            value = text[equals + 1 : end].rstrip(_HTTP_WHITESPACE)
        position = end + 1
        if _TOKEN.fullmatch(name) and _QUOTED_VALUE.fullmatch(value) and (value or quoted):
            yield name, value


def _find(text: str, mark: str, start: int) -> int:
    found = text.find(mark, start)
    return found if found >= 0 else len(text)


_KIND_BY_ESSENCE = {
    "text/html": ContentKind.HTML,
    "application/xhtml+xml": ContentKind.HTML,
    "text/markdown": ContentKind.MARKDOWN,
    "text/x-markdown": ContentKind.MARKDOWN,
    "application/json": ContentKind.JSON,
    "text/json": ContentKind.JSON,
    "application/xml": ContentKind.XML,
    "text/xml": ContentKind.XML,
    **dict.fromkeys(
        (
            "application/ecmascript",
            "application/graphql",
            "application/javascript",
            "application/json-seq",
            "application/jsonl",
            "application/jsonlines",
            "application/n-quads",
            "application/n-triples",
            "application/sparql-query",
            "application/sql",
            "application/srt",
            "application/toml",
            "application/trig",
            "application/typescript",
            "application/vnd.yaml",
            "application/x-csh",
            "application/x-httpd-php",
            "application/x-javascript",
            "application/x-json",
            "application/x-latex",
            "application/x-ndjson",
            "application/x-perl",
            "application/x-python",
            "application/x-ruby",
            "application/x-sh",
            "application/x-sql",
            "application/x-subrip",
            "application/x-tex",
            "application/x-toml",
            "application/x-typescript",
            "application/x-www-form-urlencoded",
            "application/x-yaml",
            "application/yaml",
        ),
        ContentKind.TEXT,
    ),
}
_KIND_BY_SUFFIX = {"+json": ContentKind.JSON, "+xml": ContentKind.XML, "+yaml": ContentKind.TEXT}
_KIND_BY_MAIN_TYPE = {"text": ContentKind.TEXT, "image": ContentKind.IMAGE}

# Declared by servers that know no better (MIME Sniffing section 7).
_UNKNOWN = frozenset({"unknown/unknown", "application/unknown", "*/*"})

_TEXTUAL = frozenset({ContentKind.HTML, ContentKind.MARKDOWN, ContentKind.JSON, ContentKind.XML, ContentKind.TEXT})

# Formats whose first bytes no text begins with (MIME Sniffing sections 6.1 and 7.1).
_IMAGE_SIGNATURE = re.compile(rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|RIFF....WEBPVP", re.DOTALL)
_BINARY_SIGNATURE = re.compile(rb"%PDF-|%!PS-Adobe-|PK\x03\x04|\x1f\x8b\x08")

# MIME Sniffing section 7.1, first table. A UTF-8 mark before it is skipped: here it makes a page readable, no more.
_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?[\t\n\f\r ]*"
    rb"(?:<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[ >]|<!--)",
    re.IGNORECASE,
)
_XML_START = re.compile(rb"(?:\xef\xbb\xbf)?[\t\n\f\r ]*<\?xml")
_UTF_16_MARK = re.compile(rb"\xfe\xff|\xff\xfe")
# "Binary data bytes" (MIME Sniffing section 3): the controls without tab, LF, FF, CR and ESC.
_BINARY_BYTE = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")


def kind_of(media_type: MediaType | None, body: bytes) -> ContentKind:
    """What a body is for a reader, by its declared type, or by its bytes when none is declared.

    Bytes correct a declaration only where it cannot be true: an image or an archive that is declared HTML (NUL bytes
    alone occur on real pages), and binary data declared as some other text (MIME Sniffing section 7.2) that is no
    UTF-8 either.
    """
    if media_type is None or media_type.essence in _UNKNOWN:
        return _sniffed(body)
    kind = _declared(media_type.essence)
    if kind is ContentKind.HTML:
        return _by_signature(body) or kind
    if kind not in _TEXTUAL or not _is_binary(body):
        return kind
    is_wide = encoding_for(media_type.charset or "") in UTF_16
    return kind if is_wide or _is_utf_8(body) else ContentKind.BINARY


def is_textual(kind: ContentKind) -> bool:
    """Whether content of a kind is read as characters."""
    return kind in _TEXTUAL


def _declared(essence: str) -> ContentKind:
    main, _, sub = essence.partition("/")
    return (
        _KIND_BY_ESSENCE.get(essence)
        or _KIND_BY_SUFFIX.get(sub[sub.rfind("+") :])
        or _KIND_BY_MAIN_TYPE.get(main)
        or ContentKind.BINARY
    )


def _sniffed(body: bytes) -> ContentKind:
    """Kind of a body without a declared type (MIME Sniffing section 7.1)."""
    if _HTML_START.match(body):
        return ContentKind.HTML
    if _XML_START.match(body):
        return ContentKind.XML
    signed = _by_signature(body)
    if signed is not None:
        return signed
    return ContentKind.BINARY if _is_binary(body) else ContentKind.TEXT


def _by_signature(body: bytes) -> ContentKind | None:
    if _IMAGE_SIGNATURE.match(body):
        return ContentKind.IMAGE
    return ContentKind.BINARY if _BINARY_SIGNATURE.match(body) else None


def _is_utf_8(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_binary(body: bytes) -> bool:
    """Whether the bytes are no text (MIME Sniffing section 7.2)."""
    return not _UTF_16_MARK.match(body) and _BINARY_BYTE.search(body, 0, RESOURCE_HEADER_BYTES) is not None
