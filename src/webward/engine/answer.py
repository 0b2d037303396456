"""Judges an answer by the rules of its call: its head before the body is read, the body before it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from webward.content.media import parse_media_type
from webward.core.headers import with_field
from webward.errors import BodyTooLarge, InvalidUrl, LocationMissing, MediaTypeRefused, ProtocolFailed, StatusRefused

if TYPE_CHECKING:
    from webward.config import AnswerRules
    from webward.model import Headers, Request, ResponseHead, Target


FORBIDDEN = 403  # RFC 9110 section 15.5.4


def second_request(rules: AnswerRules, request: Request, head: ResponseHead) -> Request | None:
    """The request that a challenge is answered with, if there is to be one."""
    if rules.second_user_agent is None or head.status != FORBIDDEN or request.method not in ("GET", "HEAD"):
        return None
    if head.headers.get("cf-mitigated") != "challenge":
        return None
    fields = with_field(request.headers, "User-Agent", rules.second_user_agent)
    return None if fields == request.headers else replace(request, headers=fields)


def judge_location(rules: AnswerRules, target: Target) -> None:
    """Ask what can be asked of the place that a redirect leads to.

    Raises:
        InvalidUrl: Its URL is longer than the rules have it.
    """
    if rules.url_chars is not None and len(target.url) > rules.url_chars:
        raise InvalidUrl(f"the redirect's URL is longer than {rules.url_chars} characters")


def judge_head(rules: AnswerRules, head: ResponseHead, *, max_bytes: int) -> None:
    """Ask what can be asked of a head.

    Raises:
        LocationMissing, StatusRefused: It is no success.
        MediaTypeRefused: It declares no media type of the rules.
        BodyTooLarge: It declares more bytes than are taken.
    """
    if rules.success:
        _require_success(head)
    if rules.media_types is not None:
        _require_media_type(rules.media_types, head.headers)
    if rules.declared_length and _declared_bytes(head.headers) > max_bytes:
        raise BodyTooLarge(f"the answer declares to be longer than {max_bytes} bytes; a call takes more with max_bytes")


def judge_body(rules: AnswerRules, *, is_text: bool, broke_off: bool, media_type: str | None) -> None:
    """Ask what only the body tells.

    Raises:
        ProtocolFailed: It broke off.
        MediaTypeRefused: It is no text.
    """
    if rules.whole and broke_off:
        raise ProtocolFailed("the body broke off before its end")
    if rules.text and not is_text:
        raise MediaTypeRefused("the body is no text, whatever it is declared to be", media_type=media_type)


def _require_success(head: ResponseHead) -> None:
    kind = head.status // 100
    if kind == 3 and "location" not in head.headers:  # noqa: PLR2004 - RFC 9110 section 15.4
        raise LocationMissing("the answer is a redirect that does not say where to")
    if kind != 2:  # noqa: PLR2004 - RFC 9110 section 15.3
        raise StatusRefused(f"the status {head.status} is no success", status=head.status)


def _require_media_type(allowed: tuple[str, ...], headers: Headers) -> None:
    declared = parse_media_type(headers.get("content-type", ""))
    essence = declared.essence if declared else None
    if essence not in allowed:
        shown = essence or "no media type"
        raise MediaTypeRefused(f"the answer declares {shown}; this call takes {', '.join(allowed)}", media_type=essence)


def _declared_bytes(headers: Headers) -> int:
    text = headers.get("content-length", "")
    return int(text) if text.isdecimal() and "transfer-encoding" not in headers else 0  # RFC 9112 section 6.3
