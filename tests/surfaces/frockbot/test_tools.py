"""The tools on a gateway to a web of their own: real TLS, real redirects, whole results."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace
from tests.contracts.frockbot.urls import REFUSED
from tests.engine.sites import WAIT_SECONDS, secure

from webward import Gateway
from webward.config import EgressPolicy, Limits, Settings
from webward.errors import InvalidConfiguration
from webward.frockbot import mounted, strict_settings, web_fetch_tool
from webward.testing import Close, FixedInterfaces, LoopbackWeb, Pause, Send

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from webward.frockbot import WebTool

URL = "https://site.test/"
INNER = "10.1.2.3"
KEYS = ["url", "finalUrl", "status", "contentType", "bytes", "truncated", "text"]
PLAIN = ("Content-Type", "text/plain; charset=utf-8")
MAX_BYTES = 2048


class Bench:
    """A web over TLS, and ``web_fetch`` on it."""

    def __init__(self, web: LoopbackWeb, settings: Settings) -> None:
        self.web = web
        self.settings = strict_settings(settings)

    async def fetch(self, value: object, *, limits: Limits | None = None) -> tuple[bool, dict[str, Any]]:
        settings = strict_settings(replace(self.settings, limits=limits)) if limits else self.settings
        async with self.web.gateway(settings) as gateway, asyncio.timeout(WAIT_SECONDS):
            result = await web_fetch_tool(gateway)(value)
        assert set(result) == {"content", "isError"}
        return result["isError"], json.loads(result["content"])

    async def read(self, **options: Any) -> dict[str, Any]:
        is_error, content = await self.fetch({"url": URL, **options})
        assert not is_error, content
        assert list(content) == KEYS
        return content

    async def refusal(self, url: str = URL, *, limits: Limits | None = None, **options: Any) -> str:
        is_error, content = await self.fetch({"url": url, **options}, limits=limits)
        assert is_error, content
        assert list(content) == ["url", "error", "message"]
        assert content["url"] == url
        assert INNER not in content["message"]
        code: str = content["error"]
        return code


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    trust = secure(tmp_path, "site.test", "other.test", "inner.test", "mixed.test")
    async with LoopbackWeb(tls=trust.tls) as web:
        web.resolver.answer("inner.test", [INNER])
        web.resolver.answer("mixed.test", ["93.184.216.34", INNER])
        yield Bench(web, trust.settings)


def declared(status: int, *fields: str) -> Send:
    return Send("\r\n".join([f"HTTP/1.1 {status} Scripted", *fields, "", ""]).encode())


async def test_a_page_as_text(bench: Bench) -> None:
    html = "<title>T</title><h1>Hello</h1><p>big   <b>world</b></p><script>alert(1)</script><a href=/next>next</a>"
    bench.web.page(f"{URL}caf%C3%A9?q=1", html)
    is_error, content = await bench.fetch({"url": "HTTPS://Site.TEST:443/café?q=1#part"})
    assert not is_error
    assert list(content) == KEYS
    assert content == {
        "url": f"{URL}caf%C3%A9?q=1#part",
        "finalUrl": f"{URL}caf%C3%A9?q=1#part",
        "status": 200,
        "contentType": "text/html",
        "bytes": len(html),
        "truncated": False,
        "text": "Hello\n\nbig world\n\nnext",
    }


async def test_a_page_as_markdown(bench: Bench) -> None:
    bench.web.page(URL, "<h1>Hello</h1><p>big <b>world</b></p><a href=/next>next</a>")
    assert (await bench.read(format="markdown"))["text"] == f"# Hello\n\nbig **world**\n\n[next]({URL}next)"


@pytest.mark.parametrize("status", [200, 201, 203, 299])
@pytest.mark.parametrize(
    ("media_type", "body", "text"),
    [
        ("text/html", "<p>a", "a"),
        ("Text/HTML; charset=utf-8", "<p>a", "a"),
        ("application/xhtml+xml", "<html xmlns='http://www.w3.org/1999/xhtml'><p>a</p></html>", "a"),
        ("text/plain", "a  b\n\n\n  <c>", "a b\n\n\n  <c>"),
        ("text/markdown", "# a\n\n    code", "# a\n\n    code"),
        ("application/json", '{"a":[1]}', '{\n  "a": [\n    1\n  ]\n}'),
    ],
)
async def test_every_media_type_of_the_contract_is_read(
    bench: Bench, status: int, media_type: str, body: str, text: str
) -> None:
    bench.web.page(URL, body, status=status, headers=[("Content-Type", media_type)])
    content = await bench.read()
    assert (content["status"], content["text"]) == (status, text)
    assert content["contentType"] == media_type.partition(";")[0].lower()


async def test_the_text_is_sanitized(bench: Bench) -> None:
    bench.web.page(URL, "in\u200bvis\u00adible <|im_start|> \x1b[31mred", headers=[PLAIN])
    assert (await bench.read())["text"] == "invisible \u2039|im_start|\u203a red"


async def test_the_request_is_the_same_whoever_asks(bench: Bench) -> None:
    bench.web.page(URL, "a", headers=[PLAIN, ("Set-Cookie", "a=1")])
    async with bench.web.gateway(bench.settings) as gateway:
        tool = web_fetch_tool(gateway)
        for form in ("text", "markdown"):
            await tool({"url": URL, "format": form}, effect_id="e1")
    first, second = bench.web.requests
    assert (first.method, first.body) == ("GET", b"")
    assert first.headers["user-agent"].startswith("webward/")
    assert first.headers["accept-language"] == "en"
    assert first.headers["accept"].startswith("text/markdown,text/html;q=0.9")
    assert set(first.headers) == {"host", "user-agent", "accept", "accept-language", "accept-encoding"}
    assert dict(first.headers) == dict(second.headers)


async def test_three_redirects_are_followed(bench: Bench) -> None:
    bench.web.redirect(URL, "/1", status=301)
    bench.web.redirect(f"{URL}1", "https://other.test/2", status=307)
    bench.web.redirect("https://other.test/2", f"{URL}3#end", status=303)
    bench.web.page(f"{URL}3", "there", headers=[PLAIN])
    content = await bench.read()
    assert (content["url"], content["finalUrl"], content["text"]) == (URL, f"{URL}3#end", "there")


async def test_a_fourth_redirect_is_too_many(bench: Bench) -> None:
    for number in range(4):
        bench.web.redirect(URL + (str(number) if number else ""), f"/{number + 1}")
    bench.web.page(f"{URL}4", "there", headers=[PLAIN])
    assert await bench.refusal() == "web-fetch-too-many-redirects"
    assert len(bench.web.requests) == 4


BAD_LOCATIONS = {
    "http://site.test/": "ssrf-blocked-scheme",
    "ftp://site.test/": "ssrf-blocked-scheme",
    "https://user:word@site.test/": "ssrf-blocked-credentials",
    "https://site.test:8443/": "ssrf-blocked-port",
    f"https://{INNER}/": "ssrf-blocked-private-address",
    "https://167838211/": "ssrf-blocked-private-address",  # the same
    "//0x7f.1/": "ssrf-blocked-private-address",
    "https://[::ffff:8.8.8.8]/": "ssrf-blocked-private-address",
    "https://metadata.google.internal/": "ssrf-blocked-host",
    "https://redis/": "ssrf-blocked-host",
    "https://inner.test/": "ssrf-blocked-private-address",
    "https://mixed.test/": "ssrf-blocked-private-address",
    "https://[": "ssrf-invalid-url",
    "https://exa mple.com/": "ssrf-invalid-url",
    "https://site.test\\@inner.test/": "ssrf-invalid-url",
}


@pytest.mark.parametrize("location", BAD_LOCATIONS)
@pytest.mark.parametrize("hops", [1, 3])
async def test_a_redirect_is_classified_as_the_first_url_was(bench: Bench, location: str, hops: int) -> None:
    for number in range(hops):
        bench.web.redirect(URL + (str(number) if number else ""), f"/{number + 1}" if number + 1 < hops else location)
    is_error, content = await bench.fetch({"url": URL})
    assert is_error
    assert (content["url"], content["error"]) == (URL, BAD_LOCATIONS[location])
    assert not {"10.1.2.3", "167838211", "0x7f", "127.0", "8.8", "inner", "redis", "metadata"} & set(
        content["message"].replace("/", " ").split()
    )
    assert len(bench.web.requests) == hops


@pytest.mark.parametrize("url", REFUSED, ids=lambda url: repr(url)[:60])
async def test_a_refused_url_is_never_asked_for(bench: Bench, url: str) -> None:
    is_error, content = await bench.fetch({"url": url})
    assert is_error
    assert content["error"] == REFUSED[url]
    assert (bench.web.connections, bench.web.resolver.questions) == ([], [])


@pytest.mark.parametrize("name", ["inner.test", "mixed.test"])
async def test_a_name_at_a_private_address_is_refused(bench: Bench, name: str) -> None:
    assert await bench.refusal(f"https://{name}/") == "ssrf-blocked-private-address"
    assert bench.web.connections == []


async def test_a_name_that_moves_inside_is_refused(bench: Bench) -> None:
    bench.web.page(URL, "a", headers=[PLAIN])
    bench.web.resolver.answer("site.test", ["93.184.216.34"], [INNER])
    async with bench.web.gateway(bench.settings) as gateway:
        tool = web_fetch_tool(gateway)
        first, second = await tool({"url": URL}), await tool({"url": URL})
    assert not first["isError"]
    assert json.loads(second["content"])["error"] == "ssrf-blocked-private-address"
    assert len(bench.web.connections) == 1


@pytest.mark.parametrize(
    ("steps", "code"),
    [
        ((declared(404, "Content-Type: image/png", "Content-Length: 9999"),), "web-fetch-http-error"),
        ((declared(500),), "web-fetch-http-error"),
        ((declared(401, "WWW-Authenticate: Basic"),), "web-fetch-http-error"),
        ((declared(300, "Location: /next"),), "web-fetch-http-error"),
        ((declared(302),), "web-fetch-redirect-without-location"),
        ((declared(304),), "web-fetch-redirect-without-location"),
        ((declared(302, "Location: /a", "Location: /b"),), "web-fetch-failed"),
        ((declared(200),), "web-fetch-blocked-content-type"),
        ((declared(200, "Content-Type: html"),), "web-fetch-blocked-content-type"),
        ((declared(200, "Content-Type: application/pdf"),), "web-fetch-blocked-content-type"),
        ((declared(200, "Content-Type: text/css"),), "web-fetch-blocked-content-type"),
        ((declared(200, "Content-Type: image/png", "Content-Length: 9999"),), "web-fetch-blocked-content-type"),
        ((declared(200, "Content-Type: text/plain", "Content-Length: 2049"),), "web-fetch-response-too-large"),
        ((Send(b"SSH-2.0-OpenSSH\r\n\r\n"), Close()), "web-fetch-failed"),
        ((Close(),), "web-fetch-failed"),
        (
            (declared(200, "Content-Type: text/plain", "Content-Length: 9"), Send(b"broken"), Close()),
            "web-fetch-failed",
        ),
        (
            (declared(200, "Content-Type: text/plain", "Content-Encoding: gzip, gzip, gzip", "Content-Length: 0"),),
            "web-fetch-failed",
        ),
    ],
)
async def test_an_answer_is_refused_by_its_head_or_body(bench: Bench, steps: tuple[Any, ...], code: str) -> None:
    bench.web.script(URL, *steps, Pause(10 * WAIT_SECONDS))  # what is refused by its head is not waited for
    assert await bench.refusal(max_bytes=MAX_BYTES) == code


@pytest.mark.parametrize("body", [b"\x89PNG\r\n\x1a\n\0\0", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n\0", b"PK\x03\x04\0\0\xff"])
@pytest.mark.parametrize("media_type", ["text/html", "text/plain"])
async def test_what_is_no_text_is_not_read_under_a_false_name(bench: Bench, body: bytes, media_type: str) -> None:
    bench.web.page(URL, body, headers=[("Content-Type", media_type)])
    assert await bench.refusal() == "web-fetch-blocked-content-type"


@pytest.mark.parametrize(
    ("body_bytes", "kept", "truncated"),
    [(MAX_BYTES - 1, MAX_BYTES - 1, False), (MAX_BYTES, MAX_BYTES, False), (MAX_BYTES + 1, MAX_BYTES, True)],
)
@pytest.mark.parametrize("coding", ["chunked", "gzip"])
async def test_truncated_is_right_to_the_byte(
    bench: Bench,
    body_bytes: int,
    kept: int,
    truncated: bool,  # noqa: FBT001 - a row
    coding: str,
) -> None:
    body = b"x" * body_bytes
    if coding == "gzip":
        bench.web.page(URL, gzip.compress(body), headers=[PLAIN, ("Content-Encoding", "gzip")])
    else:
        chunk = b"%x\r\n%s\r\n0\r\n\r\n" % (body_bytes, body)
        bench.web.script(URL, declared(200, ": ".join(PLAIN), "Transfer-Encoding: chunked"), Send(chunk))
    content = await bench.read(max_bytes=MAX_BYTES)
    assert (content["bytes"], content["truncated"], content["text"]) == (kept, truncated, "x" * kept)


async def test_a_body_declared_as_long_as_allowed_is_read(bench: Bench) -> None:
    bench.web.page(URL, "x" * MAX_BYTES, headers=[PLAIN])
    content = await bench.read(max_bytes=MAX_BYTES)
    assert (content["bytes"], content["truncated"]) == (MAX_BYTES, False)


async def test_a_long_text_is_cut_on_a_character(bench: Bench) -> None:
    bench.web.page(URL, "<p>" + "é" * 20_000)
    content = await bench.read()
    assert content["truncated"] is True
    assert content["text"] == "é" * 16_384
    assert content["bytes"] == 40_003


@pytest.mark.parametrize("value", [None, {}, {"url": 1}, {"url": URL, "max_bytes": 1}, {"url": URL, "headers": {}}, []])
async def test_a_wrong_input_is_refused(bench: Bench, value: Any) -> None:
    is_error, content = await bench.fetch(value)
    assert is_error
    assert content["error"] == "web-fetch-invalid-input"
    assert bench.web.connections == []


@pytest.mark.parametrize(
    ("url", "code"), [("https://nowhere.test/", "web-fetch-failed"), ("https://stranger.test/", "web-fetch-failed")]
)
async def test_names_and_certificates_fail(bench: Bench, url: str, code: str) -> None:
    bench.web.host("stranger.test")  # the certificate is not good for it
    assert await bench.refusal(url) == code


async def test_the_deadline_ends_a_silent_server(bench: Bench) -> None:
    bench.web.script(URL, Pause(10 * WAIT_SECONDS))
    limits = Limits(deadline_seconds=0.2, max_deadline_seconds=0.2)
    assert await bench.refusal(limits=limits) == "web-fetch-failed"


async def test_two_hundred_calls_at_once_are_all_answered(bench: Bench) -> None:
    bench.web.page(URL, "here", headers=[PLAIN])
    bench.web.script(f"{URL}silent", Pause(10 * WAIT_SECONDS))
    limits = Limits(deadline_seconds=1.0, max_deadline_seconds=1.0)
    settings = strict_settings(replace(bench.settings, limits=limits))
    async with bench.web.gateway(settings) as gateway, asyncio.timeout(3 * WAIT_SECONDS):
        tool = web_fetch_tool(gateway)
        warm = await tool({"url": URL})
        silent = [tool({"url": f"{URL}silent"}) for _ in range(200)]
        results = await asyncio.gather(*silent)
    assert not warm["isError"]
    assert {json.loads(result["content"])["error"] for result in results} == {"web-fetch-failed"}


async def test_calls_that_wait_for_their_turn_keep_their_deadline(bench: Bench) -> None:
    bench.web.script(URL, Pause(10 * WAIT_SECONDS))
    limits = Limits(deadline_seconds=0.5, max_deadline_seconds=0.5)
    settings = strict_settings(replace(bench.settings, limits=limits))
    async with bench.web.gateway(settings) as gateway, asyncio.timeout(WAIT_SECONDS):
        tool = web_fetch_tool(gateway)
        results = await asyncio.gather(*(tool({"url": URL}) for _ in range(600)))
    assert all(result["isError"] for result in results)


class Faulty:
    """A transport with a fault of its own."""

    def exchange(self, *_: object) -> Any:
        raise RuntimeError("secret words")

    async def close(self) -> None:
        pass


async def test_a_fault_of_ours_is_a_result_and_is_reported(bench: Bench) -> None:
    reported: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
    bench.web.host("site.test")
    gateway = Gateway(bench.settings, resolver=bench.web.resolver, transport=Faulty(), interfaces=FixedInterfaces())
    async with gateway:
        result = await web_fetch_tool(gateway)({"url": URL})
    assert json.loads(result["content"])["error"] == "web-fetch-failed"
    assert "secret" not in result["content"]
    assert [type(context["exception"]) for context in reported] == [RuntimeError]


async def test_a_closed_gateway_is_told() -> None:
    result = await web_fetch_tool(Gateway(strict_settings(Settings())))({"url": URL})
    assert "not open" in json.loads(result["content"])["message"]


@pytest.mark.parametrize(
    "settings", [Settings(), Settings(egress=EgressPolicy.strict()), Settings(egress=EgressPolicy.development())]
)
def test_a_gateway_that_allows_more_is_not_taken(settings: Settings) -> None:
    with pytest.raises(InvalidConfiguration, match="strict_settings"):
        web_fetch_tool(Gateway(settings))


async def test_another_port_can_be_opened(tmp_path: Path) -> None:
    trust = secure(tmp_path, "site.test")
    settings = strict_settings(trust.settings, ports={8443})
    async with LoopbackWeb(tls=trust.tls) as web, web.gateway(settings) as gateway:
        web.page("https://site.test:8443/", "a", headers=[PLAIN])
        tool = web_fetch_tool(gateway)
        results = [await tool({"url": url}) for url in ("https://site.test:8443/", URL)]
    assert [result["isError"] for result in results] == [False, True]


def names(tools: list[WebTool]) -> list[str]:
    return [tool.definition.name for tool in tools]


def test_the_fence() -> None:
    gateway = Gateway(strict_settings(Settings()))
    assert names(mounted(gateway)) == ["web_fetch"]
    assert names(mounted(gateway, enabled={"web", "web-fetch"})) == ["web_fetch"]
    assert names(mounted(gateway, enabled={"web"})) == []
    assert names(mounted(gateway, enabled=())) == []
