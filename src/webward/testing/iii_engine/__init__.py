"""A double of the iii engine, for tests of workers that use the real ``iii-sdk``; import it by itself.

It is a real WebSocket server on loopback, in the event loop of the test. The SDK runs a loop in a thread of its own,
and ``register_worker`` blocks until it is connected, so a test calls it in a thread::

    async with EngineDouble() as engine:
        options = InitOptions(otel={"enabled": False})
        worker = await asyncio.to_thread(register_worker, engine.url, options)
        try:
            worker.register_function("toy::double", lambda data: data * 2)
            await engine.registered("toy::double")
            assert await engine.call("toy::double", 21) == 42
        finally:
            await asyncio.to_thread(worker.shutdown)

Turn the SDK's telemetry off, as above or with ``OTEL_ENABLED=false``: it sends to a second socket (``engine.telemetry``
has what came), and patches urllib so that requests carry trace headers to whoever is asked. Without ``shutdown`` the
SDK's thread keeps the process from ending. ``register_trigger`` is deprecated in 0.25 and warns each time; what the
configuration worker and the harness offer has nothing else. The SDK also writes a file about each worker to
``.iii/run`` in the home directory, which ``shutdown`` removes, and leaves its event loop open, of which Python warns.
"""

try:
    import websockets.asyncio.server  # noqa: F401 - only whether it is there
except ImportError:
    message = "webward.testing.iii_engine needs websockets: pip install 'webward[iii]'"
    raise ModuleNotFoundError(message, name="websockets") from None

from webward.testing.iii_engine.configuration import ConfigurationService
from webward.testing.iii_engine.engine import EngineDouble
from webward.testing.iii_engine.harness import Harness, Turn
from webward.testing.iii_engine.waiting import Gate
from webward.testing.iii_engine.wire import Function, InvocationFailed, Trigger, TriggerType, Unexpected
from webward.testing.iii_engine.worker import ConnectedWorker

__all__ = [
    "ConfigurationService",
    "ConnectedWorker",
    "EngineDouble",
    "Function",
    "Gate",
    "Harness",
    "InvocationFailed",
    "Trigger",
    "TriggerType",
    "Turn",
    "Unexpected",
]
