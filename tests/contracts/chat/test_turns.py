from __future__ import annotations

import json
from typing import Any

import pytest

from webward.contracts.chat import turns
from webward.contracts.chat.turns import ToolCall, Turn, assistant_message, recent, turn_of
from webward.errors import ProviderFailed
from webward.model import Preview


def completion(**message: Any) -> bytes:
    return json.dumps({"id": "x", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).encode()


def function(name: object, arguments: object, **more: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "arguments": arguments}, **more}


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"role": "assistant", "content": "Words."}, "Words."),
        ({"content": None}, ""),
        ({}, ""),
        ({"content": [{"type": "text", "text": "a"}, {"type": "image"}, {"text": 1}, "b", {"text": "c"}]}, "ac"),
        ({"content": {"text": "a"}}, ""),
        ({"content": None, "refusal": "I cannot."}, "I cannot."),
        ({"content": "Words.", "tool_calls": None}, "Words."),
        ({"content": "Words.", "tool_calls": []}, "Words."),
    ],
)
def test_an_answer_in_words(message: dict[str, Any], text: str) -> None:
    assert turn_of(completion(**message), number=1) == Turn(text=text)


def test_calls_keep_their_order_and_ids() -> None:
    calls = [function("fetch_url", '{"url": "a"}', id="x"), function("web_search", '{"query": "b"}', id="y")]
    turn = turn_of(completion(content="I look.", tool_calls=calls), number=1)
    assert turn.text == "I look."
    assert turn.calls == (
        ToolCall(id="x", name="fetch_url", arguments='{"url": "a"}'),
        ToolCall(id="y", name="web_search", arguments='{"query": "b"}'),
    )


@pytest.mark.parametrize("identity", [None, "", 7, "x" * 65, ["x"]])
def test_a_call_without_a_usable_id_gets_one(identity: object) -> None:
    calls = [function("fetch_url", "{}", id=identity), function("fetch_url", "{}"), function("fetch_url", "{}", id="z")]
    turn = turn_of(completion(tool_calls=calls), number=3)
    assert [call.id for call in turn.calls] == ["call_3_0", "call_3_1", "z"]


def test_an_id_that_stands_twice_names_one_call() -> None:
    calls = [function("fetch_url", "{}", id="x"), function("fetch_url", "{}", id="x")]
    assert [call.id for call in turn_of(completion(tool_calls=calls), number=0).calls] == ["x", "call_0_1"]


@pytest.mark.parametrize(
    ("call", "name", "arguments", "told_name", "told_arguments"),
    [
        (function("fetch_url", '{"url":"a"}'), "fetch_url", '{"url":"a"}', "fetch_url", '{"url":"a"}'),
        (function("fetch_url", {"url": "a"}), "fetch_url", {"url": "a"}, "fetch_url", '{"url":"a"}'),
        (function("fetch_url", "{'url': 'a'}"), "fetch_url", "{'url': 'a'}", "fetch_url", "{}"),
        (function("fetch_url", '["a"]'), "fetch_url", '["a"]', "fetch_url", "{}"),
        (function("fetch_url", "[" * 5000), "fetch_url", "[" * 5000, "fetch_url", "{}"),
        (function("fetch_url", None), "fetch_url", None, "fetch_url", "{}"),
        (function("fetch url\n", "{}"), "fetch url\n", "{}", "unknown", "{}"),
        (function("x" * 65, "{}"), "x" * 65, "{}", "unknown", "{}"),
        (function(None, "{}"), "", "{}", "unknown", "{}"),
        ({"type": "custom", "custom": {"name": "x"}}, "", None, "unknown", "{}"),
        ({}, "", None, "unknown", "{}"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_malformed_call_is_taken_and_told_well_formed(
    call: dict[str, Any], name: str, arguments: object, told_name: str, told_arguments: str
) -> None:
    turn = turn_of(completion(content=None, tool_calls=[call]), number=0)
    assert turn.calls == (ToolCall(id="call_0_0", name=name, arguments=arguments),)
    message = assistant_message(turn)
    assert message == {
        "role": "assistant",
        "content": "",
        "tool_calls": [
            {"id": "call_0_0", "type": "function", "function": {"name": told_name, "arguments": told_arguments}}
        ],
    }


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"null", b"[]", b"{}", b'{"choices": []}', b'{"choices": null}', b'{"choices": [{}]}'),
        *(b'{"choices": [{"message": "x"}]}', b'{"choices": [{"message": {"tool_calls": "x"}}]}', b"\xff"),
        b'{"choices": [{"message": {"tool_calls": [1]}}]}',
        b'{"choices": [{"message": {"content": ' + b"[" * 100_000,
        b'{"error": {"message": "model not found"}}',
    ],
    ids=lambda body: body[:40].decode("latin-1"),
)
def test_what_is_no_completion_is_told(body: bytes) -> None:
    with pytest.raises(ProviderFailed, match="model's answer"):
        turn_of(body, number=0)


def test_images_come_after_a_note_each_under_its_id() -> None:
    preview = Preview(media_type="image/png", width=1, height=1, body=b"\x89PNG")
    message = turns.images_message([("abc", preview)])
    note, name, image = message["content"]
    assert message["role"] == "user"
    assert "untrusted" in note["text"]
    assert name["text"] == "image abc"
    assert image["image_url"]["url"] == "data:image/png;base64,iVBORw=="


def exchange(number: int, size: int) -> list[dict[str, Any]]:
    call = ToolCall(id=f"c{number}", name="fetch_url", arguments="{}")
    return [
        turns.user_message(f"question {number}"),
        assistant_message(Turn(text="", calls=(call,))),
        turns.tool_message(call, "x" * size),
        turns.images_message([]),
        assistant_message(Turn(text=f"answer {number}")),
    ]


@pytest.mark.parametrize(("max_chars", "kept"), [(10_000, 3), (3_000, 2), (1_800, 1), (10, 0)])
def test_the_oldest_exchanges_are_forgotten_as_wholes(max_chars: int, kept: int) -> None:
    exchanges = [exchange(number, 1000) for number in range(3)]
    history = [message for one in exchanges for message in one]
    assert recent(history, max_chars=max_chars) == [message for one in exchanges[3 - kept :] for message in one]
    assert recent([], max_chars=10) == []
