"""What an image is, by its bytes alone, and how it looks drawn anew; needs the extra ``images``.

Pillow's readers are called by the format that the first bytes tell, so that no other of its many is ever reached.
"""
# ruff: noqa: PLC0415 - Pillow is an extra

from __future__ import annotations

import re
import struct
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from webward.errors import BodyTooLarge, ContentUndecodable, UnsupportedContent
from webward.model import Preview

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL.Image import Image
    from PIL.ImageFile import ImageFile

Given = TypeVar("Given")

PNG, JPEG, GIF, WEBP = "image/png", "image/jpeg", "image/gif", "image/webp"
JPEG_QUALITY = 85
MAX_READS = 50_000  # of one file; 5 MB in chunks of 1 KB take 20,000

_SIGNATURES = {
    PNG: re.compile(rb"\x89PNG\r\n\x1a\n"),
    JPEG: re.compile(rb"\xff\xd8\xff"),
    GIF: re.compile(rb"GIF8[79]a"),
    WEBP: re.compile(rb"RIFF....WEBPVP", re.DOTALL),
}
_14_BITS = 0x3FFF
# What Pillow's readers raise for bytes that are not what they should be.
_UNREADABLE = (OSError, SyntaxError, ValueError, EOFError, LookupError, TypeError, ArithmeticError, struct.error)


class _File(BytesIO):
    """The bytes for a reader of Pillow's; a file of a million empty chunks would keep one busy for ten seconds."""

    def __init__(self, body: bytes) -> None:
        super().__init__(body)
        self._reads = 0

    def read(self, size: int | None = -1, /) -> bytes:
        """Read on, unless that was done too often."""
        self._reads += 1
        if self._reads > MAX_READS:
            raise OSError("the file has too many parts")
        return super().read(size)


class Picture(NamedTuple):
    """What the bytes of an image say of it."""

    media_type: str
    width: int
    height: int


def picture_of(body: bytes, max_pixels: int) -> Picture:
    """What an image is, by its first bytes and its header; nothing of it is drawn.

    Raises:
        UnsupportedContent: It begins like no PNG, JPEG, GIF or WebP file, or the extra is not installed.
        ContentUndecodable: It begins like one and is none.
        BodyTooLarge: It has too many pixels.
    """
    media_type = _media_type(body)
    if media_type == WEBP:
        _require_pixels(*_webp_size(body), max_pixels)  # its reader takes memory for all pixels at once
    width, height = _read(media_type, lambda: _readers()[media_type](_File(body)).size)
    _require_pixels(width, height, max_pixels)
    return Picture(media_type, width, height)


def preview_of(body: bytes, max_pixels: int, max_side: int) -> Preview:
    """An image drawn anew: its first frame, upright, with no side longer than that, and nothing of its metadata.

    Raises:
        ContentUndecodable: It cannot be drawn.
        WebwardError: As `picture_of`.
    """
    media_type = picture_of(body, max_pixels).media_type
    return _read(media_type, lambda: _drawn(_readers()[media_type](_File(body)), max_side))


def _media_type(body: bytes) -> str:
    for media_type, signature in _SIGNATURES.items():
        if signature.match(body):
            return media_type
    raise UnsupportedContent("the bytes are no PNG, JPEG, GIF or WebP image")


def _webp_size(body: bytes) -> tuple[int, int]:
    """Width and height, as RFC 9649 has them in the first chunk of a file; zeros where it has none."""
    kind, head = body[12:16], body[:30].ljust(30, b"\0")
    if kind == b"VP8X":
        return 1 + int.from_bytes(head[24:27], "little"), 1 + int.from_bytes(head[27:30], "little")
    if kind == b"VP8L":
        bits = int.from_bytes(head[21:25], "little")
        return 1 + (bits & _14_BITS), 1 + (bits >> 14 & _14_BITS)
    width, height = int.from_bytes(head[26:28], "little"), int.from_bytes(head[28:30], "little")
    return width & _14_BITS, height & _14_BITS


def _require_pixels(width: int, height: int, max_pixels: int) -> None:
    if width * height > max_pixels:
        problem = f"an image of {width} x {height} pixels has more than store.images.image-pixels ({max_pixels})"
        raise BodyTooLarge(problem, setting="store.images.image-pixels")


def _readers() -> dict[str, type[ImageFile]]:
    try:
        from PIL.GifImagePlugin import GifImageFile
        from PIL.JpegImagePlugin import JpegImageFile
        from PIL.PngImagePlugin import PngImageFile
        from PIL.WebPImagePlugin import WebPImageFile
    except ImportError:
        message = "keeping images needs the extra images: pip install 'webward[images]'"
        raise UnsupportedContent(message) from None
    return {PNG: PngImageFile, JPEG: JpegImageFile, GIF: GifImageFile, WEBP: WebPImageFile}


def _read(media_type: str, work: Callable[[], Given]) -> Given:
    from PIL.Image import DecompressionBombError, DecompressionBombWarning

    try:
        return work()
    except (DecompressionBombError, DecompressionBombWarning):
        raise BodyTooLarge("the image has far too many pixels", setting="store.images.image-pixels") from None
    except _UNREADABLE:
        raise ContentUndecodable(f"the bytes begin like {media_type} and cannot be read as such") from None


def _drawn(image: Image, max_side: int) -> Preview:
    from PIL.ImageOps import exif_transpose

    image.draft("RGB", (max_side, max_side))  # a JPEG is then decoded at a fraction of its size
    upright = exif_transpose(image)
    media_type, mode, format_name = (PNG, "RGBA", "PNG") if image.has_transparency_data else (JPEG, "RGB", "JPEG")
    drawn = upright.convert(mode)
    drawn.thumbnail((max_side, max_side))
    drawn.info = {}  # from here Pillow would write profile, comment and the like
    file = BytesIO()
    drawn.save(file, format_name, quality=JPEG_QUALITY)
    return Preview(media_type=media_type, width=drawn.width, height=drawn.height, body=file.getvalue())
