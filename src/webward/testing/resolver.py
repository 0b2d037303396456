"""A resolver that answers from a table, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING

from webward.errors import NameNotFound, WebwardError

if TYPE_CHECKING:
    from webward.model import Address

Answer = Sequence[str] | WebwardError


class FakeResolver:
    """Implements `webward.ports.Resolver`.

    Attributes:
        questions: The names that were asked for, in order.
    """

    def __init__(self) -> None:
        self._answers: dict[str, list[Answer]] = {}
        self.questions: list[str] = []

    def answer(self, host: str, *answers: Answer) -> None:
        """Set what a name resolves to: the n-th question gets the n-th answer, and the last answer stays.

        Args:
            host: An A-label name.
            answers: Addresses, or an error to raise.
        """
        self._answers[host] = list(answers)

    def knows(self, host: str) -> bool:
        """Whether the name has an answer."""
        return host in self._answers

    async def resolve(self, host: str) -> tuple[Address, ...]:
        """The next answer for a name; a name without one does not exist."""
        self.questions.append(host)
        answers = self._answers.get(host)
        if not answers:
            raise NameNotFound(f"{host} does not exist or has no address")
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(answer, WebwardError):
            raise answer
        return tuple(map(ip_address, answer))
