"""What an answer must be for its body to be read."""

from __future__ import annotations

from msgspec import Struct


class AnswerRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an answer must be; by default any is taken. The first four are asked of its head, in this order.

    Attributes:
        url_chars: A redirect leads to a URL of at most so many characters; None leaves it at the gateway's own bound.
        success: Its status is 2xx; a redirect must say where to.
        media_types: It declares one of these essences; None takes all, and an answer that declares nothing.
        declared_length: It does not declare to be longer than ``max_bytes``, so that it would be cut.
        text: Its bytes are text, whatever it declares.
        whole: Its body does not break off; one that is cut at ``max_bytes`` does not.
        second_user_agent: A hop of a GET or HEAD that Cloudflare answers with a challenge (403 and
            ``cf-mitigated: challenge``) is asked once more under this name, and what comes then is its answer.
    """

    url_chars: int | None = None
    success: bool = False
    media_types: tuple[str, ...] | None = None
    declared_length: bool = False
    text: bool = False
    whole: bool = False
    second_user_agent: str | None = None
