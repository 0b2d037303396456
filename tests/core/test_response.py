from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webward.config import Limits
from webward.core.response import MAX_CHUNK_LINE_BYTES, ResponseReader
from webward.core.response_head import BrokenResponseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Cut = Callable[[bytes], Iterable[bytes]]

OK = b"HTTP/1.1 200 OK\r\n"
EARLY = b"HTTP/1.1 103 Early Hints\r\n\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
LIMITS = Limits(head_bytes=2000, head_fields=10, interim_responses=2)
LONGEST_EXTENSION = b";" + b"x" * (MAX_CHUNK_LINE_BYTES - len(b"5;\r\n"))


def whole(data: bytes) -> Iterable[bytes]:
    return [data]


def bytewise(data: bytes) -> Iterable[bytes]:
    return [data[at : at + 1] for at in range(len(data))]


def in_fives(data: bytes) -> Iterable[bytes]:
    return [data[at : at + 5] for at in range(0, len(data), 5)]


each_cut = pytest.mark.parametrize("cut", [whole, bytewise, in_fives])


def read(pieces: Iterable[bytes], method: str = "GET", limits: Limits = LIMITS) -> tuple[bytes, ResponseReader]:
    """The body that comes in these pieces, behind a head that must be there."""
    reader = ResponseReader(limits, method)
    body, head = b"", None
    for piece in pieces:
        reader.feed(piece)
        head = head or reader.head()
        while head and (part := reader.body()):
            body += part
    assert head
    return body, reader


def error_of(pieces: Iterable[bytes], limits: Limits = LIMITS) -> BrokenResponseError:
    with pytest.raises(BrokenResponseError) as caught:
        read(pieces, limits=limits)
    return caught.value


@pytest.mark.parametrize(
    ("response", "body", "complete", "reusable"),
    [
        (OK + b"Content-Length: 5\r\n\r\nhello", b"hello", True, True),
        (OK + b"Content-Length: 5\r\n\r\nhell", b"hell", False, False),
        (OK + b"Content-Length: 5\r\n\r\nhelloX", b"hello", True, False),
        (OK + b"Content-Length: 5\r\nConnection: close\r\n\r\nhello", b"hello", True, False),
        (OK + b"Content-Length: 0\r\n\r\n", b"", True, True),
        (OK + b"Content-Length: 5\n\nhello", b"hello", True, True),
        (OK + b"Content-Length: 5\n\r\nhello", b"hello", True, True),
        (OK + b"Content-Length: 5\r\n\nhello", b"hello", True, True),
        (EARLY * 2 + OK + b"Content-Length: 1\r\n\r\na", b"a", True, True),
        (b"HTTP/1.1 100\nConnection: close\n\n" + OK + b"Content-Length: 0\r\n\r\n", b"", True, True),
        (OK + b"\r\nhello", b"hello", False, False),
        (CHUNKED + b"5\r\nhello\r\n0\r\n\r\n", b"hello", True, True),
        (CHUNKED + b"1\r\na\r\n1F\r\n" + b"b" * 31 + b"\r\n000\r\n\r\n", b"a" + b"b" * 31, True, True),
        (CHUNKED + b'5;a="b"\r\nhello\r\n0;c\r\n\r\n', b"hello", True, True),
        (CHUNKED + b"5 \t\r\nhello\r\n0 ;c\r\n\r\n", b"hello", True, True),
        (CHUNKED + b"5" + LONGEST_EXTENSION + b"\r\nhello", b"hello", False, False),
        (CHUNKED + b"FFFFFFFFFFFFFFFF\r\nhello", b"hello", False, False),
        (CHUNKED + b"0\r\nX: a\r\ny:\n\r\n", b"", True, True),
        (CHUNKED + b"0\r\n\n", b"", True, True),
        (CHUNKED + b"0\r\nX: a\r\n", b"", False, False),
        (CHUNKED + b"0\r\n\r\nX", b"", True, False),
        (CHUNKED + b"5\r\nhello\r\n", b"hello", False, False),
        (b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", b"a", True, False),
        (OK + b"Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", b"a", True, False),
        (b"HTTP/1.1 204 No Content\r\n\r\n", b"", True, True),
        (b"HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok", b"", True, False),
        (b"HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n", b"", True, True),
        (b"HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n", b"", True, True),
        (b"HTTP/1.1 205 Reset Content\r\nContent-Length: 2\r\n\r\nok", b"ok", True, True),
    ],
)
@each_cut
def test_bodies(response: bytes, body: bytes, cut: Cut, *, complete: bool, reusable: bool) -> None:
    found, reader = read(cut(response))
    assert (found, reader.complete, reader.reusable) == (body, complete, reusable)


@pytest.mark.parametrize("framing", [b"Content-Length: 5", b"Transfer-Encoding: chunked", b"X: no framing"])
@each_cut
def test_an_answer_to_head_has_no_body(framing: bytes, cut: Cut) -> None:
    body, reader = read(cut(OK + framing + b"\r\n\r\n"), method="HEAD")
    assert (body, reader.reusable) == (b"", True)


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", b""),
        (b"HTTP/1.1 299 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b""),
        (b"HTTP/1.1 302 No\r\nContent-Length: 2\r\n\r\n", b"ok"),
        (b"HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\n", b"ok"),
    ],
)
def test_what_follows_an_open_tunnel_is_not_the_answers(head: bytes, body: bytes) -> None:
    found, reader = read([head + b"ok"], method="CONNECT")
    assert (found, reader.has_more) == (body, not body)


@pytest.mark.parametrize(
    ("response", "complete", "reusable"),
    [
        (OK + b"\r\nhello", True, False),
        (OK + b"\r\n", True, False),
        (OK + b"Content-Length: 5\r\n\r\nhell", False, False),
        (OK + b"Content-Length: 5\r\n\r\nhello", True, True),
        (CHUNKED + b"5\r\nhello\r\n0\r\n", False, False),
        (CHUNKED + b"5\r\nhello\r\n0\r\n\r\n", True, True),
    ],
)
def test_an_end_completes_only_a_body_without_framing(response: bytes, *, complete: bool, reusable: bool) -> None:
    _, reader = read([response])
    reader.end()
    assert (reader.complete, reader.reusable) == (complete, reusable)
    assert reader.body() in (None, b"")


@pytest.mark.parametrize(
    "answer",
    [
        *(b"hello", b"\r\n", b"\n" + OK, b" " + OK, b"\x15\x03\x03\x00\x02\x02\x28", b"HTTP:", b"ICY 200 OK\r\n"),
        *(b"SSH-2.0-OpenSSH_9.6\r\n", b"HTTp/1.1", EARLY + b"X"),
    ],
)
@each_cut
def test_what_cannot_become_a_head_is_refused_before_it_ends(answer: bytes, cut: Cut) -> None:
    assert "no status line" in str(error_of(cut(answer)))


@pytest.mark.parametrize(
    "chunks",
    [
        *(b"zz\r\n", b"\r\n", b"-5\r\n", b"+5\r\n", b" 5\r\n", b"0x5\r\n", b"5_0\r\n", b"5 5\r\n", b";a\r\n"),
        *(b"5\n", b"5\rhello\n", b"5\r\r\n", b"5;a\n", b"5;a\rb\r\n", b"5;\x00\r\n", b"0" * 16 + b"5\r\n"),
        *(b"5\r\nhello5\r\n", b"5\r\nhelloX", b"5\r\nhello\n0\r\n\r\n", b"5\r\nhello\rX", b"5\r\nhello\r\n\r\n"),
        *(b"5" + LONGEST_EXTENSION + b"x\r\n", b"5;" + b"x" * MAX_CHUNK_LINE_BYTES, b"5" + LONGEST_EXTENSION + b"xxx"),
        *(b"0\r\nX\r\n", b"0\r\nX : a\r\n", b"0\r\n: a\r\n", b"0\r\nX: a\rb\r\n", b"0\r\n folded: no\r\n"),
        *(b"0\r\nX: a\r\n b\r\n", b"0\r\nX: \x00\r\n", b"0\r\n\r\r\n"),
    ],
)
@each_cut
def test_broken_chunks_are_refused(chunks: bytes, cut: Cut) -> None:
    assert "broken HTTP" in str(error_of(cut(CHUNKED + chunks)))


@pytest.mark.parametrize("before", [b"", b"1\r\na\r\n"], ids=["first", "next"])
@pytest.mark.parametrize("excess", range(-3, 6))
@each_cut
def test_the_line_of_a_chunk_has_a_limit(before: bytes, excess: int, cut: Cut) -> None:
    """At each length around it the line passes or is refused; it is never waited for."""
    start = b"\r\n5;" if before else b"5;"
    line = b"5;" + b"x" * (MAX_CHUNK_LINE_BYTES + excess - len(start) - len(b"\r\n")) + b"\r\n"
    pieces = cut(CHUNKED + before + line + b"hello")
    if excess > 0:
        assert "no size" in str(error_of(pieces))
    else:
        assert read(pieces)[0] == before[3:4] + b"hello"


@pytest.mark.parametrize(
    ("response", "setting"),
    [
        (OK + b"X: " + b"a" * 2000, "limits.head-bytes"),
        (OK + b"X: " + b"a" * 1996 + b"\r\n\r\n", "limits.head-bytes"),
        (OK + b"X: %s\r\nY: %s\r\n\r\n" % (b"a" * 1000, b"a" * 1000), "limits.head-bytes"),
        (OK + b"X:" + b" " * 2000, "limits.head-bytes"),
        (OK + b"X:\r\n" + b" \r\n" * 700, "limits.head-bytes"),
        (b"HTTP/1.1 200 " + b"a" * 1990, "limits.head-bytes"),
        (b"HTTP/1.1 200 " + b"a" * 1986 + b"\r\n\r\n", "limits.head-bytes"),
        (b"HTTP/1.1 103 E\r\nX: %s\r\n\r\n" % (b"a" * 1000) + OK + b"X: " + b"a" * 1000, "limits.head-bytes"),
        (OK + b"X:\n" * 11 + b"\n", "limits.head-fields"),
        (b"HTTP/1.1 103 E\r\n" + b"X:\n" * 11 + b"\n", "limits.head-fields"),
        (EARLY * 3, "limits.interim-responses"),
        (CHUNKED + b"0\r\nX: " + b"a" * 2000, "limits.head-bytes"),
        (CHUNKED + b"0\r\n" + b"X:\n" * 667, "limits.head-bytes"),
    ],
)
@each_cut
def test_what_passes_a_limit_is_refused_however_it_is_cut(response: bytes, setting: str, cut: Cut) -> None:
    assert error_of(cut(response)).setting == setting


@pytest.mark.parametrize(
    "response",
    [
        OK + b"X: " + b"a" * 1995 + b"\r\n\r\n",
        b"HTTP/1.1 200 " + b"a" * 1985 + b"\r\n\r\n",
        b"HTTP/1.1 103 E\r\nX: %s\r\n\r\n" % (b"a" * 1995) + OK + b"\r\n",
        OK + b"X:\n" * 10 + b"\n",
        EARLY * 2 + OK + b"\r\n",
        CHUNKED + b"0\r\n" + b"X:\n" * 666 + b"\r\n",
    ],
)
@each_cut
def test_what_is_at_a_limit_passes_however_it_is_cut(response: bytes, cut: Cut) -> None:
    read(cut(response))


def test_a_switch_of_protocols_is_refused() -> None:
    assert "nobody asked for" in str(error_of([b"HTTP/1.1 101 S\r\nUpgrade: h2c\r\n\r\n"]))


def test_an_error_is_raised_again() -> None:
    reader = ResponseReader(LIMITS, "GET")
    reader.feed(CHUNKED + b"zz\r\n")
    assert reader.head()
    for _ in range(2):
        with pytest.raises(BrokenResponseError):
            reader.body()
    assert not reader.reusable


def test_a_body_is_not_copied() -> None:
    reader = ResponseReader(LIMITS, "GET")
    reader.feed(OK + b"Content-Length: 2000\r\n\r\n")
    assert reader.head()
    assert reader.body() is None
    piece = b"a" * 1000
    reader.feed(piece)
    assert reader.body() is piece


def test_a_body_is_not_read_further_than_asked() -> None:
    """A server may send a million chunks of one byte in one piece; who reads decides when others get their turn."""
    reader = ResponseReader(LIMITS, "GET")
    reader.feed(CHUNKED + b"1\r\na\r\n" * 3)
    assert reader.head()
    assert [reader.body() for _ in range(4)] == [b"a", b"a", b"a", None]


def test_more_may_be_fed_than_was_asked_for() -> None:
    reader = ResponseReader(LIMITS, "GET")
    for piece in bytewise(EARLY + CHUNKED + b"5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n"):
        reader.feed(piece)
    assert reader.head()
    assert reader.body() == b"hello"
    reader.feed(b"X")
    assert [reader.body(), reader.body(), reader.has_more] == [b"!", b"", True]
