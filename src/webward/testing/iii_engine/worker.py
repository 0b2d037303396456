"""One connection of a worker."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING, Any

import msgspec
from websockets.exceptions import ConnectionClosed

from webward.testing.iii_engine.wire import DEFAULT_NAMESPACE, InvocationFailed

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from websockets.asyncio.server import ServerConnection

    from webward.testing.iii_engine.wire import Answer, Function, Trigger, TriggerType

BROKEN_OFF = 1006  # RFC 6455 section 7.4.1


class ConnectedWorker:
    """A worker while it is connected, and what is known of it afterwards.

    Attributes:
        id: Which the engine gave to it.
        reattach_token: Which the engine gave to it.
        previous_id: Of the connection that it had before, when it said so.
        about: What it told of itself: name, runtime, version, pid and more; empty until it did.
        functions: Those it serves, by id.
        triggers: Those it bound, by id.
        trigger_types: Those it provides, by id.
        close_code: Of the WebSocket, once the connection has ended; 1006 when it just broke off.
        close_reason: The words to it.
    """

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._answers: dict[str, asyncio.Future[Any]] = {}
        self._given_up: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.id = str(uuid.uuid4())
        self.reattach_token = str(uuid.uuid4())
        self.previous_id: str | None = None
        self.about: dict[str, Any] = {}
        self.functions: dict[str, Function] = {}
        self.triggers: dict[str, Trigger] = {}
        self.trigger_types: dict[str, TriggerType] = {}
        self.close_code: int | None = None
        self.close_reason: str | None = None

    @property
    def namespace(self) -> str:
        """Where its functions are."""
        return self.about.get("namespace") or DEFAULT_NAMESPACE

    @property
    def headers(self) -> dict[str, str]:
        """Those of its handshake, by names in lower case."""
        request = self._connection.request
        return {name.lower(): value for name, value in request.headers.raw_items()} if request else {}

    def triggers_of(self, trigger_type: str) -> list[Trigger]:
        """The triggers of a type that it bound."""
        return [trigger for trigger in self.triggers.values() if trigger.trigger_type == trigger_type]

    async def send(self, frame: object) -> None:
        """Send a value as a frame; to a connection that has ended it goes nowhere."""
        await self.send_raw(msgspec.json.encode(frame).decode())

    async def send_raw(self, data: str | bytes) -> None:
        """Send a text or binary message as it is."""
        try:
            await self._connection.send(data)
        except ConnectionClosed:
            return

    async def close(self, code: int, reason: str = "") -> None:
        """Close the connection as WebSockets do."""
        await self._connection.close(code, reason)

    def abort(self) -> None:
        """Break the connection off."""
        self._connection.transport.abort()

    async def answer_to(self, invocation_id: str, frame: object) -> Any:  # noqa: ANN401 - any JSON value
        """Send an invocation, and wait for its answer.

        Raises:
            InvocationFailed: The answer is an error, or the connection ended.
        """
        answer = self._answers[invocation_id] = asyncio.get_running_loop().create_future()
        try:
            await self.send(frame)
            return await answer
        except asyncio.CancelledError:
            self._given_up.add(invocation_id)
            raise
        finally:
            del self._answers[invocation_id]

    def take_answer(self, answer: Answer) -> str | None:
        """Hand an answer to who waits for it; otherwise say what is wrong with it."""
        identity = answer.invocation_id
        waiting = self._answers.get(identity)
        if waiting is None or waiting.done():
            if identity in self._given_up:
                self._given_up.remove(identity)
                return None
            return "an answer to no call"
        if answer.error is not None:
            waiting.set_exception(InvocationFailed(answer.error.code, answer.error.message, answer.error.stacktrace))
        elif answer.result is msgspec.UNSET:
            waiting.set_exception(InvocationFailed("no_answer", "the answer has neither a result nor an error"))
            return "an answer with neither a result nor an error"
        else:
            waiting.set_result(answer.result)
        return None

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something for as long as the connection lasts."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def ended(self) -> None:
        """The connection is gone: so is what waits for it."""
        self.close_code = int(self._connection.close_code or BROKEN_OFF)
        self.close_reason = self._connection.close_reason
        for waiting in self._answers.values():
            if not waiting.done():
                waiting.set_exception(InvocationFailed("worker_gone", "the connection of the worker ended"))
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
