"""Values of the image cache."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads the annotations

from msgspec import Struct


class CachedImage(Struct, frozen=True, kw_only=True):
    """An image as it was put in.

    Attributes:
        id: SHA-256 of the bytes, in hexadecimal.
        media_type: What the bytes are: ``image/png``, ``image/jpeg``, ``image/gif`` or ``image/webp``.
        width: In pixels, as the header of the image says.
        height: Likewise.
        source_url: Where it came from, or empty.
        stored_at: When it was put in, in UTC.
        body: The bytes.
    """

    id: str
    media_type: str
    width: int
    height: int
    source_url: str
    stored_at: datetime
    body: bytes

    def __repr__(self) -> str:
        size = f"{self.width}x{self.height}, {len(self.body)} bytes"
        return f"CachedImage(id={self.id!r}, {self.media_type}, {size})"


class Preview(Struct, frozen=True, kw_only=True):
    """An image drawn anew, smaller, without metadata.

    Attributes:
        media_type: ``image/jpeg``, or ``image/png`` when some of it is transparent.
        width: In pixels.
        height: In pixels.
        body: The bytes.
    """

    media_type: str
    width: int
    height: int
    body: bytes

    def __repr__(self) -> str:
        return f"Preview({self.media_type}, {self.width}x{self.height}, {len(self.body)} bytes)"
