"""A worker on the real SDK."""

from __future__ import annotations

import asyncio
import warnings
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from iii import InitOptions, InvocationError
from iii.iii import III
from iii.iii_constants import ReconnectionConfig

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable

    from iii.triggers import Trigger

    from webward.testing.iii_engine import EngineDouble

QUICK = ReconnectionConfig(initial_delay_ms=10, max_delay_ms=50)


async def echo(data: Any, metadata: Any = None) -> Any:
    return data if metadata is None else {"data": data, "metadata": metadata}


async def fail(data: Any) -> Any:
    raise ValueError(f"no {data}")


@asynccontextmanager
async def toy(engine: EngineDouble, **options: Any) -> AsyncIterator[III]:
    """One that serves `echo` and `fail`."""
    chosen: dict[str, Any] = {"worker_name": "toy", "otel": {"enabled": False}, "enable_metrics_reporting": False}
    worker = III(engine.url, InitOptions(reconnection_config=QUICK, **(chosen | options)))
    worker.register_function("toy::echo", echo)
    worker.register_function("toy::fail", fail)
    try:
        yield worker
    finally:
        await asyncio.to_thread(worker.shutdown)
        worker._loop.close()  # noqa: SLF001 - the SDK leaves it open, and Python warns of it


async def soon(work: Awaitable[Any]) -> Any:
    """Wait for what must happen."""
    async with asyncio.timeout(20):
        return await work


async def elsewhere(loop: asyncio.AbstractEventLoop, work: Awaitable[Any]) -> Any:
    """Wait on the SDK's loop for what happens on the test's."""

    async def waited() -> Any:
        return await work

    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(waited(), loop))


def bind(worker: III, trigger_type: str, config: Any = None, **more: Any) -> Trigger:
    """Bind a trigger to `echo`, or to another function."""
    request = {"type": trigger_type, "function_id": "toy::echo", "config": config} | more
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return worker.register_trigger(request)


async def ask(worker: III, function_id: str, payload: Any = None, **more: Any) -> Any:
    """The result of a call that the worker makes."""
    request = {"function_id": function_id, "payload": payload, "timeout_ms": 20_000} | more
    return await asyncio.to_thread(worker.trigger, request)


async def code_of(worker: III, function_id: str, payload: Any = None, **more: Any) -> str:
    """The error of a call that the worker makes."""
    with pytest.raises(InvocationError) as caught:
        await ask(worker, function_id, payload, **more)
    code: str = caught.value.code
    return code
