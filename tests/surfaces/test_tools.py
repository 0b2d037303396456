"""The table of tools, called on a real gateway."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from webward import Settings
from webward.config import Limits
from webward.contracts.outcomes import Outcome
from webward.errors import ProviderFailed
from webward.model import Hit
from webward.surfaces import tools
from webward.surfaces.tools import CALLS_AT_ONCE, Tool, Toolbox
from webward.testing import FakeProvider, LoopbackWeb

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from webward.engine.gateway import Gateway

URL = "http://site.test/"
PNG = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0\x12\x16\xf1\x4d\0\0\0\x0cIDATx\x9cc\xf8\xcf\xc0"
    b"\0\0\x03\x01\x01\0\xc9\xfe\x92\xef\0\0\0\0IEND\xaeB`\x82"
)
TEA = Hit(title="Tea", url="https://tea.test/", snippet="Green.")


class Box(Toolbox):
    async def do(self, name: str, **arguments: Any) -> Outcome:
        return await self.call(self.tools[name], arguments)


@asynccontextmanager
async def box(
    web: LoopbackWeb, *, settings: Settings | None = None, provider: FakeProvider | None = None, **more: Any
) -> AsyncIterator[Box]:
    providers = [provider] if provider else []
    async with web.gateway(settings, search_providers=providers) as gateway:
        yield Box(gateway, **more)


@pytest.mark.parametrize(
    ("more", "names"),
    [
        ({}, ["read_page", "fetch", "check_url"]),
        ({"provider": FakeProvider()}, ["read_page", "fetch", "web_search", "check_url"]),
        ({"allow_writes": True}, ["read_page", "fetch", "check_url"]),
        ({"only": ["check_url", "read_page"]}, ["read_page", "check_url"]),
        ({"only": ["web_search"]}, []),
    ],
)
async def test_what_is_offered(more: dict[str, Any], names: list[str]) -> None:
    async with LoopbackWeb() as web, box(web, **more) as offered:
        assert list(offered.tools) == names
        assert [tool.read_only for tool in offered.tools.values()] == [
            name != "fetch" or not more.get("allow_writes", False) for name in names
        ]


async def test_a_page_and_what_to_know_of_it() -> None:
    async with LoopbackWeb() as web, box(web) as offered:
        web.page(f"{URL}a", "<title>T</title><h1>Tea</h1><p>Green and black.<p><a href=/b>more</a>", status=404)
        web.redirect(URL, "/a")
        outcome = await offered.do("read_page", url=URL, max_chars=12, include_links=True)
    assert outcome.text == "# Tea\n\nGreen"
    assert outcome.notes.splitlines() == [
        "The server answered with status 404.",
        "Redirected to http://site.test/a",
        "39 more characters follow; go on with start=12.",
        "## Links",
        "",
        "- [more](http://site.test/b)",
    ]
    assert not outcome.is_error
    assert (outcome.envelope["text"], outcome.envelope["next_start"]) == (outcome.text, 12)


@pytest.mark.parametrize(
    ("body", "arguments", "note"),
    [
        ("", {}, "There is no text here."),
        ("<script src=a.js></script><div id=root></div>", {}, "next to no text without running its scripts"),
        ("<p>a</p>", {"filter": "bm25", "query": "zebra"}, "The bm25 filter left nothing, so this is the whole page."),
        ("<p>aaaa</p>", {"max_bytes": 5}, "The body was cut after 5 bytes"),
        ("<p>aaaa</p>", {"max_bytes": 10**9}, "Note: max-bytes-clamped."),
        ("<p>aaaa</p>", {"timeout_ms": 10**9}, "Note: deadline-clamped."),
    ],
)
async def test_what_a_model_would_miss_is_noted(body: str, arguments: dict[str, Any], note: str) -> None:
    async with LoopbackWeb() as web, box(web) as offered:
        web.page(URL, body)
        outcome = await offered.do("read_page", url=URL, **arguments)
    assert note in outcome.notes


async def test_an_ordinary_page_has_no_notes() -> None:
    async with LoopbackWeb() as web, box(web) as offered:
        web.page(URL, "<p>Words.")
        assert (await offered.do("read_page", url=URL)).notes == ""


async def test_an_image() -> None:
    async with LoopbackWeb() as web, box(web) as offered:
        web.page(URL, PNG, headers=[("Content-Type", "image/png")])
        outcome = await offered.do("read_page", url=URL)
    assert outcome.image is not None
    assert (outcome.image.data, outcome.text) == (PNG, "")
    assert outcome.notes == f"image/png, 3 x 2 pixels, {len(PNG)} bytes."


async def test_a_body_as_it_is() -> None:
    async with LoopbackWeb() as web, box(web) as offered:
        web.page(URL, "<p>\u200b<b>a", headers=[("Content-Type", "text/html; charset=utf-8")])
        outcome = await offered.do("fetch", url=URL)
    assert (outcome.text, outcome.notes) == ("<p>\u200b<b>a", "Status 200, text/html, 10 bytes.")
    assert (outcome.envelope["body"], outcome.envelope["headers"]["content-length"]) == (outcome.text, "10")


async def test_a_body_that_is_no_text_is_told_of() -> None:
    async with LoopbackWeb() as web, box(web) as offered:
        web.page(URL, b"\0\xff", headers=[("Content-Type", "application/zip")])
        outcome = await offered.do("fetch", url=URL)
    assert (outcome.text, outcome.unread) == ("", (URL, "application/zip"))
    assert outcome.notes.startswith("Status 200, application/zip, 2 bytes.\nThe body is no text and is not given;")


async def test_without_a_body_the_headers_are_told() -> None:
    async with LoopbackWeb() as web, box(web) as offered:
        web.page(URL, "", headers=[("X-One", "1")])
        outcome = await offered.do("fetch", url=URL, method="HEAD")
    assert outcome.notes.splitlines() == ["Status 200, no media type, 0 bytes.", "x-one: 1", "content-length: 0"]
    assert web.requests[0].method == "HEAD"


async def test_a_body_is_cut_for_a_model() -> None:
    async with LoopbackWeb() as web, box(web) as offered:
        web.page(URL, "x" * 70_000, headers=[("Content-Type", "text/plain")])
        assert len((await offered.do("fetch", url=URL)).text) == 65_536
        assert len((await offered.do("fetch", url=URL, max_bytes=100_000)).text) == 70_000


async def test_writes_are_made_where_they_are_allowed() -> None:
    async with LoopbackWeb() as web, box(web, allow_writes=True) as offered:
        web.page(URL, "ok", headers=[("Content-Type", "text/plain")])
        outcome = await offered.do("fetch", url=URL, json={"a": 1}, headers={"X-A": "b"})
        refused = await offered.do("fetch", url=URL, headers={"Host": "evil.test"})
    (request,) = web.requests
    assert outcome.text == "ok"
    assert (request.method, request.body, request.headers["x-a"]) == ("POST", b'{"a":1}', "b")
    assert refused.text.startswith("invalid-header: ")


async def test_a_search() -> None:
    provider = FakeProvider([TEA], (), ProviderFailed("fake: down", retryable=True))
    async with LoopbackWeb() as web, box(web, provider=provider) as offered:
        found = await offered.do("web_search", query=" tea ", allowed_domains=["tea.test"])
        nothing = await offered.do("web_search", query="tea", published_after="2026-01-31")
        failed = await offered.do("web_search", query="tea")
    assert (found.text, found.notes) == ("1. Tea\n   https://tea.test/\n   Green.", "Note: domains-filtered.")
    assert (nothing.text, nothing.notes) == ("", "Nothing was found.\nNote: dates-ignored.")
    assert failed.text.startswith("provider-failed: ")
    assert provider.requests[0].query == "tea"


async def test_a_check_tells_a_refusal_as_its_answer_and_no_address() -> None:
    async with LoopbackWeb() as web, box(web) as offered:
        web.host("inner.test", "10.1.2.3")
        outcome = await offered.do("check_url", url="http://inner.test/")
    assert outcome.text.startswith("refused  http://inner.test/\n")
    assert not outcome.is_error
    assert "10.1.2.3" not in outcome.text + str(outcome.envelope)
    assert outcome.envelope["error"]["code"] == "refused-address"


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("read_page", {"url": "http://127.0.0.1/"}, "refused-address"),
        ("read_page", {"url": "http://missing.test/"}, "name-not-found"),
        ("read_page", {"url": "\ud800"}, "invalid-url"),
        ("read_page", {"url": URL, "target_elements": ["p["]}, "invalid-input"),
        ("read_page", {"url": URL, "bogus": 1}, "invalid-input"),
        ("fetch", {"url": "ftp://site.test/"}, "refused-scheme"),
        ("fetch", {"url": URL, "method": "\ud800"}, "invalid-input"),
        ("check_url", {"url": ""}, "invalid-url"),
    ],
)
async def test_a_failure_is_an_outcome(name: str, arguments: dict[str, Any], code: str) -> None:
    async with LoopbackWeb() as web, box(web) as offered:
        web.page(URL, "<p>a")
        outcome = await offered.do(name, **arguments)
    assert outcome.text.startswith(f"{code}: ")
    assert (outcome.is_error, outcome.envelope["error"]["code"]) == (True, code)
    outcome.text.encode()


async def test_a_fault_of_ours_is_an_outcome_and_is_reported() -> None:
    async def broken(_gateway: Gateway, _arguments: dict[str, Any]) -> Outcome:
        raise KeyError("secret")

    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: told.append(context))
    tool = Tool(name="a", title="A", description="", input_type=tools.CHECK_URL.input_type, run=broken)
    async with LoopbackWeb() as web, box(web) as offered:
        outcome = await offered.call(tool, {"url": URL})
    assert outcome.text.startswith("internal: ")
    assert "secret" not in outcome.text + str(outcome.envelope)
    assert isinstance(told[0]["exception"], KeyError)


class Crowd:
    """A tool whose calls end only when as many run as may run at once."""

    def __init__(self) -> None:
        self.running = self.most = 0
        self.barrier = asyncio.Barrier(CALLS_AT_ONCE)

    async def __call__(self, _gateway: Gateway, _arguments: dict[str, Any]) -> Outcome:
        self.running += 1
        self.most = max(self.most, self.running)
        await self.barrier.wait()
        self.running -= 1
        return Outcome(envelope={})


async def test_calls_take_turns() -> None:
    crowd = Crowd()
    tool = Tool(name="a", title="A", description="", input_type=tools.CHECK_URL.input_type, run=crowd)
    async with LoopbackWeb() as web, box(web) as offered:
        outcomes = await asyncio.gather(*(offered.call(tool, {"url": URL}) for _ in range(2 * CALLS_AT_ONCE)))
    assert (len(outcomes), crowd.most) == (2 * CALLS_AT_ONCE, CALLS_AT_ONCE)


async def test_no_call_waits_for_its_turn_without_end() -> None:
    async def endless(_gateway: Gateway, _arguments: dict[str, Any]) -> Outcome:
        await asyncio.Event().wait()
        raise AssertionError

    tool = Tool(name="a", title="A", description="", input_type=tools.CHECK_URL.input_type, run=endless)
    settings = Settings(limits=Limits(deadline_seconds=0.1, max_deadline_seconds=0.1))
    async with LoopbackWeb() as web, box(web, settings=settings) as offered:
        outcomes = await asyncio.gather(*(offered.call(tool, {"url": URL}) for _ in range(CALLS_AT_ONCE + 1)))
    assert {outcome.envelope["error"]["code"] for outcome in outcomes} == {"deadline-exceeded"}
