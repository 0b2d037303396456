"""A double of a language model: a real server on loopback that speaks Chat Completions and says what it was told."""

from __future__ import annotations

from collections import deque
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from webward.config import ModelSettings
from webward.testing.http_double import HttpDouble

if TYPE_CHECKING:
    from webward.testing.seen import SeenRequest

NAME = "double-1"
SILENCE = {"role": "assistant", "content": "I have nothing to say."}


class ModelDouble(HttpDouble):
    """A model that says the next thing it was told to say; a history that OpenAI would reject gets status 400.

    Args:
        key: The one that it accepts; None for one that needs none.

    Attributes:
        requests: All requests that came, in order.
        asked: Their bodies.
    """

    def __init__(self, *, key: str | None = None) -> None:
        super().__init__()
        self.key = key
        self.asked: list[dict[str, Any]] = []
        self._turns: deque[dict[str, Any]] = deque()
        self._numbers = count()

    def say(self, text: str) -> None:
        """Answer in words."""
        self.turn({"role": "assistant", "content": text})

    def call(self, *calls: tuple[str, object], text: str | None = None) -> None:
        """Ask for calls, all at once.

        Args:
            calls: Of each its name and its arguments: a value as JSON, or text as it is.
            text: Words beside them.
        """
        made = [_call(f"call-{next(self._numbers)}", *call) for call in calls]
        self.turn({"role": "assistant", "content": text, "tool_calls": made})

    def turn(self, message: dict[str, Any]) -> None:
        """Answer with a message, whatever it holds."""
        self._turns.append(message)

    def settings(self, **more: Any) -> ModelSettings:  # noqa: ANN401 - fields of ModelSettings
        """Settings under which this model is the one that answers."""
        return ModelSettings(name=NAME, base_url=f"{self.base_url}/v1", api_key=self.key, **more)

    def _found(self, request: SeenRequest) -> tuple[int, object]:
        if (request.method, urlsplit(request.url).path) != ("POST", "/v1/chat/completions"):
            return 404, _error("no such path")
        if self.key and request.headers.get("authorization") != f"Bearer {self.key}":
            return 401, _error("Incorrect API key provided")
        asked: dict[str, Any] = msgspec.json.decode(request.body)
        fault = _fault(asked)
        if fault:
            return 400, _error(fault)
        self.asked.append(asked)
        message = self._turns.popleft() if self._turns else SILENCE
        reason = "tool_calls" if message.get("tool_calls") else "stop"
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return 200, {"id": "chatcmpl-1", "object": "chat.completion", "model": asked["model"], "choices": [choice]}


def _call(identity: str, name: str, arguments: object) -> dict[str, Any]:
    text = arguments if isinstance(arguments, str) else msgspec.json.encode(arguments).decode()
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": text}}


def _error(words: str) -> dict[str, Any]:
    return {"error": {"message": words, "type": "invalid_request_error", "param": None, "code": None}}


def _fault(asked: dict[str, Any]) -> str | None:
    """What OpenAI would reject a request for."""
    if asked.get("model") != NAME:
        return f"The model {asked.get('model')!r} does not exist"
    open_calls: set[str] = set()
    for message in asked["messages"]:
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'"
            open_calls.remove(message["tool_call_id"])
            continue
        if open_calls:
            return f"tool_call_ids did not have response messages: {', '.join(sorted(open_calls))}"
        calls = message.get("tool_calls", ())
        open_calls = {call["id"] for call in calls}
        if len(open_calls) != len(calls) or any(not _is_object(call["function"]["arguments"]) for call in calls):
            return "tool_calls with the same id, or with arguments that are no JSON object"
    return "tool_calls without response messages" if open_calls else None


def _is_object(arguments: object) -> bool:
    try:
        return isinstance(arguments, str) and isinstance(msgspec.json.decode(arguments), dict)
    except msgspec.DecodeError:
        return False
