"""Images for tests, good ones and liars."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import Any

from PIL import Image

FORMATS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WEBP"}


def picture(media_type: str = "image/png", size: tuple[int, int] = (8, 6), color: Any = "red", **options: Any) -> bytes:
    """An image of one color."""
    file = BytesIO()
    mode = options.pop("mode", "RGB")
    Image.new(mode, size, color).save(file, FORMATS[media_type], **options)
    return file.getvalue()


def numbered(number: int) -> bytes:
    """A small image unlike that of another number, and of the same length."""
    return picture(size=(2, 2), color=(number & 255, number >> 8 & 255, number >> 16), compress_level=0)


def png_of(width: int, height: int) -> bytes:
    """A PNG file whose header tells of a size, and that holds next to nothing."""
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
            (b"IDAT", zlib.compress(b"\0")),
            (b"IEND", b""),
        )
    )


def gif_of(width: int, height: int, frame: tuple[int, int]) -> bytes:
    """A GIF file whose frame has another size than its screen."""
    screen = struct.pack("<HHBBB", width, height, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff"
    return b"GIF89a" + screen + b"," + struct.pack("<HHHHB", 0, 0, *frame, 0) + b"\x02\x02\x44\x01\0;"


def jpeg_of(width: int, height: int) -> bytes:
    """A JPEG file whose frame header tells of a size."""
    good = picture("image/jpeg")
    at = good.index(b"\xff\xc0") + 5
    return good[:at] + struct.pack(">HH", height, width) + good[at + 4 :]


def webp_of(width: int, height: int) -> bytes:
    """A WebP file whose canvas has a size, and that holds nothing."""
    data = b"\0\0\0\0" + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    chunk = b"VP8X" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(chunk) + 4) + b"WEBP" + chunk
