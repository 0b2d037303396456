"""Content codings of servers that attack, and of servers that are merely odd, over real sockets."""

from __future__ import annotations

import gzip
import sys
import tracemalloc
import zlib
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

import brotli  # type: ignore[import-untyped]
import pytest

from webward.errors import ContentUndecodable
from webward.testing import Close, LoopbackWeb, Send

if TYPE_CHECKING:
    from collections.abc import Iterator

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MIB = 1 << 20
BOMB_MIB = 512
HUGE_BOMB_MIB = 10 * 1024
MEMORY_MIB = 32  # what a bomb may cost
MAX_BYTES = 5 * MIB
CODED = b"one two " * 30
URL = "http://site.test/"


class Zeros:
    """Mebibytes of zeros, through a coding."""

    def __init__(self, coding: str) -> None:
        if coding == "br":
            engine = brotli.Compressor(quality=1)
            self._step, self._finish = engine.process, engine.finish
        elif coding == "zstd":
            frames = zstd.ZstdCompressor(level=1)
            self._step, self._finish = frames.compress, frames.flush
        else:
            stream = zlib.compressobj(1, zlib.DEFLATED, 31 if coding == "gzip" else 15)
            self._step, self._finish = stream.compress, stream.flush

    def through(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        yield from map(self._step, pieces)
        yield self._finish()


@cache
def bomb(codings: str) -> bytes:
    pieces = (bytes(MIB) for _ in range(BOMB_MIB))
    for coding in codings.split(", "):
        pieces = Zeros(coding).through(pieces)  # type: ignore[assignment]
    return b"".join(pieces)


@contextmanager
def bounded_memory() -> Iterator[None]:
    """Demand that what Python allocates meanwhile stays small; the peak of the process would hide behind older ones."""
    tracemalloc.start()
    try:
        yield
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_bytes < MEMORY_MIB * MIB


@pytest.mark.parametrize("codings", ["gzip", "deflate", "br", "zstd", "gzip, gzip"])
async def test_a_bomb_is_cut_and_costs_little(codings: str) -> None:
    async with LoopbackWeb() as web:
        web.page(URL, bomb(codings), headers=[("Content-Type", "text/plain"), ("Content-Encoding", codings)])
        async with web.gateway() as gateway:
            with bounded_memory():
                fetched = await gateway.fetch(URL, max_bytes=MAX_BYTES)
    assert fetched.body_bytes == len(fetched.body) == MAX_BYTES
    assert fetched.truncated
    assert fetched.wire_bytes <= len(bomb(codings))


async def test_a_bomb_of_ten_gibibytes_is_cut_and_costs_little() -> None:
    stream = zlib.compressobj(9, zlib.DEFLATED, 31)
    head = stream.compress(bytes(MIB)) + stream.flush(zlib.Z_FULL_FLUSH)
    block = stream.compress(bytes(MIB)) + stream.flush(zlib.Z_FULL_FLUSH)  # stands alone, so it can be said again
    async with LoopbackWeb() as web:
        headers = [("Content-Type", "text/plain"), ("Content-Encoding", "gzip")]
        web.page(URL, head + block * (HUGE_BOMB_MIB - 1), headers=headers)
        async with web.gateway() as gateway:
            with bounded_memory():
                fetched = await gateway.fetch(URL, max_bytes=MAX_BYTES)
    assert (len(fetched.body), fetched.truncated) == (MAX_BYTES, True)


def raw_deflate(data: bytes) -> bytes:
    stream = zlib.compressobj(9, zlib.DEFLATED, -15)
    return stream.compress(data) + stream.flush()


@pytest.mark.parametrize(
    ("coding", "body", "expected", "notes", "truncated"),
    [
        ("deflate", zlib.compress(CODED), CODED, (), False),
        ("deflate", raw_deflate(CODED), CODED, (), False),
        ("gzip", gzip.compress(b"one ") + gzip.compress(b"two"), b"one two", (), False),
        ("gzip", gzip.compress(b"a") * 1025, b"a" * 1024, ("too-many-members",), True),
        ("gzip", gzip.compress(b"hello") + b"junk", b"hello", ("trailing-garbage",), False),
    ],
    ids=["zlib", "raw deflate", "two members", "1025 members", "junk at the end"],
)
async def test_an_odd_coding_is_understood(
    coding: str, body: bytes, expected: bytes, notes: tuple[str, ...], *, truncated: bool
) -> None:
    async with LoopbackWeb() as web:
        web.page(URL, body, headers=[("Content-Type", "text/plain"), ("Content-Encoding", coding)])
        async with web.gateway() as gateway:
            fetched = await gateway.fetch(URL)
    assert (fetched.body, tuple(fetched.notes), fetched.truncated) == (expected, notes, truncated)


@pytest.mark.parametrize("codings", ["gzip", "br"])
async def test_a_bomb_in_a_redirect_is_not_decoded(codings: str) -> None:
    async with LoopbackWeb() as web:
        headers = [("Location", "/there"), ("Content-Encoding", codings)]
        web.page(URL, bomb(codings), status=302, headers=headers)
        web.page(f"{URL}there", "arrived")
        async with web.gateway() as gateway:
            with bounded_memory():
                assert (await gateway.fetch(URL)).text == "arrived"


async def test_a_stack_of_codings_is_refused() -> None:
    async with LoopbackWeb() as web:
        web.page(URL, b"hello", headers=[("Content-Encoding", ", ".join(["gzip"] * 1000))])
        async with web.gateway() as gateway:
            with pytest.raises(ContentUndecodable):
                await gateway.fetch(URL)


async def test_a_coded_body_without_end_or_content_is_cut() -> None:
    head = Send(b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n")
    empty_blocks = b"\x00\x00\x00\xff\xff" * 10_000
    async with LoopbackWeb() as web, web.gateway() as gateway:
        web.script("http://a.test/", head, Send(empty_blocks, times=1000), Close())

        fetched = await gateway.fetch("http://a.test/", max_bytes=1000)

    assert fetched.truncated
    assert fetched.wire_bytes < 1_000_000
