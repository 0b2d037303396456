from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.content.tabular import MAX_CELL_CHARS, MAX_COLUMNS, MAX_ROWS, render_table

RULE = "| --- | --- |"
TABLES = [
    ("comma", "a,b\n1,2\n", f"| a | b |\n{RULE}\n| 1 | 2 |"),
    ("carriage-returns", "a,b\r\n1,2\r3,4", f"| a | b |\n{RULE}\n| 1 | 2 |\n| 3 | 4 |"),
    ("semicolon", "a;b\n1,5;2", f"| a | b |\n{RULE}\n| 1,5 | 2 |"),
    ("tab", "a\tb\n1\t2", f"| a | b |\n{RULE}\n| 1 | 2 |"),
    ("quoted", 'a,b\n"1, 2","say ""x"""', f'| a | b |\n{RULE}\n| 1, 2 | say "x" |'),
    ("line-break-in-a-cell", 'a,b\n"1\n2",3', f"| a | b |\n{RULE}\n| 1 2 | 3 |"),
    ("bars", "a,b\nx|y,z\\|", f"| a | b |\n{RULE}\n| x\\|y | z\\\\\\| |"),
    ("markup", "a,b\n![x](y),<b>`c`", f"| a | b |\n{RULE}\n| !\\[x](y) | \\<b>\\`c\\` |"),
    ("short-row", "a,b\n1", f"| a | b |\n{RULE}\n| 1 |  |"),
    ("long-row", "a\n1,2", f"| a |  |\n{RULE}\n| 1 | 2 |"),
    ("empty-rows", "\n,\na,b\n\n1,2\n", f"| a | b |\n{RULE}\n| 1 | 2 |"),
    ("byte-order-mark", "\ufeffa,b", f"| a | b |\n{RULE}"),
    ("one-column", "a\n1", "| a |\n| --- |\n| 1 |"),
    ("empty", "", ""),
    ("blank", " \n", " \n"),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in TABLES], ids=[row[0] for row in TABLES])
def test_table(text: str, expected: str) -> None:
    rendered = render_table(text)

    assert (rendered.text, rendered.truncated) == (expected, False)


def test_a_given_separator_is_obeyed() -> None:
    assert render_table("a,b\tc", separator="\t").text == f"| a,b | c |\n{RULE}"


BOUNDS = [
    ("rows", "a\n" * (MAX_ROWS + 1), False, MAX_ROWS + 2),
    ("too-many-rows", "a\n" * (MAX_ROWS + 2), True, MAX_ROWS + 2),
    ("columns", ",".join("a" * MAX_COLUMNS), False, 2),
    ("too-many-columns", ",".join("a" * (MAX_COLUMNS + 1)), True, 2),
    ("cell", "a,b\n" + "x" * MAX_CELL_CHARS + ",1", False, 3),
    ("too-long-a-cell", "a,b\n" + "x" * (MAX_CELL_CHARS + 1) + ",1", True, 3),
]


@pytest.mark.parametrize(("text", "truncated", "lines"), [row[1:] for row in BOUNDS], ids=[row[0] for row in BOUNDS])
def test_bounds(text: str, *, truncated: bool, lines: int) -> None:
    rendered = render_table(text)

    assert rendered.truncated is truncated
    assert rendered.text.count("\n") + 1 == lines
    assert max(map(len, rendered.text.split("\n"))) <= MAX_CELL_CHARS + 10 * MAX_COLUMNS


@given(st.text(alphabet='ab,;\t|"\r\n\\ \0', max_size=60))
def test_rows_have_equal_columns(text: str) -> None:
    rendered = render_table(text)
    plain = [line.replace("\\\\", "").replace("\\|", "") for line in rendered.text.split("\n")]

    assert rendered.text == text or len({line.count("|") for line in plain}) == 1


HOSTILE = ['"' + "a\n" * 500_000, "a," * 500_000, "a\n" * 500_000, '"' * 1_000_000, "\r" * 1_000_000, "x" * 1_000_000]


@pytest.mark.parametrize("text", HOSTILE, ids=[ascii(text[:4]) for text in HOSTILE])
def test_hostile_text_ends_in_linear_time(text: str) -> None:
    started = time.perf_counter()
    render_table(text)

    assert time.perf_counter() - started < 10
