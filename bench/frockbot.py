"""What the FrockBot line protocol adds to a fetch, what many calls at once cost, and how long the classifier takes.

A child process serves `web_fetch` on a loopback web over TLS and times the tool itself; what its parent waits longer is
what the protocol adds. Targets: 0.3 ms a fetch (median), 15 microseconds a URL, every deadline kept.
"""
# ruff: noqa: T201 - a benchmark prints

from __future__ import annotations

import asyncio
import json
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
import timeit
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import trustme

from webward.config import Limits, NetworkSettings, Settings
from webward.frockbot import WebTool, classify, mounted, strict_settings
from webward.surfaces.cli.lines import answer_lines
from webward.surfaces.frockbot.host import LineHost
from webward.testing import LoopbackWeb, Pause

if TYPE_CHECKING:
    from webward.frockbot import ToolResult

CALLS = 1000
AT_ONCE = 200
DEADLINE_SECONDS = 2.0  # of the calls that nobody answers
PAGE = "<title>Page</title><h1>Page</h1>" + "<p>Some words of a paragraph, <b>more</b> or less." * 40
URL, SILENT = "https://site.test/", "https://site.test/silent"
URLS = (
    *("https://example.com/", "https://www.example.org/path/to/page?query=1&more=2#part", "https://1.1.1.1/"),
    *("https://xn--bcher-kva.example/", "https://[2606:4700:4700::1111]/", "https://metadata.google.internal/"),
    *("http://169.254.169.254/latest/meta-data", "https://user@example.com/", "https://example.com:8080/"),
    *(
        "https://0177.0.0.1/",
        "https://2130706433/",
        "https://100.64.0.1/",
        "https://[::ffff:8.8.8.8]/",
        "https://redis/",
    ),
)


class Timed(WebTool):
    """A tool that keeps how long it took."""

    def __init__(self, tool: WebTool) -> None:
        self.definition = tool.definition
        self._tool = tool
        self.seconds: list[float] = []

    async def __call__(self, value: object, *, effect_id: str | None = None) -> ToolResult:
        """Call the tool."""
        started = time.perf_counter()
        result = await self._tool(value, effect_id=effect_id)
        self.seconds.append(time.perf_counter() - started)
        return result


async def serve(folder: str) -> None:
    """Answer lines until they end, then print the times of the tool."""
    authority, tls = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("site.test").configure_cert(tls)
    ca_file = str(Path(folder) / "ca.pem")
    authority.cert_pem.write_to_path(ca_file)
    settings = strict_settings(
        Settings(
            network=NetworkSettings(ca_file=ca_file),
            limits=Limits(deadline_seconds=DEADLINE_SECONDS, max_deadline_seconds=DEADLINE_SECONDS),
        )
    )
    async with LoopbackWeb(tls=tls) as web, web.gateway(settings) as gateway:
        web.page(URL, PAGE)
        web.script(SILENT, Pause(60))
        (tool,) = map(Timed, mounted(gateway))
        await answer_lines(LineHost([tool]).answer, at_once=4096)
        print(json.dumps(tool.seconds), file=sys.stderr)


def line(number: int, url: str) -> bytes:
    """A call."""
    return json.dumps({"id": number, "tool": "web_fetch", "input": {"url": url}}).encode() + b"\n"


def drive(folder: str) -> None:
    """Run the child and print what was measured."""
    argv = [sys.executable, __file__, folder]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:  # noqa: S603 - ourselves
        if child.stdin is None or child.stdout is None or child.stderr is None:
            raise OSError("no pipes")
        waited = []
        for number in range(CALLS):
            started = time.perf_counter()
            child.stdin.write(line(number, URL))
            child.stdin.flush()
            child.stdout.readline()
            waited.append(time.perf_counter() - started)
        many = {}
        for url in (URL, SILENT):
            started = time.perf_counter()
            child.stdin.write(b"".join(line(number, url) for number in range(AT_ONCE)))
            child.stdin.flush()
            for _ in range(AT_ONCE):
                child.stdout.readline()
            many[url] = time.perf_counter() - started
        child.stdin.close()
        spent = json.loads(child.stderr.read())
    added = [(all_ - tool) * 1000 for all_, tool in zip(waited, spent[:CALLS], strict=True)]
    median, high = statistics.median(added), statistics.quantiles(added, n=10)[-1]
    print(f"a fetch                 {statistics.median(spent[:CALLS]) * 1000:8.2f} ms   median of {CALLS}")
    print(f"added by the protocol   {median:8.3f} ms   median; 90 % below {high:.3f}; target: 0.3")
    print(f"{AT_ONCE} pages at once      {many[URL]:8.2f} s")
    late = max(spent[-AT_ONCE:]) - DEADLINE_SECONDS
    print(f"{AT_ONCE} silent at once     {many[SILENT]:8.2f} s    all, with a deadline of {DEADLINE_SECONDS:g} s")
    print(f"the latest of them      {late * 1000:8.1f} ms   after its deadline")


def classifier() -> None:
    """Print how long the classifier takes, in processor time."""
    times = {
        url: min(timeit.repeat(partial(classify, url), timer=time.process_time, number=5000, repeat=5)) / 5000
        for url in URLS
    }
    mean, worst = statistics.mean(times.values()), max(times, key=lambda url: times[url])
    print(f"the classifier          {mean * 1e6:8.1f} us   mean of {len(URLS)} URLs; target: 15")
    print(f"its slowest             {times[worst] * 1e6:8.1f} us   {worst}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(serve(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as place:
            drive(place)
        classifier()
