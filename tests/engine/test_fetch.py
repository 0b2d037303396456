from __future__ import annotations

import gzip
from http.cookiejar import CookieJar
from typing import TYPE_CHECKING

import pytest

from webward.config import EgressPolicy, Limits, NetworkSettings, Settings
from webward.config.values import USER_AGENT
from webward.engine.fetch import from_bytes
from webward.errors import (
    AddressRefused,
    CredentialsRefused,
    HostRefused,
    InvalidHeader,
    InvalidInput,
    InvalidUrl,
    NameNotFound,
    PortRefused,
    ProtocolFailed,
    ResolverFailed,
    SchemeRefused,
    TooManyRedirects,
    WebwardError,
)
from webward.model import AddressClass, Note
from webward.testing import FixedInterfaces, FrozenClock, LoopbackWeb, Pause, Send

from .sites import PUBLIC, secure

if TYPE_CHECKING:
    from pathlib import Path

    from webward.testing import SeenRequest

URL = "http://site.test/"
SECRETS = {"Authorization": "Bearer s3cr3t", "Cookie": "sid=s3cr3t", "X-Api-Key": "s3cr3t"}
SAFE = {"Accept-Language": "de", "User-Agent": "agent/1", "Accept": "text/plain"}
BODY_METHODS = ("POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def secrets_of(request: SeenRequest) -> set[str]:
    return {name for name in SECRETS if "s3cr3t" in request.headers.get(name, "")}


async def test_a_fetch_tells_all_about_its_answer() -> None:
    async with LoopbackWeb() as web:
        body = gzip.compress("caf\u00e9 ".encode() * 100)
        headers = [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Encoding", "gzip"),
            ("X-A", "1"),
            ("X-A", "2"),
        ]
        web.page(f"{URL}a", body, headers=headers)
        async with web.gateway(clock=FrozenClock()) as gateway:
            fetched = await gateway.fetch("HTTP://Site.TEST:80/a#part")
    assert (fetched.url, fetched.final_url) == ("http://site.test/a#part", "http://site.test/a#part")
    assert (fetched.status, fetched.reason) == (200, "Scripted")
    assert (fetched.media_type, fetched.charset) == ("text/plain", "utf-8")
    assert fetched.text == "caf\u00e9 " * 100
    assert fetched.body == fetched.text.encode()
    assert (fetched.body_bytes, fetched.wire_bytes) == (600, len(body))
    assert not fetched.truncated
    assert fetched.headers["x-a"] == "1, 2"
    assert fetched.notes == ()
    assert fetched.retrieved_at.isoformat() == "2026-01-01T00:00:00+00:00"


async def test_hops_and_times_are_filled(tmp_path: Path) -> None:
    trust = secure(tmp_path, "site.test")
    async with LoopbackWeb(tls=trust.tls) as web:
        web.redirect(URL, "https://site.test/a")
        web.redirect("https://site.test/a", "/b", status=307)
        web.script(
            "https://site.test/b", Send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na"), Pause(0.01), Send(b"b")
        )
        async with web.gateway(trust.settings) as gateway:
            fetched = await gateway.fetch(URL)
    assert [(hop.url, hop.status, hop.reused, hop.tls) for hop in fetched.hops] == [
        ("http://site.test/", 302, False, None),
        ("https://site.test/a", 307, False, "TLSv1.3"),
        ("https://site.test/b", 200, True, "TLSv1.3"),
    ]
    assert {hop.address_class for hop in fetched.hops} == {AddressClass.GLOBAL}
    timing = fetched.timing
    parts = (timing.resolve_ms, timing.dial_ms, timing.tls_ms, timing.head_ms, timing.body_ms)
    assert all(part > 0 for part in parts)
    assert sum(parts) <= timing.total_ms + 0.01


@pytest.mark.parametrize("status", [200, 201, 204, 300, 304, 400, 401, 404, 418, 429, 500, 503, 599])
async def test_any_status_is_an_answer(status: int) -> None:
    async with LoopbackWeb() as web:
        web.page(URL, b"" if status in (204, 304) else b"body", status=status)
        async with web.gateway() as gateway:
            assert (await gateway.fetch(URL)).status == status


async def test_the_request_is_honest_and_plain() -> None:
    async with LoopbackWeb() as web:
        web.page(URL)
        async with web.gateway() as gateway:
            await gateway.fetch(URL)
        assert dict(web.requests[0].headers) == {
            "host": "site.test",
            "user-agent": USER_AGENT,
            "accept": "*/*",
            "accept-encoding": "gzip, deflate, br, zstd",
        }


async def test_the_user_agent_is_the_operators_or_the_callers() -> None:
    async with LoopbackWeb() as web:
        web.page(URL)
        async with web.gateway(Settings(network=NetworkSettings(user_agent="house/2"))) as gateway:
            await gateway.fetch(URL)
            await gateway.fetch(URL, headers={"user-agent": "agent/1"})
        assert [request.headers.get_list("user-agent") for request in web.requests] == [("house/2",), ("agent/1",)]


@pytest.mark.parametrize(
    ("options", "method", "body", "content_type"),
    [
        ({}, "GET", b"", None),
        ({"method": "head"}, "HEAD", b"", None),
        ({"json": {"a": [1, "\u00e9"]}}, "POST", b'{"a":[1,"\\u00e9"]}', "application/json"),
        ({"json": {}, "headers": {"content-type": "application/ld+json"}}, "POST", b"{}", "application/ld+json"),
        ({"body": "caf\u00e9"}, "POST", "caf\u00e9".encode(), "text/plain; charset=utf-8"),
        ({"body": b"\x00", "method": "PUT"}, "PUT", b"\x00", None),
        ({"method": "DELETE"}, "DELETE", b"", None),
    ],
    ids=["GET", "HEAD", "json", "json with a type", "text", "bytes", "DELETE"],
)
async def test_what_is_asked_for_is_sent(
    options: dict[str, object], method: str, body: bytes, content_type: str | None
) -> None:
    async with LoopbackWeb() as web:
        web.script(URL, Send(b"HTTP/1.1 204 No Content\r\n\r\n"))
        async with web.gateway() as gateway:
            await gateway.fetch(URL, **options)  # type: ignore[arg-type]
        request = web.requests[0]
        assert (request.method, request.body, request.headers.get("content-type")) == (method, body, content_type)


@pytest.mark.parametrize(
    ("text", "options", "kind"),
    [
        ("site.test", {}, InvalidUrl),
        ("http://site.test/\r\nX-A: b", {}, InvalidUrl),
        ("http://site.test/a\rb", {}, InvalidUrl),
        ("http://site.test/a\nb", {}, InvalidUrl),
        ("http://site.test/a\x00b", {}, InvalidUrl),
        ("ftp://site.test/", {}, SchemeRefused),
        ("http://site.test:22/", {}, PortRefused),
        ("http://user:word@site.test/", {}, CredentialsRefused),
        ("http://localhost/", {}, HostRefused),
        ("http://intranet/", {}, HostRefused),
        ("http://10.0.0.1/", {}, AddressRefused),
        ("http://unknown.test/", {}, NameNotFound),
        (URL, {"headers": {"Host": "other.test"}}, InvalidHeader),
        (URL, {"headers": {"X-A": "1\r\nX-B: 2"}}, InvalidHeader),
        (URL, {"headers": {"X-A": "1\n2"}}, InvalidHeader),
        (URL, {"headers": {"X-A": "1\x002"}}, InvalidHeader),
        (URL, {"headers": {"X-A\r\nX-B": "1"}}, InvalidHeader),
        (URL, {"headers": {"X-A\x00": "1"}}, InvalidHeader),
        (URL, {"headers": {"X A": "1"}}, InvalidHeader),
        (URL, {"headers": {"Metadata-Flavor": "Google"}}, InvalidHeader),
        (URL, {"headers": {"Proxy-Authorization": "x"}}, InvalidHeader),
        (URL, {"timeout_ms": 0}, InvalidInput),
        (URL, {"method": "CONNECT"}, InvalidInput),
        (URL, {"method": "GET", "body": "x"}, InvalidInput),
    ],
)
async def test_what_is_wrong_or_refused_dials_nothing(
    text: str, options: dict[str, object], kind: type[WebwardError]
) -> None:
    async with LoopbackWeb() as web:
        web.host("site.test")
        async with web.gateway() as gateway:
            with pytest.raises(kind) as caught:
                await gateway.fetch(text, **options)  # type: ignore[arg-type]
        assert web.connections == []
    assert not caught.value.retryable


async def test_a_refused_name_is_not_resolved() -> None:
    """The question itself would tell somebody what is looked for."""
    async with LoopbackWeb() as web, web.gateway() as gateway:
        for text in ("http://secret.internal/", "http://site.test:22/", "http://user@site.test/"):
            with pytest.raises(WebwardError):
                await gateway.fetch(text)
        assert web.resolver.questions == []


async def test_an_error_of_the_resolver_comes_through_with_its_hop() -> None:
    async with LoopbackWeb() as web:
        web.redirect(URL, "http://broken.test/")
        web.resolver.answer("broken.test", ResolverFailed("the name servers failed"))
        async with web.gateway() as gateway:
            with pytest.raises(ResolverFailed) as caught:
                await gateway.fetch(URL)
    assert (caught.value.hop, caught.value.retryable) == (1, True)


async def test_the_machines_own_addresses_are_refused_unless_opened() -> None:
    async with LoopbackWeb() as web:
        web.page(URL, "own")
        web.host("site.test", PUBLIC)
        async with web.gateway(interfaces=FixedInterfaces(PUBLIC)) as gateway:
            with pytest.raises(AddressRefused) as caught:
                await gateway.fetch(URL)
        assert caught.value.setting == "egress.unsafe-allow-own-addresses"
        policy = EgressPolicy(unsafe_allow_own_addresses=True)
        async with web.gateway(Settings(egress=policy), interfaces=FixedInterfaces(PUBLIC)) as gateway:
            assert (await gateway.fetch(URL)).text == "own"


def next_method(status: int, method: str) -> str:
    """The Fetch standard, HTTP-redirect fetch, step 12."""
    if (status in (301, 302) and method == "POST") or (status == 303 and method not in ("GET", "HEAD")):
        return "GET"
    return method


@pytest.mark.parametrize("method", ["GET", "HEAD", *BODY_METHODS])
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("location", ["/next", "http://other.test/next"], ids=["same origin", "other origin"])
async def test_method_and_body_change_as_the_fetch_standard_says(status: int, method: str, location: str) -> None:
    body = b"x=1" if method in BODY_METHODS else None
    headers = {"Content-Type": "text/x-form", "Content-Language": "de"} if body else {}
    async with LoopbackWeb() as web:
        web.script(
            URL, Send(b"HTTP/1.1 %d R\r\nLocation: %b\r\nContent-Length: 0\r\n\r\n" % (status, location.encode()))
        )
        for site in (URL, "http://other.test/"):
            web.script(f"{site}next", Send(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
        async with web.gateway() as gateway:
            await gateway.fetch(URL, method=method, body=body, headers=headers)
        last = web.requests[-1]
    kept = body if next_method(status, method) == method else None
    assert (last.method, last.body) == (next_method(status, method), kept or b"")
    assert last.url.endswith("/next")
    assert ("content-type" in last.headers, "content-language" in last.headers) == (bool(kept), bool(kept))


@pytest.mark.parametrize("status", [300, 304, 305, 306, 399])
async def test_other_statuses_lead_nowhere(status: int) -> None:
    async with LoopbackWeb() as web:
        web.script(URL, Send(b"HTTP/1.1 %d R\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n" % status))
        async with web.gateway() as gateway:
            assert (await gateway.fetch(URL)).status == status


async def test_a_redirect_without_a_location_is_an_answer() -> None:
    async with LoopbackWeb() as web:
        web.page(URL, "here", status=302)
        async with web.gateway() as gateway:
            assert (await gateway.fetch(URL)).text == "here"


async def test_a_redirect_that_is_not_to_be_followed_is_an_answer() -> None:
    async with LoopbackWeb() as web:
        web.page(URL, "moved", status=301, headers=[("Location", "http://10.0.0.1/"), ("Content-Type", "text/plain")])
        async with web.gateway() as gateway:
            fetched = await gateway.fetch(URL, follow_redirects=False)
    assert (fetched.status, fetched.text, fetched.headers["location"]) == (301, "moved", "http://10.0.0.1/")
    assert len(fetched.hops) == 1


@pytest.mark.parametrize(
    ("location", "arrived"),
    [
        (b"next", "http://site.test/a/next"),
        (b"../up?q=1", "http://site.test/up?q=1"),
        (b"?only=query", "http://site.test/a/b?only=query"),
        (b"//other.test/x", "http://other.test/x"),
        (b"http://other.test", "http://other.test/"),
        (b"/a b", "http://site.test/a%20b"),
        (b"/caf\xc3\xa9", "http://site.test/caf%C3%A9"),
        (b"/caf\xe9", "http://site.test/caf%C3%A9"),
        (b"http://b\xc3\xbccher.test/", "http://xn--bcher-kva.test/"),
        (b"http://site.test./x", "http://site.test/x"),
        (b"/%0d%0aX-Injected:%201", "http://site.test/%0d%0aX-Injected:%201"),
    ],
)
async def test_a_location_is_read_as_browsers_read_it(location: bytes, arrived: str) -> None:
    async with LoopbackWeb() as web:
        web.script(
            "http://site.test/a/b", Send(b"HTTP/1.1 302 F\r\nLocation: " + location + b"\r\nContent-Length: 0\r\n\r\n")
        )
        for host in ("other.test", "xn--bcher-kva.test"):
            web.host(host)
        async with web.gateway() as gateway:
            await gateway.fetch("http://site.test/a/b")
        assert web.requests[-1].url == arrived
        assert not any("x-injected" in request.headers for request in web.requests)


@pytest.mark.parametrize("location", [b"", b"#top", b"b", b"/a/b"])
async def test_a_location_may_lead_to_itself(location: bytes) -> None:
    async with LoopbackWeb() as web:
        web.script(
            "http://site.test/a/b", Send(b"HTTP/1.1 302 F\r\nLocation: " + location + b"\r\nContent-Length: 0\r\n\r\n")
        )
        async with web.gateway() as gateway:
            with pytest.raises(TooManyRedirects):
                await gateway.fetch("http://site.test/a/b")
        assert {request.url for request in web.requests} == {"http://site.test/a/b"}


async def test_two_locations_that_differ_are_refused() -> None:
    async with LoopbackWeb() as web:
        web.page(URL, status=302, headers=[("Location", "/a"), ("Location", "http://other.test/")])
        async with web.gateway() as gateway:
            with pytest.raises(ProtocolFailed):
                await gateway.fetch(URL)
        web.page(URL, status=302, headers=[("Location", "/a"), ("Location", "/a")])
        web.page(f"{URL}a", "a")
        async with web.gateway() as gateway:
            assert (await gateway.fetch(URL)).text == "a"


@pytest.mark.parametrize("limit", [0, 1, 5, 20])
async def test_a_chain_of_redirects_has_a_limit(limit: int) -> None:
    async with LoopbackWeb() as web:
        for number in range(30):
            web.redirect(f"{URL}{number}", f"/{number + 1}")
        web.page(f"{URL}30", "end")
        async with web.gateway(Settings(limits=Limits(redirects=limit))) as gateway:
            assert len((await gateway.fetch(f"{URL}{30 - limit}")).hops) == limit + 1
            web.requests.clear()
            with pytest.raises(TooManyRedirects) as caught:
                await gateway.fetch(f"{URL}{30 - limit - 1}")
        assert len(web.requests) == limit + 1
    assert (caught.value.setting, caught.value.hop) == ("limits.redirects", limit + 1)


async def test_a_loop_ends_at_the_limit() -> None:
    async with LoopbackWeb() as web:
        web.redirect(URL, "http://other.test/")
        web.redirect("http://other.test/", URL)
        async with web.gateway() as gateway:
            with pytest.raises(TooManyRedirects):
                await gateway.fetch(URL)
        assert len(web.requests) == 6


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("http://site.test/", "http://other.test/"),
        ("http://site.test/", "http://www.site.test/"),
        ("http://www.site.test/", "http://site.test/"),
        ("http://site.test/", "http://site.test:8080/"),
        ("http://site.test:8080/", "http://site.test/"),
        ("http://site.test/", "https://site.test/"),
        ("https://site.test/", "http://site.test/"),
        ("http://site.test/", "http://93.184.216.99/"),
    ],
)
async def test_secrets_do_not_cross_from_origin_to_origin(first: str, second: str, status: int, tmp_path: Path) -> None:
    trust = secure(tmp_path, "site.test")
    async with LoopbackWeb(tls=trust.tls) as web:
        web.redirect(first, second, status=status)
        web.page(second, "arrived")
        async with web.gateway(trust.settings) as gateway:
            fetched = await gateway.fetch(first, headers={**SECRETS, **SAFE})
        before, after = web.requests
    assert fetched.text == "arrived"
    assert secrets_of(before) == set(SECRETS)
    assert secrets_of(after) == set()
    assert {name: after.headers[name] for name in SAFE} == SAFE
    assert fetched.notes == (Note.CREDENTIALS_DROPPED,)


async def test_secrets_stay_dropped_after_coming_home() -> None:
    async with LoopbackWeb() as web:
        web.redirect(URL, "http://other.test/")
        web.redirect("http://other.test/", f"{URL}home")
        web.page(f"{URL}home", "home")
        async with web.gateway() as gateway:
            fetched = await gateway.fetch(URL, headers=SECRETS)
        assert [secrets_of(request) for request in web.requests] == [set(SECRETS), set(), set()]
    assert fetched.notes == (Note.CREDENTIALS_DROPPED,)


@pytest.mark.parametrize(
    "location", ["/next", "http://site.test/next", "http://SITE.test:80/next", "//site.test./next"]
)
async def test_secrets_go_on_within_the_origin(location: str) -> None:
    async with LoopbackWeb() as web:
        web.redirect(URL, location)
        web.page(f"{URL}next", "next")
        async with web.gateway() as gateway:
            fetched = await gateway.fetch(URL, headers=SECRETS)
        assert secrets_of(web.requests[1]) == set(SECRETS)
    assert fetched.notes == ()


async def test_nothing_is_noted_when_nothing_was_dropped() -> None:
    async with LoopbackWeb() as web:
        web.redirect(URL, "http://other.test/")
        web.page("http://other.test/", "other")
        async with web.gateway() as gateway:
            assert (await gateway.fetch(URL, headers=SAFE)).notes == ()


AUTHORIZING = Settings(egress=EgressPolicy(url_credentials="authorization"))


async def test_userinfo_goes_to_the_first_origin_alone() -> None:
    async with LoopbackWeb() as web:
        web.redirect(URL, "/a")
        web.redirect(f"{URL}a", "http://other.test/")
        web.page("http://other.test/", "other")
        async with web.gateway(AUTHORIZING) as gateway:
            fetched = await gateway.fetch("http://us%20er:p%40ss@site.test/")
        sent = [request.headers.get("authorization") for request in web.requests]
        assert sent == ["Basic dXMgZXI6cEBzcw==", "Basic dXMgZXI6cEBzcw==", None]
    assert fetched.notes == (Note.CREDENTIALS_DROPPED,)
    assert "p%40ss" not in repr(fetched)
    assert fetched.url == URL


async def test_userinfo_in_a_location_is_not_sent() -> None:
    async with LoopbackWeb() as web:
        web.redirect(URL, "http://user:word@site.test/next")
        web.page(f"{URL}next", "next")
        async with web.gateway(AUTHORIZING) as gateway:
            fetched = await gateway.fetch(URL)
        assert [request.headers.get("authorization") for request in web.requests] == [None, None]
    assert fetched.notes == (Note.CREDENTIALS_DROPPED,)
    assert fetched.final_url == f"{URL}next"


async def test_the_callers_authorization_beats_the_urls() -> None:
    async with LoopbackWeb() as web:
        web.page(URL)
        async with web.gateway(AUTHORIZING) as gateway:
            await gateway.fetch("http://user:word@site.test/", headers={"authorization": "Bearer x"})
        assert web.requests[0].headers.get_list("authorization") == ("Bearer x",)


async def test_no_cookie_is_kept_or_sent() -> None:
    async with LoopbackWeb() as web:
        cookie = ("Set-Cookie", "sid=s3cr3t; Path=/")
        web.page(URL, status=302, headers=[("Location", "/next"), cookie])
        web.page(f"{URL}next", "next", headers=[cookie])
        async with web.gateway() as gateway:
            await gateway.fetch(URL)
            await gateway.fetch(URL)
        assert len(web.requests) == 4
        assert not any("cookie" in request.headers for request in web.requests)


async def test_a_jar_of_the_task_keeps_cookies_by_their_host() -> None:
    async with LoopbackWeb() as web:
        web.page(URL, status=302, headers=[("Location", "/next"), ("Set-Cookie", "sid=1"), ("Set-Cookie", "b=2")])
        web.redirect(f"{URL}next", "http://other.test/")
        web.redirect("http://other.test/", f"{URL}end")
        web.page(f"{URL}end", "end")
        jar = CookieJar()
        async with web.gateway() as gateway:
            await gateway.fetch(URL, cookies=jar)
            await gateway.fetch(f"{URL}end", cookies=jar)
            await gateway.fetch(f"{URL}end", cookies=CookieJar())
        sent = [request.headers.get("cookie") for request in web.requests]
    assert sent == [None, "sid=1; b=2", None, "sid=1; b=2", "sid=1; b=2", None]


@pytest.mark.parametrize(
    ("options", "notes"),
    [
        ({"timeout_ms": 2000}, ()),
        ({"timeout_ms": 2001}, (Note.DEADLINE_CLAMPED,)),
        ({"max_bytes": 2000}, ()),
        ({"max_bytes": 2001}, (Note.MAX_BYTES_CLAMPED,)),
        ({"timeout_ms": 9999, "max_bytes": 9999}, (Note.DEADLINE_CLAMPED, Note.MAX_BYTES_CLAMPED)),
    ],
)
async def test_more_than_a_ceiling_is_cut_and_noted(options: dict[str, int], notes: tuple[Note, ...]) -> None:
    limits = Limits(deadline_seconds=1, max_deadline_seconds=2, body_bytes=1000, max_body_bytes=2000)
    async with LoopbackWeb() as web:
        web.page(URL, b"a" * 3000)
        async with web.gateway(Settings(limits=limits)) as gateway:
            fetched = await gateway.fetch(URL, **options)  # type: ignore[arg-type]
    assert fetched.notes == notes
    assert fetched.body_bytes == min(options.get("max_bytes", 1000), 2000)


@pytest.mark.parametrize(("size", "truncated"), [(999, False), (1000, False), (1001, True)])
async def test_a_body_is_cut_behind_its_limit(size: int, *, truncated: bool) -> None:
    async with LoopbackWeb() as web:
        web.page(URL, b"a" * size, headers=[("Content-Type", "text/plain")])
        async with web.gateway() as gateway:
            fetched = await gateway.fetch(URL, max_bytes=1000)
    assert (fetched.body_bytes, fetched.truncated) == (min(size, 1000), truncated)
    assert fetched.text == "a" * min(size, 1000)


@pytest.mark.parametrize(
    ("coding", "body", "text", "notes", "truncated"),
    [
        ("gzip", gzip.compress(b"hello" * 100)[:-12], "hello" * 100, (Note.TRUNCATED_CODING,), True),
        ("gzip", b"hello, not gzip", "hello, not gzip", (Note.WRONG_CONTENT_CODING,), False),
        ("foo", b"hello", "hello", (Note.UNKNOWN_CONTENT_CODING,), False),
        ("identity", b"hello", "hello", (), False),
        ("X-GZIP", gzip.compress(b"hello"), "hello", (), False),
    ],
    ids=["cut off", "a lie", "unknown", "identity", "alias"],
)
async def test_a_coding_that_is_wrong_is_noted(
    coding: str, body: bytes, text: str, notes: tuple[Note, ...], *, truncated: bool
) -> None:
    async with LoopbackWeb() as web:
        web.page(URL, body, headers=[("Content-Type", "text/plain"), ("Content-Encoding", coding)])
        async with web.gateway() as gateway:
            fetched = await gateway.fetch(URL)
    assert fetched.text is not None
    assert text.startswith(fetched.text)
    assert (fetched.notes, fetched.truncated) == (notes, truncated)


@pytest.mark.parametrize(
    ("content_type", "body", "text", "charset"),
    [
        ("text/plain; charset=bogus-8", b"hello", "hello", "utf-8"),
        ("text/plain; charset=hex", b"68656c6c6f", "68656c6c6f", "utf-8"),
        ("text/plain; charset=utf-7", b"+ADw-script+AD4-", "+ADw-script+AD4-", "utf-8"),
        ("text/plain; charset=utf-8", b"caf\xe9", "caf\u00e9", "windows-1252"),
        ("text/html; charset=iso-8859-1", b"caf\xe9 \x80", "caf\u00e9 \u20ac", "windows-1252"),
        (None, b"hello", "hello", "utf-8"),
        ("image/png", b"\x89PNG\r\n\x1a\n", None, None),
        ("application/octet-stream", b"hello", None, None),
        ("application/json", b'{"a":1}', '{"a":1}', "utf-8"),
    ],
)
async def test_text_is_given_for_what_is_textual(
    content_type: str | None, body: bytes, text: str | None, charset: str | None
) -> None:
    async with LoopbackWeb() as web:
        web.page(URL, body, headers=[("Content-Type", content_type)] if content_type else [])
        async with web.gateway() as gateway:
            fetched = await gateway.fetch(URL)
    assert (fetched.text, fetched.charset, fetched.body) == (text, charset, body)
    assert fetched.media_type == (content_type.partition(";")[0] if content_type else None)


async def test_a_guessed_charset_is_noted() -> None:
    async with LoopbackWeb() as web:
        web.page(URL, b"<p>caf\xe9 cr\xe8me, d\xe9j\xe0 vu", headers=[("Content-Type", "text/html")])
        async with web.gateway() as gateway:
            fetched = await gateway.fetch(URL)
    assert fetched.notes == (Note.CHARSET_GUESSED,)
    assert fetched.text == "<p>caf\u00e9 cr\u00e8me, d\u00e9j\u00e0 vu"


def test_bytes_from_elsewhere_look_like_an_answer() -> None:
    fetched = from_bytes(
        b"<p>caf\xc3\xa9", url="about:blank", media_type="text/html; charset=utf-8", clock=FrozenClock()
    )
    assert (fetched.status, fetched.text, fetched.charset) == (200, "<p>caf\u00e9", "utf-8")
    assert (fetched.hops, fetched.notes, fetched.body_bytes) == ((), (Note.FROM_BYTES,), 8)
    assert fetched.headers["content-type"] == "text/html; charset=utf-8"
    assert from_bytes(b"x", url="about:blank", media_type=None, clock=FrozenClock()).media_type is None
