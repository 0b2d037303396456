"""The stable codes of a refused ``web_fetch``, and which of them each error of webward becomes.

A message is one of these sentences and nothing of the error's own: that could name the host that a redirect led to,
restate a literal, or tell a model about settings which it has no part in.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from webward.errors import InvalidInput, MediaTypeRefused, StatusRefused, WebwardError

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_MESSAGE_CHARS = 500


class FetchCode(StrEnum):
    """The codes, complete."""

    INVALID_URL = "ssrf-invalid-url"
    BLOCKED_SCHEME = "ssrf-blocked-scheme"
    BLOCKED_PORT = "ssrf-blocked-port"
    BLOCKED_CREDENTIALS = "ssrf-blocked-credentials"
    BLOCKED_HOST = "ssrf-blocked-host"
    BLOCKED_PRIVATE_ADDRESS = "ssrf-blocked-private-address"
    INVALID_INPUT = "web-fetch-invalid-input"
    TOO_MANY_REDIRECTS = "web-fetch-too-many-redirects"
    REDIRECT_WITHOUT_LOCATION = "web-fetch-redirect-without-location"
    BLOCKED_CONTENT_TYPE = "web-fetch-blocked-content-type"
    RESPONSE_TOO_LARGE = "web-fetch-response-too-large"
    HTTP_ERROR = "web-fetch-http-error"
    FAILED = "web-fetch-failed"


class Refusal(NamedTuple):
    """A code, and one sentence for the model."""

    code: FetchCode
    message: str


_IMPOSSIBLE = Refusal(FetchCode.FAILED, "the gateway cannot do this")  # what no fetch raises

FETCH_REFUSALS: Mapping[str, Refusal] = {
    "internal": Refusal(FetchCode.FAILED, "a fault of the gateway itself"),
    "invalid-input": Refusal(FetchCode.INVALID_INPUT, "the input is not what the tool takes"),
    "invalid-url": Refusal(FetchCode.INVALID_URL, "this is no absolute URL that can be requested"),
    "invalid-header": _IMPOSSIBLE,
    "invalid-configuration": _IMPOSSIBLE,
    "refused-scheme": Refusal(FetchCode.BLOCKED_SCHEME, "only https is fetched"),
    "refused-port": Refusal(FetchCode.BLOCKED_PORT, "only the default port of https is fetched"),
    "refused-credentials": Refusal(FetchCode.BLOCKED_CREDENTIALS, "a URL with a user name or password is not fetched"),
    "refused-host": Refusal(FetchCode.BLOCKED_HOST, "the host is an internal one, or is not to be fetched"),
    "refused-address": Refusal(FetchCode.BLOCKED_PRIVATE_ADDRESS, "the host is at no public address"),
    "refused-status": Refusal(FetchCode.HTTP_ERROR, "the server answered with an error"),
    "refused-media-type": Refusal(FetchCode.BLOCKED_CONTENT_TYPE, "only HTML, plain text, Markdown and JSON are read"),
    "deadline-exceeded": Refusal(FetchCode.FAILED, "there was no complete answer in time"),
    "too-many-redirects": Refusal(FetchCode.TOO_MANY_REDIRECTS, "the server redirects too often"),
    "body-too-large": Refusal(FetchCode.RESPONSE_TOO_LARGE, "the answer is longer than max_bytes"),
    "overloaded": Refusal(FetchCode.FAILED, "the gateway is busy; try again later"),
    "content-too-costly": Refusal(FetchCode.FAILED, "the page takes too long to read"),
    "name-not-found": Refusal(FetchCode.FAILED, "there is no such host"),
    "resolver-failed": Refusal(FetchCode.FAILED, "the host cannot be looked up at present"),
    "connect-failed": Refusal(FetchCode.FAILED, "the host cannot be reached"),
    "tls-failed": Refusal(FetchCode.FAILED, "the host makes no TLS connection that can be trusted"),
    "protocol-failed": Refusal(FetchCode.FAILED, "the server broke off, or speaks broken HTTP"),
    "location-missing": Refusal(FetchCode.REDIRECT_WITHOUT_LOCATION, "the server redirects without saying where to"),
    "content-undecodable": Refusal(FetchCode.FAILED, "the body cannot be decoded"),
    "unsupported-content": Refusal(FetchCode.BLOCKED_CONTENT_TYPE, "there is no text in this kind of content"),
    "provider-failed": _IMPOSSIBLE,
    "provider-unauthorized": _IMPOSSIBLE,
    "provider-not-configured": _IMPOSSIBLE,
    "store-unavailable": _IMPOSSIBLE,
}

# What an answer may be told to declare: a server's own words would speak to the model, so only these are repeated.
TOLD_MEDIA_TYPES = frozenset(
    (
        *("application/gzip", "application/octet-stream", "application/pdf", "application/xml", "application/zip"),
        *("audio/mpeg", "image/gif", "image/jpeg", "image/png", "image/svg+xml", "image/webp"),
        *("text/calendar", "text/css", "text/csv", "text/javascript", "text/xml", "video/mp4"),
    )
)


def refusal_of(error: WebwardError) -> Refusal:
    """The code of an error, and its sentence with what may be told of it."""
    refusal = FETCH_REFUSALS[error.code]
    if isinstance(error, StatusRefused):
        return refusal._replace(message=f"the server answered with status {error.status}")
    if isinstance(error, MediaTypeRefused) and error.media_type is None:
        return refusal._replace(message=f"{refusal.message}; the answer does not say what it is")
    if isinstance(error, MediaTypeRefused) and error.media_type in TOLD_MEDIA_TYPES:
        return refusal._replace(message=f"{refusal.message}; the answer is {error.media_type}")
    if type(error) is InvalidInput:  # the caller's own words are told to it
        return refusal._replace(message=error.message[:MAX_MESSAGE_CHARS])
    return refusal
