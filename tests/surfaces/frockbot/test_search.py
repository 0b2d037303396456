"""``web_search`` on a gateway with providers: what they find, what they cannot, and a key that nobody sees."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace
from tests.engine.sites import WAIT_SECONDS, until

from webward import Gateway, Settings
from webward.config import Limits
from webward.errors import ProviderNotConfigured
from webward.frockbot import mounted, strict_settings, web_search_tool
from webward.model import Hit
from webward.surfaces.frockbot.host import LineHost
from webward.testing import BraveDouble, FakeProvider, FakeResolver, OllamaDouble, Pause, ProviderDouble, SearxngDouble
from webward.testing.doubles import KEY

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

DOUBLES: list[type[ProviderDouble]] = [OllamaDouble, SearxngDouble, BraveDouble]
FIRST = {"title": "First", "url": "https://first.example/", "snippet": "The first page."}


def gateway_to(double: ProviderDouble, **parts: Any) -> Gateway:
    return Gateway(strict_settings(double.settings()), **parts)


async def searched(double: ProviderDouble, value: object, **parts: Any) -> tuple[bool, dict[str, Any]]:
    async with gateway_to(double, **parts) as gateway, asyncio.timeout(WAIT_SECONDS):
        result = await web_search_tool(gateway)(value, effect_id="e1")
    assert set(result) == {"content", "isError"}
    assert KEY not in result["content"]
    return result["isError"], json.loads(result["content"])


@pytest.mark.parametrize("kind", DOUBLES)
async def test_each_provider_finds_rows(kind: type[ProviderDouble]) -> None:
    async with kind() as double:
        is_error, content = await searched(double, {"query": " green tea ", "max_results": 2})
    assert not is_error, content
    assert list(content) == ["query", "results"]
    assert content["query"] == "green tea"
    assert [list(row) for row in content["results"]] == [["title", "url", "snippet"]] * 2
    assert content["results"][0] == FIRST


@pytest.mark.parametrize("status", [401, 403])
async def test_a_rejected_key_is_told_with_its_status(status: int) -> None:
    async with OllamaDouble() as double:
        double.fail(status, f"the key {KEY} is not good")
        is_error, content = await searched(double, {"query": "tea"})
    assert is_error
    assert list(content) == ["error", "query", "message"]
    assert (content["error"], content["query"]) == ("web-search-failed", "tea")
    assert str(status) in content["message"]
    assert "key" in content["message"]


@pytest.mark.parametrize("status", [302, 400, 404, 500])
async def test_another_status_is_told(status: int) -> None:
    async with OllamaDouble() as double:
        double.fail(status)
        is_error, content = await searched(double, {"query": "tea"})
    assert is_error
    assert str(status) in content["message"]


async def test_an_answer_that_is_too_large_is_told() -> None:
    async with OllamaDouble() as double:
        double.reply({"results": [], "more": "x" * 300_000})
        is_error, content = await searched(double, {"query": "tea"})
    assert is_error
    assert "too large" in content["message"]


async def test_where_the_provider_is_remains_untold() -> None:
    async with OllamaDouble() as double:
        gateway = gateway_to(double)  # which finds nobody there
    async with gateway, asyncio.timeout(WAIT_SECONDS):
        result = await web_search_tool(gateway)({"query": "tea"})
    assert json.loads(result["content"])["message"] == "the search provider cannot be reached"


async def test_a_wrong_input_asks_nobody() -> None:
    async with OllamaDouble() as double:
        is_error, content = await searched(double, {"query": "tea", "max_results": 11})
        surrogate = await searched(double, {"query": "\ud800"})
    assert is_error
    assert content["error"] == surrogate[1]["error"] == "web-search-invalid-input"
    assert double.requests == []


async def test_the_operators_ceiling_comes_before_the_provider() -> None:
    async with OllamaDouble() as double, Gateway(strict_settings(double.settings(max_results=1))) as gateway:
        result = await web_search_tool(gateway)({"query": "tea", "max_results": 10})
    assert json.loads(double.requests[0].body)["max_results"] == 1
    assert json.loads(result["content"])["results"] == [FIRST]


async def test_a_hosts_own_provider_is_held_to_the_bounds() -> None:
    hits = [
        Hit(title="t" * 400, url="https://a.example/", snippet="white \n\t space " + "s" * 2000),
        Hit(title="no URL", url="", snippet=""),
        Hit(title="endless URL", url="https://a.example/" + "x" * 2048, snippet=""),
        *(Hit(title=str(number), url=f"https://a.example/{number}", snippet="") for number in range(20)),
    ]
    provider = FakeProvider(hits)
    async with Gateway(strict_settings(Settings()), search_providers=[provider]) as gateway:
        result = await web_search_tool(gateway)({"query": "tea", "max_results": 3}, effect_id="effect-7")
    rows = json.loads(result["content"])["results"]
    assert [row["title"] for row in rows] == ["t" * 300, "0", "1"]
    assert len(rows[0]["snippet"]) == 1000
    assert rows[0]["snippet"].startswith("white space s")
    assert [execution.effect_id for execution in provider.executions] == ["effect-7"]


class Lease:
    """A key that is leased a call."""

    def __init__(self) -> None:
        self.events: list[str] = []

    @asynccontextmanager
    async def __call__(self, effect_id: str, /) -> AsyncIterator[str]:
        self.events.append(f"acquired {effect_id}")
        try:
            yield KEY
        finally:
            self.events.append(f"settled {effect_id}")


async def test_a_canceled_search_settles_its_lease_under_the_effect() -> None:
    lease = Lease()
    async with OllamaDouble() as double, gateway_to(double, credentials={"ollama": lease}) as gateway:
        double.script(Pause(10 * WAIT_SECONDS))
        host = LineHost(mounted(gateway))
        call = {"id": 1, "tool": "web_search", "input": {"query": "tea"}, "context": {"effectId": "e9"}}
        running = asyncio.create_task(host.answer(json.dumps(call).encode()))
        await until(lambda: len(double.requests) == 1)
        assert await host.answer(b'{"cancel": 1}') == b""
        answer = json.loads(await running)
    assert json.loads(answer["content"]) == {
        "error": "web-search-failed",
        "query": "tea",
        "message": "the call was canceled",
    }
    assert lease.events == ["acquired e9", "settled e9"]


async def test_the_deadline_ends_a_silent_provider() -> None:
    async with OllamaDouble() as double:
        double.script(Pause(10 * WAIT_SECONDS))
        limits = Limits(deadline_seconds=0.2, redirects=3)
        settings = replace(strict_settings(double.settings()), limits=limits)
        async with Gateway(settings) as gateway, asyncio.timeout(WAIT_SECONDS):
            result = await web_search_tool(gateway)({"query": "tea"})
    assert json.loads(result["content"])["message"] == "there was no answer in time"


async def test_the_way_to_a_provider_opens_nothing_to_web_fetch() -> None:
    resolver = FakeResolver()
    resolver.answer("inner.test", ["127.0.0.1"])
    async with SearxngDouble() as double, gateway_to(double, resolver=resolver) as gateway:
        tools = {tool.definition.name: tool for tool in mounted(gateway)}
        found = await tools["web_search"]({"query": "tea"})
        fetched = [await tools["web_fetch"]({"url": url}) for url in ("https://127.0.0.1/", "https://inner.test/")]
    assert not found["isError"]
    assert [json.loads(result["content"])["error"] for result in fetched] == ["ssrf-blocked-private-address"] * 2
    assert len(double.requests) == 1


async def test_it_is_offered_where_a_provider_can_be_asked_and_it_is_enabled() -> None:
    async with OllamaDouble() as double:
        gateway = gateway_to(double)
    names = {"web", "web-fetch", "web-search"}
    assert [tool.definition.name for tool in mounted(gateway)] == ["web_fetch", "web_search"]
    assert [tool.definition.name for tool in mounted(gateway, enabled=names)] == ["web_fetch", "web_search"]
    assert [tool.definition.name for tool in mounted(gateway, enabled={"web", "web-search"})] == ["web_search"]
    assert [tool.definition.name for tool in mounted(gateway, enabled={"web-search"})] == []


def test_without_a_provider_there_is_no_tool() -> None:
    gateway = Gateway(strict_settings(Settings()))
    assert [tool.definition.name for tool in mounted(gateway)] == ["web_fetch"]
    with pytest.raises(ProviderNotConfigured):
        web_search_tool(gateway)
