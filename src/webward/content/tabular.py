"""Tables in text (CSV, TSV) to one GFM table, bounded in rows, columns and cells."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

from webward.content.rendered import Rendered

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_ROWS = 5_000
"""Rows below the header: more is data to compute with, not to read."""

MAX_COLUMNS = 100
"""Columns of the table."""

MAX_CELL_CHARS = 1_000
"""Of one cell."""

SNIFFED_CHARS = 4_096
"""How much is looked at to find the separator."""

_SEPARATORS = ",;\t|"
_QUOTED = re.compile(r'"[^"]*"')
_SPECIAL = re.compile(r"[\\|<\[`]")  # what would make a column, markup, a link or code of data


def render_table(text: str, *, separator: str | None = None) -> Rendered:
    """Render separated values (RFC 4180) as a table, the first row as its header.

    Args:
        text: The rows.
        separator: What parts the cells; by default the likeliest of comma, semicolon, tab and bar.
    """
    text = text.removeprefix("\ufeff")
    if separator is None:
        separator = _sniffed(text)
    rows: list[list[str]] = []
    try:
        for row in _rows(text, separator):
            if len(rows) > MAX_ROWS:
                return _table(rows, truncated=True)
            rows.append(row)
    except csv.Error:  # a cell beyond the reader's limit of 128 KiB: mostly a quote that nothing closes
        return Rendered(text)
    return _table(rows, truncated=False) if rows else Rendered(text)


def _sniffed(text: str) -> str:
    sample = _QUOTED.sub("", text[:SNIFFED_CHARS])
    return max(_SEPARATORS, key=sample.count)


def _rows(text: str, separator: str) -> Iterator[list[str]]:
    lines = (line[0] for line in re.finditer(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text))
    return (row for row in csv.reader(lines, delimiter=separator) if any(map(str.strip, row)))


def _table(rows: list[list[str]], *, truncated: bool) -> Rendered:
    widest = max(map(len, rows))
    columns = min(widest, MAX_COLUMNS)
    is_cut = truncated or widest > columns or any(len(cell) > MAX_CELL_CHARS for row in rows for cell in row)
    lines = [_line(row, columns) for row in rows]
    lines.insert(1, "|" + " --- |" * columns)
    return Rendered("\n".join(lines), truncated=is_cut)


def _line(row: list[str], columns: int) -> str:
    cells = [_cell(text) for text in row[:columns]]
    cells += [""] * (columns - len(cells))
    return "| " + " | ".join(cells) + " |"


def _cell(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", " ".join(text[:MAX_CELL_CHARS].split()))
