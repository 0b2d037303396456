"""Our own results as JSON: envelopes of answers, pages, hits, verdicts and failures, and the requests of lines.

A field without a value is absent. Sizes are bytes, lengths are characters, times are milliseconds, instants are
RFC 3339 in UTC.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec
from msgspec.structs import asdict

from webward.config import ContentFilter, ReadOptions, Rendition
from webward.core.egress import refusal
from webward.errors import InvalidInput, WebwardError

if TYPE_CHECKING:
    from datetime import datetime

    from webward.model import Answer, Checked, Fetched, Headers, Links, Media, Page, PageImage, SearchResponse, Timing

Envelope = dict[str, Any]
RequestKind = TypeVar("RequestKind")

_LEADING_ID = re.compile(rb'\s*\{\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9]+)\s*[,}]')

LIST_HEADERS = frozenset(("set-cookie",))  # RFC 9110 section 5.3: the one field whose values must not be joined


class FetchRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of ``webward fetch --jsonl``: ``id`` comes back with the answer, the rest is for `Gateway.fetch`."""

    id: str | int
    url: str
    method: str | None = None
    headers: dict[str, str] | None = None
    json: Any = None
    body: str | None = None
    timeout_ms: int | None = None
    max_bytes: int | None = None
    follow_redirects: bool = True

    def arguments(self) -> dict[str, Any]:
        """All but ``id`` and ``url``, by name."""
        names = (name for name in self.__struct_fields__ if name not in {"id", "url"})
        return {name: getattr(self, name) for name in names}


class ReadRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of ``webward read --jsonl``: ``id`` comes back with the answer, the rest is for `Gateway.read`.

    ``html_path`` reads a file in place of the URL, which then is its base. ``task`` is the short way to say what is
    wanted: a format or a filter; the other options are those of `ReadOptions`.
    """

    id: str | int
    url: str
    html_path: str | None = None
    task: Literal["markdown", "text", "html", "pruning", "bm25"] | None = None
    query: str | None = None
    headers: dict[str, str] | None = None
    timeout_ms: int | None = None
    max_bytes: int | None = None
    format: Rendition | None = None
    start: int = 0
    max_chars: int | None = None
    target_elements: tuple[str, ...] = ()
    excluded_tags: tuple[str, ...] = ()
    content_filter: ContentFilter | None = None
    include_links: bool = False
    include_media: bool = False
    sanitize: bool = True

    def request_arguments(self) -> dict[str, Any]:
        """Those of the request, by name."""
        return {"headers": self.headers, "timeout_ms": self.timeout_ms, "max_bytes": self.max_bytes}

    def options(self) -> dict[str, Any]:
        """Those of the reading, by name."""
        options = {name: getattr(self, name) for name in ReadOptions.__struct_fields__}
        if self.task in ("pruning", "bm25"):
            options["content_filter"] = ContentFilter(type=self.task, query=self.query)
        if self.format is None:
            options["format"] = self.task if self.task in set(Rendition) else Rendition.MARKDOWN
        return options


def parse_line(line: bytes, *, max_bytes: int) -> Any:  # noqa: ANN401 - any JSON value
    """The JSON value of a line; it may hold lone surrogates, which the URL parser will name.

    Raises:
        InvalidInput: The line is no JSON, no UTF-8, or too long.
    """
    if len(line) > max_bytes:
        raise InvalidInput(f"the line is longer than {max_bytes} bytes")
    try:
        return json.loads(line)
    except UnicodeDecodeError:
        raise InvalidInput("the line is not UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"the line is no JSON value: {error}") from None


def fetch_request(value: object) -> FetchRequest:
    """The request of a parsed line.

    Raises:
        InvalidInput: A key is unknown, missing or of the wrong type.
    """
    return _request(value, FetchRequest)


def read_request(value: object) -> ReadRequest:
    """The request of a parsed line.

    Raises:
        InvalidInput: A key is unknown, missing or of the wrong type.
    """
    return _request(value, ReadRequest)


def _request(value: object, kind: type[RequestKind]) -> RequestKind:
    try:
        return msgspec.convert(value, kind)
    except UnicodeEncodeError:
        raise InvalidInput("the line is no request: a key holds a lone surrogate") from None
    except msgspec.ValidationError as error:
        raise InvalidInput(f"the line is no request: {error}") from None


def request_id(value: object) -> Envelope:
    """The ``id`` of a parsed line as a field, as far as there is a usable one."""
    found = value.get("id") if isinstance(value, Mapping) else None
    return {"id": found} if isinstance(found, str | int) and not isinstance(found, bool) else {}


def leading_id(line: bytes) -> Envelope:
    """As `request_id`, of a line that may be no JSON: too long, too deep, broken; where its ``id`` comes first."""
    found = _LEADING_ID.match(line)
    try:
        return request_id({"id": json.loads(found[1])}) if found else {}
    except ValueError:  # a control character, no UTF-8, or a number without end
        return {}


def fetched_envelope(fetched: Fetched) -> Envelope:
    """The envelope of an answer with its body."""
    if fetched.text is None:
        body = {"body": b64encode(fetched.body).decode(), "body_encoding": "base64"}
    else:
        body = {"body": fetched.text, "body_encoding": "text"}
    return {"ok": True, **_answer(fetched), **body}


def page_envelope(page: Page) -> Envelope:
    """The envelope of a page."""
    reading = page.reading
    return {
        "ok": True,
        **_answer(page),
        "format": str(reading.format),
        **_present(text=reading.text, image=_image(reading.image)),
        "total_chars": reading.total_chars,
        "start": reading.start,
        **_present(next_start=reading.next_start),
        "truncated_text": reading.truncated_text,
        "token_estimate": reading.token_estimate,
        **_fields(reading.metadata),
        **_present(
            links=links_object(reading.links),
            media=media_object(reading.media),
            filter=_fields(reading.filter) if reading.filter else None,
        ),
        "report": _fields(reading.report),
        "needs_javascript": reading.needs_javascript,
        "content_hash": page.content_hash,
        **_present(content_signal=page.content_signal),
    }


def checked_envelope(checked: Checked, *, show_addresses: bool) -> Envelope:
    """The envelope of the verdicts on a URL; a refusal is a failure that has them, too.

    Args:
        checked: The verdicts.
        show_addresses: Whether the caller may know what the name resolved to.
    """
    facts: Envelope = {"url": checked.url, "verdicts": [_fields(verdict) for verdict in checked.verdicts]}
    if show_addresses:
        facts["addresses"] = [str(address) for address in checked.addresses]
    if checked.allowed:
        return {"ok": True, **facts}
    return {**failure_envelope(refusal(checked.verdicts[-1])), **facts}


def search_envelope(response: SearchResponse) -> Envelope:
    """The envelope of what a search found."""
    return {
        "ok": True,
        "query": response.query,
        "provider": response.provider,
        "results": [asdict(hit) for hit in response.hits],
        "notes": list(response.notes),
    }


def failure_envelope(error: WebwardError) -> Envelope:
    """The envelope of a failure."""
    wait = error.retry_after_seconds
    return {
        "ok": False,
        "error": {
            "code": error.code,
            "message": error.message,
            "retryable": error.retryable,
            "hop": error.hop or 0,
            **_present(setting=error.setting, retry_after_ms=None if wait is None else round(wait * 1000)),
        },
    }


def links_object(links: Links | None) -> Envelope | None:
    """The links of a page as JSON, or None."""
    if links is None:
        return None
    return {
        "internal": [_fields(link) for link in links.internal],
        "external": [_fields(link) for link in links.external],
    }


def media_object(media: Media | None) -> Envelope | None:
    """The media of a page as JSON, or None."""
    if media is None:
        return None
    return {
        "images": [
            _present(src=image.src, alt=image.alt, width=image.width, height=image.height) for image in media.images
        ],
        "videos": [{"src": source} for source in media.videos],
        "audios": [{"src": source} for source in media.audios],
    }


def encode(envelope: Envelope) -> bytes:
    """The envelope as one line of UTF-8 JSON, without its end."""
    try:
        return msgspec.json.encode(envelope)
    except UnicodeEncodeError:  # a lone surrogate of the caller's own, as in an id: only an escape can write it
        return json.dumps(envelope, separators=(",", ":")).encode()


def _answer(answer: Answer) -> Envelope:
    return {
        "status": answer.status,
        "reason": answer.reason,
        "url": answer.url,
        "final_url": answer.final_url,
        "headers": _headers(answer.headers),
        **_present(media_type=answer.media_type, charset=answer.charset),
        "bytes": answer.body_bytes,
        "wire_bytes": answer.wire_bytes,
        "truncated": answer.truncated,
        "hops": [_fields(hop) for hop in answer.hops],
        "timing_ms": _timing(answer.timing),
        "notes": list(answer.notes),
        "retrieved_at": instant(answer.retrieved_at),
    }


def _fields(value: msgspec.Struct) -> Envelope:
    return _present(**asdict(value))


def _image(image: PageImage | None) -> Envelope | None:
    return {**asdict(image), "data": b64encode(image.data).decode()} if image else None


def _headers(headers: Headers) -> dict[str, str | list[str]]:
    return {name: list(headers.get_list(name)) if name in LIST_HEADERS else headers[name] for name in headers}


def _timing(timing: Timing) -> dict[str, float]:
    return {name.removesuffix("_ms"): value for name, value in asdict(timing).items()}


def _present(**fields: object) -> Envelope:
    return {name: value for name, value in fields.items() if value is not None}


def instant(moment: datetime) -> str:
    """An instant as RFC 3339 has it, in UTC, to the millisecond."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
