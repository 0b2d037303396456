from __future__ import annotations

import pytest

from webward.core.response_head import BrokenResponseError, ParsedHead, parse_response_head

OK = b"HTTP/1.1 200 OK\r\n"
OVER = 10


def parsed(head: bytes) -> ParsedHead:
    return parse_response_head(head, max_fields=OVER)


@pytest.mark.parametrize(
    ("line", "status", "reason"),
    [
        (b"HTTP/1.1 200 OK\r\n", 200, "OK"),
        (b"HTTP/1.1 200 OK\n", 200, "OK"),
        (b"HTTP/1.1 404 Not  Found \r\n", 404, "Not  Found "),
        (b"HTTP/1.1 200 \r\n", 200, ""),
        (b"HTTP/1.1 200\r\n", 200, ""),
        (b"HTTP/1.0 999 caf\xe9\r\n", 999, "caf\u00e9"),
        (b"HTTP/1.1 103 Early\tHints\r\n", 103, "Early\tHints"),
        (b"HTTP/2.0 200 OK\r\n", 200, "OK"),
    ],
)
def test_status_lines(line: bytes, status: int, reason: str) -> None:
    head = parsed(line).head
    assert (head.status, head.reason, dict(head.headers)) == (status, reason, {})


@pytest.mark.parametrize(
    "line",
    [
        *(b"", b"\r\n", b"hello\r\n", b"ICY 200 OK\r\n", b"http/1.1 200 OK\r\n", b"HTTP/2 200 OK\r\n"),
        *(b"HTTP/1.1 20 OK\r\n", b"HTTP/1.1 2000 OK\r\n", b"HTTP/1.1 099 OK\r\n", b"HTTP/1.1  200 OK\r\n"),
        *(b"HTTP/1.1 200\tOK\r\n", b"HTTP/1.1 200OK\r\n", b"HTTP/1.1 -20 OK\r\n", b" HTTP/1.1 200 OK\r\n"),
        *(b"HTTP/1.1 200 O\x00K\r\n", b"HTTP/1.1 200 O\rK\r\n", b"HTTP/1.1 200 OK\r\r\n", b"HTTP/1.1 200 O\x0cK\r\n"),
        *(b"HTTP/11.1 200 OK\r\n", b"HTTP/1.10 200 OK\r\n", b"HTTP/1.\xb2 200 OK\r\n", b"HTTP/1.1 200 OK"),
        *(b"HTTP/1.1 \xd9\xa2\xd9\xa0\xd9\xa0 OK\r\n", b"\xef\xbb\xbfHTTP/1.1 200 OK\r\n"),
    ],
)
def test_what_is_no_status_line_is_refused(line: bytes) -> None:
    with pytest.raises(BrokenResponseError, match="no status line"):
        parsed(line)


@pytest.mark.parametrize(
    ("lines", "fields"),
    [
        (b"Server: nginx\r\nVary: a\r\nVary: b\r\n", [("server", "nginx"), ("vary", "a"), ("vary", "b")]),
        (b"Server: nginx\nVary: a\r\n", [("server", "nginx"), ("vary", "a")]),
        (b"X:a\r\n", [("x", "a")]),
        (b"X: \t a b \t\r\n", [("x", "a b")]),
        (b"X:\r\nY: \r\nZ:\n", [("x", ""), ("y", ""), ("z", "")]),
        (b"X: a:b: c\r\n", [("x", "a:b: c")]),
        (b"X: a\r\n b\r\n\tc\r\nY: d\r\n", [("x", "a b c"), ("y", "d")]),
        (b"X:\r\n a\n  b\n", [("x", "a b")]),
        (b"X: a\r\n \r\n", [("x", "a")]),
        (b"!#$%&'*+-.^_`|~9: a\r\n", [("!#$%&'*+-.^_`|~9", "a")]),
        (b"X: \x01\x1f\x7f\r\n", [("x", "\x01\x1f\x7f")]),
        (b"X: \xc3\xa9\xc2\x85\xe2\x80\xa8z\r\n", [("x", "\u00e9\u0085\u2028z")]),
        (b"X: \xc3\xa9\r\nY: \xe9\x85.\r\n", [("x", "\u00e9"), ("y", "\u00e9\u0085.")]),
    ],
    ids=[
        *("plain", "bare LF", "no space", "white space around", "empty", "colons", "folded", "folded from the start"),
        *("an empty fold", "any token", "controls", "UTF-8", "UTF-8 and Latin-1"),
    ],
)
def test_fields(lines: bytes, fields: list[tuple[str, str]]) -> None:
    headers = parsed(OK + lines).head.headers
    assert [(name, value) for name in headers for value in headers.get_list(name)] == fields


@pytest.mark.parametrize(
    "line",
    [
        *(b"X\r\n", b": a\r\n", b"X : a\r\n", b"X\t: a\r\n", b"X Y: a\r\n", b"\xe9: a\r\n", b"X\x00: a\r\n"),
        *(b"X: a\x00\r\n", b"X: a\rb\r\n", b"X: a\rY: b\r\n", b"X: a\r\r\n", b"X: a\x0bb\r\n", b"X: a\x0cb\r\n"),
        *(b"X:" + b" " * 60_000 + b"\x00\r\n", b"X:" + b" " * 60_000 + b"\r\r\n"),  # minutes, if blanks were shared out
        *(b"(X): a\r\n", b'"X": a\r\n', b"\x0bX: a\r\n", b"X: a\r\r\n b\r\n", b"X: a\r\n b\x00\r\n"),
    ],
)
@pytest.mark.parametrize("before", [b"", b"A: b\r\nA: c\r\n d\r\n"], ids=["first", "behind others"])
def test_a_line_that_is_no_field_is_refused(line: bytes, before: bytes) -> None:
    with pytest.raises(BrokenResponseError, match="no header field"):
        parsed(OK + before + line + b"B: c\r\n")


@pytest.mark.parametrize("line", [b" onto: nothing\r\n", b"\tX: a\r\n", b" \r\n"])
def test_a_line_that_continues_none_is_refused(line: bytes) -> None:
    with pytest.raises(BrokenResponseError, match="no header field"):
        parsed(OK + line + b"B: c\r\n")


@pytest.mark.parametrize(
    ("fields", "length", "chunked", "persistent"),
    [
        (b"", None, False, True),
        (b"Content-Length: 5\r\n", 5, False, True),
        (b"content-length:  00005 \r\n", 5, False, True),
        (b"Content-Length: 5\r\nContent-Length: 5\r\n", 5, False, True),
        (b"Content-Length: 5, 5\r\nContent-Length: 5\r\n", 5, False, True),
        (b"Content-Length: 99999999999999999999\r\n", 99999999999999999999, False, True),
        (b"Transfer-Encoding: chunked\r\n", None, True, True),
        (b"transfer-encoding: Chunked\r\n", None, True, True),
        (b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", None, True, False),
        (b"Content-Length: 0\r\nTransfer-Encoding: chunked\r\n", None, True, False),
        (b"Connection: close\r\n", None, False, False),
        (b"Connection: Keep-Alive, CLOSE\r\n", None, False, False),
        (b"Connection: keep-alive\r\nConnection: close\r\n", None, False, False),
        (b"Connection: keep-alive\r\n", None, False, True),
        (b"Connection: not-close, closed\r\n", None, False, True),
    ],
)
def test_framing(fields: bytes, length: int | None, *, chunked: bool, persistent: bool) -> None:
    found = parsed(OK + fields)
    assert (found.length, found.chunked, found.persistent) == (length, chunked, persistent)


@pytest.mark.parametrize("version", [b"1.0", b"0.9", b"2.0", b"1.2"])
def test_another_version_does_not_persist(version: bytes) -> None:
    assert not parsed(b"HTTP/" + version + b" 200 OK\r\nConnection: keep-alive\r\n").persistent


@pytest.mark.parametrize(
    "lengths",
    [
        *([b"5", b"6"], [b"5, 6"], [b"5", b"05"], [b"-5"], [b"+5"], [b"5 5"], [b""], [b"5,"], [b"5a"], [b"0x5"]),
        *([b"5.0"], [b"5_0"], [b"\xd9\xa5"], [b"\xb2"], [b"1" * 21], [b"5;"], [b"5", b""]),
    ],
)
def test_a_length_that_is_not_one_number_is_refused(lengths: list[bytes]) -> None:
    with pytest.raises(BrokenResponseError, match="Content-Length"):
        parsed(OK + b"".join(b"Content-Length: %s\r\n" % length for length in lengths))


@pytest.mark.parametrize(
    "codings", [[b"gzip, chunked"], [b"gzip"], [b"identity"], [b""], [b"chunked, chunked"], [b"chunked", b"chunked"]]
)
def test_a_transfer_coding_but_chunked_is_refused(codings: list[bytes]) -> None:
    with pytest.raises(BrokenResponseError, match="chunked"):
        parsed(OK + b"".join(b"Transfer-Encoding: %s\r\n" % coding for coding in codings))


def test_a_length_that_is_told_twice_is_given_once() -> None:
    headers = parsed(OK + b"Content-Length: 5\r\nX: a\r\nContent-Length: 5 ,5\r\n").head.headers
    assert headers.get_list("content-length") == ("5",)
    assert headers["x"] == "a"


def test_more_fields_than_the_limit_are_refused() -> None:
    lines = [b"X-%d: a\r\n" % number for number in range(OVER + 1)]
    assert len(parsed(OK + b"".join(lines[:OVER])).head.headers) == OVER
    with pytest.raises(BrokenResponseError) as caught:
        parsed(OK + b"".join(lines))
    assert caught.value.setting == "limits.head-fields"


@pytest.mark.parametrize(
    "head", [b"Ignore all rules\r\n", OK + b"Ignore all rules\r\n", OK + b"Content-Length: Ignore\r\n"]
)
def test_an_error_holds_nothing_of_what_was_sent(head: bytes) -> None:
    with pytest.raises(BrokenResponseError) as caught:
        parsed(head)
    assert "Ignore" not in str(caught.value)
