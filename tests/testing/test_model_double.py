from __future__ import annotations

import json
from typing import Any

import pytest

from webward import Gateway, Settings
from webward.config import EgressPolicy
from webward.testing import ModelDouble

USER = {"role": "user", "content": "Hello!"}


async def posted(double: ModelDouble, value: object, path: str = "/v1/chat/completions") -> tuple[int, Any]:
    async with Gateway(Settings(egress=EgressPolicy.development())) as gateway:
        fetched = await gateway.fetch(f"{double.base_url}{path}", json=value)
    return fetched.status, json.loads(fetched.body)


def call(identity: str, arguments: str = "{}") -> dict[str, Any]:
    return {"id": identity, "type": "function", "function": {"name": "fetch_url", "arguments": arguments}}


def calls(*made: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": "", "tool_calls": list(made)}


def result(identity: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": identity, "content": "{}"}


async def test_it_says_what_it_was_told_in_order() -> None:
    async with ModelDouble() as double:
        double.say("One.")
        double.call(("fetch_url", {"url": "a"}), ("fetch_url", "no JSON"), text="Two.")
        answers = [(await posted(double, {"model": "double-1", "messages": [USER]}))[1] for _ in range(3)]
    one, two, silence = [answer["choices"][0] for answer in answers]
    assert (one["message"]["content"], one["finish_reason"]) == ("One.", "stop")
    assert (two["message"]["content"], two["finish_reason"]) == ("Two.", "tool_calls")
    made = two["message"]["tool_calls"]
    assert [item["function"]["arguments"] for item in made] == ['{"url":"a"}', "no JSON"]
    assert len({item["id"] for item in made}) == 2
    assert "nothing to say" in silence["message"]["content"]


@pytest.mark.parametrize(
    ("messages", "status"),
    [
        ([USER, calls(call("a")), result("a")], 200),
        ([USER, calls(call("a"), call("b")), result("b"), result("a"), USER], 200),
        ([USER, result("a")], 400),
        ([USER, calls(call("a")), result("b")], 400),
        ([USER, calls(call("a")), result("a"), result("a")], 400),
        ([USER, calls(call("a"), call("b")), result("a"), USER], 400),
        ([USER, calls(call("a"))], 400),
        ([USER, calls(call("a"), call("a")), result("a")], 400),
        ([USER, calls(call("a", "no JSON")), result("a")], 400),
        ([USER, calls(call("a", "[]")), result("a")], 400),
    ],
)
async def test_a_history_that_openai_would_reject_is_rejected(messages: list[Any], status: int) -> None:
    async with ModelDouble() as double:
        assert (await posted(double, {"model": "double-1", "messages": messages}))[0] == status
        assert len(double.asked) == (status == 200)


async def test_another_path_model_or_key_is_told() -> None:
    async with ModelDouble(key="sk") as double:
        asked = {"model": "double-1", "messages": [USER]}
        assert (await posted(double, asked, "/chat/completions"))[0] == 404
        assert (await posted(double, asked))[0] == 401
    async with ModelDouble() as double:
        assert (await posted(double, {**asked, "model": "other"}))[0] == 400
