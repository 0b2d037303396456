"""A search provider without a server, which answers from a list and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Sequence

from webward.errors import WebwardError
from webward.model import Execution, Hit, SearchAbilities, SearchRequest, SearchResponse

Answer = Sequence[Hit] | WebwardError


class FakeProvider:
    """Implements `webward.ports.SearchProvider`: the n-th question gets the n-th answer, and the last answer stays.

    Args:
        answers: Hits, or an error to raise; without any, nothing is ever found.
        name: What callers call it.
        abilities: What it claims to do itself.

    Attributes:
        requests: What it was asked, in order.
        executions: Of the same calls.
    """

    def __init__(
        self,
        *answers: Answer,
        name: str = "fake",
        abilities: SearchAbilities = SearchAbilities(),  # noqa: B008 - frozen
    ) -> None:
        self._answers: list[Answer] = list(answers) or [()]
        self.name = name
        self.abilities = abilities
        self.requests: list[SearchRequest] = []
        self.executions: list[Execution] = []

    async def search(self, request: SearchRequest, execution: Execution) -> SearchResponse:
        """The next answer."""
        self.requests.append(request)
        self.executions.append(execution)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, WebwardError):
            raise answer
        return SearchResponse(query=request.query, hits=tuple(answer), provider=self.name)
