"""End to end: pages of a corpus fetched and read, one after the other, by what an agent may have as its reader."""
# ruff: noqa: PLC0415 - each is imported in a process of its own, and any may be missing

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bench.fetch.case import NAME
from bench.fetch.usage import cpu_seconds, peak_mib

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    Read = Callable[[str], Awaitable[str]]

WARM_UP_PAGES = 5
MIN_CPU_SECONDS = 1.0  # all pages are read again until this is used up


@asynccontextmanager
async def webward() -> AsyncIterator[Read]:
    """A gateway with its defaults."""
    from webward import Gateway, Settings

    async with Gateway(Settings()) as gateway:

        async def read(url: str) -> str:
            return (await gateway.read(url)).text or ""

        yield read


@asynccontextmanager
async def mcp_server_fetch() -> AsyncIterator[Read]:
    """The function behind the tool; robots.txt is not asked for, and Node is not there, which would cost more."""
    from mcp_server_fetch.server import DEFAULT_USER_AGENT_AUTONOMOUS, fetch_url

    async def read(url: str) -> str:
        text, _ = await fetch_url(url, DEFAULT_USER_AGENT_AUTONOMOUS)
        return str(text)

    yield read


@asynccontextmanager
async def crawl4ai() -> AsyncIterator[Read]:
    """A crawler with the strategy that needs no browser."""
    from crawl4ai import AsyncWebCrawler, CacheMode, CrawlerRunConfig
    from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy

    run = CrawlerRunConfig(cache_mode=CacheMode.BYPASS, verbose=False)
    async with AsyncWebCrawler(crawler_strategy=AsyncHTTPCrawlerStrategy(), verbose=False) as crawler:

        async def read(url: str) -> str:
            result = await crawler.arun(url, config=run)
            if not result.success:
                raise ValueError(result.error_message)
            return str(result.markdown)

        yield read


@asynccontextmanager
async def trafilatura() -> AsyncIterator[Read]:
    """Its own fetch and extraction, as Markdown; they are synchronous."""
    from trafilatura import extract, fetch_url

    async def read(url: str) -> str:
        html = await asyncio.to_thread(fetch_url, url)
        return extract(html, output_format="markdown", include_links=True) or ""

    yield read


READERS = {
    "webward": webward,
    "mcp-server-fetch": mcp_server_fetch,
    "crawl4ai": crawl4ai,
    "trafilatura": trafilatura,
}


async def measure(*, reader: str, pages: int) -> dict[str, float]:
    """Pages read a second of CPU time, children included."""
    urls = [f"http://{NAME}/pages/{number}" for number in range(pages)]
    texts: list[str] = []
    async with READERS[reader]() as read:
        for url in urls[:WARM_UP_PAGES]:
            await read(url)
        cpu, started = cpu_seconds(), time.perf_counter()
        while not texts or cpu_seconds() - cpu < MIN_CPU_SECONDS:
            texts += [await read(url) for url in urls]
        used, elapsed = cpu_seconds() - cpu, time.perf_counter() - started
    return {
        "pages": len(texts),
        "empty": sum(not text.strip() for text in texts[:pages]),
        "chars": sum(map(len, texts[:pages])),
        "pages_per_cpu_second": len(texts) / used,
        "pages_per_second": len(texts) / elapsed,
        "peak_mib": peak_mib(),
    }
