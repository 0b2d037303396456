from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.core.request_head import write_request_head
from webward.errors import InvalidHeader

HOST = ("Host", "shop.test")


def test_the_fields_stand_in_order_behind_the_request_line() -> None:
    fields = [HOST, ("X-Note", "caf\u00e9"), ("x-note", "a b\tc"), ("X-Empty", "")]
    written = write_request_head("GET", "/a?b=%20", fields)
    assert written == (
        b"GET /a?b=%20 HTTP/1.1\r\nHost: shop.test\r\nX-Note: caf\xe9\r\nx-note: a b\tc\r\nX-Empty: \r\n\r\n"
    )


def test_a_tunnel_is_asked_for_by_authority() -> None:
    assert write_request_head("CONNECT", "[2606:4700::1]:443", []) == b"CONNECT [2606:4700::1]:443 HTTP/1.1\r\n\r\n"


@pytest.mark.parametrize(
    ("method", "request_target", "name", "value"),
    [
        ("GET /x HTTP/1.1\r\nX:", "/", "X", "a"),
        ("", "/", "X", "a"),
        ("GET\n", "/", "X", "a"),
        ("G\u00c9T", "/", "X", "a"),
        ("GET", "/a b", "X", "a"),
        ("GET", "", "X", "a"),
        ("GET", "/a\r\nX: b", "X", "a"),
        ("GET", "/\n", "X", "a"),
        ("GET", "/caf\u00e9", "X", "a"),
        ("GET", "/\x7f", "X", "a"),
        ("GET", "/", "", "a"),
        ("GET", "/", "X Y", "a"),
        ("GET", "/", "X:", "a"),
        ("GET", "/", "X\r\nY", "a"),
        ("GET", "/", "X\n", "a"),
        ("GET", "/", "\u00e9", "a"),
        ("GET", "/", "X", "a\r\nY: b"),
        ("GET", "/", "X", "a\n"),
        ("GET", "/", "X", "a\rb"),
        ("GET", "/", "X", "a\x00b"),
        ("GET", "/", "X", "a\x0bb"),
        ("GET", "/", "X", "\u0106"),
        ("GET", "/", "X", "\u010a"),
    ],
)
def test_what_would_be_read_as_something_else_is_refused(
    method: str, request_target: str, name: str, value: str
) -> None:
    with pytest.raises(InvalidHeader):
        write_request_head(method, request_target, [HOST, (name, value)])


def test_a_refusal_does_not_tell_the_value() -> None:
    with pytest.raises(InvalidHeader) as caught:
        write_request_head("GET", "/", [("X-Key", "s3cr3t\n")])
    assert caught.value.message == "the header 'X-Key' cannot be written as HTTP"


texts = st.text(st.characters(max_codepoint=0x120), max_size=8)


@given(texts, texts, st.lists(st.tuples(texts, texts), max_size=4))
def test_there_are_as_many_lines_as_there_are_fields(
    method: str, request_target: str, fields: list[tuple[str, str]]
) -> None:
    try:
        written = write_request_head(method, request_target, fields)
    except InvalidHeader:
        return
    lines = [f"{method} {request_target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields), "", ""]
    assert written.decode("latin-1").split("\r\n") == lines
    assert written.count(b"\n") == written.count(b"\r") == len(fields) + 2
