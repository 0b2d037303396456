"""What the images of a page add to `fetch_url`, against the fetch of the slower one alone.

A loopback web where answers come after a pause, as from servers far away. Target: two images add at most 1.2 times what
the slower of them takes by itself, kept in the store and all.
"""
# ruff: noqa: T201 - a benchmark prints

from __future__ import annotations

import asyncio
import os
import statistics
import struct
import tempfile
import time
import zlib
from typing import TYPE_CHECKING

from webward import Settings
from webward.chat import ChatSettings, ChatTools
from webward.config import StoreSettings
from webward.testing import LoopbackWeb, Pause
from webward.testing.script import response

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from webward.chat import ToolReply

ROUNDS = 40
SIDE = 250  # pixels; of noise, so that an image has some 190 KB, as those of pages do
PAGE = "<title>Page</title>" + "<p>Some words of a paragraph, <b>more</b> or less." * 200
IMAGES = "".join(f"<img src=/{name} width={SIDE} height={SIDE}>" for name in ("quick", "slow"))
DISTANCES = ((0.0, 0.0), (0.05, 0.1), (0.1, 0.1), (0.1, 0.3))  # seconds that the quick and the slow image take to begin


def png(side: int) -> bytes:
    """A picture of noise."""
    rows = b"".join(b"\0" + os.urandom(3 * side) for _ in range(side))
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b""))
    made = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(made)


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    """Milliseconds that something takes."""
    started = time.perf_counter()
    await work()
    return (time.perf_counter() - started) * 1000


async def measure(quick_seconds: float, slow_seconds: float, folder: str) -> None:
    """Print what two images add at one distance."""
    chat = ChatSettings(enable_url_reading=True, url_daily_per_user=1_000_000)
    async with LoopbackWeb() as web, web.gateway(Settings(store=StoreSettings(folder=folder))) as gateway:
        tools = ChatTools(gateway, chat, gateway.quota, gateway.images)
        web.page("http://site.test/bare", PAGE)
        web.page("http://site.test/full", PAGE + IMAGES)

        async def call(path: str) -> ToolReply:
            return await tools.call("fetch_url", {"url": f"http://site.test/{path}"}, user="u", channel="c")

        bare, full, alone = [], [], []
        for _ in range(ROUNDS):
            for name, seconds in (("quick", quick_seconds), ("slow", slow_seconds)):
                steps = response(png(SIDE), status=200, headers=[("Content-Type", "image/png")])
                web.script(f"http://site.test/{name}", Pause(seconds), *steps)
            bare.append(await timed(lambda: call("bare")))
            alone.append(await timed(lambda: gateway.fetch("http://site.test/slow")))
            full.append(await timed(lambda: call("full")))
        if len((await call("full")).images) != 2:  # noqa: PLR2004 - both
            raise AssertionError("the images did not come")
    added = [with_images - without for with_images, without in zip(full, bare, strict=True)]
    middle, single = statistics.median(added), statistics.median(alone)
    print(
        f"{slow_seconds * 1000:8.0f} ms {statistics.median(bare):10.2f} {single:12.2f} {middle:12.2f} "
        f"{middle / single:8.2f}"
    )


async def main() -> None:
    """Measure at all distances."""
    print("   pause         page   slow alone    two added    ratio     (ms, medians; target: 1.2)")
    with tempfile.TemporaryDirectory() as folder:
        for quick_seconds, slow_seconds in DISTANCES:
            await measure(quick_seconds, slow_seconds, folder)


if __name__ == "__main__":
    asyncio.run(main())
