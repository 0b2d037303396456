from __future__ import annotations

from typing import Any

import pytest

from webward.contracts.chat.progress import MAX_ARGUMENT_CHARS, told_call, told_reply
from webward.contracts.chat.replies import ReplyImage, ToolReply
from webward.contracts.chat.turns import ToolCall

CALL = ToolCall(id="x", name="fetch_url", arguments='{"url": "https://example.com/"}')
IMAGE = ReplyImage(id="f00", alt="", media_type="image/png")
READ = {"total_chars": 3402, "truncated": False}


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (CALL, 'fetch_url {"url": "https://example.com/"}'),
        (ToolCall(id="x", name="", arguments=None), "None"),
        (ToolCall(id="x", name="a\nb", arguments="c\n\td"), "a b c d"),
        (ToolCall(id="x", name="a", arguments="x" * 500), f"a {'x' * MAX_ARGUMENT_CHARS}…"),
        (ToolCall(id="x", name="n" * 500, arguments=""), f"{'n' * MAX_ARGUMENT_CHARS}…"),
    ],
)
def test_a_call(call: ToolCall, told: str) -> None:
    assert told_call(call) == told


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ({"data": READ}, "fetch_url: 3,402 characters"),
        ({"data": {"total_chars": 1, "truncated": True}}, "fetch_url: 1 character, cut"),
        ({"data": READ, "images": (IMAGE,)}, "fetch_url: 3,402 characters, 1 image"),
        (
            {"data": READ, "images": (IMAGE, IMAGE), "failed_images": 1},
            "fetch_url: 3,402 characters, 2 images, 1 image not got",
        ),
        ({"data": {"query": "tea", "results": [{}]}}, "fetch_url: 1 result"),
        ({"data": {"error": "refused-address", "message": "no"}, "error": "refused-address"}, "refused-address: no"),
    ],
)
def test_a_reply(reply: dict[str, Any], told: str) -> None:
    assert told_reply(CALL, ToolReply(text="", **reply)).endswith(told)
