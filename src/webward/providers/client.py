"""One question to a provider: lease the key, send, wait and send again where that helps, decode the answer.

What the transport gives is bounded already. The key is taken out of whatever comes back: a provider may echo it.
"""

from __future__ import annotations

import asyncio
import json
import random
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from webward.core.retry_after import retry_after_seconds
from webward.errors import ProviderFailed, ProviderUnauthorized

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from webward.model import Execution, Fetched, Request
    from webward.ports import Clock, Credential, ProviderTransport

TRIES = 3
FIRST_WAIT_SECONDS = 0.5  # doubled each time, and spread so that callers do not come back all at once
RETRIED = frozenset((429, 502))  # too many requests; the cloud behind a daemon did not answer
REJECTED = frozenset((401, 403))
FIRST_SERVER_ERROR = 500
MASK = "********"
MIN_SECRET_CHARS = 8  # what is shorter is no key, and would be found in ordinary words
MAX_WORDS_CHARS = 200  # of what a provider says about its error


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is sent: where, and the request."""

    url: str
    request: Request


class Client:
    """Asks one provider.

    Args:
        transport: The way to it.
        credential: Leases its key; None when it takes none.
        clock: Tells how long until an instant that the provider names.
        pause: Waits for some seconds.

    Attributes:
        has_key: Whether a key is sent.
    """

    def __init__(
        self,
        *,
        transport: ProviderTransport,
        credential: Credential | None,
        clock: Clock,
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._transport = transport
        self._credential = credential or fixed_key("")
        self._clock = clock
        self.has_key = credential is not None
        self._pause = pause

    async def ask(self, question: Callable[[str], Question], execution: Execution, *, rejection: str) -> dict[str, Any]:
        """The JSON object that a provider answers.

        Args:
            question: Makes what is sent, with the key; an empty one when the provider takes none.
            execution: Of this call.
            rejection: What a status of 401 or 403 means, for people.

        Raises:
            ProviderUnauthorized: The key was rejected.
            ProviderFailed: The answer is an error or no JSON object.
        """
        async with self._credential(execution.effect_id) as key:
            fetched = await self._answer(question(key), execution)
            return self._read(fetched, key, rejection)

    async def _answer(self, question: Question, execution: Execution) -> Fetched:
        for turn in range(1, TRIES):
            fetched = await self._transport.send(question.url, question.request)
            if fetched.status not in RETRIED:
                return fetched
            seconds = self._retry_after(fetched)
            if seconds is None:
                seconds = FIRST_WAIT_SECONDS * 2 ** (turn - 1) * random.uniform(0.5, 1.5)  # noqa: S311 - no secret
            if asyncio.get_running_loop().time() + seconds >= execution.deadline:
                return fetched
            await self._pause(seconds)
        return await self._transport.send(question.url, question.request)

    def _retry_after(self, fetched: Fetched) -> float | None:
        return retry_after_seconds(fetched.headers.get("retry-after"), self._clock.now())

    def _read(self, fetched: Fetched, key: str, rejection: str) -> dict[str, Any]:
        answer = _json(fetched.body, key)
        if 200 <= fetched.status < 300:  # noqa: PLR2004 - RFC 9110 section 15.3
            return _object(answer, fetched)
        if fetched.status in REJECTED or _is_bad_token(answer):  # its words may hold a part of the key
            raise ProviderUnauthorized(f"{rejection} (status {fetched.status})")
        if 300 <= fetched.status < 400:  # noqa: PLR2004 - RFC 9110 section 15.4
            message = f"answered with a redirect (status {fetched.status}), which is not followed"
            raise ProviderFailed(f"{message}; is the base-url right?")
        words = _words(answer)
        raise ProviderFailed(
            f"answered with status {fetched.status}" + (f": {words}" if words else ""),
            retryable=fetched.status in RETRIED or fetched.status >= FIRST_SERVER_ERROR,
            retry_after_seconds=self._retry_after(fetched),
        )


def fixed_key(key: str) -> Credential:
    """What leases a key that is always the same."""

    @asynccontextmanager
    async def lease(_effect_id: str) -> AsyncIterator[str]:
        yield key

    return lease


def _json(body: bytes, key: str) -> object:
    r"""The value of a body without the key, or None when it is no JSON.

    Half a character is no reason to lose the rest (``\ud83d``): what cuts texts by UTF-16 units leaves some.
    """
    try:
        value: object = json.loads(body)
        written = json.dumps(value)  # in one spelling, so that no escape hides the key
        secret = json.dumps(key)[1:-1]
        if len(key) < MIN_SECRET_CHARS or secret not in written:
            return value
        masked: object = json.loads(written.replace(secret, MASK))
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError
        return None
    return masked


def _object(answer: object, fetched: Fetched) -> dict[str, Any]:
    if not isinstance(answer, dict):
        what = "a web page and no" if fetched.media_type == "text/html" else "no"
        raise ProviderFailed(f"the answer is {what} JSON object; is the base-url right?")
    return answer


def _words(answer: object) -> str:
    """What a provider says of its error: ``error`` as text, or as an object with its words in one of some fields."""
    error = answer.get("error") if isinstance(answer, dict) else None
    if isinstance(error, dict):
        error = next((error[name] for name in ("message", "detail", "code") if isinstance(error.get(name), str)), None)
    return " ".join(error.split())[:MAX_WORDS_CHARS] if isinstance(error, str) else ""


def _is_bad_token(answer: object) -> bool:
    """Whether this is how Brave says that it does not know the key, with a status of 422."""
    error = answer.get("error") if isinstance(answer, dict) else None
    return isinstance(error, dict) and error.get("code") == "SUBSCRIPTION_TOKEN_INVALID"
