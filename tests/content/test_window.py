from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.content.window import Window, cut
from webward.errors import InvalidInput

CUTS = [
    ("whole", "abcdef", 0, None, "abcdef", None),
    ("exact", "abcdef", 0, 6, "abcdef", None),
    ("longer", "abcdef", 0, 99, "abcdef", None),
    ("first", "abcdef", 0, 4, "abcd", 4),
    ("next", "abcdef", 4, 4, "ef", None),
    ("middle", "abcdef", 2, 2, "cd", 4),
    ("rest", "abcdef", 2, None, "cdef", None),
    ("at-the-end", "abcdef", 6, 4, "", None),
    ("beyond-the-end", "abcdef", 9, 4, "", None),
    ("beyond-the-end-whole", "abcdef", 9, None, "", None),
    ("empty", "", 0, 4, "", None),
    ("combining-mark", "abe\u0301f", 0, 3, "ab", 2),
    ("two-marks", "abe\u0301\u0302f", 0, 4, "ab", 2),
    ("mark-behind-the-cut-only", "abe\u0301f", 0, 4, "abe\u0301", 4),
    ("variation-selector", "ab\u2764\ufe0fc", 0, 3, "ab", 2),
    ("joiner", "a\U0001f469\u200d\U0001f467b", 0, 2, "a", 1),
    ("after-the-joiner", "a\U0001f469\u200d\U0001f467b", 0, 3, "a", 1),
    ("skin-tone", "a\U0001f44b\U0001f3fdb", 0, 2, "a", 1),
    ("vowel-sign", "\u0928\u092e\u0938\u094d\u0924\u0947", 0, 3, "\u0928\u092e", 2),
    ("jamo", "a\u1112\u1161\u11ab", 0, 2, "a", 1),
    ("line-break", "ab\r\nc", 0, 3, "ab", 2),
    ("sequence-longer-than-the-window", "e\u0301\u0302\u0303f", 0, 2, "e\u0301", 2),
    ("sequence-continued", "e\u0301\u0302\u0303f", 2, 2, "\u0302\u0303", 4),
    ("one-at-a-time", "e\u0301f", 0, 1, "e", 1),
]


@pytest.mark.parametrize(
    ("text", "start", "max_chars", "part", "next_start"), [row[1:] for row in CUTS], ids=[row[0] for row in CUTS]
)
def test_window(text: str, start: int, max_chars: int | None, part: str, next_start: int | None) -> None:
    expected = Window(part, start=start, next_start=next_start, total_chars=len(text))

    assert cut(text, start=start, max_chars=max_chars) == expected


def test_piled_up_marks_do_not_hold_a_window_up() -> None:
    text = "a" + "\u0301" * 10_000

    assert cut(text, start=0, max_chars=5_000).next_start == 5_000


@pytest.mark.parametrize(("max_chars", "next_start"), [(112, 49), (113, 113)])
def test_look_back_is_bounded(max_chars: int, next_start: int) -> None:
    text = "a" * 50 + "\u0301" * 500

    assert cut(text, start=0, max_chars=max_chars).next_start == next_start


@pytest.mark.parametrize(("start", "max_chars"), [(-1, 5), (0, 0), (0, -3)])
def test_senseless_windows_are_refused(start: int, max_chars: int) -> None:
    with pytest.raises(InvalidInput):
        cut("abc", start=start, max_chars=max_chars)


PIECES = st.sampled_from(["a", "e\u0301", "\u200d", "\ufe0f", "\U0001f469\u200d\U0001f467", "\r\n", "\u0301" * 70, " "])


@given(st.lists(PIECES | st.text(max_size=3)).map("".join), st.integers(1, 90))
def test_windows_make_up_the_whole(text: str, max_chars: int) -> None:
    parts: list[str] = []
    start: int | None = 0
    while start is not None:
        window = cut(text, start=start, max_chars=max_chars)
        assert len(window.text) <= max_chars
        assert window.text or not text
        parts.append(window.text)
        start = window.next_start

    assert "".join(parts) == text


def test_a_fence_is_not_torn() -> None:
    text = "code\n```\nx = 1\n```\n"

    assert cut(text, start=0, max_chars=7).text == "code\n"
    assert cut("~" * 200, start=0, max_chars=100).next_start == 100
