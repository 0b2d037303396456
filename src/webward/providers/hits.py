"""Rows of an answer as hits: which fields hold what. The bounds are the engine's."""

from __future__ import annotations

from webward.errors import ProviderFailed
from webward.model import Hit

SNIPPET_FIELDS = ("snippet", "content", "description")  # the first that says something


def hits_of(rows: object) -> tuple[Hit, ...]:
    """The hits of a list of rows; a row that is none becomes a hit without URL, which is counted and dropped.

    Raises:
        ProviderFailed: There is no list.
    """
    if rows is None:  # how Go writes an empty list
        return ()
    if not isinstance(rows, list):
        raise ProviderFailed("the answer has no list of results")
    return tuple(_hit(row if isinstance(row, dict) else {}) for row in rows)


def _hit(row: dict[str, object]) -> Hit:
    snippets = (_text(row, name) for name in SNIPPET_FIELDS)
    return Hit(
        title=_text(row, "title"),
        url=_text(row, "url"),
        snippet=next((text for text in snippets if text.strip()), ""),
    )


def _text(row: dict[str, object], name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""
