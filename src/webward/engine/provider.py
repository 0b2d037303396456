"""The way to a search provider: the judged path under a policy of its own, one hop, and an answer that has a bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webward.config import AnswerRules
from webward.core.headers import check_fields
from webward.engine.call import Call
from webward.errors import BodyTooLarge, ProviderFailed

if TYPE_CHECKING:
    from webward.engine.fetch import Fetcher
    from webward.model import Fetched, Request

MAX_ANSWER_BYTES = 256 * 1024  # declared or streamed; twenty hits have a tenth of that
RULES = AnswerRules(declared_length=True)


class JudgedCalls:
    """Implements `ports.ProviderTransport`.

    Args:
        fetcher: With the policy that leads to the provider alone.
        deadline_seconds: The most that one request may take; the search has a deadline of its own.
    """

    def __init__(self, fetcher: Fetcher, deadline_seconds: float) -> None:
        self._fetcher = fetcher
        self._deadline_seconds = deadline_seconds

    async def send(self, url: str, request: Request) -> Fetched:
        """Send one request and give the whole answer, as `ports.ProviderTransport` says."""
        call = Call(
            method=request.method,
            headers=check_fields(request.headers),
            body=request.body,
            deadline_seconds=self._deadline_seconds,
            max_bytes=MAX_ANSWER_BYTES,
            follow_redirects=False,
            rules=RULES,
        )
        try:
            fetched = await self._fetcher.fetch(url, call, accept="application/json")
        except BodyTooLarge:
            raise _too_large() from None
        if fetched.truncated and max(fetched.body_bytes, fetched.wire_bytes) >= MAX_ANSWER_BYTES:
            raise _too_large()
        if fetched.truncated:
            raise ProviderFailed("the answer broke off", retryable=True)
        return fetched


def _too_large() -> ProviderFailed:
    return ProviderFailed(f"the answer is too large: more than {MAX_ANSWER_BYTES} bytes")
