"""The engine's bus, through the SDK: functions are served on it, others are called, triggers are bound.

The SDK runs an event loop in a thread of its own. Nothing is done there but handing over: what a function does runs on
the loop that made the bus, so that neither can hold up the other.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import warnings
from typing import TYPE_CHECKING, Any

from iii import InitOptions, InvocationError, RegistrationRejectedError
from iii.iii import III  # `register_worker` is the same, but blocks for 30 s when there is no engine

from webward.contracts.iii.configuration import NAME
from webward.contracts.iii.functions import DESCRIPTION

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from webward.contracts.iii.functions import Binding, Function

NAMESPACE = "default"  # of the functions that the engine itself brings


class CallFailed(Exception):
    """A function on the bus gave no result.

    Attributes:
        code: What the engine or the function says of it, such as ``NOT_FOUND`` or ``TIMEOUT``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Bus:
    """A worker's connection to an engine; it is made at once, and made anew for as long as it takes when it is lost.

    Args:
        url: ``ws://`` or ``wss://`` of the engine.
        on_state: Called on the loop with each new state: ``connecting``, ``connected``, ``disconnected``,
            ``reconnecting``, ``failed``. The last is final: the engine does not take this worker.
    """

    def __init__(self, url: str, on_state: Callable[[str], None]) -> None:
        self._loop = asyncio.get_running_loop()
        options = InitOptions(
            worker_name=NAME,
            worker_description=DESCRIPTION,
            enable_metrics_reporting=False,
            otel={"enabled": False},  # it would patch urllib, and send trace headers to whatever that requests
        )
        self._client = III(url, options)
        self._is_closed = False
        self._forget_states = self._client.add_connection_state_listener(
            lambda state: self._on_loop(lambda: on_state(state))
        )

    def serve(self, function: Function, handler: Callable[[object], Coroutine[Any, Any, object]]) -> Callable[[], None]:
        """Serve a function, on every connection to come, too.

        Args:
            function: What the engine is told of it.
            handler: Given the payload as it came; what it raises is an error of the bus.

        Returns:
            What ends it.
        """

        async def handed_over(data: Any) -> Any:  # noqa: ANN401 - any JSON value
            return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(handler(data), self._loop))

        served = self._client.register_function(
            function.id,
            handed_over,
            description=function.description,
            metadata=function.metadata,
            request_format=function.request_schema,
            response_format=function.response_schema,
        )
        withdraw: Callable[[], None] = served.unregister
        return withdraw

    def bind(self, binding: Binding) -> Callable[[], None]:
        """Bind a trigger, on every connection to come, too; that the engine refuses it is logged by the SDK alone.

        Returns:
            What ends it.
        """
        request = {"type": binding.type, "function_id": binding.function_id, "config": binding.config}
        if binding.metadata is not None:
            request["metadata"] = binding.metadata
        with warnings.catch_warnings():
            # Deprecated for what 0.25 has in its place; the configuration worker and the harness have only this.
            warnings.simplefilter("ignore", DeprecationWarning)
            trigger = self._client.register_trigger(request)
        unbind: Callable[[], None] = trigger.unregister
        return unbind

    async def call(self, function_id: str, payload: object, *, timeout_ms: int) -> Any:  # noqa: ANN401 - any JSON value
        """Call a function.

        Args:
            function_id: Its id.
            payload: Any JSON value.
            timeout_ms: How long to wait for its result, in milliseconds.

        Raises:
            CallFailed: It gave no result.
        """
        request = {
            "function_id": function_id,
            "payload": payload,
            "timeout_ms": timeout_ms,
            "namespace": NAMESPACE,
        }
        if self._is_closed:  # the SDK would never answer
            raise CallFailed("SHUTDOWN", f"{function_id}: the worker is stopping")
        try:
            return await asyncio.to_thread(self._client.trigger, request)
        except InvocationError as error:
            raise CallFailed(error.code, f"{function_id}: {error.code}: {error.message}") from None
        except RegistrationRejectedError as error:
            raise CallFailed(error.code, f"{function_id}: {error}") from None

    async def close(self, seconds: float) -> bool:
        """Leave the engine; calls under way fail.

        Args:
            seconds: How long to wait for it.

        Returns:
            Whether it has ended; otherwise a thread of the SDK is left, which keeps the process from ending.
        """
        self._is_closed = True
        self._forget_states()
        ended = asyncio.Event()

        def shut_down() -> None:
            self._client.shutdown()
            self._client._loop.close()  # noqa: SLF001 - the SDK stops its loop and leaves it open
            self._on_loop(ended.set)

        threading.Thread(target=shut_down, name="iii-shutdown", daemon=True).start()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await ended.wait()
        return ended.is_set()

    def _on_loop(self, action: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended: nobody is there to be told
            self._loop.call_soon_threadsafe(action)
