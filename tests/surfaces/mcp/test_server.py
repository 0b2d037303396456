"""The MCP server with the library's own client, both generations of the protocol, in one process."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ImageContent, ResourceLink, TextContent
from tests.surfaces.test_tools import PNG

from webward.surfaces.mcp.results import IMAGE_BYTES
from webward.surfaces.mcp.server import make_server
from webward.surfaces.tools import Toolbox
from webward.testing import FakeProvider, LoopbackWeb, Pause

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

URL = "http://site.test/"
MODES = {"2026-07-28": "auto", "2025-11-25": "legacy"}


@pytest.fixture(params=MODES)
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@asynccontextmanager
async def client(
    web: LoopbackWeb, version: str, *, structured: bool = True, heartbeat_seconds: float = 60, **more: Any
) -> AsyncIterator[Client]:
    async with web.gateway(search_providers=[FakeProvider()]) as gateway:
        server = make_server(Toolbox(gateway, **more), structured=structured, heartbeat_seconds=heartbeat_seconds)
        async with Client(server, mode=MODES[version]) as connected:
            assert connected.protocol_version == version
            yield connected


async def call(connected: Client, name: str, **arguments: Any) -> CallToolResult:
    result = await connected.call_tool(name, arguments)
    assert isinstance(result, CallToolResult)
    return result


def texts(result: CallToolResult) -> list[str]:
    return [block.text for block in result.content if isinstance(block, TextContent)]


async def test_what_a_host_is_told(version: str) -> None:
    async with LoopbackWeb() as web, client(web, version) as connected:
        listed = await connected.list_tools()
        again = await connected.list_tools()
        assert "untrusted" in (connected.instructions or "")
    assert [tool.name for tool in listed.tools] == ["read_page", "fetch", "web_search", "check_url"]
    assert again.tools == listed.tools
    for tool in listed.tools:
        assert tool.title
        assert tool.input_schema["required"] in (["url"], ["query"])
        assert tool.annotations is not None
        assert tool.annotations.model_dump(exclude_none=True) == {
            "read_only_hint": True,
            "destructive_hint": False,
            "idempotent_hint": True,
            "open_world_hint": True,
        }


async def test_a_fetch_that_may_write_says_so(version: str) -> None:
    async with LoopbackWeb() as web, client(web, version, allow_writes=True, only=["fetch"]) as connected:
        (tool,) = (await connected.list_tools()).tools
    assert "headers" in tool.input_schema["properties"]
    assert tool.annotations is not None
    assert (tool.annotations.read_only_hint, tool.annotations.destructive_hint) == (False, True)
    assert tool.annotations.idempotent_hint is False


async def test_the_text_stands_alone_in_its_block(version: str) -> None:
    async with LoopbackWeb() as web, client(web, version) as connected:
        web.page(URL, "<title>T</title><h1>Tea</h1><p>Green.")
        whole = await call(connected, "read_page", url=URL)
        window = await call(connected, "read_page", url=URL, max_chars=5)
    assert texts(whole) == ["# Tea\n\nGreen."]
    assert texts(window) == ["# Tea", "8 more characters follow; go on with start=5."]
    assert not whole.is_error
    assert whole.structured_content["text"] == "# Tea\n\nGreen."
    assert (whole.structured_content["title"], window.structured_content["next_start"]) == ("T", 5)


async def test_text_only(version: str) -> None:
    async with LoopbackWeb() as web, client(web, version, structured=False) as connected:
        web.page(URL, "<p>Green.")
        result = await call(connected, "read_page", url=URL)
        failed = await call(connected, "read_page", url="http://127.0.0.1/")
    assert (texts(result), result.structured_content) == (["Green."], None)
    assert (failed.is_error, failed.structured_content) == (True, None)


async def test_an_image_is_a_block_and_a_large_one_a_link(version: str) -> None:
    large = PNG + bytes(IMAGE_BYTES)
    async with LoopbackWeb() as web, client(web, version) as connected:
        web.page(URL, PNG, headers=[("Content-Type", "image/png")])
        web.page(f"{URL}large", large, headers=[("Content-Type", "image/png")])
        small = await call(connected, "read_page", url=URL)
        linked = await call(connected, "read_page", url=f"{URL}large")
    block, note = small.content
    assert isinstance(block, ImageContent)
    assert (b64decode(block.data), block.mime_type) == (PNG, "image/png")
    assert isinstance(note, TextContent)
    assert small.structured_content is None
    link, note = linked.content
    assert isinstance(link, ResourceLink)
    assert (link.uri, link.mime_type) == (f"{URL}large", "image/png")
    assert isinstance(note, TextContent)
    assert note.text == f"image/png, 3 x 2 pixels, {len(large)} bytes."


async def test_a_body_that_is_no_text_is_a_link(version: str) -> None:
    async with LoopbackWeb() as web, client(web, version) as connected:
        web.page(URL, b"\0\xff", headers=[("Content-Type", "application/zip")])
        result = await call(connected, "fetch", url=URL)
    link, note = result.content
    assert isinstance(link, ResourceLink)
    assert (link.uri, link.mime_type) == (URL, "application/zip")
    assert isinstance(note, TextContent)
    assert (result.structured_content["bytes"], "body" in result.structured_content) == (2, False)


async def test_an_error_is_a_result_with_code_and_advice(version: str) -> None:
    async with LoopbackWeb() as web, client(web, version) as connected:
        web.host("inner.test", "10.1.2.3")
        refused = await call(connected, "read_page", url="http://inner.test/")
        wrong = await call(connected, "read_page", url=URL, max_chars="many")
    assert refused.is_error
    assert texts(refused)[0].startswith("refused-address: ")
    assert "Do not try this again" in texts(refused)[0]
    assert "10.1.2.3" not in refused.model_dump_json()
    assert refused.structured_content["error"]["code"] == "refused-address"
    assert wrong.is_error
    assert texts(wrong) == ["invalid-input: max_chars: Expected `int`, got `str`\nCorrect the argument and call again."]


@pytest.mark.parametrize("name", ["nope", "", "Read_Page", "x" * 100_000])
async def test_an_unknown_tool_is_an_error_of_the_protocol(version: str, name: str) -> None:
    async with LoopbackWeb() as web, client(web, version) as connected:
        with pytest.raises(MCPError) as told:
            await connected.call_tool(name, {})
    assert told.value.code == -32602
    assert told.value.message == "There is no such tool; offered are: read_page, fetch, web_search, check_url"


@pytest.mark.parametrize(
    "body", ['{"a": "\\ud800"}', "a\x00b\x1b[31m\u2028\u202e", "\ufffe\uffff\U0010ffff"], ids=["surrogate", "c0", "non"]
)
@pytest.mark.parametrize("tool", ["read_page", "fetch"])
async def test_strange_text_comes_through(version: str, tool: str, body: str) -> None:
    async with LoopbackWeb() as web, client(web, version) as connected:
        web.page(URL, body, headers=[("Content-Type", "application/json; charset=utf-8")])
        result = await call(connected, tool, url=URL)
        (content, *_) = texts(result)
    assert not result.is_error
    assert content


async def test_progress_rises_for_who_asked(version: str) -> None:
    reported: list[float] = []
    enough = asyncio.Event()

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        assert (total, message) == (None, "under way")
        reported.append(progress)
        if len(reported) == 3:
            enough.set()

    async with LoopbackWeb() as web, client(web, version, heartbeat_seconds=0.01) as connected:
        web.script(URL, Pause(60))
        calling = asyncio.create_task(connected.call_tool("fetch", {"url": URL}, progress_callback=on_progress))
        async with asyncio.timeout(10):
            await enough.wait()
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)
    assert reported[:3] == [0.0, 0.01, 0.02]
    assert reported == sorted(set(reported))


async def test_a_call_that_ended_leaves_nothing_behind(version: str) -> None:
    async with LoopbackWeb() as web, client(web, version) as connected:
        web.page(URL, "<p>a")
        before = asyncio.all_tasks()
        await call(connected, "check_url", url=URL)
        assert [task for task in asyncio.all_tasks() - before if "_beat" in repr(task) and not task.cancelling()] == []
