from __future__ import annotations

from ipaddress import ip_address

import pytest

from webward.core.url import parse
from webward.model import Checked, Credentials, Headers, Request, Verdict

FIELDS = Headers((("Content-Type", "text/html"), ("Set-Cookie", "a=1"), ("X-A", "1"), ("set-cookie", "b=2, c")))
YES = Verdict(rule="host", allowed=True, reason="may be resolved")
NO = Verdict(rule="port", allowed=False, reason="bad port", code="refused-port")


@pytest.mark.parametrize("name", ["Content-Type", "content-type", "CONTENT-TYPE"])
def test_names_of_fields_have_no_case(name: str) -> None:
    assert FIELDS[name] == "text/html"
    assert name in FIELDS
    assert FIELDS.get(name) == "text/html"
    assert FIELDS.get_list(name) == ("text/html",)


def test_repeated_fields_are_joined_and_can_be_had_apart() -> None:
    assert FIELDS["set-cookie"] == "a=1, b=2, c"
    assert FIELDS.get_list("Set-Cookie") == ("a=1", "b=2, c")


def test_a_field_that_is_not_there() -> None:
    assert "x-b" not in FIELDS
    assert FIELDS.get("x-b") is None
    assert FIELDS.get_list("x-b") == ()
    with pytest.raises(KeyError, match="x-b"):
        FIELDS["x-b"]


def test_headers_are_a_mapping_in_order() -> None:
    assert list(FIELDS) == ["content-type", "set-cookie", "x-a"]
    assert len(FIELDS) == 3
    assert dict(FIELDS) == {"content-type": "text/html", "set-cookie": "a=1, b=2, c", "x-a": "1"}
    assert Headers((("A", "1"),)) == Headers((("a", "1"),))
    assert repr(Headers((("A", "1"),))) == "Headers((('a', '1'),))"
    assert not Headers()


@pytest.mark.parametrize(
    ("url", "authority"),
    [
        ("http://pub.test/", "pub.test"),
        ("http://pub.test:80/", "pub.test"),
        ("https://pub.test:443/", "pub.test"),
        ("http://pub.test:443/", "pub.test:443"),
        ("https://pub.test:80/", "pub.test:80"),
        ("https://pub.test:8443/", "pub.test:8443"),
        ("https://PUB.test.:8443/", "pub.test:8443"),
        ("https://bücher.test/", "xn--bcher-kva.test"),
        ("http://127.1/", "127.0.0.1"),
        ("http://127.1:8080/", "127.0.0.1:8080"),
        ("http://[0::1]/", "[::1]"),
        ("http://[0::1]:8080/", "[::1]:8080"),
        ("http://user:pw@pub.test/", "pub.test"),
    ],
)
def test_authority_is_what_the_host_header_says(url: str, authority: str) -> None:
    assert parse(url).authority == authority


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("http://pub.test/x", ("http", "pub.test", 80)),
        ("https://pub.test.:8443/", ("https", "pub.test", 8443)),
        ("http://[::1]/", ("http", "::1", 80)),
    ],
)
def test_origin(url: str, origin: tuple[str, str, int]) -> None:
    assert parse(url).origin == origin


def test_credentials_are_never_printed() -> None:
    target = parse("https://user:hunter2@pub.test/")
    assert target.credentials == Credentials("user", "hunter2")
    for printed in (repr(target), str(target), repr(target.credentials), f"{target.credentials}"):
        assert "hunter2" not in printed
        assert "user" not in printed.replace("username", "")


def test_values_of_headers_are_never_printed_with_a_request() -> None:
    request = Request(method="POST", headers=(("Authorization", "Bearer hunter2"), ("Accept", "x")), body=b"hunter2")
    assert repr(request) == str(request) == "<Request POST with Authorization, Accept>"
    assert repr(Request(method="GET", headers=())) == "<Request GET with no headers>"


@pytest.mark.parametrize(
    ("verdicts", "allowed"), [((YES,), True), ((YES, YES), True), ((YES, NO), False), ((NO,), False)]
)
def test_checked_is_allowed_when_every_rule_says_so(verdicts: tuple[Verdict, ...], allowed: bool) -> None:  # noqa: FBT001 - a row
    checked = Checked(url="https://pub.test/", verdicts=verdicts, addresses=(ip_address("1.1.1.1"),))
    assert checked.allowed is allowed


def test_headers_take_a_default_as_any_mapping_does() -> None:
    headers = Headers((("A", "b"), ("a", "c")))

    assert (headers.get("a"), headers.get("x"), headers.get("x", "y"), headers.get("x", default="y")) == (
        "b, c",
        None,
        "y",
        "y",
    )
