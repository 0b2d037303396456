"""What a model is told when a call gives nothing: a code, and one sentence that it can relay.

A sentence is one of these and nothing of the error's own: that could name the host that a redirect led to, hold a
server's words, or tell a model about settings which it has no part in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from webward.contracts.frockbot.codes import TOLD_MEDIA_TYPES
from webward.errors import (
    InvalidInput,
    MediaTypeRefused,
    ProviderFailed,
    StatusRefused,
    UnsupportedContent,
    WebwardError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webward.model import Decision

MAX_MESSAGE_CHARS = 500

UNKNOWN_TOOL = "unknown-tool"
INVALID_ARGUMENTS = "invalid-arguments"
BUDGET_REFUSED = "refused-budget"
QUOTA_EXCEEDED = "quota-exceeded"


class Refusal(NamedTuple):
    """A code, and one sentence for the model."""

    code: str
    message: str


SENTENCES: Mapping[str, str] = {
    "internal": "a fault of the tool itself",
    "invalid-input": "the call cannot be done as it is",
    "invalid-url": "this is no URL of a page; write it out, beginning with https:// or http://",
    "invalid-header": "the tool cannot do this",
    "invalid-configuration": "the tool is not set up for this",
    "refused-scheme": "only http:// and https:// URLs are read",
    "refused-port": "this port is not one of the web",
    "refused-credentials": "a URL with a user name or password is not read",
    "refused-host": "the host is an internal one, or is not to be read",
    "refused-address": "the host is at no public address",
    "refused-status": "the server answered with an error",
    "refused-media-type": "this kind of content is not read",
    "deadline-exceeded": "there was no complete answer in time",
    "too-many-redirects": "the server redirects too often",
    "body-too-large": "the answer is too large",
    "overloaded": "the tool is busy; try again later",
    "content-too-costly": "the page takes too long to read",
    "name-not-found": "there is no such host",
    "resolver-failed": "the host cannot be looked up at present",
    "connect-failed": "the host cannot be reached",
    "tls-failed": "the host makes no TLS connection that can be trusted",
    "protocol-failed": "the server broke off, or speaks broken HTTP",
    "location-missing": "the server redirects without saying where to",
    "content-undecodable": "the body cannot be decoded",
    "unsupported-content": "there is no text in this kind of content",
    "provider-failed": "the search provider cannot be reached",
    "provider-unauthorized": "the search provider does not accept the key that is set up",
    "provider-not-configured": "no search provider is set up",
    "store-unavailable": "what the tool counts and keeps cannot be stored at present; try again later",
}

_MAIN_TYPES = frozenset(("application", "audio", "font", "image", "model", "text", "video"))


def refusal_of(error: WebwardError) -> Refusal:
    """The code of an error, and its sentence with what may be told of it."""
    sentence = SENTENCES[error.code]
    if isinstance(error, StatusRefused):
        sentence = f"the server answered with status {error.status}"
    elif isinstance(error, MediaTypeRefused | UnsupportedContent):
        sentence = f"{sentence}; the answer is {told_media_type(error.media_type)}"
    elif (isinstance(error, ProviderFailed) and not error.unreached) or type(error) is InvalidInput:
        sentence = error.message  # the provider's words, sanitized, or what is wrong with the caller's own
    return Refusal(error.code, sentence[:MAX_MESSAGE_CHARS])


def told_media_type(essence: str | None) -> str:
    """A media type as it may be told: known ones in full, since a server can put words into others."""
    if essence is None:
        return "of no declared type"
    if essence in TOLD_MEDIA_TYPES:
        return essence
    main = essence.partition("/")[0]
    return f"of a rare {main} type" if main in _MAIN_TYPES else "of an unknown type"


def quota_exceeded(name: str, decision: Decision) -> Refusal:
    """The refusal of a call that is over the daily limit."""
    until = decision.resets_at.strftime("%Y-%m-%d %H:%M UTC")
    message = f"this user has had the {decision.limit} calls of {name} that a day allows; the next day begins {until}"
    return Refusal(QUOTA_EXCEEDED, message)


def unknown_tool(offered: list[str]) -> Refusal:
    """The refusal of a call for a tool that is not offered."""
    return Refusal(UNKNOWN_TOOL, f"there is no such tool; offered are: {', '.join(offered) or 'none'}")


def invalid_arguments(error: InvalidInput) -> Refusal:
    """The refusal of arguments that the tool does not take."""
    return Refusal(INVALID_ARGUMENTS, error.message[:MAX_MESSAGE_CHARS])


OVER_BUDGET = Refusal(BUDGET_REFUSED, "the budget for this is used up")
TOO_MANY_CALLS = Refusal("overloaded", "too many calls at once; make fewer")
