"""Other clients as their documentation says to use them, with room for all requests at once and one shared context.

Names are resolved as each does by itself.
"""
# ruff: noqa: PLC0415 - each is imported in a process of its own, and any may be missing

from __future__ import annotations

import ssl
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bench.fetch.case import Case
    from bench.fetch.client import Answer, Fetch

TIMEOUT_SECONDS = 30.0


@asynccontextmanager
async def aiohttp(case: Case) -> AsyncIterator[Fetch]:
    """One session."""
    import aiohttp

    connector = aiohttp.TCPConnector(limit=0, force_close=not case.kept, ssl=ssl.create_default_context())
    async with aiohttp.ClientSession(connector=connector) as session:

        async def fetch(url: str) -> Answer:
            async with session.get(url) as response:
                return response.status, len(await response.read())

        yield fetch


@asynccontextmanager
async def httpx2(case: Case) -> AsyncIterator[Fetch]:
    """One client."""
    import httpx2

    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None if case.kept else 0)
    context = ssl.create_default_context()
    async with httpx2.AsyncClient(verify=context, limits=limits, timeout=TIMEOUT_SECONDS) as client:

        async def fetch(url: str) -> Answer:
            response = await client.get(url)
            return response.status_code, len(response.content)

        yield fetch


@asynccontextmanager
async def httpx_secure(case: Case) -> AsyncIterator[Fetch]:
    """One client of httpx under its protection."""
    import httpx
    from httpx_secure import httpx_ssrf_protection

    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None if case.kept else 0)
    context = ssl.create_default_context()
    plain = httpx.AsyncClient(verify=context, limits=limits, timeout=TIMEOUT_SECONDS)
    async with httpx_ssrf_protection(plain) as client:

        async def fetch(url: str) -> Answer:
            response = await client.get(url)
            return response.status_code, len(response.content)

        yield fetch


@asynccontextmanager
async def drawbridge(_case: Case) -> AsyncIterator[Fetch]:
    """One client."""
    from drawbridge import Client

    async with Client() as client:

        async def fetch(url: str) -> Answer:
            response = await client.get(url, timeout=TIMEOUT_SECONDS)
            return response.status_code, len(response.content)

        yield fetch


@asynccontextmanager
async def mcp_server_fetch(_case: Case) -> AsyncIterator[Fetch]:
    """The function behind the tool, without its extraction; it makes a client for every call."""
    from mcp_server_fetch.server import DEFAULT_USER_AGENT_AUTONOMOUS, fetch_url

    async def fetch(url: str) -> Answer:
        text, _ = await fetch_url(url, DEFAULT_USER_AGENT_AUTONOMOUS, force_raw=True)
        return 200, len(text)  # an error status is raised

    yield fetch
