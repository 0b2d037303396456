"""Bytes to text: which charset a body is in, by evidence first and by label second.

A browser obeys a wrong label; a reader should not. WHATWG Encoding names throughout, never Python's own codecs.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

# Importing the detector also registers the "whatwg-<name>" codecs: the standard's decoders, which put U+FFFD for
# malformed bytes and never raise.
from turbohtml.detect import detect

from webward.content.labels import ENCODINGS, UTF_16, encoding_for

if TYPE_CHECKING:
    from collections.abc import Iterator

REPLACEMENT = "\ufffd"

GOOD_PER_BAD_SEQUENCE = 20
"""Multi-byte characters for each bad sequence that make broken UTF-8 still UTF-8: text of another charset has none."""

CHARS_PER_REPLACEMENT = 200
"""A label is believed when at most one character in so many (0.5 %) had to be replaced."""

PRESCAN_BYTES = 4096
"""How far a declaration inside the body is looked for: pages put scripts before it, browsers stop at 1024."""

SAMPLE_BYTES = 64 * 1024
"""What the detector sees: enough text on any page, and some 10 ms at most."""

TRIM_BYTES = 256
"""How far back a sample is cut to end between characters: half a character at its end misleads the detector."""

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
)
_STRICT_CODECS = {"utf-8": "utf-8", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}

# Labels that step 4 never follows: what the bytes have refuted by then, and what decodes to no readable text.
_LEGACY = ENCODINGS - UTF_16 - {"utf-8", "replacement", "x-user-defined"}
_LAST_RESORT = "windows-1252"

_ESCAPE = 0x1B
_HIGH_BYTES = bytes(range(0x80, 0x100))
_BEYOND_ASCII = re.compile("[^\x00-\x7f\ufffd]")

# The detector looks for a meta label in the first 1024 bytes and would obey it; blanks there make it judge the text.
_BLINDFOLD = b" " * 1024

_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"<meta[\s/][^>]*", re.IGNORECASE)
_OTHER_META = re.compile(rb"[\s\"'/](?:name|property|itemprop)\s*=", re.IGNORECASE)
_META_CHARSET = re.compile(rb"(?<![\w-])charset\s*=\s*[\"']?\s*([^\s\"'/>;]+)", re.IGNORECASE)
_XML_DECLARATION = re.compile(rb"\s*<\?xml\s[^>]*?\sencoding\s*=\s*[\"']\s*([^\s\"'>]+)")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A body as text.

    Attributes:
        text: Without a byte order mark.
        charset: WHATWG name of the encoding, in lower case.
        guessed: Whether neither the bytes nor a label settled the charset.
        replaced: Whether bytes that are no character were replaced by U+FFFD.
    """

    text: str
    _: KW_ONLY
    charset: str
    guessed: bool
    replaced: bool


def decode(body: bytes, *, label: str | None, html: bool) -> Decoded:
    """Decode a body by six steps, each taken when the one before did not settle it.

    (1) A byte order mark. (2) Valid UTF-8, whatever the label says, unless it is 7-bit text with ISO-2022-JP escapes
    that read well. (3) UTF-8 with few bad sequences. (4) The label of the transport, then the one in the body, if the
    text reads well by it. (5) A detector over the text. (6) windows-1252.

    Args:
        body: The body after content decoding.
        label: The charset parameter of the media type, if there is one.
        html: Whether a meta label inside the body counts (HTML standard, "prescan a byte stream").
    """
    for mark, charset in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return _decode_as(body[len(mark) :], charset)
    return (
        _decode_escaped(body, label, html=html) or _decode_wide(body, label) or _decode_marked(body, label, html=html)
    )


def _decode_marked(body: bytes, label: str | None, *, html: bool) -> Decoded:
    """Steps 2 to 6, for a body without marks, escapes or two-byte units."""
    try:
        return Decoded(body.decode("utf-8"), charset="utf-8", guessed=False, replaced=False)
    except UnicodeDecodeError as error:
        first_bad = error.start
    return (
        _decode_damaged(body)
        or _decode_labeled(body, label, html=html)
        or _decode_as(body, _detected(body, first_bad), guessed=True)
    )


def _decode_as(body: bytes, charset: str, *, guessed: bool = False) -> Decoded:
    """Decode by one encoding, with U+FFFD for what is malformed."""
    if charset in _STRICT_CODECS:  # a strict pass first: a U+FFFD that the page itself holds is no damage
        try:
            text = body.decode(_STRICT_CODECS[charset])
        except UnicodeDecodeError:
            pass
        else:
            return Decoded(text, charset=charset, guessed=guessed, replaced=False)
    text = body.decode(f"whatwg-{charset}")
    return Decoded(text, charset=charset, guessed=guessed, replaced=REPLACEMENT in text)


def _reads_well(text: str) -> bool:
    return text.count(REPLACEMENT) * CHARS_PER_REPLACEMENT <= len(text)


def _decode_escaped(body: bytes, label: str | None, *, html: bool) -> Decoded | None:
    """ISO-2022-JP is 7-bit and so always valid UTF-8: its escapes are asked for before step 2."""
    # One byte is sought before two: a search for two costs six times the decode itself.
    if _ESCAPE not in body or not (b"\x1b$" in body or b"\x1b(" in body) or not body.isascii():
        return None
    decoded = _decode_as(body, "iso-2022-jp", guessed="iso-2022-jp" not in _declared(body, label, html=html))
    # Logs of a terminal hold such escapes too, and nothing but ASCII between them.
    return decoded if _reads_well(decoded.text) and _BEYOND_ASCII.search(decoded.text) else None


def _decode_wide(body: bytes, label: str | None) -> Decoded | None:
    """UTF-16 without a mark: its ASCII would pass for UTF-8 full of NUL, so the label of the transport is heard."""
    charset = encoding_for(label) if label is not None else None
    if charset not in UTF_16 or b"\0" not in body:
        return None
    decoded = _decode_as(body, charset)
    return decoded if _reads_well(decoded.text) else None


def _decode_damaged(body: bytes) -> Decoded | None:
    """UTF-8 with a bad byte here and there, or cut in the middle of a character."""
    text = body.decode("utf-8", "replace")
    bad = text.count(REPLACEMENT)
    ascii_bytes = len(body.translate(None, _HIGH_BYTES))
    if len(text) - ascii_bytes - bad < GOOD_PER_BAD_SEQUENCE * bad:
        return None
    return Decoded(text, charset="utf-8", guessed=True, replaced=True)


def _decode_labeled(body: bytes, label: str | None, *, html: bool) -> Decoded | None:
    for charset in _declared(body, label, html=html):
        if charset in _LEGACY:
            decoded = _decode_as(body, charset)
            if _reads_well(decoded.text):
                return decoded
    return None


def _declared(body: bytes, label: str | None, *, html: bool) -> Iterator[str]:
    """Encodings that are declared, the most trusted first; names that are no labels are passed over."""
    if label is not None:
        yield from _known(label)
    head = body[:PRESCAN_BYTES]
    if html:
        for tag in _META.findall(_COMMENT.sub(b"", head)):
            found = _META_CHARSET.search(tag)
            if found and not _OTHER_META.search(tag):
                yield from _known(found[1].decode("latin-1"))
    if found := _XML_DECLARATION.match(head):
        yield from _known(found[1].decode("latin-1"))


def _known(label: str) -> Iterator[str]:
    charset = encoding_for(label)
    if charset is not None:
        yield charset


def _detected(body: bytes, first_bad: int) -> str:
    """Encoding that the detector sees in a sample that holds the first bytes that are no UTF-8."""
    begin = 0 if first_bad < SAMPLE_BYTES // 2 else first_bad
    match = detect(_BLINDFOLD + _trimmed(body[begin : begin + SAMPLE_BYTES]))
    charset = (match.encoding or _LAST_RESORT).lower()
    return charset if charset in _LEGACY else _LAST_RESORT


def _trimmed(sample: bytes) -> bytes:
    """Cut a sample behind its last blank or tag, when it ends in a byte that may be half a character."""
    if sample[-1] < _HIGH_BYTES[0]:
        return sample
    end = 1 + max(sample.rfind(mark, -TRIM_BYTES) for mark in (b"\n", b" ", b">"))
    kept = sample[:end]
    return sample if kept.isascii() else kept
