"""The line protocol: a call or a cancel a line comes in, one answer to each call goes out."""

from __future__ import annotations

from typing import Any

import msgspec

from webward.contracts.frockbot.codes import MAX_MESSAGE_CHARS
from webward.contracts.frockbot.results import ToolResult, failure
from webward.contracts.page import encode, parse_line, request_id
from webward.errors import InvalidInput, WebwardError

MAX_LINE_BYTES = 1024 * 1024  # an input is far smaller; the rest is for what a host says of itself in the context

CallId = str | int


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """What the host says of a call; whatever else it says is its own.

    Attributes:
        effect_id: Names the effect that the call is part of, in the host's own words.
    """

    effect_id: str | None = msgspec.field(default=None, name="effectId")


class Call(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool is called.

    Attributes:
        id: Of the call, as the host counts them.
        tool: Its name.
        value: Its input.
        context: What the host says of the call.
    """

    id: CallId
    tool: str
    value: Any = msgspec.field(default=None, name="input")
    context: Context | None = None

    @property
    def effect_id(self) -> str | None:
        """Of the context."""
        return self.context.effect_id if self.context else None


class Cancel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A call is not wanted any more; it is answered all the same. One that has ended is passed over."""

    cancel: CallId


def parse_message(line: bytes) -> Any:  # noqa: ANN401 - any JSON value
    """The JSON value of a line.

    Raises:
        InvalidInput: It is none, no UTF-8, or too long.
    """
    return parse_line(line, max_bytes=MAX_LINE_BYTES)


def message_of(value: object) -> Call | Cancel:
    """The call or cancel of a parsed line.

    Raises:
        InvalidInput: It is neither.
    """
    try:
        if isinstance(value, dict) and "cancel" in value:
            return msgspec.convert(value, Cancel)
        return msgspec.convert(value, Call)
    except UnicodeEncodeError:
        raise InvalidInput("the line is no call: a key holds a lone surrogate") from None
    except msgspec.ValidationError as error:
        raise InvalidInput(f"the line is no call: {error}") from None


def broken(error: WebwardError) -> ToolResult:
    """The result of a line that calls no tool."""
    return failure({"error": error.code, "message": error.message[:MAX_MESSAGE_CHARS]})


def answer_line(value: object, result: ToolResult) -> bytes:
    """A result as a line; its id is null when the line that it answers has none that can be used."""
    return encode({"id": None, **request_id(value), **result}) + b"\n"
