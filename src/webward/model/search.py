"""Values of a web search: what is asked, of whom it can be asked, and what is found."""

from __future__ import annotations

from msgspec import Struct

MAX_QUERY_CHARS = 400  # what Brave takes at the most; longer questions find less
MAX_RESULTS = 10  # what Ollama gives at the most
DEFAULT_RESULTS = 5
MAX_TITLE_CHARS = 300
MAX_HIT_URL_CHARS = 2048
MAX_SNIPPET_CHARS = 1000


class SearchRequest(Struct, frozen=True, kw_only=True):
    """What is asked of a provider, checked.

    Attributes:
        query: Trimmed, 1 to 400 characters.
        max_results: 1 to 10.
        allowed_domains: When given, only hits of these hosts, or of hosts below them, are wanted; A-labels.
        blocked_domains: Hits of these hosts, and of hosts below them, are not wanted; A-labels.
        published_after: First day that is wanted, as YYYY-MM-DD.
        published_before: Last day that is wanted, as YYYY-MM-DD.
    """

    query: str
    max_results: int
    allowed_domains: tuple[str, ...] = ()
    blocked_domains: tuple[str, ...] = ()
    published_after: str | None = None
    published_before: str | None = None


class Execution(Struct, frozen=True, kw_only=True):
    """One call of a provider; it is given up by cancelling its task.

    Attributes:
        effect_id: The caller's name for what is done here: a lease of a key is kept and settled under it.
        deadline: When the call must be over, on the event loop's clock.
    """

    effect_id: str
    deadline: float


class SearchAbilities(Struct, frozen=True, kw_only=True):
    """What a provider does itself; the rest is done after the call where that is possible, and noted.

    Attributes:
        domains: Whether it keeps to ``allowed_domains`` and ``blocked_domains``.
        dates: Whether it keeps to ``published_after`` and ``published_before``.
    """

    domains: bool = False
    dates: bool = False


class Hit(Struct, frozen=True, kw_only=True):
    """A page that was found.

    Attributes:
        title: At most 300 characters on one line; may be empty.
        url: An http or https URL of at most 2048 characters, without user name and password.
        snippet: At most 1000 characters on one line; may be empty.
    """

    title: str
    url: str
    snippet: str


class SearchResponse(Struct, frozen=True, kw_only=True):
    """What a search found.

    Attributes:
        query: As it was asked.
        hits: In the provider's order.
        provider: Who was asked.
        notes: Stable words on what was done or could not be done (docs/results.md).
    """

    query: str
    hits: tuple[Hit, ...]
    provider: str
    notes: tuple[str, ...] = ()
