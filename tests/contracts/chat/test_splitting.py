from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.contracts.chat.splitting import DISCORD_CHARS, LEAST_CHARS, split_reply
from webward.errors import InvalidInput

CODE = "print('some line of code')\n" * 40


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\n ", []),
        ("Words.", ["Words."]),
        ("a\n\nb", ["a\n\nb"]),
        ("```py\nx\n```", ["```py\nx\n```"]),
        ("```py\nx", ["```py\nx\n```"]),  # a fence that the model left open
        ("a" * 150, ["a" * 100, "a" * 50]),
        (f"{'a' * 60} {'b' * 60}", ["a" * 60, "b" * 60]),
        (f"{'a' * 60}\n{'b' * 60}", ["a" * 60, "b" * 60]),
        (f"{'a' * 99}\n", ["a" * 99]),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_messages(text: str, expected: list[str]) -> None:
    assert split_reply(text, 100) == expected


def test_a_fence_that_fits_is_never_torn() -> None:
    fence = f"```python\n{CODE}```"
    messages = split_reply("\n".join(["word " * 200, fence, "word " * 200]))
    assert fence in messages
    assert len(messages) == 3


@pytest.mark.parametrize("mark", ["```", "~~~", "````"])
def test_a_fence_that_is_too_long_is_opened_anew(mark: str) -> None:
    messages = split_reply(f"Before.\n{mark}python\n{CODE}{mark}\nAfter.", 300)
    assert messages[0] == "Before."
    fenced = messages[1:-1]
    assert all(message.startswith(f"{mark}python\n") and message.endswith(f"\n{mark}") for message in fenced)
    assert messages[-1].endswith("\nAfter.")
    inner = [line for message in messages for line in message.split("\n") if line.startswith("print")]
    assert "\n".join(inner) + "\n" == CODE


def test_a_shorter_fence_inside_closes_nothing() -> None:
    text = "````md\n```py\nx\n```\n````"
    assert split_reply(text, 100) == [text]


@given(st.lists(st.sampled_from(["", "word " * 30, "x" * 300, "```py", "```", "~~~", "  ``` ", "`" * 200, "a\tb"])))
def test_every_message_fits_and_no_word_is_lost(lines: list[str]) -> None:
    text = "\n".join(lines)
    messages = split_reply(text, 120)
    assert all(0 < len(message) <= 120 and message.strip() for message in messages)
    letters = re.compile(r"[xwordab]")
    kept = [found for message in messages for line in message.split("\n") for found in letters.findall(line)]
    if not any(mark in text for mark in ("```", "~~~")):
        assert kept == letters.findall(text)


def test_the_default_is_below_what_discord_takes() -> None:
    assert max(map(len, split_reply("word " * 5000))) < DISCORD_CHARS


def test_too_little_room_is_told() -> None:
    with pytest.raises(InvalidInput):
        split_reply("x", LEAST_CHARS - 1)
