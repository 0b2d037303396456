from __future__ import annotations

import pytest

from webward.core.redirect import follow, is_redirect
from webward.core.url import parse
from webward.errors import InvalidUrl, ProtocolFailed, SchemeRefused
from webward.model import Headers, Request, ResponseHead

FIELDS = (
    ("Accept", "text/html"),
    ("User-Agent", "webward"),
    ("Authorization", "Bearer secret"),
    ("Cookie", "a=b"),
    ("X-Api-Key", "secret"),
    ("Content-Type", "text/plain"),
    ("Content-Encoding", "gzip"),
)
SAFE = (("Accept", "text/html"), ("User-Agent", "webward"))
BODY_FIELDS = {"Content-Type", "Content-Encoding"}
WITHOUT_BODY_FIELDS = tuple(field for field in FIELDS if field[0] not in BODY_FIELDS)


def head(status: int, *locations: str) -> ResponseHead:
    return ResponseHead(status=status, reason="", headers=Headers(tuple(("Location", text) for text in locations)))


def request(method: str = "GET", body: bytes = b"") -> Request:
    return Request(method=method, headers=FIELDS, body=body)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_five_statuses_redirect(status: int) -> None:
    assert is_redirect(head(status, "/x"))
    assert is_redirect(head(status, ""))
    assert not is_redirect(head(status))


@pytest.mark.parametrize("status", [200, 201, 202, 204, 300, 304, 305, 306, 309, 399, 401, 404, 503])
def test_others_are_answers(status: int) -> None:
    assert not is_redirect(head(status, "/x"))


# https://fetch.spec.whatwg.org/#http-redirect-fetch, step 12
@pytest.mark.parametrize(
    ("status", "method", "becomes"),
    [
        *((status, "GET", "GET") for status in (301, 302, 303, 307, 308)),
        *((status, "HEAD", "HEAD") for status in (301, 302, 303, 307, 308)),
        (301, "POST", "GET"),
        (302, "POST", "GET"),
        (303, "POST", "GET"),
        (307, "POST", "POST"),
        (308, "POST", "POST"),
        *((status, "PUT", "PUT") for status in (301, 302, 307, 308)),
        (303, "PUT", "GET"),
        (303, "PATCH", "GET"),
        (303, "DELETE", "GET"),
        (303, "OPTIONS", "GET"),
        (301, "DELETE", "DELETE"),
    ],
)
def test_the_method_changes_as_in_the_fetch_standard(status: int, method: str, becomes: str) -> None:
    body = b"" if method in {"GET", "HEAD"} else b"body"
    step = follow(parse("https://pub.test/a"), request(method, body), head(status, "/b"))
    assert step.target.url == "https://pub.test/b"
    assert step.request.method == becomes
    if becomes == method:
        assert step.request == request(method, body)
    else:
        assert step.request == Request(method="GET", headers=WITHOUT_BODY_FIELDS)
    assert not step.dropped


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    ("base", "location"),
    [
        ("https://pub.test/", "https://other.test/"),
        ("https://pub.test/", "//other.test/"),
        ("https://pub.test/", "https://sub.pub.test/"),
        ("https://pub.test/", "https://pub.test:8443/"),
        ("https://pub.test/", "http://pub.test/"),
        ("http://pub.test/", "https://pub.test/"),
        ("http://pub.test/", "http://pub.test:443/"),
        ("http://1.1.1.1/", "http://1.0.0.1/"),
        ("http://1.1.1.1/", "http://[::ffff:1.1.1.1]/"),
    ],
)
def test_only_safelisted_fields_follow_to_another_origin(status: int, base: str, location: str) -> None:
    step = follow(parse(base), Request(method="GET", headers=WITHOUT_BODY_FIELDS), head(status, location))
    assert step.request == Request(method="GET", headers=SAFE)
    assert step.dropped


@pytest.mark.parametrize(
    ("base", "location"),
    [
        ("https://pub.test/", "https://pub.test:443/x"),
        ("https://pub.test:443/", "/x"),
        ("https://PUB.test./", "https://pub.test/x"),
        ("https://bücher.test/", "https://xn--bcher-kva.test/x"),
        ("http://127.1/", "http://2130706433/x"),
        ("https://pub.test/", "//pub.test/x"),
        ("https://pub.test/", ""),
    ],
)
def test_every_field_follows_within_an_origin(base: str, location: str) -> None:
    step = follow(parse(base), request(), head(302, location))
    assert step.request.headers == FIELDS
    assert not step.dropped


def test_a_body_that_crosses_keeps_its_type() -> None:
    step = follow(parse("https://pub.test/"), request("POST", b"body"), head(307, "https://other.test/"))
    assert step.request == Request(method="POST", headers=(*SAFE, ("Content-Type", "text/plain")), body=b"body")


def test_what_was_dropped_does_not_come_back() -> None:
    away = follow(parse("https://pub.test/"), request(), head(302, "https://other.test/"))
    back = follow(away.target, away.request, head(302, "https://pub.test/"))
    assert back.target.host == "pub.test"
    assert back.request.headers == SAFE


def test_nothing_is_dropped_when_there_was_nothing() -> None:
    step = follow(parse("https://a.test/"), Request(method="GET", headers=SAFE), head(302, "https://b.test/"))
    assert not step.dropped


def test_the_fragment_is_inherited() -> None:
    assert follow(parse("https://a.test/#x"), request(), head(302, "https://b.test/")).target.fragment == "x"
    assert follow(parse("https://a.test/#x"), request(), head(302, "https://b.test/#y")).target.fragment == "y"


def test_credentials_in_a_location_are_told_to_the_judge() -> None:
    step = follow(parse("https://a.test/#x"), request(), head(302, "https://user:pw@b.test/"))
    assert step.target.credentials is not None
    assert "Authorization" not in dict(step.request.headers)


@pytest.mark.parametrize("location", ["http://127.0.0.1/", "http://169.254.169.254/", "http://10.0.0.1/", "//[::1]/"])
def test_a_location_is_a_target_that_must_be_judged(location: str) -> None:
    assert follow(parse("https://a.test/"), request(), head(302, location)).target.address is not None


@pytest.mark.parametrize("location", ["file:///etc/passwd", "data:,x", "javascript:x", "ftp://a.test/", "blob:x"])
def test_a_location_of_another_scheme_is_refused(location: str) -> None:
    with pytest.raises(SchemeRefused):
        follow(parse("https://a.test/"), request(), head(302, location))


@pytest.mark.parametrize("location", ["http://", r"\\127.0.0.1\x", r"https://a.test\@127.0.0.1/", "/\x00", "//a@b@c/"])
def test_a_broken_location_is_an_error(location: str) -> None:
    with pytest.raises(InvalidUrl):
        follow(parse("https://a.test/"), request(), head(302, location))


def test_locations_that_differ_are_an_error() -> None:
    with pytest.raises(ProtocolFailed, match="several locations"):
        follow(parse("https://a.test/"), request(), head(302, "/x", "/y"))
    assert follow(parse("https://a.test/"), request(), head(302, "/x", "/x")).target.url == "https://a.test/x"
