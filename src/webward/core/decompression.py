"""Decoders for single content codings, none of which gives more than one piece a call.

Knows what a coding's stream begins with, how its members follow each other, and what comes after the last one.
"""

from __future__ import annotations

import sys
import zlib
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

PIECE_BYTES = 64 * 1024
"""What one call of a decoder may give; brotli overshoots by half, since it ends at a block of its own."""

MEMBERS_MAX = 1024
"""Members of gzip, frames of zstd. Blocked gzip holds 64 KiB in a member: enough for the body's ceiling of 50 MiB."""

WINDOW_LOG_MAX = 23
"""A zstd frame that asks for more than 8 MiB is not for the web (RFC 9659 section 3)."""

NOISE_BYTES = 64
"""Brotli and raw deflate have no signature: text that is labeled so gives a little noise before it breaks."""

_GZIP_WBITS = 16 + zlib.MAX_WBITS


class BrokenCodingError(Exception):
    """A decoder met bytes that are not of its coding."""


class Engine(Protocol):
    """A decoder of one member: `pending` when more output waits, `ended` after the end marker, `rest` behind it."""

    pending: bool
    ended: bool
    rest: bytes

    def decode(self, data: bytes) -> bytes:
        """At most a piece of output; with no data, more of what is pending."""
        ...


class _Zlib:
    def __init__(self, wbits: int) -> None:
        self._engine = zlib.decompressobj(wbits)
        self.pending = self.ended = False
        self.rest = b""

    def decode(self, data: bytes) -> bytes:
        try:
            piece = self._engine.decompress(self._engine.unconsumed_tail + data, PIECE_BYTES)
        except zlib.error as error:
            raise BrokenCodingError from error
        self.pending = bool(self._engine.unconsumed_tail) or len(piece) == PIECE_BYTES
        self.ended, self.rest = self._engine.eof, self._engine.unused_data
        return piece


class _Brotli:
    def __init__(self) -> None:
        import brotli  # type: ignore[import-untyped]  # noqa: PLC0415 loaded when needed: starting up must stay quick

        self._engine, self._error = brotli.Decompressor(), brotli.error
        self.pending = self.ended = False
        self.rest = b""  # never known: what follows the end in one call is an error to this library

    def decode(self, data: bytes) -> bytes:
        try:
            piece: bytes = self._engine.process(data, output_buffer_limit=PIECE_BYTES)
        except self._error as error:
            raise BrokenCodingError from error
        # The library says that it accepts more while a full piece may still be behind the one it gave.
        self.pending = not self._engine.can_accept_more_data() or len(piece) >= PIECE_BYTES
        self.ended = self._engine.is_finished()
        return piece


class _Zstd:
    def __init__(self) -> None:
        if sys.version_info >= (3, 14):
            from compression import zstd  # noqa: PLC0415 as brotli
        else:
            from backports import zstd  # noqa: PLC0415 as brotli

        self._engine = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: WINDOW_LOG_MAX})
        self._error = zstd.ZstdError
        self.pending = self.ended = False
        self.rest = b""

    def decode(self, data: bytes) -> bytes:
        try:
            piece = self._engine.decompress(data, max_length=PIECE_BYTES)
        except self._error as error:
            raise BrokenCodingError from error
        self.pending = not self._engine.needs_input
        self.ended, self.rest = self._engine.eof, self._engine.unused_data
        return piece


@dataclass(frozen=True, slots=True)
class Format:
    """A way to read a coding.

    Attributes:
        engine: Makes a decoder for one member.
        signatures: What a member may begin with, all of one length; empty when anything may.
        noise_bytes: Within so many bytes of the wire, output does not show that the coding is the right one.
        many: Whether members may follow each other.
    """

    engine: Callable[[], Engine]
    signatures: tuple[bytes, ...] = ()
    noise_bytes: int = 0
    many: bool = False

    def may_begin(self, head: bytes) -> bool:
        """Whether these first bytes, as many as there are, agree with a signature."""
        return any(signature.startswith(head[: len(signature)]) for signature in self.signatures)


_ZSTD_SIGNATURES = (b"\x28\xb5\x2f\xfd", *(bytes([low]) + b"\x2a\x4d\x18" for low in range(0x50, 0x60)))
"""A frame, and the sixteen kinds of skippable frame (RFC 8878 sections 3.1.1 and 3.1.2)."""

FORMATS: dict[str, tuple[Format, ...]] = {
    "gzip": (Format(lambda: _Zlib(_GZIP_WBITS), signatures=(b"\x1f\x8b",), many=True),),
    # RFC 9110 section 8.4.1.2: some servers send deflate without the zlib wrapper. 0x78 is the 32 KiB window.
    "deflate": (
        Format(lambda: _Zlib(zlib.MAX_WBITS), signatures=(b"\x78",)),
        Format(lambda: _Zlib(-zlib.MAX_WBITS), noise_bytes=NOISE_BYTES),
    ),
    "br": (Format(_Brotli, noise_bytes=NOISE_BYTES),),
    "zstd": (Format(_Zstd, signatures=_ZSTD_SIGNATURES, many=True),),
}


class Where(Enum):
    """The place in a stream of members."""

    INSIDE = auto()
    BETWEEN = auto()
    GARBAGE = auto()
    TOO_MANY = auto()


class Members:
    """The members of one stream, one after the other, and where in it we are."""

    def __init__(self, form: Format) -> None:
        self.where = Where.INSIDE
        self._form = form
        self._engine = form.engine()
        self._head = b""
        self._count = 1

    def decode(self, data: bytes) -> Iterator[bytes]:
        """The output of these bytes, piece by piece.

        Raises:
            BrokenCodingError: The bytes are not of this coding.
        """
        while data and self.where in (Where.INSIDE, Where.BETWEEN):
            data = (yield from self._inside(data)) if self.where is Where.INSIDE else self._between(data)

    def _inside(self, data: bytes) -> Generator[bytes, None, bytes]:
        """Give output up to the end of the member or of the data. Returns what is behind the member."""
        while True:
            if piece := self._engine.decode(data):
                yield piece
            if self._engine.ended:
                self.where = Where.BETWEEN
                return self._engine.rest
            if not self._engine.pending:
                return b""
            data = b""

    def _between(self, data: bytes) -> bytes:
        """Look behind a member. Returns what the next one begins with."""
        # gzip(1) skips zeros there, which tapes and block devices need; anything else is no part of the body.
        self._head = (self._head + data).lstrip(b"\0")
        if not self._head:
            return b""
        if not self._form.many or not self._form.may_begin(self._head):
            self.where = Where.GARBAGE
        elif len(self._head) >= len(self._form.signatures[0]):
            return self._begin()
        return b""

    def _begin(self) -> bytes:
        self._count += 1
        if self._count > MEMBERS_MAX:
            self.where = Where.TOO_MANY
            return b""
        head, self._head = self._head, b""
        self.where, self._engine = Where.INSIDE, self._form.engine()
        return head

    def end(self) -> None:
        """Say that nothing follows: a part of a signature was none."""
        if self.where is Where.BETWEEN and self._head:
            self.where = Where.GARBAGE
