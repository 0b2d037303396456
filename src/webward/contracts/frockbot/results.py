"""What both tools share: strict input, and results as FrockBot takes them."""

from __future__ import annotations

from typing import Any, TypedDict, TypeVar

import msgspec

from webward.contracts.page import encode
from webward.errors import InvalidInput

Input = TypeVar("Input")


class ToolResult(TypedDict):
    """What a tool gives; the content is JSON text."""

    content: str
    isError: bool


def decoded(value: object, kind: type[Input]) -> Input:
    """An input as its struct.

    Raises:
        InvalidInput: A key is unknown, missing, of the wrong type or out of its range.
    """
    try:
        return msgspec.convert(value, kind)
    except UnicodeEncodeError:
        raise InvalidInput("the input has a key with a lone surrogate") from None
    except msgspec.ValidationError as error:
        problem, _, place = str(error).partition(" - at `$.")
        raise InvalidInput(f"{place.rstrip('`') or 'the input'}: {problem}") from None


def success(content: dict[str, Any]) -> ToolResult:
    """A result that is none of an error."""
    return ToolResult(content=encode(content).decode(), isError=False)


def failure(content: dict[str, Any]) -> ToolResult:
    """A result that is an error."""
    return ToolResult(content=encode(content).decode(), isError=True)
