from __future__ import annotations

from struct import pack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.content.images import ImageFacts, image_size

PNG = b"\x89PNG\r\n\x1a\n" + pack(">I4sII", 13, b"IHDR", 640, 480) + b"\x08\x06\0\0\0"
GIF = b"GIF89a" + pack("<HH", 32, 16) + b"\0\0\0"
EXIF = b"\xff\xe1" + pack(">H", 6 + 2) + b"Exif\0\0"
TABLES = b"\xff\xc4" + pack(">H", 4) + b"\0\0"
FRAME = pack(">HBHHB", 17, 8, 300, 400, 3) + b"\0" * 9


def jpeg(*segments: bytes) -> bytes:
    return b"\xff\xd8" + b"".join(segments) + b"\xff\xda\0\x0c"


def webp(chunk: bytes, data: bytes) -> bytes:
    return b"RIFF" + pack("<I", len(data) + 12) + b"WEBP" + chunk + pack("<I", len(data)) + data + b"\0" * 16


LOSSY = webp(b"VP8 ", b"\x10\0\0\x9d\x01\x2a" + pack("<HH", 100 | 0x4000, 50))
LOSSLESS = webp(b"VP8L", b"\x2f" + pack("<I", 99 | 49 << 14))
EXTENDED = webp(b"VP8X", b"\0\0\0\0" + (1999).to_bytes(3, "little") + (999).to_bytes(3, "little"))

IMAGES = [
    ("png", PNG, ("image/png", 640, 480)),
    ("gif", GIF, ("image/gif", 32, 16)),
    ("gif-87", b"GIF87a" + GIF[6:], ("image/gif", 32, 16)),
    ("jpeg", jpeg(b"\xff\xe0\0\x04ab", b"\xff\xc0" + FRAME), ("image/jpeg", 400, 300)),
    ("jpeg-progressive", jpeg(EXIF, TABLES, b"\xff\xc2" + FRAME), ("image/jpeg", 400, 300)),
    ("jpeg-with-fill", jpeg(b"\xff\xff\xff\xe0\0\x04ab", b"\xff\xff\xc1" + FRAME), ("image/jpeg", 400, 300)),
    ("jpeg-frame-inside-a-segment", jpeg(b"\xff\xe1\0\x06\xff\xc0\0\0", b"\xff\xc0" + FRAME), ("image/jpeg", 400, 300)),
    ("webp-lossy", LOSSY, ("image/webp", 100, 50)),
    ("webp-lossless", LOSSLESS, ("image/webp", 100, 50)),
    ("webp-extended", EXTENDED, ("image/webp", 2000, 1000)),
]


@pytest.mark.parametrize(("body", "expected"), [row[1:] for row in IMAGES], ids=[row[0] for row in IMAGES])
def test_size(body: bytes, expected: tuple[str, int, int]) -> None:
    media_type, width, height = expected

    assert image_size(body) == ImageFacts(media_type, width=width, height=height)


@pytest.mark.parametrize("body", [row[1] for row in IMAGES], ids=[row[0] for row in IMAGES])
def test_cut_anywhere(body: bytes) -> None:
    whole = image_size(body)

    assert all(image_size(body[:length]) in (None, whole) for length in range(len(body)))
    assert image_size(body[:8]) is None


NO_IMAGES = [
    ("empty", b""),
    ("svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
    ("html", b"<!doctype html>"),
    ("bmp", b"BM" + b"\0" * 60),
    ("wave", b"RIFF\0\0\0\0WAVEfmt " + b"\0" * 40),
    ("png-without-header", PNG[:12] + b"IDAT" + PNG[16:]),
    ("png-of-nothing", PNG[:16] + b"\0" * 8),
    ("webp-unknown", webp(b"ALPH", b"\0" * 20)),
    ("webp-no-key-frame", webp(b"VP8 ", b"\0" * 20)),
    ("webp-bad-signature", webp(b"VP8L", b"\0" * 20)),
    ("jpeg-without-frame", jpeg(EXIF)),
    ("jpeg-of-nothing", b"\xff\xd8\xff"),
    ("jpeg-of-fill", b"\xff\xd8" + b"\xff" * 100_000),
    ("jpeg-of-segments", b"\xff\xd8" + b"\xff\xe0\0\0" * 100_000),
]


@pytest.mark.parametrize("body", [row[1] for row in NO_IMAGES], ids=[row[0] for row in NO_IMAGES])
def test_no_image(body: bytes) -> None:
    assert image_size(body) is None


@given(st.sampled_from([b"\xff\xd8\xff", PNG[:12], GIF[:6], LOSSY[:16], EXTENDED[:16]]), st.binary(max_size=64))
def test_any_bytes_are_taken(start: bytes, rest: bytes) -> None:
    facts = image_size(start + rest)

    assert facts is None or (facts.width > 0 and facts.height > 0)
