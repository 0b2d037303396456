"""What a call gives: text for the model, the same as values for the host, and the images that were kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from webward.contracts.chat.marks import disarmed, marked
from webward.contracts.page import encode, instant

if TYPE_CHECKING:
    from webward.contracts.chat.refusals import Refusal
    from webward.model import CachedImage, Page, SearchResponse


class ReplyImage(Struct, frozen=True, kw_only=True):
    """An image that was put into the cache of the channel.

    Attributes:
        id: Under which the cache has it.
        alt: Its alternative text, sanitized; may be empty.
        media_type: What its bytes are.
    """

    id: str
    alt: str
    media_type: str


class ToolReply(Struct, frozen=True, kw_only=True):
    """What a call gives.

    Attributes:
        text: For the model, as the content of the tool's message: JSON text, untrusted text between marks.
        data: The same for the host, without marks and note; of an error ``error`` and ``message``.
        images: Images that were kept.
        error: Code of the error, or None.
        failed_images: Images that were looked for and not got.
    """

    text: str
    data: dict[str, Any]
    images: tuple[ReplyImage, ...] = ()
    error: str | None = None
    failed_images: int = 0


def read(
    page: Page,
    text: str,
    *,
    truncated: bool,
    total_chars: int,
    boundary: str,
    images: tuple[ReplyImage, ...] = (),
    failed_images: int = 0,
) -> ToolReply:
    """The reply of a page that was read.

    Args:
        page: The page.
        text: Of it, sanitized and cut; empty for a page that is an image itself.
        truncated: Whether there is more.
        total_chars: Of the whole text, sanitized.
        boundary: Drawn for this call.
        images: Those that were kept.
        failed_images: How many were not got.
    """
    shown = {
        "url": page.url,
        "final_url": page.final_url,
        "title": disarmed(page.title) if page.title else None,
        "text": text,
        "truncated": truncated,
        "total_chars": total_chars,
        "images": [{"id": it.id, "alt": it.alt, "media_type": it.media_type} for it in images],
        "retrieved_at": instant(page.retrieved_at),
    }
    return _reply(shown, boundary, images=images, failed_images=failed_images)


def found(response: SearchResponse, *, boundary: str) -> ToolReply:
    """The reply of a search."""
    results = [{"title": hit.title, "url": hit.url, "snippet": hit.snippet} for hit in response.hits]
    rows = (
        "\n".join(filter(None, (f"{n}. {hit.title}", hit.url, hit.snippet))) for n, hit in enumerate(response.hits, 1)
    )
    shown = {"query": response.query, "text": "\n\n".join(rows) or "Nothing was found."}
    return _reply(shown, boundary, data={"query": response.query, "results": results})


def refused(refusal: Refusal) -> ToolReply:
    """The reply of a call that gave nothing."""
    data = {"error": refusal.code, "message": refusal.message}
    return ToolReply(text=encode(data).decode(), data=data, error=refusal.code)


def reply_image(image: CachedImage, alt: str | None) -> ReplyImage:
    """An image that was kept, as it is told."""
    return ReplyImage(id=image.id, alt=disarmed(alt or ""), media_type=image.media_type)


def _reply(shown: dict[str, Any], boundary: str, *, data: dict[str, Any] | None = None, **rest: Any) -> ToolReply:  # noqa: ANN401 - fields
    text = encode({**shown, "text": marked(shown["text"], boundary)}).decode()
    return ToolReply(text=text, data=shown if data is None else data, **rest)
