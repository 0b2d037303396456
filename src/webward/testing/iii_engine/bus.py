"""The bus of an engine: takes workers on loopback, keeps what they register, and carries calls."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING, Any, Self

import msgspec
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from webward.testing.iii_engine import wire
from webward.testing.iii_engine.port import Port
from webward.testing.iii_engine.waiting import Changes, Gate
from webward.testing.iii_engine.wire import DEFAULT_NAMESPACE, InvocationFailed, Unexpected
from webward.testing.iii_engine.worker import ConnectedWorker
from webward.testing.listening import LOOPBACK

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from http import HTTPStatus

    from websockets.http11 import Request, Response

WAIT_SECONDS = 20.0  # for what must happen; long, since nothing waits for it but a test that fails
CLOSE_SECONDS = 2.0  # for the worker's side of a closing handshake
MESSAGE_BYTES = 64 * 1024 * 1024  # the engine's own limit
REGISTER_WORKER = "engine::workers::register"
WORKER_PATH = "/"
TELEMETRY_PATH = "/otel"


class Bus:
    """What all engines do; `EngineDouble` describes the arguments and attributes."""

    def __init__(self, *, features: tuple[str, ...], wait_seconds: float) -> None:
        self._features = features
        self._wait_seconds = wait_seconds
        self._changes = Changes()
        self._port = Port()
        self._server: Server | None = None
        self._refusing: HTTPStatus | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._handed: set[str] = set()  # triggers that were handed to the provider of their type
        self.gate = Gate(self._changes)
        self.connections: list[ConnectedWorker] = []
        self.frames: list[dict[str, Any]] = []
        self.unexpected: list[Unexpected] = []
        self.telemetry: list[str | bytes] = []
        self.refused = 0

    @property
    def url(self) -> str:
        """Where workers connect to; the same as long as the double lives."""
        return f"ws://{LOOPBACK}:{self._port.number}"

    @property
    def workers(self) -> list[ConnectedWorker]:
        """Those that are connected, in order."""
        return [worker for worker in self.connections if worker.close_code is None]

    @property
    def functions(self) -> dict[str, wire.Function]:
        """What is registered now, by id."""
        return {name: function for worker in self.workers for name, function in worker.functions.items()}

    @property
    def triggers(self) -> dict[str, wire.Trigger]:
        """What is bound now, by id."""
        return {name: trigger for worker in self.workers for name, trigger in worker.triggers.items()}

    def triggers_of(self, trigger_type: str) -> list[wire.Trigger]:
        """The triggers of a type that are bound now."""
        return [trigger for worker in self.workers for trigger in worker.triggers_of(trigger_type)]

    def calls_to(self, function_id: str) -> list[Any]:
        """The payloads of all calls that workers made to a function, in order."""
        calls = [frame for frame in self.frames if frame.get("type") == "invokefunction"]
        return [frame.get("data") for frame in calls if frame.get("function_id") == function_id]

    async def start(self) -> None:
        """Listen, unless it does already."""
        if self._server is not None:
            return
        self._server = await serve(
            self._serve,
            sock=self._port.listener(),
            process_request=self._handshake,
            compression=None,
            max_size=MESSAGE_BYTES,
            ping_interval=None,
            close_timeout=CLOSE_SECONDS,
        )

    async def stop(self) -> None:
        """End all connections, and refuse new ones; what workers registered is forgotten, configuration stays."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
            self._server = None

    async def restart(self) -> None:
        """Stop, and start again at the same port."""
        await self.stop()
        await self.start()

    async def __aenter__(self) -> Self:
        self._port.hold()
        await self.start()
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.stop()
        self._port.release()

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until something holds, which is asked after everything that workers do.

        Raises:
            TimeoutError: It did not in time; the message tells what is there.
        """
        try:
            await self._changes.until(holds, self._wait_seconds)
        except TimeoutError:
            bound = [trigger.trigger_type for trigger in self.triggers.values()]
            state = f"functions {sorted(self.functions)}, triggers {bound}, unexpected {self.unexpected}"
            message = f"not within {self._wait_seconds} s; {len(self.workers)} workers, {state}"
            raise TimeoutError(message) from None

    async def registered(self, *function_ids: str) -> None:
        """Wait until functions are registered."""
        await self.until(lambda: self.functions.keys() >= set(function_ids))

    async def bound(self, trigger_type: str) -> wire.Trigger:
        """Wait until a trigger of a type is bound, and give the first."""
        await self.until(lambda: self.triggers_of(trigger_type))
        return self.triggers_of(trigger_type)[0]

    async def call(
        self,
        function_id: str,
        data: object,
        *,
        metadata: object = None,
        namespace: str | None = None,
        seconds: float | None = None,
    ) -> Any:  # noqa: ANN401 - any JSON value
        """Call a function of a worker; any number of calls may be under way.

        Args:
            function_id: Its id.
            data: The payload.
            metadata: Of the call.
            namespace: Where the function is; by default ``default``.
            seconds: How long to wait for the answer; by default as long as for everything.

        Raises:
            InvocationFailed: No worker has it, it failed, or its worker went away.
            TimeoutError: It has not answered in time.
        """
        worker = self._host(function_id, namespace)
        identity = str(uuid.uuid4())
        frame = wire.invocation(function_id, data, invocation_id=identity, metadata=metadata)
        seconds = self._wait_seconds if seconds is None else seconds
        try:
            async with asyncio.timeout(seconds):
                return await worker.answer_to(identity, frame)
        except TimeoutError:
            message = f"{function_id} has not answered within {seconds} s; unexpected {self.unexpected}"
            raise TimeoutError(message) from None

    async def cast(
        self, function_id: str, data: object, *, metadata: object = None, namespace: str | None = None
    ) -> None:
        """Call a function without wanting an answer.

        Raises:
            InvocationFailed: No worker has it.
        """
        await self._host(function_id, namespace).send(wire.invocation(function_id, data, metadata=metadata))

    def _host(self, function_id: str, namespace: str | None) -> ConnectedWorker:
        place = DEFAULT_NAMESPACE if namespace is None else namespace
        if not place.strip():
            raise InvocationFailed("INVALID_NAMESPACE", "the namespace is blank")
        for worker in self.workers:
            if function_id in worker.functions and worker.namespace == place:
                return worker
        raise InvocationFailed("function_not_found", f"function {function_id} is not in namespace {place}")

    def _handshake(self, connection: ServerConnection, request: Request) -> Response | None:
        path = request.path.partition("?")[0]
        if path not in {WORKER_PATH, TELEMETRY_PATH}:
            self._wonder("a connection to a path that is not served", path)
            return connection.respond(404, "not served\n")
        if self._refusing is None:
            return None
        self.refused += 1
        self._changes.happened()
        return connection.respond(self._refusing, "refused\n")

    async def _serve(self, connection: ServerConnection) -> None:
        if connection.request is not None and connection.request.path.startswith(TELEMETRY_PATH):
            await self._take_telemetry(connection)
            return
        worker = ConnectedWorker(connection)
        self.connections.append(worker)
        welcome = {"type": "workerregistered", "worker_id": worker.id, "reattach_token": worker.reattach_token}
        try:
            await worker.send(welcome | ({"features": self._features} if self._features else {}))
            async for message in connection:
                await self._take(worker, message)
                self._changes.happened()
        except ConnectionClosed:
            return
        finally:
            await worker.ended()
            self._changes.happened()
            for trigger in worker.triggers.values():
                await self._tell_provider(wire.UnregisterTrigger(trigger.id, trigger.trigger_type))

    async def _take_telemetry(self, connection: ServerConnection) -> None:
        try:
            async for message in connection:
                self.telemetry.append(message)
                self._changes.happened()
        except ConnectionClosed:
            return

    async def _take(self, worker: ConnectedWorker, message: str | bytes) -> None:
        if isinstance(message, bytes):
            self._wonder("a binary message", message)
            return
        content: object = message
        try:
            content = msgspec.json.decode(message)
            if isinstance(content, dict):
                self.frames.append(content)
            frame = wire.as_frame(content)
        except (msgspec.DecodeError, RecursionError) as error:
            self._wonder(str(error), content)
            return
        fault = await self._handle(worker, frame)
        if fault:
            self._wonder(fault, content)

    async def _handle(self, worker: ConnectedWorker, frame: wire.Frame) -> str | None:
        """Do what a frame asks for, or say what is wrong with it."""
        match frame:
            case wire.Invocation():
                return self._take_invocation(worker, frame)
            case wire.Answer():
                return worker.take_answer(frame)
            case wire.TriggerAnswer():
                return await self._take_trigger_answer(frame)
            case wire.Reattach():
                return await self._reattach(worker, frame)
            case _:
                await self._register(worker, frame)
        return None

    def _take_invocation(self, worker: ConnectedWorker, asked: wire.Invocation) -> str | None:
        if asked.function_id != REGISTER_WORKER:
            worker.spawn(self._answer(worker, asked))
        elif isinstance(asked.data, dict):
            worker.about = asked.data
        else:
            return "a worker that tells nothing of itself"
        return None

    async def _answer(self, worker: ConnectedWorker, asked: wire.Invocation) -> None:
        (outcome,) = await asyncio.gather(self._encoded(asked), return_exceptions=True)
        if isinstance(outcome, Exception):  # of a function that the test brought
            self._wonder(f"the function {asked.function_id} failed", outcome)
            failure = InvocationFailed("invocation_failed", str(outcome))
            outcome = msgspec.json.encode(wire.answer(asked, failure))
        elif isinstance(outcome, BaseException):
            raise outcome
        if asked.invocation_id is not None:
            await self.gate.passed()
            await worker.send_raw(outcome.decode())

    async def _encoded(self, asked: wire.Invocation) -> bytes:
        if asked.action is not None and asked.action.type == "enqueue":
            failure = InvocationFailed("enqueue_error", "there is no queue provider")
            return msgspec.json.encode(wire.answer(asked, failure))
        try:
            return msgspec.json.encode(wire.answer(asked, await self._result(asked)))
        except InvocationFailed as error:
            return msgspec.json.encode(wire.answer(asked, error))

    async def _result(self, asked: wire.Invocation) -> Any:  # noqa: ANN401 - any JSON value
        """The result of a worker's call: by default, that of another worker's function."""
        try:
            return await self.call(asked.function_id, asked.data, metadata=asked.metadata, namespace=asked.namespace)
        except TimeoutError as error:
            raise InvocationFailed("TIMEOUT", str(error)) from None

    async def _reattach(self, worker: ConnectedWorker, frame: wire.Reattach) -> str | None:
        """A worker proves who it was by its token; what is left of that connection is ended."""
        known = [one for one in self.connections if one.id == frame.previous_worker_id]
        if not known or known[0].reattach_token != frame.reattach_token:
            return "a reattach without the token of that worker"
        worker.previous_id = frame.previous_worker_id
        if known[0].close_code is None:
            await known[0].close(1000, "reattached")
        return None

    async def _register(self, worker: ConnectedWorker, frame: wire.Frame) -> None:
        """Keep what a worker says; the SDK may say a thing twice while it connects, and take back what was refused."""
        match frame:
            case wire.Function():
                await self._register_function(worker, frame)
            case wire.UnregisterFunction():
                worker.functions.pop(frame.id, None)
            case wire.Trigger() if frame != worker.triggers.get(frame.id):
                await self._bind(worker, frame)
            case wire.UnregisterTrigger():
                trigger = worker.triggers.pop(frame.id, None)
                if trigger is not None:
                    await self._tell_provider(wire.UnregisterTrigger(trigger.id, trigger.trigger_type))
            case wire.TriggerType() if frame != worker.trigger_types.get(frame.id):
                worker.trigger_types[frame.id] = frame
                for trigger in self.triggers_of(frame.id):
                    await self._hand(worker, trigger)
            case wire.UnregisterTriggerType():
                worker.trigger_types.pop(frame.id, None)

    async def _register_function(self, worker: ConnectedWorker, frame: wire.Function) -> None:
        """Ids are unique in a namespace; the first worker keeps a name, and the connection of the second lives on."""
        for other in self.workers:
            if other is not worker and frame.id in other.functions and other.namespace == worker.namespace:
                refusal = {"code": "FUNCTION_NAMESPACE_CONFLICT", "namespace": worker.namespace}
                about = {"function_id": frame.id, "owner_worker_id": other.id}
                await worker.send({"type": "registrationrejected", **refusal, **about})
                return
        worker.functions[frame.id] = frame
        if self._features:
            known = {"id": frame.id, "namespace": worker.namespace, "revision": 1, "observers": []}
            local = "local-dispatch.v1" in self._features
            await worker.send({"type": "functionregistered", "local_dispatch": local, **known})

    async def _bind(self, worker: ConnectedWorker, trigger: wire.Trigger) -> None:
        worker.triggers[trigger.id] = trigger
        await self._tell_provider(trigger)

    async def _tell_provider(self, frame: wire.Trigger | wire.UnregisterTrigger) -> None:
        """Hand a trigger to the worker that provides its type; one that nobody provides waits."""
        for provider in self.workers:
            if frame.trigger_type in provider.trigger_types:
                await self._hand(provider, frame)

    async def _hand(self, provider: ConnectedWorker, frame: wire.Trigger | wire.UnregisterTrigger) -> None:
        self._handed.add(frame.id)
        await provider.send(frame)

    async def _take_trigger_answer(self, answer: wire.TriggerAnswer) -> str | None:
        if answer.id not in self._handed:
            return "an answer to no trigger"
        for owner in self.workers:
            if answer.error is not None and answer.id in owner.triggers:
                del owner.triggers[answer.id]
                await owner.send(answer)
        return None

    def _wonder(self, reason: str, content: object) -> None:
        self.unexpected.append(Unexpected(reason, content))
        self._changes.happened()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
