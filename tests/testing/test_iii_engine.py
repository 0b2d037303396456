from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from iii import InitOptions
from iii.iii import III
from iii.iii_constants import ReconnectionConfig

from webward.testing.iii_engine import EngineDouble

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}
AT_ONCE = ReconnectionConfig(initial_delay_ms=10, max_delay_ms=50)


@asynccontextmanager
async def connected(engine: EngineDouble, **options: Any) -> AsyncIterator[III]:
    """A worker on the real SDK."""
    chosen = {"worker_name": "toy", "otel": {"enabled": False}, "enable_metrics_reporting": False} | options
    worker = III(engine.url, InitOptions(reconnection_config=AT_ONCE, **chosen))
    try:
        yield worker
    finally:
        await asyncio.to_thread(worker.shutdown)
        worker._loop.close()  # noqa: SLF001 - the SDK leaves it open, and Python warns of it


async def double(data: Any) -> Any:
    return {"n": data["n"] * 2}


async def test_a_function_is_registered_and_called() -> None:
    async with EngineDouble() as engine, connected(engine) as worker:
        worker.register_function(
            "toy::double",
            double,
            description="Twice.",
            metadata={"tags": ["toy"]},
            request_format=SCHEMA,
            response_format=SCHEMA,
        )
        await engine.registered("toy::double")
        function = engine.functions["toy::double"]
        assert (function.description, function.metadata) == ("Twice.", {"tags": ["toy"]})
        assert (function.request_format, function.response_format) == (SCHEMA, SCHEMA)
        assert await engine.call("toy::double", {"n": 21}) == {"n": 42}
        await engine.until(lambda: engine.workers[0].about)
        assert engine.workers[0].about["name"] == "toy"
        assert engine.unexpected == []
        assert engine.telemetry == []
