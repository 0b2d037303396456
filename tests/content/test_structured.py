from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.content.structured import MAX_ADDED_CHARS, render_json

DOCUMENTS = [
    ("nested", '{"b":1,"a":[1,{}],"c":[]}', '{\n  "b": 1,\n  "a": [\n    1,\n    {}\n  ],\n  "c": []\n}'),
    ("names-twice", '{"b":1,"b":2}', '{\n  "b": 1,\n  "b": 2\n}'),
    (
        "numbers",
        "[123456789012345678901234567890, 1e400, -0.0, 1.10]",
        "[\n  123456789012345678901234567890,\n  1e400,\n  -0.0,\n  1.10\n]",
    ),
    ("no-numbers", '[NaN,-Infinity,"NaN"]', '[\n  NaN,\n  -Infinity,\n  "NaN"\n]'),
    ("marks-in-text", '["[{,\\"", "]"]', '[\n  "[{,\\"",\n  "]"\n]'),
    ("escapes", '["\\u00e9","\u00e9"]', '[\n  "\\u00e9",\n  "\u00e9"\n]'),
    ("scalar", " 5\n", "5"),
    ("byte-order-mark", "\ufeff[1]", "[\n  1\n]"),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in DOCUMENTS], ids=[row[0] for row in DOCUMENTS])
def test_json_is_indented(text: str, expected: str) -> None:
    assert render_json(text).text == expected


NO_JSON = [
    "",
    "[1,]",
    "{a:1}",
    '{"a":1}x',
    "callback([1])",
    '["open',
    "[" * 100_000,
    '["a\nb"]',
    '["\\ud800"]',
    "\ud800",
]


@pytest.mark.parametrize("text", NO_JSON, ids=[ascii(text)[:20] for text in NO_JSON])
def test_what_is_no_json_stays(text: str) -> None:
    assert render_json(text).text == text


def test_what_would_grow_beyond_measure_stays() -> None:
    deep = "[" * 400 + ",".join("1" * 20_000) + "]" * 400

    assert len(deep) * 400 * 2 > MAX_ADDED_CHARS
    assert render_json(deep).text == deep


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=20))
def test_the_value_stays(value: object) -> None:
    assert json.loads(render_json(json.dumps(value)).text) == value


HOSTILE = [
    *("[1," * 500_000, '"' * 1_000_000, "\\" * 1_000_000, '{"a":' * 300_000, "-" * 1_000_000, "NaN," * 300_000),
    *('"' + '\\"' * 500_000, 'NaN"' + '\\"' * 500_000, '["' + "\\u0041" * 200_000 + '"]'),
]


@pytest.mark.parametrize("text", HOSTILE, ids=[text[:9] for text in HOSTILE])
def test_hostile_text_ends_in_linear_time(text: str) -> None:
    started = time.perf_counter()
    render_json(text)

    assert time.perf_counter() - started < 10
