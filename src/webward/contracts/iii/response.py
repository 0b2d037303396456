"""What ``web::fetch`` gives: the envelopes of an answer, an image and a failure."""

from __future__ import annotations

import re
from base64 import b64encode
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from webward.contracts.iii.codes import FetchError, code_of, message_of
from webward.contracts.page import links_object, media_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webward.contracts.iii.configuration import WebConfiguration
    from webward.contracts.iii.request import FetchRequest
    from webward.errors import WebwardError
    from webward.model import Fetched, Headers, Reading

Envelope = dict[str, Any]
MAX_JSON_LEVELS = 100
"""The engine's parser takes 128 around and in a message, and would lose one that is deeper."""

# Where releases of Python still have what RFC 9110 renamed.
_RENAMED = {413: "Content Too Large", 414: "URI Too Long", 416: "Range Not Satisfiable", 422: "Unprocessable Content"}
_REASONS = {status.value: status.phrase for status in HTTPStatus} | _RENAMED

# The images that are shown, and what their first bytes are (MIME Sniffing section 6.1).
_SIGNATURES = {
    "image/jpeg": re.compile(rb"\xff\xd8\xff"),
    "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "image/gif": re.compile(rb"GIF8[79]a"),
    "image/webp": re.compile(rb"RIFF....WEBPVP", re.DOTALL),
}
_HTML = ("text/html", "application/xhtml+xml")
_VISIBLE = re.compile(r"[\t\x20-\x7e]*")


class FetchResponse(Struct, frozen=True, kw_only=True):
    """All that an envelope may hold; what it lacks is left out."""

    ok: Annotated[
        bool | UnsetType, Meta(description="Whether there was an answer, of any status. An image has it in details.")
    ] = UNSET
    status: Annotated[int | UnsetType, Meta(description="HTTP status, 2xx to 5xx.")] = UNSET
    status_text: Annotated[str | UnsetType, Meta(description="The usual words for the status.")] = UNSET
    headers: Annotated[
        dict[str, str] | UnsetType, Meta(description="Names in lower case, repeated values joined with a comma.")
    ] = UNSET
    body: Annotated[str | UnsetType, Meta(description="Text, base64, or the rendition of the page.")] = UNSET
    json: Annotated[Any, Meta(description="The parsed body, with response_format json.")] = UNSET
    parse_error: Annotated[str | UnsetType, Meta(description="Why the body could not be parsed as JSON.")] = UNSET
    response_format: Annotated[str | UnsetType, Meta(description="How body is written.")] = UNSET
    bytes_truncated: Annotated[bool | UnsetType, Meta(description="Whether the body was cut at max_bytes.")] = UNSET
    redirect_chain: Annotated[
        list[str] | UnsetType,
        Meta(description="The URLs that redirected, in order; the last one answered is not in it."),
    ] = UNSET
    content_type: Annotated[str | UnsetType, Meta(description="The media type alone. With format only.")] = UNSET
    transformed: Annotated[
        str | UnsetType, Meta(description="The format that the page was rendered to; missing when it was not.")
    ] = UNSET
    links: Annotated[
        Envelope | UnsetType, Meta(description="internal and external: lists of href, text and perhaps title.")
    ] = UNSET
    media: Annotated[Envelope | UnsetType, Meta(description="images (src, perhaps alt), videos and audios (src).")] = (
        UNSET
    )
    filter_fell_back: Annotated[
        bool | UnsetType, Meta(description="True when content_filter left nothing, so that the whole page is given.")
    ] = UNSET
    removed_invisible: Annotated[
        dict[str, int] | UnsetType, Meta(description="How many invisible characters were removed, by rule.")
    ] = UNSET
    content: Annotated[
        list[Envelope] | UnsetType, Meta(description="Of an image: the image, then a line of text, in place of body.")
    ] = UNSET
    details: Annotated[
        Envelope | UnsetType, Meta(description="Of an image: ok, status, status_text, content_type, bytes.")
    ] = UNSET
    error: Annotated[FetchError | UnsetType, Meta(description="Why there was no answer. Branch on it.")] = UNSET
    message: Annotated[str | UnsetType, Meta(description="The same for people.")] = UNSET


def raw_envelope(request: FetchRequest, fetched: Fetched) -> Envelope:
    """The envelope of an answer in raw mode."""
    kind = request.response_format
    body = b64encode(fetched.body).decode() if kind == "base64" else text_of(fetched)
    parsed = _parsed(fetched) if kind == "json" else {}
    return _given(request, fetched, body=body, response_format=kind, **parsed)


def page_envelope(
    request: FetchRequest,
    fetched: Fetched,
    *,
    body: str,
    invisible: Mapping[str, int] = {},
    read: Reading | None = None,
    is_rendered: bool = False,
) -> Envelope:
    """The envelope of an answer in page-reading mode.

    Args:
        request: The call.
        fetched: The answer.
        body: What a caller is given to read.
        invisible: How many invisible characters it lost, by rule.
        read: What the reading found, if there was one.
        is_rendered: Whether the body is its rendition.
    """
    extra: Envelope = {"removed_invisible": dict(invisible) or UNSET}
    if read is not None:
        extra |= {"links": links_object(read.links) or UNSET, "media": media_object(read.media) or UNSET}
    if read is not None and is_rendered:
        extra |= {
            "transformed": read.format,
            "filter_fell_back": True if read.filter and read.filter.fell_back else UNSET,
        }
    return _given(
        request,
        fetched,
        body=body,
        response_format="text",
        bytes_truncated=fetched.truncated or (read is not None and is_rendered and read.truncated_text),
        content_type=fetched.media_type or "",
        **extra,
    )


def image_envelope(request: FetchRequest, fetched: Fetched) -> Envelope:
    """The envelope of an image: shown where it is whole and one of the four kinds, and base64 otherwise."""
    data, kind = b64encode(fetched.body).decode(), fetched.media_type or ""
    signature = _SIGNATURES.get(kind)
    is_success = fetched.status // 100 == 2  # noqa: PLR2004 - RFC 9110 section 15.3
    if signature is None or not is_success or fetched.truncated or not signature.match(fetched.body):
        return _given(request, fetched, body=data, response_format="base64", content_type=kind)
    line = f"Image fetched ({kind}, {fetched.body_bytes} bytes)"
    details = FetchResponse(
        ok=True,
        status=fetched.status,
        status_text=_REASONS.get(fetched.status, ""),
        content_type=kind,
        redirect_chain=_redirect_chain(request, fetched),
    )
    return _written(
        FetchResponse(
            content=[{"type": "image", "mime": kind, "data": data}, {"type": "text", "text": line}],
            details=_written(details) | {"bytes": fetched.body_bytes},
        )
    )


def failure_envelope(
    error: WebwardError, configuration: WebConfiguration, *, timeout_ms: int | None = None
) -> Envelope:
    """The envelope of a call that got no answer.

    Args:
        error: Why.
        configuration: Under which.
        timeout_ms: What the call had, in milliseconds.
    """
    message = message_of(error, configuration, timeout_ms=timeout_ms)
    return _written(FetchResponse(ok=False, error=code_of(error), message=message))


def is_image(fetched: Fetched) -> bool:
    """Whether an answer is declared to be an image."""
    return (fetched.media_type or "").startswith("image/")


def is_html(fetched: Fetched) -> bool:
    """Whether an answer is declared to be HTML; nothing else is rendered."""
    return fetched.media_type in _HTML


def text_of(fetched: Fetched) -> str:
    """The body as text, whatever it is."""
    return fetched.body.decode(errors="replace") if fetched.text is None else fetched.text


def _given(request: FetchRequest, fetched: Fetched, **fields: Any) -> Envelope:  # noqa: ANN401 - those of FetchResponse
    shared: Envelope = {
        "status": fetched.status,
        "status_text": _REASONS.get(fetched.status, ""),
        "headers": _headers(fetched.headers),
        "bytes_truncated": fetched.truncated,
        "redirect_chain": _redirect_chain(request, fetched),
    }
    return _written(FetchResponse(ok=True, **(shared | fields)))


def _written(response: FetchResponse) -> Envelope:
    envelope: Envelope = msgspec.to_builtins(response)
    return envelope


def _headers(headers: Headers) -> dict[str, str]:
    return {name: ", ".join(map(_visible, headers.get_list(name))) for name in headers}


def _visible(value: str) -> str:
    return value if _VISIBLE.fullmatch(value) else ""


def _redirect_chain(request: FetchRequest, fetched: Fetched) -> list[str] | UnsetType:
    """The first as the caller wrote it, but for a user name or password."""
    chain = [hop.url for hop in fetched.hops[:-1]]
    if chain and "@" not in request.url:
        chain[0] = request.url
    return chain or UNSET


def _parsed(fetched: Fetched) -> Envelope:
    if fetched.truncated:
        return {"parse_error": "the body was cut at max_bytes, so that it is no whole JSON value"}
    text = text_of(fetched)
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        return {"parse_error": str(error)}
    if _is_deep(text, value):
        return {"parse_error": f"the value is nested deeper than {MAX_JSON_LEVELS} levels"}
    return {"json": value}


def _is_deep(text: str, value: object) -> bool:
    if text.count("[") + text.count("{") <= MAX_JSON_LEVELS:
        return False
    level = [value]
    for _ in range(MAX_JSON_LEVELS):
        inner = (one.values() if isinstance(one, dict) else one for one in level if isinstance(one, (dict, list)))
        level = [child for children in inner for child in children if isinstance(child, (dict, list))]
        if not level:
            return False
    return True
