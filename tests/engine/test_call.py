from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.config import Limits
from webward.engine.call import METHODS, checked_call
from webward.errors import InvalidHeader, InvalidInput

LIMITS = Limits(deadline_seconds=30, max_deadline_seconds=120, body_bytes=1000, max_body_bytes=5000)


def test_a_call_that_asks_for_nothing() -> None:
    call = checked_call(LIMITS)
    assert (call.method, call.headers, call.body) == ("GET", (), b"")
    assert (call.deadline_seconds, call.max_bytes) == (30.0, 1000)
    assert call.follow_redirects
    assert call.notes == ()


def test_headers_are_never_printed() -> None:
    assert "hunter2" not in repr(checked_call(LIMITS, headers={"Authorization": "Bearer hunter2"}))


@pytest.mark.parametrize("method", METHODS)
def test_methods_have_no_case(method: str) -> None:
    assert checked_call(LIMITS, method=method.lower()).method == method


@pytest.mark.parametrize(
    "method", ["", "CONNECT", "TRACE", "GET ", "G\r\nET", "PROPFIND", "get\u0131", 1, b"GET", True]
)
def test_other_methods_are_invalid(method: Any) -> None:
    with pytest.raises(InvalidInput, match="method must be one of GET, HEAD, POST"):
        checked_call(LIMITS, method=method)


@pytest.mark.parametrize(
    ("arguments", "body", "content_type"),
    [
        ({"json": {"a": [1, "é"]}}, b'{"a":[1,"\\u00e9"]}', "application/json"),
        ({"json": False}, b"false", "application/json"),
        ({"json": 0}, b"0", "application/json"),
        ({"json": ""}, b'""', "application/json"),
        ({"json": "\ud800"}, b'"\\ud800"', "application/json"),
        ({"body": "é"}, "é".encode(), "text/plain; charset=utf-8"),
        ({"body": ""}, b"", "text/plain; charset=utf-8"),
        ({"body": b"\xff"}, b"\xff", None),
        ({"body": b""}, b"", None),
    ],
)
def test_a_body_makes_a_post(arguments: dict[str, Any], body: bytes, content_type: str | None) -> None:
    call = checked_call(LIMITS, **arguments)
    assert (call.method, call.body) == ("POST", body)
    assert call.headers == ((("Content-Type", content_type),) if content_type else ())


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "POST"])
def test_a_method_that_is_given_stays(method: str) -> None:
    assert checked_call(LIMITS, method=method, json={}).method == method
    assert checked_call(LIMITS, method=method).body == b""


@pytest.mark.parametrize("method", ["GET", "head"])
@pytest.mark.parametrize("content", [{"json": {}}, {"body": "x"}, {"body": b"x"}])
def test_a_get_has_no_body(method: str, content: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="has no body"):
        checked_call(LIMITS, method=method, **content)


def test_a_content_type_that_is_given_stays() -> None:
    call = checked_call(LIMITS, headers={"content-type": "application/ld+json"}, json={})
    assert call.headers == (("content-type", "application/ld+json"),)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"json": {}, "body": "x"}, "not both"),
        ({"json": {}, "body": b""}, "not both"),
        ({"json": math.nan}, "json cannot be written"),
        ({"json": math.inf}, "json cannot be written"),
        ({"json": {1, 2}}, "json cannot be written"),
        ({"json": b"x"}, "json cannot be written"),
        ({"json": {(1,): 2}}, "json cannot be written"),
        ({"body": 1}, "body must be bytes or text"),
        ({"body": ["x"]}, "body must be bytes or text"),
        ({"body": "\ud800"}, "lone surrogate"),
    ],
)
def test_content_that_cannot_be_sent_is_invalid(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as caught:
        checked_call(LIMITS, **arguments)
    assert (caught.value.code, caught.value.retryable) == ("invalid-input", False)


def test_json_that_holds_itself_is_invalid() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(InvalidInput, match="json cannot be written"):
        checked_call(LIMITS, json=endless)


@pytest.mark.parametrize("name", ["timeout_ms", "max_bytes"])
@pytest.mark.parametrize("value", [0, -1, True, False, 1.5, 1.0, "1", math.nan, math.inf, b"1", [1]])
def test_numbers_are_whole_and_above_zero(name: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=f"{name} must be a whole number above 0"):
        checked_call(LIMITS, **{name: value})


@pytest.mark.parametrize(
    ("arguments", "deadline_seconds", "max_bytes", "notes"),
    [
        ({"timeout_ms": 1}, 0.001, 1000, ()),
        ({"timeout_ms": 45_500}, 45.5, 1000, ()),
        ({"timeout_ms": 120_000}, 120.0, 1000, ()),
        ({"timeout_ms": 120_001}, 120.0, 1000, ("deadline-clamped",)),
        ({"timeout_ms": 10**400}, 120.0, 1000, ("deadline-clamped",)),
        ({"max_bytes": 1}, 30.0, 1, ()),
        ({"max_bytes": 5000}, 30.0, 5000, ()),
        ({"max_bytes": 5001}, 30.0, 5000, ("max-bytes-clamped",)),
        ({"max_bytes": 10**400}, 30.0, 5000, ("max-bytes-clamped",)),
        ({"timeout_ms": 10**9, "max_bytes": 10**9}, 120.0, 5000, ("deadline-clamped", "max-bytes-clamped")),
    ],
)
def test_wishes_are_cut_to_the_ceiling_and_noted(
    arguments: dict[str, int], deadline_seconds: float, max_bytes: int, notes: tuple[str, ...]
) -> None:
    call = checked_call(LIMITS, **arguments)  # type: ignore[arg-type]
    assert (call.deadline_seconds, call.max_bytes, call.notes) == (deadline_seconds, max_bytes, notes)


def test_headers_are_checked() -> None:
    assert checked_call(LIMITS, headers=[("A", " 1 ")]).headers == (("A", "1"),)
    with pytest.raises(InvalidHeader):
        checked_call(LIMITS, headers={"Host": "x"})


def test_redirects_can_be_left_alone() -> None:
    assert not checked_call(LIMITS, follow_redirects=False).follow_redirects


@given(st.integers(min_value=1), st.integers(min_value=1))
def test_no_wish_goes_beyond_a_ceiling(timeout_ms: int, max_bytes: int) -> None:
    call = checked_call(LIMITS, timeout_ms=timeout_ms, max_bytes=max_bytes)
    assert 0 < call.deadline_seconds <= LIMITS.max_deadline_seconds
    assert 0 < call.max_bytes <= LIMITS.max_body_bytes
    assert ("deadline-clamped" in call.notes) == (timeout_ms > 120_000)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(JSON.filter(lambda value: value is not None))
def test_json_arrives_as_it_was_given(value: object) -> None:
    assert json.loads(checked_call(LIMITS, json=value).body) == value
