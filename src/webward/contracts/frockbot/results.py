"""Results as FrockBot takes them."""

from __future__ import annotations

from typing import Any, TypedDict

from webward.contracts.page import encode


class ToolResult(TypedDict):
    """What a tool gives; the content is JSON text."""

    content: str
    isError: bool


def success(content: dict[str, Any]) -> ToolResult:
    """A result that is none of an error."""
    return ToolResult(content=encode(content).decode(), isError=False)


def failure(content: dict[str, Any]) -> ToolResult:
    """A result that is an error."""
    return ToolResult(content=encode(content).decode(), isError=True)
