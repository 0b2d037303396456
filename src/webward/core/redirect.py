"""Where a response leads: the next target and request, or nowhere (the Fetch standard's HTTP-redirect fetch)."""

from __future__ import annotations

from msgspec import Struct

from webward.core import headers, url
from webward.errors import ProtocolFailed
from webward.model import Request, ResponseHead, Target

REDIRECT_STATUSES = frozenset((301, 302, 303, 307, 308))  # RFC 9110 section 15.4; 300 and 304 are answers
_SEE_OTHER = 303
_POST_BECOMES_GET = frozenset((301, 302))


class Step(Struct, frozen=True, kw_only=True):
    """The next hop.

    Attributes:
        target: Not judged yet.
        request: With the method, body and fields that go on.
        dropped: Whether a field of the caller stayed behind because the origin changes.
    """

    target: Target
    request: Request
    dropped: bool


def is_redirect(head: ResponseHead) -> bool:
    """Whether a response sends its reader elsewhere."""
    return head.status in REDIRECT_STATUSES and "location" in head.headers


def follow(target: Target, request: Request, head: ResponseHead) -> Step:
    """The step that a redirect asks for.

    Raises:
        InvalidUrl, SchemeRefused: The location cannot be requested.
        ProtocolFailed: There are several locations that differ.
    """
    locations = set(head.headers.get_list("location"))
    if len(locations) > 1:
        raise ProtocolFailed("the redirect names several locations")
    following = url.join(target, locations.pop())
    changed = _with_method(request, head.status)
    if following.origin == target.origin:
        return Step(target=following, request=changed, dropped=False)
    kept = headers.across_origins(changed.headers, has_body=bool(changed.body))
    crossing = Request(method=changed.method, headers=kept, body=changed.body)
    return Step(target=following, request=crossing, dropped=len(kept) < len(changed.headers))


def _with_method(request: Request, status: int) -> Request:
    becomes_get = (status in _POST_BECOMES_GET and request.method == "POST") or (
        status == _SEE_OTHER and request.method not in ("GET", "HEAD")
    )
    if not becomes_get:
        return request
    return Request(method="GET", headers=headers.without_body(request.headers))
