"""The MCP endpoint on a real HTTP server, with the library's own client in both generations."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn
from mcp import Client
from mcp_types import CallToolResult, TextContent
from tests.surfaces.mcp.test_server import MODES

from webward.surfaces.mcp.http import MAX_REQUEST_BYTES, http_endpoint
from webward.surfaces.mcp.server import make_server
from webward.surfaces.tools import Toolbox
from webward.testing import LoopbackWeb, Pause

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

URL = "http://site.test/"
SECONDS = 60  # until something that should come has not
PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@pytest.fixture(params=MODES)
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@asynccontextmanager
async def served(web: LoopbackWeb, *, origins: tuple[str, ...] = ()) -> AsyncIterator[int]:
    """The port of an endpoint that is served."""
    listener = socket.create_server(("127.0.0.1", 0))
    port: int = listener.getsockname()[1]
    async with web.gateway() as gateway:
        server = make_server(Toolbox(gateway))
        async with http_endpoint(server, hosts=[f"127.0.0.1:{port}"], origins=origins) as application:
            config = uvicorn.Config(application, lifespan="off", ws="none", log_config=None)
            running = uvicorn.Server(config)
            serving = asyncio.create_task(running.serve(sockets=[listener]))
            try:
                yield port
            finally:
                running.should_exit = True
                await serving


def text_of(result: object) -> str:
    assert isinstance(result, CallToolResult)
    (block, *_) = result.content
    assert isinstance(block, TextContent)
    return block.text


async def test_a_session(version: str) -> None:
    reported: list[float] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        assert (total, message) == (None, "under way")
        reported.append(progress)

    async with (
        LoopbackWeb() as web,
        served(web) as port,
        Client(f"http://127.0.0.1:{port}/mcp", mode=MODES[version]) as client,
    ):
        web.page(URL, "<h1>Tea</h1>")
        assert client.protocol_version == version
        listed = await client.list_tools()
        page = await client.call_tool("read_page", {"url": URL}, progress_callback=on_progress)
        refused = await client.call_tool("read_page", {"url": "http://127.0.0.1/"})
    assert [tool.name for tool in listed.tools] == ["read_page", "fetch", "check_url"]
    assert (text_of(page), reported) == ("# Tea", [0.0])
    assert text_of(refused).startswith("refused-address: ")


async def test_a_canceled_call_ends(version: str) -> None:
    async with (
        LoopbackWeb() as web,
        served(web) as port,
        Client(f"http://127.0.0.1:{port}/mcp", mode=MODES[version]) as client,
        asyncio.timeout(SECONDS),
    ):
        web.script(URL, Pause(600))
        begun = asyncio.Event()

        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            assert (progress, total, message) == (0.0, None, "under way")
            begun.set()

        arguments = {"url": URL, "timeout_ms": 120_000}
        calling = asyncio.create_task(client.call_tool("fetch", arguments, progress_callback=on_progress))
        await begun.wait()
        (fetching,) = [task for task in asyncio.all_tasks() if "_beat" in repr(task)]
        calling.cancel()
        await asyncio.wait([fetching])
        assert fetching.cancelled()


def posted(port: int, headers: dict[str, str], body: bytes = PING) -> int:
    """The status of one request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        connection.request("POST", "/mcp", body, {**HEADERS, **headers})
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.test"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Origin": "https://evil.test"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://good.test.evil.test"}, 403),
        ({"Content-Type": "text/plain"}, 400),
        ({"Content-Length": str(MAX_REQUEST_BYTES + 1)}, 413),
    ],
)
@pytest.mark.parametrize("announced", [{}, {"MCP-Protocol-Version": "2026-07-28"}], ids=["legacy", "modern"])
async def test_a_foreign_request_is_refused(announced: dict[str, str], headers: dict[str, str], status: int) -> None:
    async with LoopbackWeb() as web, served(web, origins=("https://good.test",)) as port:
        assert await asyncio.to_thread(posted, port, {**announced, **headers}) == status


async def test_a_known_origin_is_taken() -> None:
    message: dict[str, Any] = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}},
    }
    body = json.dumps(message).encode()
    async with LoopbackWeb() as web, served(web, origins=("https://good.test",)) as port:
        assert await asyncio.to_thread(posted, port, {"Origin": "https://good.test"}, body) == 200
