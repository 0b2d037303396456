"""The tools and what they give, in the words of the protocol."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

from mcp_types import (
    CallToolResult,
    ContentBlock,
    ImageContent,
    ResourceLink,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as ListedTool

from webward.contracts.tools import schema_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webward.contracts.outcomes import Outcome
    from webward.surfaces.tools import Tool

IMAGE_BYTES = 700 * 1024  # in base64 below the 1 MB that hosts are known to take; a larger image is linked to


def listed(tool: Tool) -> ListedTool:
    """A tool as a host is told of it."""
    return ListedTool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=schema_of(tool.input_type),
        annotations=ToolAnnotations(
            read_only_hint=tool.read_only,
            destructive_hint=not tool.read_only,
            idempotent_hint=tool.read_only,
            open_world_hint=True,
        ),
    )


def result_of(outcome: Outcome, *, structured: bool) -> CallToolResult:
    """What a call gave: the content first and alone in its block, our notes after it.

    Args:
        outcome: What the call gave.
        structured: Whether programs get the envelope, too. It holds the text once more, since many hosts hand a model
            either the one or the other; for the same reason an image, which only content can show, has none.
    """
    return CallToolResult(
        content=list(_content(outcome)),
        structured_content=_envelope(outcome) if structured and outcome.image is None else None,
        is_error=outcome.is_error,
    )


def _content(outcome: Outcome) -> Iterator[ContentBlock]:
    if outcome.text:
        yield TextContent(text=outcome.text)
    image = outcome.image
    if image is not None and len(image.data) <= IMAGE_BYTES:
        yield ImageContent(data=b64encode(image.data).decode(), mime_type=image.media_type)
    elif image is not None:
        yield _link(outcome.envelope["final_url"], image.media_type)
    if outcome.unread is not None:
        yield _link(*outcome.unread)
    if outcome.notes:
        yield TextContent(text=outcome.notes)


def _link(url: str, media_type: str | None) -> ResourceLink:
    return ResourceLink(uri=url, name=url, mime_type=media_type)


def _envelope(outcome: Outcome) -> dict[str, Any]:
    left_out = {"body", "body_encoding"} if outcome.unread is not None else set()
    return {name: value for name, value in outcome.envelope.items() if name not in left_out}
