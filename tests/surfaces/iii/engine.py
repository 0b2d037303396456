"""An iii engine on loopback, as far as a worker needs one."""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import Any, Self

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

WAIT_SECONDS = 20.0  # for what must happen
MESSAGE_BYTES = 64 * 1024 * 1024


class BusError(Exception):
    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code = error["code"]


class Engine:
    """Takes workers, keeps configuration entries, and calls functions.

    Attributes:
        functions: What is registered, by id.
        triggers: What is bound, by id.
        frames: All that workers sent, in order.
        stored: Values of configuration entries.
        lacking: Functions that it does not have.
        delay_seconds: Before each answer.
    """

    def __init__(self) -> None:
        self.functions: dict[str, dict[str, Any]] = {}
        self.triggers: dict[str, dict[str, Any]] = {}
        self.frames: list[dict[str, Any]] = []
        self.stored: dict[str, Any] = {}
        self.lacking: set[str] = set()
        self.delay_seconds = 0.0
        self.port = 0
        self._server: Server | None = None
        self._workers: list[ServerConnection] = []
        self._waiting: dict[str, asyncio.Future[Any]] = {}
        self._changed = asyncio.Condition()

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    async def start(self) -> None:
        self._server = await serve(self._serve, "127.0.0.1", self.port, max_size=MESSAGE_BYTES)
        self.port = next(iter(self._server.sockets)).getsockname()[1]

    async def stop(self) -> None:
        """Be gone, with all that workers had told."""
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()
        self.functions.clear()
        self.triggers.clear()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.stop()

    async def until(self, holds: Any) -> None:
        async with asyncio.timeout(WAIT_SECONDS), self._changed:
            await self._changed.wait_for(holds)

    async def ready(self) -> None:
        """A worker has registered all that it has, and read its configuration for the last time before it serves."""
        await self.until(lambda: any(one["trigger_type"] == "configuration" for one in self.triggers.values()))

    async def call(self, function_id: str, data: object) -> Any:
        async with asyncio.timeout(WAIT_SECONDS):
            return await self.start_call(function_id, data)

    def start_call(self, function_id: str, data: object) -> asyncio.Future[Any]:
        identity = str(uuid.uuid4())
        waiting = self._waiting[identity] = asyncio.get_running_loop().create_future()
        frame = {"type": "invokefunction", "function_id": function_id, "data": data, "invocation_id": identity}
        sending = asyncio.ensure_future(self.send(json.dumps(frame)))
        waiting.add_done_callback(lambda _: sending.cancel())
        return waiting

    async def send(self, text: str) -> None:
        """Send a frame as it is."""
        await self._workers[-1].send(text)

    async def set(self, entry: str, value: object) -> None:
        """Store a value, and tell those who asked for it; done when they have answered."""
        self.stored[entry] = value
        for trigger in list(self.triggers.values()):
            config = trigger.get("config") or {}
            if trigger["trigger_type"] == "configuration" and config["configuration_id"] == entry:
                assert "configuration:updated" in config["event_types"]
                event = {
                    "type": "configuration",
                    "event_type": "configuration:updated",
                    "id": entry,
                    "new_value": value,
                }
                assert await self.call(trigger["function_id"], event) == {"ok": True}

    async def drop(self) -> None:
        """Close all connections, and go on listening."""
        for worker in self._workers:
            await worker.close(1001)

    async def _serve(self, worker: ServerConnection) -> None:
        self._workers.append(worker)
        try:
            await worker.send(json.dumps({"type": "workerregistered", "worker_id": str(uuid.uuid4())}))
            async for text in worker:
                await self._take(worker, json.loads(text))
        except ConnectionClosed:
            pass
        finally:
            self._workers.remove(worker)

    async def _take(self, worker: ServerConnection, frame: dict[str, Any]) -> None:
        match frame["type"]:
            case "registerfunction":
                self.functions[frame["id"]] = frame
            case "unregisterfunction":
                self.functions.pop(frame["id"], None)
            case "registertrigger":
                self.triggers[frame["id"]] = frame
            case "unregistertrigger":
                self.triggers.pop(frame["id"], None)
            case "invocationresult":
                waiting = self._waiting.pop(frame["invocation_id"])
                if "error" in frame:
                    waiting.set_exception(BusError(frame["error"]))
                else:
                    waiting.set_result(frame["result"])
            case "invokefunction" if "invocation_id" in frame:
                answer = {"type": "invocationresult", "invocation_id": frame["invocation_id"], **self._answer(frame)}
                answer["function_id"] = frame["function_id"]
                asyncio.get_running_loop().call_later(
                    self.delay_seconds, lambda: asyncio.ensure_future(_send(worker, json.dumps(answer)))
                )
        self.frames.append(frame)
        async with self._changed:
            self._changed.notify_all()

    def _answer(self, frame: dict[str, Any]) -> dict[str, Any]:
        function_id, data = frame["function_id"], frame["data"]
        if function_id in self.lacking or not function_id.startswith("configuration::"):
            return {"error": {"code": "function_not_found", "message": f"no {function_id}"}}
        entry = data["id"]
        if function_id == "configuration::get" and entry not in self.stored:
            return {"error": {"code": "NOT_FOUND", "message": f"no {entry}"}}
        if function_id == "configuration::ensure":
            self.stored.setdefault(entry, data["initial_value"])
        if function_id == "configuration::register" and "initial_value" in data:
            self.stored[entry] = data["initial_value"]
        return {"result": {"id": entry, "value": self.stored.get(entry)}}


async def _send(worker: ServerConnection, text: str) -> None:
    try:
        await worker.send(text)
    except ConnectionClosed:
        return
