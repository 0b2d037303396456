"""Images by their first bytes: which format it is and how large, without decoding a pixel."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from struct import unpack_from
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_SEGMENTS = 1_000
"""JPEG segments that are passed over on the way to the size; cameras write some dozen."""


@dataclass(frozen=True, slots=True)
class ImageFacts:
    """What the header of an image says.

    Attributes:
        media_type: By its magic bytes, whatever was declared.
        width: In pixels.
        height: In pixels.
    """

    media_type: str
    _: KW_ONLY
    width: int
    height: int


def image_size(body: bytes) -> ImageFacts | None:
    """Format and size of a JPEG, PNG, GIF or WebP image; None for all else, and for one cut before its size."""
    for magic, media_type, read in _FORMATS:
        if body.startswith(magic):
            width, height = read(body) or (0, 0)
            return ImageFacts(media_type, width=width, height=height) if width and height else None
    return None


_Size = tuple[int, int]

_PNG_MAGIC = b"\x89PNG\r\n\x1a\n"
_PNG_SIZE_END = 24
_GIF_SIZE_END = 10
_WEBP_SIZE_END = 30
_JPEG_FRAME_BYTES = 9
# ITU-T T.81 table B.1: start of frame, without the three codes between that mean tables; no segment has a length in
# restart markers, TEM and start of image.
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_BARE = frozenset((0x01, *range(0xD0, 0xD9)))
_END = frozenset((0xD9, 0xDA))  # end of image, start of scan
_FILL = 0xFF


def _png(body: bytes) -> _Size | None:
    """The header chunk comes first (W3C PNG, section 5.6)."""
    if len(body) < _PNG_SIZE_END or body[12:16] != b"IHDR":
        return None
    width, height = unpack_from(">II", body, 16)
    return width, height


def _gif(body: bytes) -> _Size | None:
    """The logical screen (GIF89a, section 18)."""
    if len(body) < _GIF_SIZE_END:
        return None
    width, height = unpack_from("<HH", body, 6)
    return width, height


def _jpeg(body: bytes) -> _Size | None:
    for marker, place in _segments(body):
        if marker in _START_OF_FRAME:
            if place + _JPEG_FRAME_BYTES - 2 > len(body):
                return None
            height, width = unpack_from(">HH", body, place + 3)
            return width, height
    return None


def _segments(body: bytes) -> Iterator[tuple[int, int]]:
    """Marker and place of the length of each segment up to the picture itself (ITU-T T.81 section B.1.1)."""
    place = 2
    for _ in range(MAX_SEGMENTS):
        place = body.find(_FILL, place)  # tolerates bytes between segments, as decoders do
        while place >= 0 and body[place : place + 1] == b"\xff":
            place += 1
        if place < 0 or place + 3 > len(body) or body[place] in _END:
            return
        marker, place = body[place], place + 1
        if marker in _BARE or marker == 0:
            continue
        yield marker, place
        place += max(2, unpack_from(">H", body, place)[0])


def _webp(body: bytes) -> _Size | None:
    """RFC 9649: lossy (section 2.5), lossless (2.6) and extended (2.7) files."""
    if len(body) < _WEBP_SIZE_END or body[8:12] != b"WEBP":
        return None
    reader = _WEBP_CHUNKS.get(body[12:16])
    return reader(body) if reader else None


def _webp_lossy(body: bytes) -> _Size | None:
    if body[23:26] != b"\x9d\x01\x2a":  # start code of a key frame (RFC 6386 section 9.1)
        return None
    width, height = unpack_from("<HH", body, 26)
    return width & 0x3FFF, height & 0x3FFF


def _webp_lossless(body: bytes) -> _Size | None:
    if body[20] != 0x2F:  # noqa: PLR2004 - the signature byte (RFC 9649 section 3.4)
        return None
    (bits,) = unpack_from("<I", body, 21)
    return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1


def _webp_extended(body: bytes) -> _Size | None:
    return int.from_bytes(body[24:27], "little") + 1, int.from_bytes(body[27:30], "little") + 1


_WEBP_CHUNKS = {b"VP8 ": _webp_lossy, b"VP8L": _webp_lossless, b"VP8X": _webp_extended}

_FORMATS: tuple[tuple[bytes, str, Callable[[bytes], _Size | None]], ...] = (
    (b"\xff\xd8\xff", "image/jpeg", _jpeg),
    (_PNG_MAGIC, "image/png", _png),
    (b"GIF87a", "image/gif", _gif),
    (b"GIF89a", "image/gif", _gif),
    (b"RIFF", "image/webp", _webp),
)
