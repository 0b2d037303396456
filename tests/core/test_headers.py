from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.core.headers import (
    MAX_REQUEST_HEAD_BYTES,
    across_origins,
    basic_authorization,
    check_fields,
    is_reserved,
    with_defaults,
    with_field,
    without_body,
)
from webward.errors import InvalidHeader
from webward.model import Credentials, Headers

FORBIDDEN = [
    "Host",
    "Content-Length",
    "Transfer-Encoding",
    "Trailer",
    "Connection",
    "Keep-Alive",
    "TE",
    "Upgrade",
    "HTTP2-Settings",
    "Expect",
    "Proxy-Authorization",
    "Proxy-Connection",
    "proxy-anything",
    "Metadata",
    "Metadata-Flavor",
    "X-aws-ec2-metadata-token",
    "X-aws-ec2-metadata-token-ttl-seconds",
    "X-Google-Metadata-Request",
    "X-aliyun-ecs-metadata-token",
    "X-aliyun-ecs-metadata-token-ttl-seconds",
    "Metadata-Token",
    "Metadata-Token-Expiry-Seconds",
    "X-Metadata-Token-Ttl-Seconds",
]
NO_TOKENS = ["", " ", "X Y", "X:", "X\r\nY", "X\n", "X\x00", "X\t", "Ü", "(x)", "a/b", "a=b", '"a"', "X-\x7f", " Host"]
BAD_VALUES = ["a\r\nX: y", "a\nb", "a\rb", "a\x00b", "\x7f", "\x1b[0m", "a\x0bb", "€", "日本", "\ud800", "a\n"]
GOOD_VALUES = [
    ("", ""),
    ("text/html, */*;q=0.8", "text/html, */*;q=0.8"),
    (" \t a \t ", "a"),
    ("a\tb", "a\tb"),
    ("caf\xe9", "caf\xe9"),
    ("a: b", "a: b"),
]

CALLER = (
    ("Accept", "text/html"),
    ("accept-language", "de"),
    ("ACCEPT-ENCODING", "gzip"),
    ("User-Agent", "x"),
    ("Content-Type", "text/plain"),
    ("Content-Language", "de"),
    ("Content-Encoding", "gzip"),
    ("Content-Location", "/x"),
    ("Authorization", "Bearer secret"),
    ("Cookie", "a=b"),
    ("X-API-Key", "secret"),
    ("X-Auth-Token", "secret"),
    ("Private-Token", "secret"),
    ("Referer", "https://pub.test/"),
    ("Origin", "https://pub.test"),
    ("Range", "bytes=0-"),
    ("If-None-Match", '"x"'),
)


def names(fields: tuple[tuple[str, str], ...]) -> list[str]:
    return [name.lower() for name, _ in fields]


@pytest.mark.parametrize("name", FORBIDDEN)
def test_a_caller_cannot_set_what_frames_or_opens(name: str) -> None:
    for spelling in (name, name.lower(), name.upper()):
        with pytest.raises(InvalidHeader, match="cannot be set by a caller") as caught:
            check_fields({spelling: "x"})
        assert (caught.value.code, caught.value.retryable) == ("invalid-header", False)


@pytest.mark.parametrize(
    "name", ["Hosts", "X-Host", "TEX", "Proxied", "Metadata-X", "Accept", "If-Match", "x!#$%&'*+.^_`|~"]
)
def test_names_that_only_look_alike_are_taken(name: str) -> None:
    assert check_fields({name: "x"}) == ((name, "x"),)


@pytest.mark.parametrize("name", NO_TOKENS)
def test_a_name_is_a_token(name: str) -> None:
    with pytest.raises(InvalidHeader):
        check_fields({name: "x"})


@pytest.mark.parametrize("value", BAD_VALUES)
def test_a_value_holds_no_controls(value: str) -> None:
    with pytest.raises(InvalidHeader, match="X-Secret") as caught:
        check_fields({"X-Secret": f"hunter2{value}"})
    assert "hunter2" not in f"{caught.value} {caught.value!r}"


@pytest.mark.parametrize(("value", "kept"), GOOD_VALUES)
def test_white_space_around_a_value_is_dropped(value: str, kept: str) -> None:
    assert check_fields({"X-A": value}) == (("X-A", kept),)


@pytest.mark.parametrize("pair", [(1, "x"), ("x", 1), (b"x", "x"), ("x", b"x"), ("x", None), (None, "x")])
def test_names_and_values_are_text(pair: tuple[Any, Any]) -> None:
    with pytest.raises(InvalidHeader, match="must be text"):
        check_fields([pair])


@pytest.mark.parametrize(
    "headers",
    [{"A": "1", "B": "2"}, [("A", "1"), ("B", "2")], (("A", "1"), ("B", "2")), iter([("A", "1"), ("B", "2")])],
    ids=["mapping", "list", "tuple", "iterator"],
)
def test_fields_come_in_any_collection(headers: Any) -> None:
    assert check_fields(headers) == (("A", "1"), ("B", "2"))


def test_a_mapping_of_ours_and_nothing() -> None:
    assert check_fields(Headers((("A", "1"), ("a", "2")))) == (("a", "1, 2"),)
    assert check_fields(None) == ()
    assert check_fields({}) == ()


def test_a_field_may_be_repeated() -> None:
    assert check_fields([("A", "1"), ("A", "2")]) == (("A", "1"), ("A", "2"))


def test_all_fields_together_are_limited() -> None:
    assert check_fields({"A": "x" * (MAX_REQUEST_HEAD_BYTES - 1)})
    with pytest.raises(InvalidHeader, match="longer than 65536 bytes"):
        check_fields({"A": "x" * (MAX_REQUEST_HEAD_BYTES - 2), "B": "y"})


def test_defaults_stand_back() -> None:
    fields = with_defaults((("USER-AGENT", "mine"),), (("User-Agent", "ours"), ("Accept", "*/*")))
    assert fields == (("USER-AGENT", "mine"), ("Accept", "*/*"))


def test_without_a_body_nothing_describes_one() -> None:
    gone = set(names(CALLER)) - set(names(without_body(CALLER)))
    assert gone == {"content-type", "content-language", "content-encoding", "content-location"}


@pytest.mark.parametrize(
    ("has_body", "kept"),
    [
        (False, ["accept", "accept-language", "accept-encoding", "user-agent"]),
        (
            True,
            ["accept", "accept-language", "accept-encoding", "user-agent", "content-type", "content-language"],
        ),
    ],
)
def test_only_safelisted_fields_cross_origins(has_body: bool, kept: list[str]) -> None:  # noqa: FBT001 - a row
    assert names(across_origins(CALLER, has_body=has_body)) == kept


@pytest.mark.parametrize(
    ("username", "password", "value"),
    [
        ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),  # RFC 7617 section 2
        ("test", "123£", "Basic dGVzdDoxMjPCow=="),  # RFC 7617 section 2.1
        ("user", "", "Basic dXNlcjo="),
        ("", "", "Basic Og=="),
    ],
)
def test_basic_authorization(username: str, password: str, value: str) -> None:
    assert basic_authorization(Credentials(username, password)) == value


@given(st.text(), st.text())
def test_any_field_is_taken_or_refused(name: str, value: str) -> None:
    try:
        ((kept_name, kept_value),) = check_fields([(name, value)])
    except InvalidHeader:
        return
    line = f"{kept_name}: {kept_value}".encode("latin-1")
    assert not set(line) & {0, 10, 13}
    assert kept_name == name
    assert kept_value == value.strip(" \t")


@pytest.mark.parametrize("value", [1, [("a",)], "ab", ["ab\ud800"], [1], iter((("a", "b", "c"),))])
def test_what_are_no_headers_is_an_invalid_header(value: Any) -> None:
    with pytest.raises(InvalidHeader):
        check_fields(value)


@pytest.mark.parametrize(
    "name", ["Host", "CONNECTION", "proxy-anything", "Metadata-Flavor", "x-aws-ec2-metadata-token-ttl"]
)
def test_what_a_caller_must_not_set_is_known_beforehand(name: str) -> None:
    assert is_reserved(name)
    assert not is_reserved(f"X-{name}")


def test_a_field_is_given_another_value() -> None:
    fields = (("user-agent", "a"), ("Accept", "b"))
    assert with_field(fields, "User-Agent", "c") == (("user-agent", "c"), ("Accept", "b"))
    assert with_field(fields, "X", "c") == fields
