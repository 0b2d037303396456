from __future__ import annotations

import pytest

from webward.content.srcset import MAX_CANDIDATES, largest_first


@pytest.mark.parametrize(
    ("source_set", "expected"),
    [
        ("", []),
        (" , ", []),
        (" 2x", []),
        ("a.png", ["a.png"]),
        ("a.png, b.png", ["a.png", "b.png"]),
        ("a.png, b.png 2x", ["b.png", "a.png"]),
        ("a.png 1x, b.png 1.5x", ["b.png", "a.png"]),
        ("a,b.png 100w,\n  c,d.png 200w", ["c,d.png", "a,b.png"]),
        ("a.png 100w 50h, b.png 200w 100h", ["b.png", "a.png"]),
        ("a.png 1.2.3x, b.png 1w", ["b.png", "a.png"]),
        ("a.png 2x, b.png 2x", ["a.png", "b.png"]),
        ("a.png large, b.png 2x", ["b.png", "a.png"]),
        (", " * 100_000 + "a.png", []),
    ],
)
def test_largest_first(source_set: str, expected: list[str]) -> None:
    assert largest_first([source_set]) == expected


def test_all_sets_of_an_image_compete() -> None:
    assert largest_first(["a.png 1x", "b.png 3x, c.png 2x"]) == ["b.png", "c.png", "a.png"]


@pytest.mark.parametrize("one", ["a.png, ", "a.png 1x, "], ids=["bare", "described"])
def test_a_flood_of_candidates_is_cut(one: str) -> None:
    assert len(largest_first([one * 100_000])) <= 2 * MAX_CANDIDATES
