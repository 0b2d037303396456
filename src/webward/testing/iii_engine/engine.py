"""An iii engine on loopback: a bus, the engine's own functions, and what a test can make it do."""

from __future__ import annotations

import inspect
import uuid
from collections import defaultdict, deque
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from webward.testing.iii_engine import wire
from webward.testing.iii_engine.bus import WAIT_SECONDS, Bus
from webward.testing.iii_engine.configuration import ConfigurationService, listens
from webward.testing.iii_engine.harness import PRE_GENERATE, Harness
from webward.testing.iii_engine.wire import DEFAULT_NAMESPACE, InvocationFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from webward.testing.iii_engine.worker import ConnectedWorker

REFUSED = "trigger_registration_failed"


class EngineDouble(Bus):
    """An iii engine on loopback, for workers that speak its wire protocol.

    Args:
        features: Those that it says it has, such as ``observe.v1`` and ``local-dispatch.v1``; none is an engine before
            0.25. With any, functions are confirmed; observers are not served.
        lacking: Functions that it does not have, such as ``configuration::ensure``; a name that ends in ``::`` stands
            for all that begin with it.
        harness_up: Whether the harness has already come.
        parks: Whether triggers of a type that has not yet come wait for it (engines from 0.21.8 on), or are dropped.
        wait_seconds: How long a call or a wait may take before it fails.

    Attributes:
        configuration: The entries of the configuration worker.
        harness: The agent's harness.
        gate: Holds back the answers to calls of workers while it is shut.
        lacking: As the argument.
        connections: All workers that ever connected, in order; `workers` are those that still are.
        frames: Every JSON object that workers sent, in order, as it came.
        unexpected: What workers should not have sent; a test may assert that there is nothing.
        telemetry: What came to ``/otel``; nothing while the SDK's telemetry is off.
        refused: How many handshakes were refused.
    """

    def __init__(
        self,
        *,
        features: Iterable[str] = (),
        lacking: Iterable[str] = (),
        harness_up: bool = True,
        parks: bool = True,
        wait_seconds: float = WAIT_SECONDS,
    ) -> None:
        super().__init__(features=tuple(features), wait_seconds=wait_seconds)
        self._parks = parks
        self._handlers: dict[str, Callable[[Any], Any]] = {}
        self._failures: defaultdict[str, deque[InvocationFailed]] = defaultdict(deque)
        self._refused_types: dict[str, InvocationFailed] = {}
        self.configuration = ConfigurationService(lambda event: self._spawn(self._announce_later(event)))
        self.harness = Harness(lambda: self.triggers_of(PRE_GENERATE), self._fire, up=harness_up)
        self.lacking = set(lacking)

    async def fire(self, trigger_type: str, event: object) -> list[Any]:
        """Call the functions of all triggers of a type, one after the other, and give their results.

        Raises:
            InvocationFailed: One of them failed.
        """
        return [await self._fire(trigger, event) for trigger in self.triggers_of(trigger_type)]

    async def configure(self, entry_id: str, value: object) -> list[Any]:
        """Store a value as an operator does, and give what the functions that were told of it answered.

        Raises:
            InvocationFailed: One of them failed.
        """
        return await self._announce(self.configuration.change(entry_id, value))

    async def start_harness(self) -> None:
        """Let the harness come; it judges the triggers that wait for it."""
        self.harness.up = True
        for worker in self.workers:
            for trigger in worker.triggers_of(PRE_GENERATE):
                await self._judge(worker, trigger)

    def serve(self, function_id: str, handler: Callable[[Any], Any]) -> None:
        """Serve a function to workers, in place of the engine's own if it has one.

        Args:
            function_id: Its id.
            handler: Given the payload, gives the result, or an awaitable of it; it may raise `InvocationFailed`.
        """
        self._handlers[function_id] = handler

    def fail(self, function_id: str, code: str, message: str = "told to fail", *, times: int = 1) -> None:
        """Answer the next calls of workers to a function with an error."""
        self._failures[function_id].extend(InvocationFailed(code, message) for _ in range(times))

    def refuse_triggers(self, trigger_type: str, code: str = REFUSED, message: str = "told to refuse") -> None:
        """Refuse to bind triggers of a type from now on."""
        self._refused_types[trigger_type] = InvocationFailed(code, message)

    def accept_triggers(self, trigger_type: str) -> None:
        """Bind triggers of a type again."""
        self._refused_types.pop(trigger_type, None)

    def refuse(self, status: int = HTTPStatus.SERVICE_UNAVAILABLE) -> None:
        """Answer handshakes with this HTTP status from now on."""
        self._refusing = HTTPStatus(status)

    def accept(self) -> None:
        """Take workers again."""
        self._refusing = None

    async def reject(self, code: str = "WORKER_NAMESPACE_CONFLICT") -> None:
        """Reject the workers that are connected, for good: their SDK does not come again."""
        for worker in self.workers:
            name = str(worker.about.get("name", ""))
            owner = {"namespace": worker.namespace, "worker_name": name, "owner_worker_id": str(uuid.uuid4())}
            await worker.send({"type": "registrationrejected", "code": code, **owner})
            await worker.close(1000)

    async def drop(self, *, code: int | None = 1001) -> None:
        """End all connections and go on listening.

        Args:
            code: Close with it; None breaks the connections off.
        """
        dropped = self.workers
        for worker in dropped:
            if code is None:
                worker.abort()
            else:
                await worker.close(code)
        await self.until(lambda: all(worker.close_code is not None for worker in dropped))

    async def send(self, frame: object) -> None:
        """Send a value as a frame to all workers."""
        for worker in self.workers:
            await worker.send(frame)

    async def send_raw(self, data: str | bytes) -> None:
        """Send a text message (str) or a binary one (bytes) to all workers, whatever it is."""
        for worker in self.workers:
            await worker.send_raw(data)

    async def _result(self, asked: wire.Invocation) -> Any:  # noqa: ANN401 - any JSON value
        name = asked.function_id
        if self._failures.get(name):
            raise self._failures[name].popleft()
        if name in self._handlers:
            result = self._handlers[name](asked.data)
            return await result if inspect.isawaitable(result) else result
        here = asked.namespace in {None, DEFAULT_NAMESPACE}
        if here and name in self.configuration.functions and not self._lacks(name):
            return self.configuration.answer(name, asked.data)
        return await super()._result(asked)

    def _lacks(self, function_id: str) -> bool:
        return any(
            function_id == name or (name.endswith("::") and function_id.startswith(name)) for name in self.lacking
        )

    async def _bind(self, worker: ConnectedWorker, trigger: wire.Trigger) -> None:
        if trigger.trigger_type == PRE_GENERATE and not self.harness.up and not self._parks:
            return
        await super()._bind(worker, trigger)
        await self._judge(worker, trigger)

    async def _judge(self, worker: ConnectedWorker, trigger: wire.Trigger) -> None:
        """Unbind a trigger that the engine or the harness does not take, and say so."""
        refusal = self._refused_types.get(trigger.trigger_type)
        if refusal is None and trigger.trigger_type == PRE_GENERATE and self.harness.up:
            fault = self.harness.fault(trigger)
            refusal = InvocationFailed(REFUSED, fault) if fault else None
        if refusal is None:
            return
        del worker.triggers[trigger.id]
        error = wire.ErrorBody(refusal.code, refusal.message)
        await worker.send(wire.TriggerAnswer(trigger.id, trigger.trigger_type, trigger.function_id, error))

    async def _fire(self, trigger: wire.Trigger, event: object, seconds: float | None = None) -> Any:  # noqa: ANN401
        name, metadata = trigger.function_id, trigger.metadata
        return await self.call(name, event, metadata=metadata, namespace=trigger.namespace, seconds=seconds)

    async def _announce(self, event: dict[str, Any]) -> list[Any]:
        return [await self._fire(trigger, event) for trigger in self.triggers.values() if listens(trigger, event)]

    async def _announce_later(self, event: dict[str, Any]) -> None:
        try:
            await self._announce(event)
        except (InvocationFailed, TimeoutError) as error:
            self._wonder("a function did not take a change of the configuration", error)
