"""What was measured, run by run: kept as JSON lines, and asked for medians and ratios."""

from __future__ import annotations

import json
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


NOT_RUN = "not run"


class Record:
    """All runs.

    Args:
        path: Where each run is written, one JSON object a line, when it is known.
        again: Whether to begin with what is written there; else that is forgotten.
    """

    def __init__(self, path: Path, *, again: bool = False) -> None:
        self._path = path
        if not again:
            path.write_text("")
        self._runs: list[dict[str, Any]] = [json.loads(line) for line in path.read_text().splitlines()]

    def add(self, part: str, who: str, what: str, round_number: int, values: dict[str, Any]) -> None:
        """Keep one run of one part of the benchmark."""
        run = {"part": part, "who": who, "what": what, "round": round_number, **values}
        self._runs.append(run)
        with self._path.open("a") as file:
            file.write(json.dumps(run) + "\n")

    def runs(self, part: str, who: str, what: str) -> list[dict[str, Any]]:
        """Those that ended well."""
        return [run for run in self._of(part, who, what) if "problem" not in run]

    def problem(self, part: str, who: str, what: str) -> str | None:
        """Why there is no figure, when none of the runs ended well."""
        if self.runs(part, who, what):
            return None
        return next((run["problem"] for run in self._of(part, who, what)), NOT_RUN)

    def median(self, part: str, who: str, what: str, value: str) -> float | None:
        """Over the rounds."""
        found = [run[value] for run in self.runs(part, who, what)]
        return median(found) if found else None

    def ratio(self, part: str, who: str, other: str, what: str, value: str) -> float | None:
        """The median of the ratios within each round: what slowed a round down strikes both."""
        mine, theirs = (self._by_round(part, name, what, value) for name in (who, other))
        found = [mine[number] / theirs[number] for number in mine if number in theirs]
        return median(found) if found else None

    def growth(self, part: str, who: str, small: str, large: str, value: str) -> float | None:
        """How much more one case costs than another: the median of the ratios within each round."""
        before, after = (self._by_round(part, who, what, value) for what in (small, large))
        found = [after[number] / before[number] for number in after if number in before]
        return median(found) if found else None

    def _of(self, part: str, who: str, what: str) -> list[dict[str, Any]]:
        wanted = (part, who, what)
        return [run for run in self._runs if (run["part"], run["who"], run["what"]) == wanted]

    def _by_round(self, part: str, who: str, what: str, value: str) -> dict[int, float]:
        return {run["round"]: run[value] for run in self.runs(part, who, what)}
