from __future__ import annotations

import asyncio
import hashlib
import json
import signal
from base64 import b64encode
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.surfaces.iii.bench import WAIT_SECONDS, ready

from webward.contracts.iii.functions import manifest
from webward.testing.iii_engine import EngineDouble

if TYPE_CHECKING:
    import subprocess
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.surfaces.cli.conftest import Command


@asynccontextmanager
async def serving(webward: Command, *arguments: str) -> AsyncIterator[tuple[EngineDouble, subprocess.Popen[bytes]]]:
    """The command under an engine."""
    async with EngineDouble() as engine:
        process = webward.start("iii", "--url", engine.url, *arguments)
        try:
            await ready(engine)
            yield engine, process
        finally:
            process.kill()
            await asyncio.to_thread(process.communicate)


async def ended(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """Status of a process that ends by itself, and what it said."""
    async with asyncio.timeout(WAIT_SECONDS):
        _, err = await asyncio.to_thread(process.communicate)
    return process.returncode, err.decode()


def test_the_manifest(webward: Command) -> None:
    ran = webward("iii", "--manifest")
    assert (ran.status, ran.err) == (0, "")
    assert json.loads(ran.out) == manifest()


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "ws://"])
def test_a_url_of_no_engine_is_told(webward: Command, url: str) -> None:
    for ran in (webward("iii", f"--url={url}"), webward("iii", III_URL=url)):
        assert (ran.status, ran.out) == (2, b"")
        assert "ws://" in ran.err


@pytest.mark.parametrize("missing", ["iii", "yaml"])
def test_without_the_sdk_it_says_how_to_install_it(webward: Command, tmp_path: Path, missing: str) -> None:
    (tmp_path / f"{missing}.py").write_text("raise ImportError")
    path = f"{tmp_path}:{webward.environment().get('PYTHONPATH', '')}"
    ran = webward("iii", PYTHONPATH=path)
    assert ran.status == 2
    assert "pip install 'webward[iii]'" in ran.err
    assert webward("iii", "--manifest", PYTHONPATH=path).status == 0


async def test_it_serves_and_reaches_loopback(webward: Command) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<h1>hi")
        writer.close()
        await writer.wait_closed()

    site = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with site, serving(webward) as (engine, process):
        url = f"http://127.0.0.1:{site.sockets[0].getsockname()[1]}/"
        envelope = await engine.call("web::fetch", {"url": url, "format": "markdown"})
        assert envelope["body"] == "# hi"
        process.send_signal(signal.SIGTERM)
        status, err = await ended(process)
    assert status == 0
    assert "loopback may be requested" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_calls_under_way_are_answered_before_it_ends(webward: Command, number: signal.Signals) -> None:
    asked = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        await ending.wait()
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhi")
        writer.close()
        await writer.wait_closed()

    ending = asyncio.Event()
    site = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with site, serving(webward) as (engine, process):
        url = f"http://127.0.0.1:{site.sockets[0].getsockname()[1]}/"
        call = asyncio.create_task(engine.call("web::fetch", {"url": url}))
        async with asyncio.timeout(WAIT_SECONDS):
            await asked.wait()
        process.send_signal(number)
        await engine.until(lambda: "web::fetch" not in engine.functions)
        ending.set()
        async with asyncio.timeout(WAIT_SECONDS):
            assert (await call)["body"] == "hi"
        assert (await ended(process))[0] == 0


async def test_a_call_that_does_not_end_is_answered_too(webward: Command) -> None:
    asked = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        await reader.read()
        writer.close()

    site = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with site, serving(webward) as (engine, process):
        url = f"http://127.0.0.1:{site.sockets[0].getsockname()[1]}/"
        call = asyncio.create_task(engine.call("web::fetch", {"url": url}))
        async with asyncio.timeout(WAIT_SECONDS):
            await asked.wait()
            process.send_signal(signal.SIGTERM)
            envelope: dict[str, Any] = await call
        assert (envelope["error"], "stopping" in envelope["message"]) == ("transport_error", True)
        assert (await ended(process))[0] == 0


async def test_it_ends_where_there_is_no_engine(webward: Command) -> None:
    async with EngineDouble() as engine:
        await engine.stop()
        process = webward.start("iii", "--url", engine.url)
        line = await asyncio.to_thread(process.stderr.readline) if process.stderr else b""
        process.send_signal(signal.SIGTERM)
        assert (await ended(process))[0] == 0
        assert b"Connection failed" in line


async def test_it_ends_where_the_engine_has_stopped_answering(webward: Command) -> None:
    told = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Shake hands (RFC 6455 section 4.2.2), and then neither answer nor close."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        key = next(line.partition(": ")[2] for line in head.split("\r\n") if line.startswith("Sec-WebSocket-Key"))
        digest = hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()  # noqa: S324 - the RFC's
        lines = ("HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade")
        writer.write("\r\n".join([*lines, f"Sec-WebSocket-Accept: {b64encode(digest).decode()}", "", ""]).encode())
        await reader.read(1)
        told.set()
        await reader.read()
        writer.close()

    engine = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with engine:
        process = webward.start("iii", "--url", f"ws://127.0.0.1:{engine.sockets[0].getsockname()[1]}")
        async with asyncio.timeout(WAIT_SECONDS):
            await told.wait()
        process.send_signal(signal.SIGTERM)
        assert (await ended(process))[0] == 0


@pytest.mark.parametrize(
    ("text", "stored", "told"),
    [
        ("web:\n  max_redirects: 1\n", {"max_redirects": 1}, None),
        ("max_redirects: 1\nallow_loopback: false", {"max_redirects": 1, "allow_loopback": False}, None),
        ("", {}, None),
        ("web: [", {}, "no YAML"),
        ("- 1", {}, "must be an object"),
        ("web:\n  max_redirects: many\n  allow_loopback: false\n", {"allow_loopback": False}, "max_redirects"),
        (None, {}, "cannot be read"),
    ],
)
async def test_a_seed_is_stored_as_far_as_it_is_good(
    webward: Command, tmp_path: Path, text: str | None, stored: dict[str, Any], told: str | None
) -> None:
    seed = tmp_path / "seed.yaml"
    if text is not None:
        seed.write_text(text)
    async with serving(webward, "--config", str(seed), "--config-name", "web-2") as (engine, process):
        assert engine.configuration.entries["web-2"]["value"] == {**manifest()["default_config"], **stored}
        process.send_signal(signal.SIGTERM)
        _, err = await ended(process)
    assert (told or "") in err
    assert ("passed over" in err) == (told is not None)
