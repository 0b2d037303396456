"""Cookies of one task, in a jar that the caller owns; without a jar none are kept and none are sent."""

from __future__ import annotations

import re
from email.message import Message
from typing import TYPE_CHECKING, cast
from urllib.request import Request as JarRequest

from msgspec.structs import replace

from webward.core.headers import with_defaults

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from http.cookiejar import CookieJar

    from webward.model import Request, ResponseHead, Target


_SENDABLE = re.compile(r"[\t\x20-\x7e]*")  # RFC 6265 section 4.1.1, generously
# Without a list of public suffixes a Domain attribute would let example.co.uk set cookies for all of co.uk.
_DOMAIN = re.compile(r";\s*domain\s*=[^;]*", re.IGNORECASE)


class TaskCookies:
    """Implements `ports.Cookies` by the rules of the jar's own policy (RFC 6265), for the host that set them alone.

    Args:
        jar: Give one jar to one task: whoever shares a jar shares its sessions.
    """

    def __init__(self, jar: CookieJar) -> None:
        self._jar = jar

    def sent_with(self, target: Target, request: Request) -> Request:
        """The request with the cookies for its target; a Cookie header of the caller's own is left alone."""
        asked = JarRequest(target.url)  # noqa: S310 - nothing is opened; the jar wants its questions in this form
        self._jar.add_cookie_header(asked)
        cookie = asked.get_header("Cookie")
        if cookie is None:
            return request
        return replace(request, headers=with_defaults(request.headers, (("Cookie", cookie),)))

    def take(self, target: Target, head: ResponseHead) -> None:
        """Keep what a response sets for its own host; what could not be sent back as a header is dropped."""
        message = Message()
        for value in head.headers.get_list("set-cookie"):
            if _SENDABLE.fullmatch(value):
                message["Set-Cookie"] = _DOMAIN.sub("", value)
        asked = JarRequest(target.url)  # noqa: S310 - as above
        self._jar.extract_cookies(cast("HTTPResponse", _Response(message)), asked)


class _Response:
    """What a jar asks of a response."""

    def __init__(self, message: Message) -> None:
        self._message = message

    def info(self) -> Message:
        return self._message
