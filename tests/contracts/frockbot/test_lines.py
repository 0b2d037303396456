from __future__ import annotations

import json
from typing import Any

import pytest

from webward.contracts.frockbot import lines
from webward.errors import InvalidInput

WITHOUT_ID: tuple[Any, ...] = (None, [], {}, {"id": None}, {"id": True}, {"id": 1.5}, {"id": {}})


def test_a_call() -> None:
    call = lines.message_of(
        {"id": "1", "tool": "web_fetch", "input": {"url": "x"}, "context": {"effectId": "e", "a": 1}}
    )
    assert call == lines.Call(id="1", tool="web_fetch", value={"url": "x"}, context=lines.Context(effect_id="e"))
    assert isinstance(call, lines.Call)
    assert call.effect_id == "e"


@pytest.mark.parametrize("context", [{}, {"context": None}, {"context": {}}, {"context": {"effectId": None}}])
def test_a_call_needs_no_context(context: dict[str, Any]) -> None:
    call = lines.message_of({"id": 1, "tool": "web_fetch", **context})
    assert isinstance(call, lines.Call)
    assert call.effect_id is None


@pytest.mark.parametrize("identity", ["", "1", 1, 0, -1, 2**62])
def test_a_cancel(identity: str | int) -> None:
    assert lines.message_of({"cancel": identity}) == lines.Cancel(cancel=identity)


@pytest.mark.parametrize(
    "value",
    [
        *(None, 1, "x", [], {}, {"id": "1"}, {"tool": "web_fetch"}),
        {"id": None, "tool": "web_fetch"},
        {"id": True, "tool": "web_fetch"},
        {"id": 1.5, "tool": "web_fetch"},
        {"id": "1", "tool": 1},
        {"id": "1", "tool": "web_fetch", "inputs": {}},
        {"id": "1", "tool": "web_fetch", "context": []},
        {"id": "1", "tool": "web_fetch", "context": {"effectId": 1}},
        {"id": "1", "tool": "web_fetch", "\ud800": 1},
        {"cancel": None},
        {"cancel": True},
        {"cancel": ["1"]},
        {"cancel": "1", "id": "2"},
        {"cancel": "1", "id": "2", "tool": "web_fetch"},
    ],
    ids=str,
)
def test_what_is_neither_is_an_input_error(value: Any) -> None:
    with pytest.raises(InvalidInput):
        lines.message_of(value)


def test_a_line_has_a_bound() -> None:
    line = json.dumps({"id": "x" * lines.MAX_LINE_BYTES}).encode()
    with pytest.raises(InvalidInput, match="longer"):
        lines.parse_message(line)


def test_a_broken_line_is_told_in_bounds() -> None:
    result = lines.broken(InvalidInput("x" * 10_000))
    content = json.loads(result["content"])
    assert result["isError"] is True
    assert (content["error"], len(content["message"])) == ("invalid-input", 500)


@pytest.mark.parametrize(
    ("value", "identity"),
    [
        ({"id": "a"}, "a"),
        ({"id": 7, "tool": 1}, 7),
        ({"id": "\ud800"}, "\ud800"),
        *((value, None) for value in WITHOUT_ID),
    ],
)
def test_an_answer_has_the_id_of_its_line_or_null(value: Any, identity: str | int | None) -> None:
    line = lines.answer_line(value, {"content": "{}", "isError": False})
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == {"id": identity, "content": "{}", "isError": False}
