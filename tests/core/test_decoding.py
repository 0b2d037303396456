from __future__ import annotations

import gzip
import itertools
import random
import subprocess
import sys
import tracemalloc
import zlib
from typing import TYPE_CHECKING

import brotli  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webward.core.decoding import ACCEPT_ENCODING, BETWEEN_SLACK_BYTES, KEPT_BYTES, SLICE_BYTES, BodyDecoder, plan
from webward.core.decompression import MEMBERS_MAX, PIECE_BYTES
from webward.errors import ContentUndecodable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TEXT = b"".join(b"line %d of a page that compresses well\n" % number for number in range(400))
NOISE = random.Random(8).randbytes(300_000)  # noqa: S311 incompressible, and the same in each run
ENOUGH = 5 << 20


def raw_deflate(data: bytes) -> bytes:
    engine = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return engine.compress(data) + engine.flush()


def wide_zstd(data: bytes) -> bytes:
    """A frame that asks for a window of 16 MiB."""
    options: dict[int, int] = {zstd.CompressionParameter.window_log: 24, zstd.CompressionParameter.content_size_flag: 0}
    engine = zstd.ZstdCompressor(options=options)
    return engine.compress(data, mode=zstd.ZstdCompressor.FLUSH_BLOCK) + engine.flush()


ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "raw deflate": raw_deflate,
    "br": brotli.compress,
    "zstd": zstd.compress,
}
CODINGS = sorted(ENCODERS)
PAIRS = list(itertools.product(CODINGS, repeat=2))


def header(*names: str) -> str:
    return ", ".join(name.removeprefix("raw ") for name in names)


def encode(data: bytes, *names: str) -> bytes:
    for name in names:
        data = ENCODERS[name](data)
    return data


def decode(wire: Iterable[bytes], content_encoding: str | None, max_bytes: int = ENOUGH) -> BodyDecoder:
    decoder = BodyDecoder(content_encoding, max_bytes=max_bytes)
    for chunk in wire:
        decoder.feed(chunk)
    decoder.finish()
    return decoder


def pieces(wire: bytes, size: int) -> list[bytes]:
    return [wire[at : at + size] for at in range(0, len(wire), size)]


def outcome(decoder: BodyDecoder) -> tuple[bytes, bool, bool, tuple[str, ...]]:
    return decoder.body, decoder.truncated, decoder.full, decoder.notes


@pytest.mark.parametrize(
    ("value", "codings"),
    [
        ("", ()),
        ("gzip", ("gzip",)),
        ("GZip", ("gzip",)),
        ("x-gzip", ("gzip",)),
        ("identity", ()),
        (" , gzip ,, \tbr", ("gzip", "br")),
        ("identity, gzip, identity", ("gzip",)),
        ("br, gzip", ("br", "gzip")),
        ("aws-chunked", ("aws-chunked",)),
    ],
)
def test_plan_gives_the_codings_in_the_order_applied(value: str, codings: tuple[str, ...]) -> None:
    assert plan(value) == codings


@pytest.mark.parametrize("value", ["gzip, gzip, gzip", ", ".join(["gzip"] * 1000), "foo, bar, baz"])
def test_more_than_two_codings_are_undecodable(value: str) -> None:
    with pytest.raises(ContentUndecodable, match="content codings"):
        plan(value)
    with pytest.raises(ContentUndecodable):
        BodyDecoder(value, max_bytes=1)


@pytest.mark.parametrize("name", CODINGS)
@pytest.mark.parametrize("data", [b"", b"x", TEXT, NOISE], ids=["empty", "byte", "text", "noise"])
def test_one_coding_is_undone(name: str, data: bytes) -> None:
    wire = encode(data, name)
    decoder = decode(pieces(wire, 5000), header(name))
    assert outcome(decoder) == (data, False, False, ())
    assert decoder.wire_bytes == len(wire)
    assert decoder.decoded_bytes == len(data)


@pytest.mark.parametrize("names", PAIRS, ids=", then ".join)
def test_two_codings_are_undone(names: tuple[str, str]) -> None:
    decoder = decode([encode(TEXT, *names)], header(*names))
    assert outcome(decoder) == (TEXT, False, False, ())


@pytest.mark.parametrize("name", ["gzip", "deflate", "raw deflate", "br", "zstd"])
def test_output_that_ends_just_behind_a_full_piece_is_not_lost(name: str) -> None:
    for beyond in range(0, 520, 13):  # a match of deflate gives up to 258 bytes, from bits that are read before
        data = bytes(2 * PIECE_BYTES + beyond)
        assert outcome(decode([encode(data, name)], header(name))) == (data, False, False, ())


@pytest.mark.parametrize("coding", [None, "", "identity", "gzip", "deflate", "br", "zstd", "gzip, br"])
def test_no_bytes_are_an_empty_body_in_any_coding(coding: str | None) -> None:
    assert outcome(decode([], coding)) == (b"", False, False, ())
    assert outcome(decode([b""], coding)) == (b"", False, False, ())


def test_everything_advertised_is_undone() -> None:
    for name in plan(ACCEPT_ENCODING.replace(", br, zstd", "")) + plan("br, zstd"):
        assert name in ACCEPT_ENCODING
        assert decode([encode(TEXT, name)], name).body == TEXT


@pytest.mark.parametrize("coding", ["foo", "foo, gzip", "gzip, foo", "compress"])
def test_an_unknown_coding_gives_the_raw_bytes(coding: str) -> None:
    assert outcome(decode([TEXT], coding)) == (TEXT, False, False, ("unknown-content-coding",))


@pytest.mark.parametrize("name", [None, *CODINGS])
@pytest.mark.parametrize(("room", "truncated"), [(1, False), (0, False), (-1, True), (-15_000, True)])
def test_the_cap_cuts_after_its_last_byte(name: str | None, room: int, truncated: bool) -> None:  # noqa: FBT001 a row
    wire = TEXT if name is None else encode(TEXT, name)
    max_bytes = len(TEXT) + room
    decoder = decode(pieces(wire, 100), None if name is None else header(name), max_bytes)
    assert outcome(decoder) == (TEXT[:max_bytes], truncated, truncated, ())
    assert decoder.decoded_bytes == min(max_bytes, len(TEXT))
    assert decoder.wire_bytes == len(wire)


def test_a_cap_of_nothing_keeps_nothing() -> None:
    assert outcome(decode([TEXT], None, 0)) == (b"", True, True, ())
    assert outcome(decode([b""], None, 0)) == (b"", False, False, ())


@given(
    data=st.binary(max_size=3000) | st.builds(bytes.__mul__, st.binary(max_size=9), st.integers(0, 3000)),
    names=st.lists(st.sampled_from(CODINGS), max_size=2),
    damage=st.sampled_from(["none", "cut", "flip", "tail"]),
    at=st.integers(0, 10_000),
    max_bytes=st.integers(0, 4000),
)
@settings(max_examples=200, deadline=None)
def test_the_cuts_of_the_network_change_nothing(
    data: bytes, names: list[str], damage: str, at: int, max_bytes: int
) -> None:
    wire = bytearray(encode(data, *names))
    if wire and damage == "cut":
        del wire[at % len(wire) :]
    elif wire and damage == "flip":
        wire[at % len(wire)] ^= 0x55
    elif damage == "tail":
        wire += b"tail"
    once = decode([bytes(wire)], header(*names), max_bytes)
    by_byte = decode(pieces(bytes(wire), 1), header(*names), max_bytes)
    assert outcome(once) == outcome(by_byte)
    if damage == "none":
        assert once.body == data[:max_bytes]
        assert once.truncated == (len(data) > max_bytes)
        assert once.notes == ()


def bomb(name: str, mib: int) -> bytes:
    """Zeros, compressed without holding them."""
    block = bytes(1 << 20)
    if name == "br":
        brotli_engine = brotli.Compressor(quality=1)
        parts: list[bytes] = [brotli_engine.process(block) for _ in range(mib)]
        return b"".join([*parts, brotli_engine.finish()])
    if name == "zstd":
        zstd_engine = zstd.ZstdCompressor(level=1)
        return b"".join([*(zstd_engine.compress(block) for _ in range(mib)), zstd_engine.flush()])
    wbits = {"gzip": 31, "deflate": 15, "raw deflate": -15}[name]
    zlib_engine = zlib.compressobj(level=1, wbits=wbits)
    return b"".join([*(zlib_engine.compress(block) for _ in range(mib)), zlib_engine.flush()])


@pytest.mark.parametrize("second", [None, "gzip", "br"], ids=["alone", "in gzip", "in br"])
@pytest.mark.parametrize("name", ["gzip", "deflate", "raw deflate", "br", "zstd"])
def test_a_bomb_gives_the_cap_and_takes_little_memory(name: str, second: str | None) -> None:
    names = [name, second] if second else [name]
    wire = encode(bomb(name, 256), *names[1:])
    max_bytes = 500_000
    tracemalloc.start()
    try:
        decoder = decode([wire], header(*names), max_bytes)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (decoder.decoded_bytes, decoder.truncated, decoder.full) == (max_bytes, True, True)
    # The wire is held once more, the body twice while it grows; the rest is a few pieces for each coding.
    assert peak < 2 * len(wire) + 3 * max_bytes + 8 * len(names) * PIECE_BYTES


@pytest.mark.parametrize("outer", ["gzip", "br", "zstd"])
def test_an_inner_coding_that_gives_nothing_is_cut_off_too(outer: str) -> None:
    empty_blocks = b"\x00\x00\x00\xff\xff" * 2_000_000  # stored blocks of no bytes (RFC 1951 section 3.2.4)
    decoder = decode([encode(empty_blocks, outer)], header("raw deflate", outer), 1000)
    assert outcome(decoder) == (b"", True, True, ())
    assert len(empty_blocks) > 10 * BETWEEN_SLACK_BYTES


@pytest.mark.parametrize("name", ["gzip", "deflate", "raw deflate", "br", "zstd"])
@pytest.mark.parametrize("data", [TEXT, NOISE], ids=["text", "noise"])
@pytest.mark.parametrize("missing", [1, 9, 300])
def test_a_stream_without_its_end_is_truncated(name: str, data: bytes, missing: int) -> None:
    decoder = decode([encode(data, name)[:-missing]], header(name))
    assert decoder.truncated
    assert decoder.notes == ("truncated-coding",)
    assert data.startswith(decoder.body)
    if name != "zstd":  # which gives whole blocks of 128 KiB
        assert len(decoder.body) > len(data) - 300 * 400


@pytest.mark.parametrize(("wire", "coding"), [(b"\x1f", "gzip"), (b"\x78\x9c", "deflate"), (b"\x28\xb5\x2f", "zstd")])
def test_a_beginning_alone_is_truncated_to_nothing(wire: bytes, coding: str) -> None:
    assert outcome(decode([wire], coding)) == (b"", True, True, ("truncated-coding",))


PLAIN = [
    b"h",
    b"hello",
    b'{"a":1,"b":[1,2,3]}',
    b"x-axis",
    b"<!doctype html><p>Hi\n",
    b"User-agent: *\n",
    TEXT,
    NOISE,
]


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "gzip, br", "zstd, gzip"])
@pytest.mark.parametrize("data", PLAIN, ids=lambda data: repr(data[:12]))
def test_a_wrong_label_gives_the_raw_bytes(data: bytes, coding: str) -> None:
    assert outcome(decode(pieces(data, 700), coding)) == (data, False, False, ("wrong-content-coding",))


def test_a_label_given_twice_for_one_coding_is_a_wrong_label() -> None:
    assert outcome(decode([encode(TEXT, "gzip")], "gzip, gzip")) == (TEXT, False, False, ("wrong-content-coding",))


def test_raw_bytes_under_a_wrong_label_are_capped() -> None:
    assert outcome(decode([NOISE], "gzip", 100)) == (NOISE[:100], True, True, ("wrong-content-coding",))


def test_what_was_not_kept_cannot_be_given_raw() -> None:
    empty_blocks = b"\x00\x00\x00\xff\xff" * (KEPT_BYTES // 5 + 1)
    assert outcome(decode([empty_blocks + b"\x07"], "deflate")) == (b"", True, True, ("corrupt-coding",))
    short = empty_blocks[: KEPT_BYTES // 2]
    assert outcome(decode([short + b"\x07"], "deflate")) == (short + b"\x07", False, False, ("wrong-content-coding",))


def broken(name: str, data: bytes) -> bytes:
    """A stream that is good up to the end of these bytes, and then cannot be."""
    if name == "br":
        brotli_engine = brotli.Compressor()
        good: bytes = brotli_engine.process(data) + brotli_engine.flush()
        return good + b"\xff"  # RFC 7932 section 9.2: the last block, empty, with padding that is not zero
    if name == "zstd":
        return zstd.ZstdCompressor().compress(data, mode=zstd.ZstdCompressor.FLUSH_BLOCK) + b"\x06\0\0"  # reserved type
    zlib_engine = zlib.compressobj(wbits={"gzip": 31, "deflate": 15, "raw deflate": -15}[name])
    return zlib_engine.compress(data) + zlib_engine.flush(zlib.Z_SYNC_FLUSH) + b"\x07"  # reserved type


@pytest.mark.parametrize("name", ["gzip", "deflate", "raw deflate", "br", "zstd"])
@pytest.mark.parametrize(
    ("data", "lost_bytes"), [(TEXT[:2000], 0), (NOISE[:60_000], 0), (NOISE, SLICE_BYTES)], ids=["slice", "kept", "long"]
)
def test_a_stream_that_breaks_keeps_what_was_good(name: str, data: bytes, lost_bytes: int) -> None:
    decoder = decode([broken(name, data) + b"more" * 900], header(name))
    assert outcome(decoder)[1:] == (True, True, ("corrupt-coding",))
    assert data.startswith(decoder.body)
    assert len(decoder.body) >= len(data) - lost_bytes


@pytest.mark.parametrize(("name", "checksum"), [("gzip", slice(-8, -4)), ("deflate", slice(-4, None))])
def test_a_wrong_checksum_keeps_the_body(name: str, checksum: slice) -> None:
    wire = bytearray(encode(b"a short body", name))
    wire[checksum] = b"\xaa\xbb\xcc\xdd"
    assert outcome(decode([bytes(wire)], name)) == (b"a short body", True, True, ("corrupt-coding",))


def test_a_zstd_window_over_eight_mebibytes_is_refused() -> None:
    decoder = decode([wide_zstd(NOISE)], "zstd")
    assert outcome(decoder) == (b"", True, True, ("corrupt-coding",))


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_members_follow_each_other(name: str) -> None:
    wire = b"".join(encode(part, name) for part in (b"", b"one ", TEXT, b"", NOISE, b"end"))
    assert outcome(decode(pieces(wire, 999), name)) == (b"one " + TEXT + NOISE + b"end", False, False, ())


def test_zstd_skippable_frames_are_skipped() -> None:
    wire = b"\x50\x2a\x4d\x18\x03\0\0\0abc" + encode(TEXT, "zstd") + b"\x5f\x2a\x4d\x18\x01\0\0\0z"
    assert outcome(decode([wire], "zstd")) == (TEXT, False, False, ())


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_members_are_counted(name: str) -> None:
    member = encode(b"x", name)
    assert outcome(decode([member * MEMBERS_MAX], name)) == (b"x" * MEMBERS_MAX, False, False, ())
    too_many = decode([member * (MEMBERS_MAX + 1)], name)
    assert outcome(too_many) == (b"x" * MEMBERS_MAX, True, True, ("too-many-members",))


@pytest.mark.parametrize("name", ["gzip", "deflate", "raw deflate", "br", "zstd"])
@pytest.mark.parametrize(
    ("tail", "notes"),
    [
        (bytes(3000), ()),
        (b"\n", ("trailing-garbage",)),
        (bytes(2000) + b"garbage", ("trailing-garbage",)),
        (b"\x1f", ("trailing-garbage",)),
        (b"\x28\xb5", ("trailing-garbage",)),
        (NOISE[:5000], ("trailing-garbage",)),
    ],
    ids=["zeros", "line end", "zeros and garbage", "half a gzip signature", "half a zstd signature", "noise"],
)
def test_what_follows_the_last_member_is_ignored(name: str, tail: bytes, notes: tuple[str, ...]) -> None:
    assert outcome(decode([encode(TEXT, name) + tail], header(name))) == (TEXT, False, False, notes)


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_a_second_member_that_breaks_off_is_truncated(name: str) -> None:
    decoder = decode([encode(TEXT, name) + encode(NOISE, name)[:8]], name)
    assert outcome(decoder) == (TEXT, True, True, ("truncated-coding",))


@pytest.mark.parametrize("names", [("gzip", "gzip"), ("br", "gzip"), ("zstd", "br"), ("gzip", "zstd")], ids=" in ".join)
def test_a_cut_outer_coding_still_gives_what_its_inner_one_had(names: tuple[str, str]) -> None:
    wire = encode(NOISE, *names)
    decoder = decode([wire[: len(wire) - 10]], header(*names))
    assert decoder.notes == ("truncated-coding",)
    assert decoder.truncated
    assert NOISE.startswith(decoder.body)
    assert len(decoder.body) > 120_000


def test_a_broken_inner_coding_is_not_blamed_on_the_outer_one() -> None:
    inner = bytearray(encode(NOISE, "gzip"))
    inner[-8:-4] = b"\0\0\0\0"
    decoder = decode([encode(bytes(inner) + NOISE, "gzip")], "gzip, gzip")
    assert outcome(decoder)[1:] == (True, True, ("corrupt-coding",))
    assert len(NOISE) - SLICE_BYTES <= len(decoder.body) <= len(NOISE)


def test_a_second_finish_changes_nothing() -> None:
    for coding in (None, "gzip", "br, gzip"):
        decoder = decode([encode(TEXT, *plan(coding or ""))], coding)
        before = outcome(decoder)
        decoder.finish()
        assert outcome(decoder) == before == (TEXT, False, False, ())


def test_after_the_cap_bytes_are_counted_and_not_decoded() -> None:
    decoder = BodyDecoder("gzip", max_bytes=10)
    decoder.feed(encode(TEXT, "gzip") + bytes(2000))
    before = decoder.body
    decoder.feed(b"\xff" * 5000)
    decoder.finish()
    decoder.finish()
    assert decoder.body == before == TEXT[:10]
    assert decoder.wire_bytes == len(encode(TEXT, "gzip")) + 7000


def test_decoders_are_loaded_only_when_needed() -> None:
    code = (
        "import sys; from webward.core.decoding import BodyDecoder; BodyDecoder('gzip, deflate', max_bytes=1);"
        "print([name for name in ('brotli', 'backports.zstd', 'compression.zstd') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
