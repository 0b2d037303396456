"""What to make of a page."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from msgspec import Meta, Struct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Rendition(StrEnum):
    """The form that a document is given for its reader."""

    MARKDOWN = "markdown"
    TEXT = "text"
    HTML = "html"


class ContentFilter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What narrows a page to what matters.

    Attributes:
        type: ``pruning`` drops what surrounds the content; ``bm25`` keeps the blocks that match a query.
        query: Of ``bm25``; by default title, description, keywords and first heading of the page.
        threshold: The least score of a block that is kept; by default 0.48 for ``pruning``, 1.0 for ``bm25``.
        threshold_type: Of ``pruning``: whether the threshold is the same for all blocks or eased for likely ones.
        min_word_threshold: Of ``pruning``: blocks with fewer words go.
    """

    type: Literal["pruning", "bm25"]
    query: Annotated[str, Meta(max_length=2_000)] | None = None
    threshold: Annotated[float, Meta(ge=0, le=1_000)] | None = None
    threshold_type: Literal["fixed", "dynamic"] = "fixed"
    min_word_threshold: Annotated[int, Meta(ge=0)] | None = None

    def __post_init__(self) -> None:
        if self.type == "pruning" and self.threshold is not None and self.threshold > 1:
            raise ValueError("a pruning threshold is at most 1")


class ReadOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to make of a page.

    Attributes:
        format: The rendition of an HTML document.
        start: First character of the window.
        max_chars: Length of the window in characters, or None for all that follows.
        target_elements: CSS selectors; only what matches is rendered.
        excluded_tags: CSS selectors; what matches is dropped, before targets are looked for.
        content_filter: Narrows what is rendered.
        include_links: Whether the page's links are listed.
        include_media: Whether the page's images, videos and audios are listed.
        sanitize: Whether invisible characters and the control tokens of chat templates are defused; ``invisible``
            drops the characters that nobody sees, and leaves all others as they are.
    """

    format: Rendition = Rendition.MARKDOWN
    start: Annotated[int, Meta(ge=0)] = 0
    max_chars: Annotated[int, Meta(ge=1)] | None = None
    target_elements: tuple[str, ...] = ()
    excluded_tags: tuple[str, ...] = ()
    content_filter: ContentFilter | None = None
    include_links: bool = False
    include_media: bool = False
    sanitize: bool | Literal["invisible"] = True


class ReadKeywords(TypedDict, total=False):
    """`ReadOptions` as keyword arguments."""

    format: Rendition | str
    start: int
    max_chars: int | None
    target_elements: Sequence[str]
    excluded_tags: Sequence[str]
    content_filter: ContentFilter | Mapping[str, object] | None
    include_links: bool
    include_media: bool
    sanitize: bool | Literal["invisible"]
