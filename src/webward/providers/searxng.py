"""SearXNG: an instance that somebody runs, asked for JSON, which its operator must allow."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from webward.model import Note, Request, SearchAbilities, SearchRequest, SearchResponse
from webward.providers.client import Client, Question
from webward.providers.hits import hits_of

if TYPE_CHECKING:
    from webward.model import Execution

REJECTION = "the instance refuses; settings.yml must allow JSON (`search: formats: [html, json]`), without a login"


class Searxng:
    """Implements `ports.SearchProvider`. It has no key, and gives as many results as it likes.

    Args:
        base_url: Of the instance.
        client: Asks it.
    """

    name = "searxng"
    abilities = SearchAbilities()

    def __init__(self, base_url: str, client: Client) -> None:
        self._base_url = base_url
        self._client = client

    async def search(self, request: SearchRequest, execution: Execution) -> SearchResponse:
        """Ask once, as `ports.SearchProvider` says."""
        answer = await self._client.ask(partial(self._question, request), execution, rejection=REJECTION)
        return SearchResponse(
            query=request.query,
            hits=hits_of(answer.get("results", "none")),
            provider=self.name,
            notes=(Note.ENGINES_UNRESPONSIVE,) if answer.get("unresponsive_engines") else (),
        )

    def _question(self, request: SearchRequest, _key: str) -> Question:
        query = urlencode({"q": request.query, "format": "json"})
        return Question(url=f"{self._base_url}/search?{query}", request=Request(method="GET", headers=()))
