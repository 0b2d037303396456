"""Calls of tools as a person is told of them, a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webward.contracts.chat.replies import ToolReply
    from webward.contracts.chat.turns import ToolCall

MAX_ARGUMENT_CHARS = 200


def told_call(call: ToolCall) -> str:
    """What a model asks for."""
    return f"{_shown(call.name)} {_shown(call.arguments)}".strip()


def told_reply(call: ToolCall, reply: ToolReply) -> str:
    """What it is given."""
    name = _shown(call.name)
    if reply.error is not None:
        return f"{name}: {reply.error}: {reply.data['message']}"
    if "results" in reply.data:
        return f"{name}: {_counted(len(reply.data['results']), 'result')}"
    cut = ", cut" if reply.data["truncated"] else ""
    failed = f", {_counted(reply.failed_images, 'image')} not got" if reply.failed_images else ""
    images = f", {_counted(len(reply.images), 'image')}" if reply.images else ""
    return f"{name}: {_counted(reply.data['total_chars'], 'character')}{cut}{images}{failed}"


def _shown(arguments: object) -> str:
    text = " ".join(str(arguments).split())
    return text if len(text) <= MAX_ARGUMENT_CHARS else f"{text[:MAX_ARGUMENT_CHARS]}…"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
