"""`webward mcp` as hosts start it: a child process, with the library's own client and with bare lines."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Self

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import CallToolResult, TextContent

from webward.testing import SearxngDouble

if TYPE_CHECKING:
    import subprocess
    from collections.abc import AsyncIterator, Iterator

    from tests.surfaces.cli.conftest import Command

MODES = {"2026-07-28": "auto", "2025-11-25": "legacy"}
MCP = ("mcp", "--policy", "development")
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
SECONDS = 60  # until something that should come has not


@asynccontextmanager
async def connected(webward: Command, version: str, *arguments: str, **variables: str) -> AsyncIterator[Client]:
    child = StdioServerParameters(
        command=sys.executable,
        args=["-m", "webward", *MCP, *arguments],
        env=webward.environment(**variables),
        cwd=webward.home,
    )
    async with Client(child, mode=MODES[version]) as client:
        assert client.protocol_version == version
        yield client


class Silent:
    """A server that takes a request, never answers, and knows when its client has gone."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.left = asyncio.Event()
        self.url = ""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/"
        return self

    async def __aexit__(self, *exception: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        self.asked.set()
        try:
            assert await reader.read() == b""
        except ConnectionResetError:
            pass
        finally:
            self.left.set()
            writer.close()


@pytest.fixture(params=MODES)
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def text_of(result: object) -> str:
    assert isinstance(result, CallToolResult)
    (block, *_) = result.content
    assert isinstance(block, TextContent)
    return block.text


async def test_a_session(webward: Command, site: str, version: str) -> None:
    reported: list[float] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        assert (total, message) == (None, "under way")
        reported.append(progress)

    async with Silent() as silent, connected(webward, version) as client, asyncio.timeout(SECONDS):
        listed = await client.list_tools()
        page = await client.call_tool("read_page", {"url": f"{site}/"}, progress_callback=on_progress)
        quiet = await client.call_tool("fetch", {"url": f"{site}/missing"})
        checked = await client.call_tool("check_url", {"url": "http://0x7f.1/"})
        refused = await client.call_tool("read_page", {"url": f"{site}/away"})
        await _cancel(client, "read_page", silent)
        await _cancel(client, "fetch", silent)
        crowd = await asyncio.gather(*(client.call_tool("read_page", {"url": f"{site}/"}) for _ in range(50)))
        written = [
            await client.call_tool("fetch", {"url": f"{site}/", **more})
            for more in ({"method": "POST"}, {"body": "a"}, {"headers": {"X-Sent": "a"}})
        ]
    assert [tool.name for tool in listed.tools] == ["read_page", "fetch", "check_url"]
    assert text_of(page) == f"# Menu\n\n[tea]({site}/x)"
    assert reported == [0.0]
    assert text_of(quiet) == "gone\n"
    assert text_of(checked).startswith("allowed  http://127.0.0.1/")
    assert text_of(refused).startswith("refused-address: ")
    assert {text_of(result) for result in crowd} == {text_of(page)}
    assert ["limited here to GET and HEAD" in text_of(result) for result in written] == [True] * 3


async def _cancel(client: Client, tool: str, silent: Silent) -> None:
    """Cancel a call that the site never answers, and see the site's connection end."""
    silent.asked.clear()
    silent.left.clear()
    calling = asyncio.create_task(client.call_tool(tool, {"url": silent.url}))
    await silent.asked.wait()
    assert not silent.left.is_set()
    calling.cancel()
    await silent.left.wait()


async def test_options(webward: Command, site: str) -> None:
    options = ("--tool", "fetch", "--allow-writes", "--text-only")
    async with connected(webward, "2026-07-28", *options) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["fetch"]
        result = await client.call_tool("fetch", {"url": f"{site}/", "json": {"a": 1}})
    assert text_of(result) == 'POST application/json {"a":1}'
    assert isinstance(result, CallToolResult)
    assert result.structured_content is None


async def test_search_is_offered_with_a_provider(webward: Command) -> None:
    async with SearxngDouble() as searxng:
        variables = {
            "WEBWARD_SEARCH_PROVIDER": "searxng",
            "WEBWARD_SEARCH_SEARXNG_BASE_URL": searxng.base_url,
            "WEBWARD_SEARCH_SEARXNG_UNSAFE_ALLOW_PRIVATE": "true",
        }
        async with connected(webward, "2026-07-28", **variables) as client:
            result = await client.call_tool("web_search", {"query": "tea", "max_results": 1})
    assert text_of(result) == "1. First\n   https://first.example/\n   The first page."


async def test_a_client_that_goes_ends_its_calls(webward: Command) -> None:
    async with Silent() as silent, asyncio.timeout(SECONDS):
        async with connected(webward, "2025-11-25") as client:
            calling = asyncio.create_task(client.call_tool("fetch", {"url": silent.url}))
            await silent.asked.wait()
        await silent.left.wait()
        await asyncio.gather(calling, return_exceptions=True)


class Lines:
    """The command with bare lines."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self.process = process
        self.stdin, self.stdout, self.stderr = process.stdin, process.stdout, process.stderr

    def say(self, line: bytes) -> None:
        self.stdin.write(line + b"\n")
        self.stdin.flush()

    def answer(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.stdout.readline())
        assert found["jsonrpc"] == "2.0"
        return found

    def ask(self, line: bytes) -> dict[str, Any]:
        self.say(line)
        return self.answer()

    def end(self) -> tuple[bytes, str, int]:
        """What is on both outputs yet, and the exit status."""
        out, err = self.process.communicate(timeout=SECONDS)
        return out, err.decode(), self.process.returncode


def request(identity: int | str, method: str = "tools/list", **params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": identity, "method": method, "params": {**params, "_meta": META}}
    return json.dumps(message).encode()


@pytest.fixture
def lines(webward: Command) -> Iterator[Lines]:
    with webward.start(*MCP) as process:
        killer = threading.Timer(SECONDS, process.kill)  # so that what never answers is a failure
        killer.start()
        yield Lines(process)
        killer.cancel()
        process.kill()


NO_MESSAGES: dict[bytes, tuple[object, int]] = {
    b"garbage": (None, -32700),
    b"\xff\xfe": (None, -32700),
    b'{"jsonrpc": "2.0", "id": 1': (None, -32700),
    b"[" * 100_000: (None, -32700),
    b'"' + b"x" * (20 * 1024 * 1024): (None, -32700),
    request("long", padding="x" * (4 * 1024 * 1024)): (None, -32700),
    b"1": (None, -32600),
    b"[]": (None, -32600),
    b'{"jsonrpc": "2.0", "id": 7}': (7, -32600),
    b'{"jsonrpc": "1.0", "id": "a", "method": "ping"}': ("a", -32600),
    request("\ud800", "pong"): ("\ud800", -32601),
}
LONE_SURROGATES: tuple[dict[str, Any], ...] = (
    {"url": "\ud800"},
    {"\ud800": 1},
    {"url": "http://a/", "format": "\ud8ff"},
)


def test_a_line_that_is_no_message_is_answered_and_stops_nothing(lines: Lines) -> None:
    for line, (identity, code) in NO_MESSAGES.items():
        answer = lines.ask(line)
        assert (line[:30], answer["id"], answer["error"]["code"]) == (line[:30], identity, code)
    for arguments in LONE_SURROGATES:
        assert lines.ask(request("a", "tools/call", name="read_page", arguments=arguments))["result"]["isError"]
    assert lines.ask(request(2))["result"]["tools"]


def test_it_ends_with_its_input_and_writes_nothing_else(lines: Lines) -> None:
    assert lines.ask(request(1))["id"] == 1
    assert lines.end() == (b"", "", 0)


def test_without_a_message_it_ends(webward: Command) -> None:
    ran = webward(*MCP)
    assert (ran.status, ran.out, ran.err) == (0, b"", "")


@pytest.mark.parametrize("end", ["input", "signal"])
async def test_a_call_under_way_is_ended_and_answered(webward: Command, end: str) -> None:
    async with Silent() as silent, asyncio.timeout(SECONDS):
        with webward.start(*MCP) as process:
            lines = Lines(process)
            lines.say(request(1, "tools/call", name="fetch", arguments={"url": silent.url}))
            await silent.asked.wait()
            if end == "input":
                lines.stdin.close()
            else:
                process.send_signal(signal.SIGTERM)
            answer = await asyncio.to_thread(lines.answer)
            assert (answer["id"], answer["error"]["message"]) == (1, "Connection closed")
            await silent.left.wait()
            assert await asyncio.to_thread(process.wait) == 0
            assert (lines.stdout.read(), lines.stderr.read()) == (b"", b"")


def test_sigterm_ends_it(lines: Lines) -> None:
    assert lines.ask(request(1))["id"] == 1
    lines.process.send_signal(signal.SIGTERM)
    assert lines.process.wait(timeout=SECONDS) == 0
    assert lines.end() == (b"", "", 0)


async def test_sigterm_ends_it_though_nobody_reads(webward: Command) -> None:
    """The pipe is full: what is written next can never be."""
    async with Silent() as silent, asyncio.timeout(SECONDS):
        with webward.start(*MCP) as process:
            lines = Lines(process)
            for number in range(60):
                lines.say(request(number))
            lines.say(request("last", "tools/call", name="fetch", arguments={"url": silent.url}))
            await silent.asked.wait()
            process.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(process.wait) == 0


def test_a_host_that_reads_no_more_is_no_fault(lines: Lines) -> None:
    assert lines.ask(request(1))["id"] == 1
    lines.stdout.close()
    lines.say(request(2))
    told = lines.stderr.read().decode()
    assert lines.process.wait(timeout=SECONDS) == 1
    assert "Traceback" not in told
    assert "report" not in told


def test_an_interrupt_ends_it(lines: Lines) -> None:
    assert lines.ask(request(1))["id"] == 1
    lines.process.send_signal(signal.SIGINT)
    assert lines.stderr.read() == b""
    assert lines.process.wait(timeout=SECONDS) == 130


def test_what_else_is_printed_misses_the_wire(webward: Command) -> None:
    """A module that every Python of the command loads first prints to file descriptor 1 at its end."""
    (webward.home / "sitecustomize.py").write_text("import atexit, os\natexit.register(os.write, 1, b'stray')\n")
    path = os.pathsep.join([str(webward.home), os.environ.get("PYTHONPATH", "")])
    ran = webward(*MCP, stdin=request(1) + b"\n", PYTHONPATH=path)
    assert b"stray" not in ran.out
    assert "stray" in ran.err


@pytest.mark.parametrize(
    ("stream", "told"),
    [("<&-", "standard input is closed"), ("</dev/null >&-", "standard output is closed")],
)
def test_a_closed_stream_is_told(webward: Command, stream: str, told: str) -> None:
    ran = webward.closed("mcp", stream=stream)
    assert ran.status == 2
    assert told in ran.err


def test_a_search_without_a_provider_is_told(webward: Command) -> None:
    ran = webward("mcp", "--tool", "web_search")
    assert (ran.status, ran.out) == (7, b"")
    assert "docs/search.md" in ran.err


def test_a_missing_extra_is_told(webward: Command) -> None:
    """A module that is found first stands for one that is not there."""
    (webward.home / "mcp.py").write_text("raise ModuleNotFoundError('no module mcp')\n")
    ran = webward("mcp", PYTHONPATH=os.pathsep.join([str(webward.home), os.environ.get("PYTHONPATH", "")]))
    assert (ran.status, ran.out) == (2, b"")
    assert "pip install 'webward[mcp]'" in ran.err


def test_a_wrong_setting_is_told(webward: Command) -> None:
    ran = webward("mcp", WEBWARD_EGRESS_PRESET="lax")
    assert (ran.status, ran.out) == (2, b"")
    assert "WEBWARD_EGRESS_PRESET" in ran.err
