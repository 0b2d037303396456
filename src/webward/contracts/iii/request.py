"""The payload of ``web::fetch``: what a caller may say, in which order it is checked, and what becomes of it."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

from webward.config import AnswerRules, ContentFilter, ReadKeywords
from webward.contracts.iii.configuration import WebConfiguration  # noqa: TC001 - a field of a NamedTuple
from webward.contracts.inputs import decoded
from webward.core.headers import is_reserved
from webward.errors import InvalidInput

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
WITHOUT_BODY = ("GET", "HEAD")
MAX_QUERY_CHARS = 2_000
MAX_THRESHOLD = 1_000.0  # no block scores so high, so that a larger one means the same

BROWSER_USER_AGENT = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36"
)
ACCEPT = {
    "markdown": "text/markdown;q=1.0,text/x-markdown;q=0.9,text/plain;q=0.8,text/html;q=0.7,*/*;q=0.1",
    "text": "text/plain;q=1.0,text/markdown;q=0.9,text/html;q=0.8,*/*;q=0.1",
    "html": "text/html;q=1.0,application/xhtml+xml;q=0.9,text/plain;q=0.8,text/markdown;q=0.7,*/*;q=0.1",
}
ACCEPT_LANGUAGE = "en-US,en;q=0.9"

ResponseFormat = Literal["text", "base64", "json"]
PageFormat = Literal["markdown", "text", "html"]
_Milliseconds = Annotated[int, Meta(ge=0)]
_Bytes = Annotated[int, Meta(ge=0)]
_Words = Annotated[int, Meta(ge=0, le=0xFFFF_FFFF)]


class FilterInput(Struct, frozen=True, kw_only=True):
    """What narrows a page to what matters."""

    type: Annotated[
        Literal["pruning", "bm25"],
        Meta(description="pruning drops what surrounds the content; bm25 keeps the blocks that match a query."),
    ]
    query: Annotated[str | None, Meta(description="Of bm25; by default what the page says of itself.")] = None
    threshold: Annotated[
        float | None,
        Meta(
            description="The least score of a block that is kept: 0 to 1 for pruning (0.48), 0 or more for bm25 (1.0)."
        ),
    ] = None
    threshold_type: Annotated[
        Literal["fixed", "dynamic"] | None, Meta(description="Of pruning: dynamic eases it for likely blocks.")
    ] = None
    min_word_threshold: Annotated[_Words | None, Meta(description="Of pruning: blocks with fewer words go.")] = None


class FetchInput(Struct, frozen=True, kw_only=True):
    """What a caller says to ``web::fetch``; null is as good as nothing, and what is not known is passed over."""

    url: Annotated[str, Meta(description="An absolute http or https URL.")]
    method: Annotated[str | None, Meta(description="GET (the default), HEAD, POST, PUT, PATCH, DELETE or OPTIONS.")] = (
        None
    )
    headers: Annotated[dict[str, str] | None, Meta(description="Request headers.")] = None
    json: Annotated[Any, Meta(description="A value to send as JSON; wins over body. Not sent with GET or HEAD.")] = None
    body: Annotated[str | None, Meta(description="Text to send as it is. Not sent with GET or HEAD.")] = None
    response_format: Annotated[
        ResponseFormat | None,
        Meta(description="text (the default), base64 for bytes, or json, which also parses; ignored with format."),
    ] = None
    format: Annotated[
        PageFormat | None,
        Meta(description="Read the answer as a page: markdown is right for most, html is the source."),
    ] = None
    content_filter: Annotated[
        FilterInput | None, Meta(description="Narrow the page; body then holds what is left. With format only.")
    ] = None
    target_elements: Annotated[
        list[str] | None, Meta(description="CSS selectors: only what matches is rendered. With format only.")
    ] = None
    excluded_tags: Annotated[
        list[str] | None, Meta(description="CSS selectors: what matches is dropped first. With format only.")
    ] = None
    include_links: Annotated[bool | None, Meta(description="Add links, internal and external. With format only.")] = (
        None
    )
    include_media: Annotated[bool | None, Meta(description="Add media: images, videos, audios. With format only.")] = (
        None
    )
    timeout_ms: Annotated[
        _Milliseconds | None,
        Meta(description="Of the whole call, in milliseconds, at least 1; the operator sets a ceiling."),
    ] = None
    max_bytes: Annotated[
        _Bytes | None, Meta(description="Of the body, at least 1; what is longer is cut, and bytes_truncated is true.")
    ] = None
    follow_redirects: Annotated[bool | None, Meta(description="By default true; every hop is judged anew.")] = None


class PageWishes(NamedTuple):
    """Page-reading mode.

    Attributes:
        options: What is asked of the reading.
        is_enriched: Whether more than the rendition is asked for.
    """

    options: ReadKeywords
    is_enriched: bool


class FetchRequest(NamedTuple):
    """A checked call: what is requested, and what is made of the answer.

    Attributes:
        response_format: Of raw mode.
        page: Of page-reading mode; None in raw mode.
        rules: What the answer must be.
        configuration: Under which it was checked.
    """

    url: str
    method: str
    headers: dict[str, str]
    body: bytes | None
    timeout_ms: int
    max_bytes: int
    follow_redirects: bool
    response_format: ResponseFormat
    page: PageWishes | None
    rules: AnswerRules
    configuration: WebConfiguration


def decode_request(payload: object, configuration: WebConfiguration) -> FetchRequest:
    """The request of a payload; the first rule that says no decides.

    Types; then url, method, timeout_ms, max_bytes, enrichment without format, threshold, blank selectors.

    Raises:
        InvalidInput: The payload breaks a rule; the message names the field.
    """
    given = decoded(payload, FetchInput, name="the payload")
    method = _method(given)
    _require(given.timeout_ms != 0, "timeout_ms: must be at least 1")
    _require(given.max_bytes != 0, "max_bytes: must be at least 1")
    page = _page(given, configuration)
    asked_ms = configuration.default_timeout_ms if given.timeout_ms is None else given.timeout_ms
    default_bytes = configuration.default_response_bytes if page else configuration.max_response_bytes
    headers = _headers(given, method)
    is_disguised = page is not None and headers.get("User-Agent") == BROWSER_USER_AGENT
    return FetchRequest(
        url=given.url,
        method=method,
        headers=headers,
        body=None if method in WITHOUT_BODY else _body(given),
        timeout_ms=min(asked_ms, configuration.max_timeout_ms),
        max_bytes=min(given.max_bytes or default_bytes, configuration.max_response_bytes),
        follow_redirects=given.follow_redirects is not False,
        response_format=(None if page else given.response_format) or "text",
        page=page,
        rules=AnswerRules(whole=True, second_user_agent=configuration.user_agent if is_disguised else None),
        configuration=configuration,
    )


def _method(given: FetchInput) -> str:
    _require(bool(given.url), "url: must not be empty")
    method = "GET" if given.method is None else given.method.upper()
    _require(method in METHODS and (given.method or "").isascii(), f"method: must be one of {', '.join(METHODS)}")
    return method


def _page(given: FetchInput, configuration: WebConfiguration) -> PageWishes | None:
    enrichment = {
        "content_filter": given.content_filter is not None,
        "target_elements": bool(given.target_elements),
        "excluded_tags": bool(given.excluded_tags),
        "include_links": given.include_links is True,
        "include_media": given.include_media is True,
    }
    for name, is_asked_for in enrichment.items():
        _require(given.format is not None or not is_asked_for, f"{name}: needs format (markdown, text or html)")
    content_filter = _filter(given.content_filter) if given.content_filter else None
    targets = _selectors(given.target_elements, "target_elements")
    excluded = _selectors(given.excluded_tags, "excluded_tags")
    if given.format is None:
        return None
    options = ReadKeywords(
        format=given.format,
        max_chars=configuration.max_response_bytes,  # a long base URL makes every link of a page as long
        content_filter=content_filter,
        target_elements=targets,
        excluded_tags=excluded,
        include_links=enrichment["include_links"],
        include_media=enrichment["include_media"],
        sanitize="invisible",
    )
    return PageWishes(options, is_enriched=any(enrichment.values()))


def _filter(given: FilterInput) -> ContentFilter:
    threshold = given.threshold
    if threshold is not None:
        most = 1.0 if given.type == "pruning" else float("inf")
        told = "0 to 1" if given.type == "pruning" else "0 or more"
        _require(0 <= threshold <= most, f"content_filter.threshold: must be {told} for {given.type}")
        threshold = min(threshold, MAX_THRESHOLD)
    return ContentFilter(
        type=given.type,
        query=given.query[:MAX_QUERY_CHARS] if given.query and given.query.strip() else None,
        threshold=threshold,
        threshold_type=given.threshold_type or "fixed",
        min_word_threshold=given.min_word_threshold,
    )


def _selectors(given: list[str] | None, name: str) -> tuple[str, ...]:
    selectors = tuple(selector.strip() for selector in given or ())
    _require(all(selectors), f"{name}: a selector must not be blank")
    return selectors


def _headers(given: FetchInput, method: str) -> dict[str, str]:
    """The caller's headers without those that are not theirs to set, and what is sent unless they say otherwise."""
    headers = {name: value for name, value in (given.headers or {}).items() if not is_reserved(name.strip())}
    defaults = {}
    if given.format is not None:
        defaults = {
            "User-Agent": BROWSER_USER_AGENT,
            "Accept": ACCEPT[given.format],
            "Accept-Language": ACCEPT_LANGUAGE,
        }
    if given.json is not None and method not in WITHOUT_BODY:
        defaults["Content-Type"] = "application/json"
    named = {name.lower() for name in headers}
    return headers | {name: value for name, value in defaults.items() if name.lower() not in named}


def _body(given: FetchInput) -> bytes | None:
    if given.json is not None:
        try:
            return json.dumps(given.json, separators=(",", ":"), allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError):
            raise InvalidInput("json: cannot be written as JSON") from None
    if given.body is None:
        return None
    try:
        return given.body.encode()
    except UnicodeEncodeError:
        raise InvalidInput("body: holds a lone surrogate, which UTF-8 cannot write") from None


def _require(holds: bool, problem: str) -> None:  # noqa: FBT001 - what is asked
    if not holds:
        raise InvalidInput(problem)
