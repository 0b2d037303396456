"""What a user may import is this list and nothing else; all errors are in `webward.errors`."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import pytest

import webward
from webward import chat, errors, frockbot, text

if TYPE_CHECKING:
    from types import ModuleType

PUBLIC_NAMES = [
    "Checked",
    "ContentFilter",
    "ContentSettings",
    "EgressPolicy",
    "Fetched",
    "Gateway",
    "Headers",
    "Hit",
    "Hop",
    "Limits",
    "NetworkSettings",
    "Page",
    "Rendition",
    "SearchResponse",
    "SearchSettings",
    "Settings",
    "Timing",
    "Verdict",
    "__version__",
    "check",
    "fetch",
    "load_settings",
    "read",
    "search",
]
MOST_NAMES = 25


def faults(names: list[str], expected: list[str]) -> list[str]:
    found = [f"not expected: {name}" for name in names if name not in expected]
    found += [f"missing: {name}" for name in expected if name not in names]
    found += [] if names == sorted(set(names)) else ["not sorted, or a name stands twice"]
    return found + ([] if len(names) <= MOST_NAMES else [f"more than {MOST_NAMES} names"])


def test_public_names_are_the_list() -> None:
    assert faults(list(webward.__all__), PUBLIC_NAMES) == []


@pytest.mark.parametrize("name", PUBLIC_NAMES)
def test_public_name_is_there_and_says_what_it_is(name: str) -> None:
    value = getattr(webward, name)
    assert not inspect.ismodule(value)
    assert isinstance(value, str) or inspect.getdoc(value)


@pytest.mark.parametrize("module", [chat, frockbot, text])
def test_modules_of_re_exports_say_what_each_name_is(module: ModuleType) -> None:
    assert faults(module.__all__, sorted(module.__all__)) == []
    assert [name for name in module.__all__ if not inspect.getdoc(getattr(module, name))] == []


def test_every_error_is_public() -> None:
    ours = {name: value for name, value in vars(errors).items() if getattr(value, "__module__", "") == errors.__name__}
    assert [name for name, value in ours.items() if not issubclass(value, errors.WebwardError)] == []
    assert [name for name in ours if name.startswith("_") or not inspect.getdoc(ours[name])] == []


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a"], ["a", "b"]),
        (["a", "b"], ["a"]),
        (["b", "a"], ["a", "b"]),
        (["a", "a"], ["a"]),
        ([f"n{number}" for number in range(10, 36)], [f"n{number}" for number in range(10, 36)]),
    ],
    ids=["missing", "not expected", "not sorted", "twice", "too many"],
)
def test_a_wrong_list_is_seen(names: list[str], expected: list[str]) -> None:
    assert faults(names, expected)
