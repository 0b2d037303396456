"""Brave Search: an index of its own, which knows when pages were published."""

from __future__ import annotations

import html
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from msgspec.structs import replace

from webward.model import Hit, Request, SearchAbilities, SearchRequest, SearchResponse
from webward.providers.client import Client, Question
from webward.providers.hits import hits_of

if TYPE_CHECKING:
    from webward.model import Execution
    from webward.ports import Clock

PATH = "/res/v1/web/search"
FIRST_DAY = "1970-01-01"  # a range has two ends
REJECTION = "the key was rejected"


class Brave:
    """Implements `ports.SearchProvider`.

    Args:
        base_url: Of the API.
        client: Asks it.
        clock: Tells the last day of a range that has none.
    """

    name = "brave"
    abilities = SearchAbilities(dates=True)

    def __init__(self, base_url: str, client: Client, clock: Clock) -> None:
        self._base_url = base_url
        self._client = client
        self._clock = clock

    async def search(self, request: SearchRequest, execution: Execution) -> SearchResponse:
        """Ask once, as `ports.SearchProvider` says."""
        answer = await self._client.ask(partial(self._question, request), execution, rejection=REJECTION)
        web = answer.get("web")  # not there when nothing was found
        hits = hits_of(web.get("results", "none") if isinstance(web, dict) else web)
        return SearchResponse(query=request.query, hits=tuple(map(_unescaped, hits)), provider=self.name)

    def _question(self, request: SearchRequest, key: str) -> Question:
        parameters = {
            "q": request.query,
            "count": str(request.max_results),
            "result_filter": "web",
            "text_decorations": "false",
        }
        if request.published_after or request.published_before:
            parameters["freshness"] = self._range(request)
        return Question(
            url=f"{self._base_url}{PATH}?{urlencode(parameters)}",
            request=Request(method="GET", headers=(("X-Subscription-Token", key),)),
        )

    def _range(self, request: SearchRequest) -> str:
        last = request.published_before or self._clock.now().date().isoformat()
        return f"{request.published_after or FIRST_DAY}to{last}"


def _unescaped(hit: Hit) -> Hit:
    """Brave writes its texts for HTML."""
    return replace(hit, title=html.unescape(hit.title), snippet=html.unescape(hit.snippet))
