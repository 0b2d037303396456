"""The codes of a call that got no answer, and which of them each error of webward becomes."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from webward.errors import AddressRefused, InvalidUrl, WebwardError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webward.contracts.iii.configuration import WebConfiguration

MAX_MESSAGE_CHARS = 500
INTERNAL_MESSAGE = "internal error"
_OPENED = "egress.unsafe-allow"  # settings that would open something do nothing here, so they are not named


class FetchError(StrEnum):
    """The codes, complete."""

    INVALID_PAYLOAD = "invalid_payload"
    INVALID_URL = "invalid_url"
    BLOCKED_HOST = "blocked_host"
    TIMEOUT = "timeout"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    TRANSPORT_ERROR = "transport_error"


MEANINGS: Mapping[FetchError, tuple[str, str]] = {
    FetchError.INVALID_PAYLOAD: ("the payload is not what the schema says", "correct the field that is named"),
    FetchError.INVALID_URL: ("the URL is not an absolute http or https URL", "pass the whole URL, scheme included"),
    FetchError.BLOCKED_HOST: (
        "the host is private, link-local, a cloud metadata service, an internal name, or its port is a bad one",
        "request something public; for a server on this machine an operator sets allow_loopback",
    ),
    FetchError.TIMEOUT: ("no complete answer within timeout_ms", "raise timeout_ms, or ask for less with max_bytes"),
    FetchError.TOO_MANY_REDIRECTS: (
        "more redirects than the operator's max_redirects",
        "request the final URL, or set follow_redirects to false and read the location header",
    ),
    FetchError.TRANSPORT_ERROR: (
        "no connection, no such name, no trustworthy TLS, broken HTTP, or a redirect that leads nowhere",
        "check host, port and certificate; try again if it may pass",
    ),
}
"""Of each code: when it is given, and what to do."""

ERROR_CODES: Mapping[str, FetchError] = {
    "internal": FetchError.TRANSPORT_ERROR,
    "invalid-input": FetchError.INVALID_PAYLOAD,
    "invalid-url": FetchError.INVALID_URL,
    "invalid-header": FetchError.TRANSPORT_ERROR,
    "invalid-configuration": FetchError.TRANSPORT_ERROR,
    "refused-scheme": FetchError.INVALID_URL,
    "refused-port": FetchError.BLOCKED_HOST,
    "refused-credentials": FetchError.BLOCKED_HOST,
    "refused-host": FetchError.BLOCKED_HOST,
    "refused-address": FetchError.BLOCKED_HOST,
    "refused-status": FetchError.TRANSPORT_ERROR,
    "refused-media-type": FetchError.TRANSPORT_ERROR,
    "deadline-exceeded": FetchError.TIMEOUT,
    "too-many-redirects": FetchError.TOO_MANY_REDIRECTS,
    "body-too-large": FetchError.TRANSPORT_ERROR,
    "overloaded": FetchError.TRANSPORT_ERROR,
    "content-too-costly": FetchError.TRANSPORT_ERROR,
    "name-not-found": FetchError.TRANSPORT_ERROR,
    "resolver-failed": FetchError.TRANSPORT_ERROR,
    "connect-failed": FetchError.TRANSPORT_ERROR,
    "tls-failed": FetchError.TRANSPORT_ERROR,
    "protocol-failed": FetchError.TRANSPORT_ERROR,
    "location-missing": FetchError.TRANSPORT_ERROR,
    "content-undecodable": FetchError.TRANSPORT_ERROR,
    "unsupported-content": FetchError.TRANSPORT_ERROR,
    "provider-failed": FetchError.TRANSPORT_ERROR,
    "provider-unauthorized": FetchError.TRANSPORT_ERROR,
    "provider-not-configured": FetchError.TRANSPORT_ERROR,
    "store-unavailable": FetchError.TRANSPORT_ERROR,
}


def code_of(error: WebwardError) -> FetchError:
    """The code of an error; a Location that cannot be requested is the server's fault, and its scheme the policy's."""
    if isinstance(error, InvalidUrl) and error.hop:
        return FetchError.TRANSPORT_ERROR
    return ERROR_CODES[error.code]


def message_of(error: WebwardError, configuration: WebConfiguration, *, timeout_ms: int | None = None) -> str:
    """One sentence on an error: which rule, which key of the configuration, what to do.

    Args:
        error: What went wrong.
        configuration: Under which it did.
        timeout_ms: What the call had, in milliseconds.
    """
    match code_of(error):
        case FetchError.TIMEOUT:
            return (
                f"no complete answer within {timeout_ms or configuration.default_timeout_ms} ms; raise timeout_ms "
                f"(at most {configuration.max_timeout_ms}), or lower max_bytes"
            )
        case FetchError.TOO_MANY_REDIRECTS:
            return (
                f"more than {configuration.max_redirects} redirects (setting: max_redirects); request the final URL, "
                "or set follow_redirects to false and read the location header"
            )
        case FetchError.BLOCKED_HOST:
            return _refusal(error)
    return INTERNAL_MESSAGE if type(error) is WebwardError else error.message[:MAX_MESSAGE_CHARS]


def _refusal(error: WebwardError) -> str:
    if not (error.setting or "").startswith(_OPENED):
        return error.message
    message = error.message.removesuffix(f" (setting: {error.setting})")
    if isinstance(error, AddressRefused) and error.address_class == "loopback":
        message += "; an operator allows it with allow_loopback"
    return message
