"""Ollama: its cloud with a key, or a daemon that is signed in and passes the question on without one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec

from webward.model import Request, SearchAbilities, SearchRequest, SearchResponse
from webward.providers.client import Client, Question
from webward.providers.hits import hits_of

if TYPE_CHECKING:
    from webward.model import Execution

CLOUD_PATH = "/api/web_search"
DAEMON_PATH = "/api/experimental/web_search"
REJECTION = "the key was rejected"
DAEMON_REJECTION = "the daemon is not signed in; run `ollama signin` on its machine"


class Ollama:
    """Implements `ports.SearchProvider`.

    Args:
        base_url: Of the cloud or the daemon.
        client: Asks it.
    """

    name = "ollama"
    abilities = SearchAbilities()

    def __init__(self, base_url: str, client: Client) -> None:
        self._base_url = base_url
        self._client = client

    async def search(self, request: SearchRequest, execution: Execution) -> SearchResponse:
        """Ask once, as `ports.SearchProvider` says."""
        rejection = REJECTION if self._client.has_key else DAEMON_REJECTION
        answer = await self._client.ask(partial(self._question, request), execution, rejection=rejection)
        return SearchResponse(query=request.query, hits=hits_of(answer.get("results", "none")), provider=self.name)

    def _question(self, request: SearchRequest, key: str) -> Question:
        headers = [("Content-Type", "application/json"), *([("Authorization", f"Bearer {key}")] if key else [])]
        body = msgspec.json.encode({"query": request.query, "max_results": request.max_results})
        return Question(
            url=self._base_url + (CLOUD_PATH if key else DAEMON_PATH),
            request=Request(method="POST", headers=tuple(headers), body=body),
        )
