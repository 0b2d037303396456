"""The order of a search: check, ask the provider, sanitize and bound what it found, filter what it could not.

Whatever goes wrong is raised anew: what led to an error holds the request, and that may hold the provider's key.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, TypedDict

from msgspec.structs import replace

from webward.content.sanitize import sanitize_external_text, scrub
from webward.core import url
from webward.engine.deadline import deadline
from webward.errors import (
    InvalidInput,
    LimitExceeded,
    ProviderFailed,
    ProviderNotConfigured,
    ProviderUnauthorized,
    Refused,
    TransportError,
    WebwardError,
)
from webward.model import (
    MAX_HIT_URL_CHARS,
    MAX_QUERY_CHARS,
    MAX_RESULTS,
    MAX_SNIPPET_CHARS,
    MAX_TITLE_CHARS,
    Execution,
    Hit,
    Note,
    SearchRequest,
    SearchResponse,
)

if TYPE_CHECKING:
    from webward.engine.call import Call
    from webward.ports import SearchProvider

MAX_DOMAINS = 100  # of one list; each hit is compared with every one
MAX_EFFECT_ID_CHARS = 200
OPENED_FOR_PROVIDER = frozenset(  # by the one setting that a provider has for all of them
    ("egress.unsafe-allow-hosts", "egress.unsafe-allow-cidr", "egress.unsafe-allow-own-addresses")
)
MAX_MESSAGE_CHARS = 500  # of an error that may hold a provider's own words


class SearchFilters(TypedDict, total=False):
    """What narrows a search."""

    allowed_domains: Iterable[str]
    blocked_domains: Iterable[str]
    published_after: str | None
    published_before: str | None


class SearchKeywords(SearchFilters, total=False):
    """The keyword arguments of `Gateway.search`."""

    provider: str | None
    effect_id: str | None
    timeout_ms: int | None


def checked_request(
    query: object,
    max_results: object,
    *,
    allowed_domains: object = (),
    blocked_domains: object = (),
    published_after: object = None,
    published_before: object = None,
) -> SearchRequest:
    """Check the arguments of a search.

    Raises:
        InvalidInput: One is of the wrong kind or out of its range.
    """
    first, last = _day("published_after", published_after), _day("published_before", published_before)
    if first and last and first > last:
        raise InvalidInput("published_after is later than published_before, so nothing could be found")
    return SearchRequest(
        query=_query(query),
        max_results=_max_results(max_results),
        allowed_domains=_domains("allowed_domains", allowed_domains),
        blocked_domains=_domains("blocked_domains", blocked_domains),
        published_after=first,
        published_before=last,
    )


def checked_effect_id(effect_id: object) -> str:
    """The caller's effect id, or a new one.

    Raises:
        InvalidInput: It is no text, empty or too long.
    """
    if effect_id is None:
        return uuid.uuid4().hex
    if not isinstance(effect_id, str) or not 0 < len(effect_id) <= MAX_EFFECT_ID_CHARS:
        raise InvalidInput(f"effect_id must be text of 1 to {MAX_EFFECT_ID_CHARS} characters")
    return effect_id


async def search(
    request: SearchRequest, provider: SearchProvider, *, effect_id: str, call: Call, ceiling: int
) -> SearchResponse:
    """Ask a provider, and give what it found as the contract has it.

    Args:
        request: What is asked.
        provider: Who is asked.
        effect_id: The caller's name for this call.
        call: With the one deadline.
        ceiling: The operator's own, of results.

    Raises:
        ProviderError: There are no results to be had.
        DeadlineExceeded: The time is over.
    """
    wanted = min(request.max_results, ceiling)
    is_filtered = bool(request.allowed_domains or request.blocked_domains) and not provider.abilities.domains
    asked = replace(request, max_results=ceiling if is_filtered else wanted)  # so that enough is left
    found = await _ask(provider, asked, effect_id=effect_id, seconds=call.deadline_seconds)
    usable = [hit for hit in map(_usable, found.hits) if hit is not None]
    kept = [hit for hit in usable if _is_wanted(hit, request)]
    has_dates = request.published_after is not None or request.published_before is not None
    notes = (
        (Note.MAX_RESULTS_CLAMPED, request.max_results > ceiling),
        (Note.DOMAINS_FILTERED, is_filtered),
        (Note.DATES_IGNORED, has_dates and not provider.abilities.dates),
        (Note.RESULTS_DROPPED, len(usable) < len(found.hits)),
    )
    return SearchResponse(
        query=request.query,
        hits=tuple(kept[:wanted]),
        provider=provider.name,
        notes=(*call.notes, *(note for note, is_due in notes if is_due), *found.notes),
    )


async def _ask(provider: SearchProvider, request: SearchRequest, *, effect_id: str, seconds: float) -> SearchResponse:
    execution = Execution(effect_id=effect_id, deadline=asyncio.get_running_loop().time() + seconds)
    try:
        async with deadline(seconds):
            return await provider.search(request, execution)
    except WebwardError as error:
        failure = _retold(error, provider.name)
    raise failure


def _retold(error: WebwardError, name: str) -> WebwardError:
    """The error as a new one, without trace and context; what the transport says becomes the provider's failure."""
    message = sanitize_external_text(f"{name}: {error.message}", max_chars=MAX_MESSAGE_CHARS).text
    if isinstance(error, LimitExceeded):
        return type(error)(error.message, setting=error.setting)
    if isinstance(error, Refused) and error.setting in OPENED_FOR_PROVIDER:
        setting = f"search.{name}.unsafe-allow-private"
        problem = f"the base-url of {name} leads to what is not public; if that is meant, set {setting} = true"
        return ProviderNotConfigured(problem, setting=setting)
    if isinstance(error, ProviderUnauthorized | ProviderNotConfigured):
        return type(error)(message, setting=error.setting)
    return ProviderFailed(
        message,
        setting=error.setting,
        retryable=error.retryable,
        retry_after_seconds=error.retry_after_seconds,
        unreached=isinstance(error, TransportError | Refused),
    )


def _usable(hit: Hit) -> Hit | None:
    """A hit within the bounds, safe to hand to a model; None when its URL is none that can be read."""
    address = _hit_url(hit.url)
    if address is None:
        return None
    return Hit(title=_line(hit.title, MAX_TITLE_CHARS), url=address, snippet=_line(hit.snippet, MAX_SNIPPET_CHARS))


def _line(text: str, max_chars: int) -> str:
    return sanitize_external_text(" ".join(text.split()), max_chars=max_chars).text


def _hit_url(text: str) -> str | None:
    """The URL as the provider wrote it, or as browsers would where that says something else."""
    if len(text) > MAX_HIT_URL_CHARS:
        return None
    try:
        normal = url.parse(text).url
    except WebwardError:
        return None
    if len(normal) > MAX_HIT_URL_CHARS or scrub(normal).report:
        return None
    return text if normal == f"{text}/" else normal


def _is_wanted(hit: Hit, request: SearchRequest) -> bool:
    if not request.allowed_domains and not request.blocked_domains:
        return True
    host = url.parse(hit.url).host
    allowed = not request.allowed_domains or _is_below(host, request.allowed_domains)
    return allowed and not _is_below(host, request.blocked_domains)


def _is_below(host: str, domains: tuple[str, ...]) -> bool:
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def _query(query: object) -> str:
    if not isinstance(query, str):
        raise InvalidInput("query must be text")
    text = query.strip()
    if not 0 < len(text) <= MAX_QUERY_CHARS:
        raise InvalidInput(f"query must have 1 to {MAX_QUERY_CHARS} characters")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidInput("query holds a lone surrogate, which UTF-8 cannot write") from None
    return text


def _max_results(number: object) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MAX_RESULTS:
        raise InvalidInput(f"max_results must be a whole number from 1 to {MAX_RESULTS}")
    return number


def _domains(name: str, domains: object) -> tuple[str, ...]:
    if isinstance(domains, str) or not isinstance(domains, Iterable):
        raise InvalidInput(f"{name} must be a list of host names")
    given = tuple(domains)
    if len(given) > MAX_DOMAINS:
        raise InvalidInput(f"{name} has more than {MAX_DOMAINS} entries")
    return tuple(dict.fromkeys(_domain(name, domain) for domain in given))


def _domain(name: str, domain: object) -> str:
    if isinstance(domain, str) and not set(domain) & set("/\\?#@:[] "):
        try:
            return url.parse(f"https://{domain}/").host
        except InvalidInput:
            pass
    raise InvalidInput(f"{name} takes host names such as example.com, which stands for all below it, too")


def _day(name: str, day: object) -> str | None:
    if day is None:
        return None
    if isinstance(day, str):
        try:
            if date.fromisoformat(day).isoformat() == day:  # ISO 8601 has more spellings, and providers have not
                return day
        except ValueError:
            pass
    raise InvalidInput(f"{name} must be a day, as in 2026-01-31")
