"""A web, and the chat tools on a gateway to it, with a real store."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from tests.engine.sites import WAIT_SECONDS

from webward.chat import ChatTools
from webward.config import ChatSettings, Settings, StoreSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from webward.chat import ToolReply
    from webward.engine.gateway import Gateway
    from webward.model import CachedImage
    from webward.testing import LoopbackWeb

SITE = "http://site.test"
URL = f"{SITE}/"
PNG = [("Content-Type", "image/png")]
LARGE = "width=640 height=480"
WHO: dict[str, Any] = {"user": "ada", "channel": "general"}
READING = ChatSettings(enable_url_reading=True)
BOTH = ChatSettings(enable_url_reading=True, enable_web_search=True)


class Bench:
    """A web, and the tools on a gateway to it."""

    def __init__(self, web: LoopbackWeb, folder: Path) -> None:
        self.web = web
        self.store = StoreSettings(folder=str(folder))

    @asynccontextmanager
    async def gateway(self, **parts: Any) -> AsyncIterator[Gateway]:
        async with self.web.gateway(Settings(store=self.store), **parts) as gateway, asyncio.timeout(WAIT_SECONDS):
            yield gateway

    @asynccontextmanager
    async def tools(self, settings: ChatSettings = READING, gate: Any = None, **parts: Any) -> AsyncIterator[ChatTools]:
        async with self.gateway(**parts) as gateway:
            yield ChatTools(gateway, settings, gateway.quota, gateway.images, gate)

    async def fetch(self, url: str = URL, settings: ChatSettings = READING) -> ToolReply:
        async with self.tools(settings) as tools:
            return await tools.call("fetch_url", {"url": url}, **WHO)

    async def used(self, name: str = "fetch_url", settings: ChatSettings = BOTH) -> int:
        """Calls that are counted for the user."""
        async with self.gateway() as gateway:
            tools = ChatTools(gateway, settings, gateway.quota, gateway.images)
            decision = await gateway.quota.take("ada", tools.resource(name), 0)
        return decision.used

    async def kept(self, channel: str = "general") -> tuple[CachedImage, ...]:
        async with self.gateway() as gateway:
            return await gateway.images.latest(channel, 10)
