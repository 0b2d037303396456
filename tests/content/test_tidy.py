from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.content.tidy import tidy

ROWS = [
    ("nothing", "a\n\n- b\n  - c", "a\n\n- b\n  - c"),
    ("empty", "", ""),
    ("newlines", "a\n\n\n\nb", "a\n\nb"),
    ("blank-line", "a\n\n\u00a0\n\nb", "a\n\nb"),
    ("blank-lines", "a\n\n  \u00a0 \u00a0\n\n\u00a0\n\nb", "a\n\nb"),
    ("blank-quoted", "> a\n> \u00a0\n> b", "> a\n> b"),
    ("blanks-of-all-kinds", "a\n\n\u3000\n\n\u2003 \ufeff\n\nb", "a\n\nb"),
    ("blank-all", "\u00a0\n\n\u00a0", ""),
    ("indented-by-blanks", "\u00a0\u00a0a\u00a0", "\u00a0\u00a0a\u00a0"),
    ("bullet", "- \n- a\n* \n* b", "- a\n* b"),
    ("last-bullet", "- a\n- ", "- a"),
    ("last-bullet-without-its-blank", "- a\n  - \n    -", "- a"),
    ("bullet-above-spaces", "- \n  \n- a", "- a"),
    ("bullet-in-a-quote", "> - \n> - a", "> - a"),
    ("bullets-below-each-other", "- \n  - \n    - \n- a", "- a"),
    ("number", "1. \n2. a", "1. \n2. a"),
    ("bullet-that-holds-a-list", "- \n  - a", "- \n  - a"),
    ("bullet-that-holds-code", "- \n  ```\n  a\n  ```", "- \n  ```\n  a\n  ```"),
    ("bullet-above-an-empty-line", "- \n\n  - a\n- b", "- \n  - a\n- b"),
    ("number-above-an-empty-line", "1. \n\n   a", "1. \n   a"),
    ("bullet-that-holds-empty-ones", "- a\n  - \n  - \n- b", "- a\n- b"),
    ("number-above-an-empty-bullet", "1. \n   - \n\n   a", "1. \n   a"),
    ("rule", "a\n\n---\n\nb", "a\n\n---\n\nb"),
    ("code", "```\na\n\n\n\n- \n\u00a0\nb\n```\n\n\n\nc", "```\na\n\n\n\n- \n\u00a0\nb\n```\n\nc"),
    ("code-in-an-item", "1. a\n   ````\n   ```\n   - \n   ````\n- \n", "1. a\n   ````\n   ```\n   - \n   ````"),
    ("blank-before-code", "a\n\n\u00a0\n\n```\nb\n```", "a\n\n```\nb\n```"),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_tidy(text: str, expected: str) -> None:
    assert tidy(text) == expected


PIECES = ["\n", "\n\n", "- ", "* ", "1. ", "  ", "> ", "\u00a0", "a", "b c", "```\n", "`", "---"]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_words_stay(text: str) -> None:
    assert [word for word in tidy(text).split() if word.isalpha()] == [word for word in text.split() if word.isalpha()]


@pytest.mark.parametrize("piece", ["- \n", "  - \n- \n", "\u00a0\n", "\n", "```\nx\n```\n", "\n```x`", "\n" + 30 * " "])
def test_floods_are_linear(piece: str) -> None:
    assert len(tidy(piece * 100_000)) <= 100_000 * len(piece)
