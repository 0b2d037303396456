"""The arguments of one call, checked and brought under the limits."""

from __future__ import annotations

import json as json_codec
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypedDict

import msgspec
from msgspec import Struct

from webward.config import AnswerRules, ReadKeywords, ReadOptions
from webward.core.headers import Fields, check_fields, with_defaults
from webward.errors import InvalidInput
from webward.model import Note

if TYPE_CHECKING:
    from http.cookiejar import CookieJar

    from webward.config import Limits

ANY_ANSWER = AnswerRules()
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
WITHOUT_BODY = frozenset(("GET", "HEAD"))  # RFC 9110 section 9.3.1: content there has no meaning, and may be an attack

HeaderInput = Mapping[str, str] | Iterable[tuple[str, str]]


class FetchKeywords(TypedDict, total=False):
    """The keyword arguments of `Gateway.fetch`."""

    method: str | None
    headers: HeaderInput | None
    json: object
    body: bytes | str | None
    timeout_ms: int | None
    max_bytes: int | None
    follow_redirects: bool
    cookies: CookieJar | None
    rules: AnswerRules | None


class ReadCallKeywords(ReadKeywords, total=False):
    """The keyword arguments of `Gateway.read`."""

    headers: HeaderInput | None
    timeout_ms: int | None
    max_bytes: int | None
    cookies: CookieJar | None
    rules: AnswerRules | None


class Call(Struct, frozen=True, kw_only=True):
    """What one call asks for, within what the gateway grants.

    Attributes:
        rules: What the answer must be.
        notes: Which wishes were cut down to a ceiling.
    """

    method: str = "GET"
    headers: Fields = ()
    body: bytes = b""
    deadline_seconds: float
    max_bytes: int
    follow_redirects: bool = True
    rules: AnswerRules = ANY_ANSWER
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return f"<Call {self.method}>"  # a header may hold a key


def checked_call(
    limits: Limits,
    *,
    method: str | None = None,
    headers: HeaderInput | None = None,
    json: object = None,
    body: bytes | str | None = None,
    timeout_ms: int | None = None,
    max_bytes: int | None = None,
    follow_redirects: bool = True,
    rules: AnswerRules | None = None,
) -> Call:
    """Check the arguments of a call.

    Args:
        limits: The gateway's.
        method: One of `METHODS` in any case; by default GET, or POST when there is a body.
        headers: Request headers; see `core.headers` for those that a caller must not set.
        json: A value to send as JSON; excludes ``body``.
        body: Bytes, or text to send as UTF-8.
        timeout_ms: The one deadline in milliseconds; more than ``limits.max-deadline-seconds`` is cut and noted.
        max_bytes: Of the decoded body; more than ``limits.max-body-bytes`` is cut and noted.
        follow_redirects: Whether a redirect is followed or is the answer.
        rules: What the answer must be; by default any is taken.

    Raises:
        InvalidInput: An argument is of the wrong kind or out of its range.
        InvalidHeader: A header must not be sent.
    """
    if not isinstance(follow_redirects, bool):
        raise InvalidInput("follow_redirects must be true or false")
    if rules is not None and not isinstance(rules, AnswerRules):
        raise InvalidInput("rules must be webward.config.AnswerRules")
    if rules is not None and rules.second_user_agent is not None:
        check_fields({"User-Agent": rules.second_user_agent})
    content, content_type = _content(json, body)
    fields = check_fields(headers)
    if content_type is not None:
        fields = with_defaults(fields, (("Content-Type", content_type),))
    asked_ms = limits.deadline_seconds * 1000 if timeout_ms is None else _positive("timeout_ms", timeout_ms)
    max_ms = limits.max_deadline_seconds * 1000
    asked_bytes = limits.body_bytes if max_bytes is None else _positive("max_bytes", max_bytes)
    notes: tuple[Note, ...] = (Note.DEADLINE_CLAMPED,) if asked_ms > max_ms else ()
    if asked_bytes > limits.max_body_bytes:
        notes += (Note.MAX_BYTES_CLAMPED,)
    return Call(
        method=_method(method, has_content=content is not None),
        headers=fields,
        body=content or b"",
        deadline_seconds=min(asked_ms, max_ms) / 1000,
        max_bytes=min(asked_bytes, limits.max_body_bytes),
        follow_redirects=follow_redirects,
        rules=rules or ANY_ANSWER,
        notes=notes,
    )


def checked_options(options: Mapping[str, object]) -> ReadOptions:
    """Check what is asked of a reading.

    Raises:
        InvalidInput: An option is unknown, of the wrong kind, or a selector is no CSS selector.
    """
    chosen = _converted(options)
    if chosen.target_elements or chosen.excluded_tags:
        from webward.content.select import check_selectors  # noqa: PLC0415 - few calls need the parser so early

        check_selectors(chosen.target_elements, option="target_elements")
        check_selectors(chosen.excluded_tags, option="excluded_tags")
    return chosen


def _converted(options: Mapping[str, object]) -> ReadOptions:
    try:
        return msgspec.convert(options, ReadOptions)
    except UnicodeEncodeError:
        raise InvalidInput("an option holds a lone surrogate, which no encoding can write") from None
    except msgspec.ValidationError as error:
        problem, _, place = str(error).partition(" - at `$.")
        raise InvalidInput(f"{place.rstrip('`') or 'options'}: {problem}") from None


def _content(json: object, body: bytes | str | None) -> tuple[bytes | None, str | None]:
    if json is not None and body is not None:
        raise InvalidInput("give json or body, not both")
    if json is not None:
        try:
            return json_codec.dumps(json, separators=(",", ":"), allow_nan=False).encode(), "application/json"
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidInput(f"json cannot be written as JSON: {error}") from None
    if isinstance(body, str):
        try:
            return body.encode(), "text/plain; charset=utf-8"
        except UnicodeEncodeError:
            raise InvalidInput("body holds a lone surrogate, which UTF-8 cannot write") from None
    if body is not None and not isinstance(body, bytes):
        raise InvalidInput("body must be bytes or text")
    return body, None


def _method(method: object, *, has_content: bool) -> str:
    if method is None:
        return "POST" if has_content else "GET"
    if not isinstance(method, str) or method.upper() not in METHODS:
        raise InvalidInput(f"method must be one of {', '.join(METHODS)}")
    if has_content and method.upper() in WITHOUT_BODY:
        raise InvalidInput(f"a {method.upper()} request has no body; use POST, PUT or PATCH")
    return method.upper()


def _positive(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise InvalidInput(f"{name} must be a whole number above 0")
    return value
