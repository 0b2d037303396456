from __future__ import annotations

import gzip
import zlib

import brotli  # type: ignore[import-untyped]
import pytest

from webward.core.decompression import FORMATS, PIECE_BYTES, BrokenCodingError, Format, Members, Where

ZEROS = bytes(3 << 20)
GZIP = FORMATS["gzip"][0]
ZLIB, RAW_DEFLATE = FORMATS["deflate"]
BROTLI = FORMATS["br"][0]
RAW_ENGINE = zlib.compressobj(wbits=-zlib.MAX_WBITS)


@pytest.mark.parametrize(
    ("form", "wire", "most"),
    [
        (GZIP, gzip.compress(ZEROS), PIECE_BYTES),
        (ZLIB, zlib.compress(ZEROS), PIECE_BYTES),
        (RAW_DEFLATE, RAW_ENGINE.compress(ZEROS) + RAW_ENGINE.flush(), PIECE_BYTES),
        (BROTLI, brotli.compress(ZEROS), PIECE_BYTES * 3 // 2),
    ],
    ids=["gzip", "zlib", "raw deflate", "br"],
)
def test_no_call_gives_more_than_a_piece(form: Format, wire: bytes, most: int) -> None:
    members = Members(form)
    pieces = [len(piece) for piece in members.decode(wire)]
    assert sum(pieces) == len(ZEROS)
    assert max(pieces) <= most
    assert members.where is Where.BETWEEN


@pytest.mark.parametrize("coding", FORMATS)
def test_a_foreign_beginning_breaks(coding: str) -> None:
    with pytest.raises(BrokenCodingError):
        list(Members(FORMATS[coding][0]).decode(b"<!doctype html>"))


def test_the_place_in_a_stream_is_known() -> None:
    members = Members(GZIP)
    wire = gzip.compress(b"one")
    steps = [(wire[:9], Where.INSIDE), (wire[9:], Where.BETWEEN), (b"\0\x1f", Where.BETWEEN), (b"!", Where.GARBAGE)]
    for data, where in steps:
        list(members.decode(data))
        assert members.where is where


def test_half_a_signature_at_the_end_is_garbage() -> None:
    members = Members(GZIP)
    list(members.decode(gzip.compress(b"one") + b"\x1f"))
    before = members.where
    members.end()
    assert (before, members.where) == (Where.BETWEEN, Where.GARBAGE)
