"""What the bus of an iii engine adds: many `web::fetch` calls at once against the same fetches made directly.

The engine is the double of the test kit in this process, the worker is `webward iii` in one of its own, and so is the
site, on loopback. Targets: no call lost, p99 within 2 times that of the fetches; a new configuration drops nothing.
"""
# ruff: noqa: T201 - a benchmark prints

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from typing import TYPE_CHECKING, Any

from webward import Gateway, Settings
from webward.contracts.iii.configuration import DEFAULTS, gateway_settings
from webward.testing.iii_engine import EngineDouble

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

CALLS = 500  # at once
ROUNDS = 7
RELOADS = 20
PAGE = b"<title>Page</title><h1>Page</h1>" + b"<p>Some words of a paragraph, <b>more</b> or less." * 40
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(PAGE) + PAGE


class Answering(asyncio.Protocol):
    """Answers every request with the same page."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep where to answer."""
        self._transport = transport
        self._received = b""

    def data_received(self, data: bytes) -> None:
        """Answer each head that is whole."""
        *heads, self._received = (self._received + data).split(b"\r\n\r\n")
        self._transport.write(ANSWER * len(heads))  # type: ignore[attr-defined] # a stream's transport


async def serve_site() -> None:
    """Serve on a free port, which is printed."""
    server = await asyncio.get_running_loop().create_server(Answering, "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def at_once(call: Callable[[], Awaitable[Any]]) -> tuple[list[float], list[Any]]:
    """Seconds that each of many calls took, from the first one's beginning, and what they gave."""
    began, seconds = time.perf_counter(), []

    async def timed() -> Any:  # noqa: ANN401 - an envelope, or what was fetched
        result = await call()
        seconds.append(time.perf_counter() - began)
        return result

    return seconds, await asyncio.gather(*(timed() for _ in range(CALLS)))


def p99(seconds: list[float]) -> float:
    """The time within which 99 of 100 calls ended, in milliseconds."""
    return statistics.quantiles(seconds, n=100)[-1] * 1000


def lost(envelopes: list[Any]) -> int:
    """How many calls were not answered with the whole page."""
    return sum(envelope.get("body") != PAGE.decode() for envelope in envelopes)


async def compare(engine: EngineDouble, gateway: Gateway, url: str) -> None:
    """Print the figures of both ways, in turn."""

    async def called() -> Any:  # noqa: ANN401 - an envelope
        return await engine.call("web::fetch", {"url": url})

    ratios, missing = [], 0
    await at_once(called)  # connections are made, and what is imported late
    await at_once(lambda: gateway.fetch(url))
    for _ in range(ROUNDS):
        direct, _ = await at_once(lambda: gateway.fetch(url))
        through, envelopes = await at_once(called)
        missing += lost(envelopes)
        ratios.append(p99(through) / p99(direct))
        print(f"p99 of {CALLS} at once: {p99(direct):6.0f} ms directly, {p99(through):6.0f} ms through the bus")
    print(f"ratio of the p99        {statistics.median(ratios):8.2f}      median of {ROUNDS} rounds; target: at most 2")
    print(f"lost                    {missing:8d}      of {CALLS * ROUNDS}; target: 0")

    calls = asyncio.create_task(at_once(called))
    for number in range(RELOADS):
        await engine.configure("web", {"user_agent": f"bench/{number}", "max_redirects": number % 5})
    _, envelopes = await calls
    print(f"lost during {RELOADS} reloads  {lost(envelopes):8d}      of {CALLS}; target: 0")


async def main() -> None:
    """Start the parts, and compare."""
    pipe, nowhere = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    site = await asyncio.create_subprocess_exec(sys.executable, __file__, "site", stdout=pipe)
    if site.stdout is None:
        raise OSError("no pipe")
    url = f"http://127.0.0.1:{int(await site.stdout.readline())}/"
    async with EngineDouble() as engine:
        command = (sys.executable, "-m", "webward", "iii", "--url", engine.url)
        worker = await asyncio.create_subprocess_exec(*command, stderr=nowhere)
        await engine.bound("configuration")
        async with Gateway(gateway_settings(Settings(), DEFAULTS)) as gateway:
            await compare(engine, gateway, url)
        worker.terminate()
        await worker.wait()
    site.kill()
    await site.wait()


if __name__ == "__main__":
    asyncio.run(serve_site() if sys.argv[1:] == ["site"] else main())
