"""A bounded rendition, and whether it is whole."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass


@dataclass(frozen=True, slots=True)
class Rendered:
    """A bounded rendition of content that is no page.

    Attributes:
        text: The rendition. It never says itself that something is left out: the content could say so too.
        truncated: Whether something is left out.
    """

    text: str
    _: KW_ONLY
    truncated: bool = False
