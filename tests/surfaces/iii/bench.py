"""`web::fetch` without a bus, and when a worker on one is ready."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from webward.config import Settings
from webward.contracts.iii.configuration import DEFAULTS, WebConfiguration
from webward.surfaces.iii.fetch import WebFetch
from webward.surfaces.iii.serving import Serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from webward.engine.gateway import Gateway
    from webward.testing import LoopbackWeb
    from webward.testing.iii_engine import EngineDouble

URL = "http://site.test/"
WAIT_SECONDS = 10.0  # for what must happen; a test that waits so long has failed


class Bench:
    """`web::fetch` on a web of its own, without a bus; pages are read in this process, which starts sooner."""

    def __init__(self, web: LoopbackWeb) -> None:
        self.web = web
        self.serving = Serving(Settings(), DEFAULTS, self.gateway)
        self.function = WebFetch(self.serving)

    def gateway(self, settings: Settings) -> Gateway:
        return self.web.gateway(replace(settings, content=replace(settings.content, workers=0)))

    async def configure(self, **changes: Any) -> None:
        await self.serving.use(replace(DEFAULTS, **changes))

    async def fetch(self, url: str = URL, **payload: Any) -> dict[str, Any]:
        return await self.function({"url": url, **payload})


@asynccontextmanager
async def real(configuration: WebConfiguration = DEFAULTS) -> AsyncIterator[WebFetch]:
    """`web::fetch` on the real resolver and the real network, which is loopback here."""
    serving = Serving(Settings(), configuration)
    try:
        yield WebFetch(serving)
    finally:
        await serving.close()


async def ready(engine: EngineDouble) -> None:
    """A worker has registered all that it has."""
    await engine.bound("configuration")
    await engine.registered("web::fetch", "web::inject-guidance", "web::on-config-change")
