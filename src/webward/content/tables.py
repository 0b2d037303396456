"""Tables as they are rendered: grids of data become rows, what only lays a page out becomes its blocks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Element, Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Node

MAX_SPAN = 50
"""Columns or rows that a cell may span; tables that people read have fewer."""

MAX_FILLED_CELLS = 20_000
"""Empty cells that are put at the ends of the short rows of a page."""

MAX_LEVELS = 16
"""Tables in one another that may be grids; all that is in a table is looked at for each, and old layouts have ten."""

MAX_CELL_CHARS = 1_200
"""A longer cell is prose, and a table without headers that holds prose lays a page out."""

_DIGITS = re.compile(r"\d{1,6}")
_SECTIONS = frozenset({"thead", "tbody", "tfoot"})
_ROW_HOLDERS = _SECTIONS | {"tr"}
_CELLS = frozenset({"td", "th"})
_BLOCKS = "h1, h2, h3, pre"  # the lower headings stand in the cells of many a grid
_FLAT = "ul, ol, menu, dl, table, p, div, br"
_LINES = frozenset({"p", "div", "br"})


def normalize(tree: Node) -> None:
    """Unwrap the tables that lay a page out, and make the rows of the others whole."""
    left = MAX_FILLED_CELLS
    levels = _levels(tree.select("table"))
    flattened: set[Element] = set()
    for table, level in levels.items():
        if table in flattened:  # a cell shows no grid
            continue
        rows = list(_rows(table))
        if level > MAX_LEVELS or _is_layout(table, rows):
            _unwrap(table, rows)
            continue
        left -= _fill(rows, left)
        if len({len(_cells(row)) for row in rows}) > 1:  # the renderer would give it as HTML
            _unwrap(table, rows)
            continue
        for block in table.select(_FLAT):
            block.insert_before(Text(" "))
            block.insert_after(Text(" "))
            if block.tag in _LINES:
                block.tag = "span"
        flattened.update(table.select("table"))


def _levels(tables: list[Element]) -> dict[Element, int]:
    """How many tables each stands in, itself included, in document order."""
    levels: dict[Element, int] = {}
    for table in tables:
        outer = table.parent.closest("table") if isinstance(table.parent, Element) else None
        levels[table] = 1 + (levels[outer] if outer is not None else 0)
    return levels


def _rows(table: Element) -> Iterator[Element]:
    _order_sections(table)
    for child in table.children:
        if isinstance(child, Element):
            if child.tag == "tr":
                yield child
            elif child.tag in _SECTIONS:
                yield from (row for row in child.children if isinstance(row, Element) and row.tag == "tr")


def _order_sections(table: Element) -> None:
    """Put the head first and the foot last, where they are shown wherever they stand (CSS 2.2, section 17.2)."""
    children = [child for child in table.children if isinstance(child, Element)]
    tags = [child.tag for child in children]
    if "thead" in tags:
        head, first = children[tags.index("thead")], next(child for child in children if child.tag in _ROW_HOLDERS)
        if first != head:
            first.insert_before(head.extract())
    if "tfoot" in tags:
        table.append(children[tags.index("tfoot")].extract())


def _cells(row: Element) -> list[Element]:
    return [cell for cell in row.children if isinstance(cell, Element) and cell.tag in _CELLS]


def _is_layout(table: Element, rows: list[Element]) -> bool:
    is_headed = any(cell.tag == "th" for row in rows[:1] for cell in _cells(row)) or _has_caption(table)
    if is_headed:
        _flatten_code(table)
    if (table.attr("role") or "").lower() in {"presentation", "none"} or table.select_one(_BLOCKS) is not None:
        return True
    if table.select_one("table") is not None and not is_headed:
        return True
    wide = 0
    for row in rows:
        texts = [cell.text for cell in _cells(row)]
        if not is_headed and any(_is_prose(text) for text in texts):
            return True
        wide += (len(texts) if is_headed else sum(bool(text.strip()) for text in texts)) > 1
    return wide < 2  # noqa: PLR2004 - one row or one column is no grid


def _has_caption(table: Element) -> bool:
    return any(isinstance(child, Element) and child.tag == "caption" for child in table.children)


def _flatten_code(table: Element) -> None:
    """Make blocks of code that a cell can hold, since they are of one line, a part of that line."""
    for block in table.select("pre"):
        line = block.text.strip()
        if "\n" not in line:
            block.text = line
            block.insert_before(Text(" "))
            block.insert_after(Text(" "))
            block.tag = "code"


def _is_prose(text: str) -> bool:
    return len(text) > MAX_CELL_CHARS and len(" ".join(text.split())) > MAX_CELL_CHARS


def _unwrap(table: Element, rows: list[Element]) -> None:
    for row in rows:
        for cell in _cells(row):
            cell.tag = "div"
        row.tag = "div"
    for child in table.children:
        if isinstance(child, Element):
            child.tag = "div"
    table.tag = "div"


def _fill(rows: list[Element], left: int) -> int:
    """Put empty cells where others span, and at the ends of short rows, at most so many; give how many."""
    before = left
    if _spanned(rows) > left:
        _forget_spans(rows)
    hanging: dict[int, int] = {}
    widths = [_fill_row(row, hanging) for row in rows]
    widest = max(widths)
    for row, width in zip(rows, widths, strict=True):
        missing = widest - width
        if missing > left:
            return before
        left -= missing
        row.extend(Element("td") for _ in range(missing))
    return before - left


def _spanning(rows: list[Element]) -> list[Element]:
    return [cell for row in rows for cell in _cells(row) if "colspan" in cell.attrs or "rowspan" in cell.attrs]


def _spanned(rows: list[Element]) -> int:
    """Cells that spans stand for, were all of them filled."""
    return sum(_declared(cell.attr("colspan")) * _declared(cell.attr("rowspan")) for cell in _spanning(rows))


def _forget_spans(rows: list[Element]) -> None:
    """Of a table that is made to grow beyond measure, each cell is one."""
    for cell in _spanning(rows):
        for name in ("colspan", "rowspan"):
            if name in cell.attrs:
                del cell.attrs[name]


def _fill_row(row: Element, hanging: dict[int, int]) -> int:
    """Make a row whole, from cells above that hang into it and its own that span; give its width."""
    column = 0
    for cell in _cells(row):
        while hanging.get(column):
            hanging[column] -= 1
            column += 1
            cell.insert_before(Element("td"))
        columns, height = _span(cell, "colspan"), _span(cell, "rowspan")
        for _ in range(columns - 1):
            cell.insert_after(Element("td"))
        for number in range(column, column + columns):
            hanging[number] = height - 1
        column += columns
    while hanging.get(column):
        hanging[column] -= 1
        column += 1
        row.append(Element("td"))
    return column


def _span(cell: Element, name: str) -> int:
    declared = cell.attr(name)
    if declared is None:
        return 1
    del cell.attrs[name]
    return _declared(declared)


def _declared(span: str | None) -> int:
    found = _DIGITS.match(span) if span is not None else None
    return max(1, min(int(found[0]), MAX_SPAN)) if found else 1
