"""`webward chat` in a process of its own, against a model on loopback."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import IO, TYPE_CHECKING

import pytest
from tests.engine.sites import until
from tests.surfaces.cli.conftest import SECONDS

from webward.testing import ModelDouble, Pause

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.surfaces.cli.conftest import Command, Ran

KEY = "sk-of-a-test-5d21"


@pytest.fixture
async def double() -> AsyncIterator[ModelDouble]:
    async with ModelDouble() as model:
        yield model


async def chat(webward: Command, double: ModelDouble, *arguments: str, stdin: bytes = b"", **variables: str) -> Ran:
    model = ("--model", "double-1", "--base-url", f"{double.base_url}/v1")
    return await asyncio.to_thread(webward, "chat", *model, *arguments, stdin=stdin, **variables)


async def test_a_question_is_answered_with_a_line_for_each_call(
    webward: Command, double: ModelDouble, site: str
) -> None:
    double.call(("fetch_url", {"url": f"{site}/"}), ("fetch_url", {"url": "http://169.254.169.254/"}))
    double.say("There is tea on the menu.")
    ran = await chat(webward, double, "--enable-url-reading", "--policy", "development", f"What is on {site}?")
    assert (ran.status, ran.out) == (0, b"There is tea on the menu.\n")
    lines = ran.err.splitlines()
    assert f'webward: fetch_url {{"url":"{site}/"}}' in lines
    assert "webward: fetch_url: 9 characters" in lines
    assert any(line.startswith("webward: fetch_url: refused-address: ") for line in lines)
    assert len(lines) == 4
    results = [message for message in double.asked[1]["messages"] if message["role"] == "tool"]
    assert "tea" in results[0]["content"]


async def test_lines_of_standard_input_are_one_chat(webward: Command, double: ModelDouble) -> None:
    double.say("Hello Ada.")
    double.say("Ada.")
    ran = await chat(webward, double, "--enable-url-reading", stdin=b"I am Ada.\n\n \nWho am I? \xff\n")
    assert (ran.status, ran.out, ran.err) == (0, b"Hello Ada.\nAda.\n", "")
    assert [message["content"] for message in double.asked[1]["messages"][1:]] == [
        "I am Ada.",
        "Hello Ada.",
        "Who am I? \ufffd",
    ]


async def test_settings_say_the_same(webward: Command, double: ModelDouble) -> None:
    double.say("Hello.")
    ran = await asyncio.to_thread(
        webward,
        "chat",
        "Hello!",
        WEBWARD_CHAT_MODEL_NAME="double-1",
        WEBWARD_CHAT_MODEL_BASE_URL=f"{double.base_url}/v1",
        WEBWARD_CHAT_ENABLE_URL_READING="true",
    )
    assert (ran.status, ran.out, ran.err) == (0, b"Hello.\n", "")
    assert [tool["function"]["name"] for tool in double.asked[0]["tools"]] == ["fetch_url"]


async def test_without_a_tool_that_is_said(webward: Command, double: ModelDouble) -> None:
    ran = await chat(webward, double, "Hello!")
    assert ran.status == 0
    assert "chat.enable-url-reading" in ran.err


async def test_the_daily_limit_outlives_the_process(webward: Command, double: ModelDouble, site: str) -> None:
    for _ in range(2):
        double.call(("fetch_url", {"url": f"{site}/"}))
        double.say("Done.")
    read = ("--enable-url-reading", "--policy", "development", "Read it.")
    first = await chat(webward, double, *read, WEBWARD_CHAT_URL_DAILY_PER_USER="1")
    second = await chat(webward, double, *read, WEBWARD_CHAT_URL_DAILY_PER_USER="1")
    assert "quota-exceeded" not in first.err
    assert "quota-exceeded" in second.err
    assert (first.status, second.status) == (0, 0)


async def test_an_interrupt_gives_up_a_question_and_then_the_chat(webward: Command, double: ModelDouble) -> None:
    double.script(Pause(SECONDS))
    double.say("Hello.")
    model = ("--model", "double-1", "--base-url", f"{double.base_url}/v1", "--enable-url-reading")
    with webward.start("chat", *model) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        await asyncio.to_thread(_write, process.stdin, b"One.\n")
        await until(lambda: len(double.requests) == 1, seconds=SECONDS)
        process.send_signal(signal.SIGINT)
        told = await asyncio.to_thread(process.stderr.readline)
        await asyncio.to_thread(_write, process.stdin, b"Two.\n")
        assert await asyncio.to_thread(process.stdout.readline) == b"Hello.\n"
        process.send_signal(signal.SIGINT)
        assert await asyncio.to_thread(process.stderr.read) == b""
    assert b"given up" in told
    assert process.returncode == 130


def _write(stream: IO[bytes], data: bytes) -> None:
    stream.write(data)
    stream.flush()


async def test_a_failure_ends_a_question_and_not_a_chat(webward: Command, double: ModelDouble) -> None:
    double.reply({"error": {"message": "no such thing"}}, status=400)
    double.say("Hello.")
    ran = await chat(webward, double, "--enable-url-reading", stdin=b"One.\nTwo.\n")
    assert (ran.status, ran.out) == (0, b"Hello.\n")
    assert "provider-failed" in ran.err
    assert [message["content"] for message in double.asked[0]["messages"][1:]] == ["Two."]
    double.reply({"error": {"message": "no such thing"}}, status=400)
    ran = await chat(webward, double, "One.")
    assert (ran.status, ran.out) == (7, b"")
    assert "no such thing" in ran.err


async def test_what_a_model_says_drives_no_terminal(webward: Command, double: ModelDouble) -> None:
    double.call(("fetch_url\x1b[31m", {"url": "\x1b]0;owned\x07"}))
    double.say("Done.")
    ran = await chat(webward, double, "--enable-url-reading", "Hello!")
    assert "\x1b" not in ran.err
    assert "\x07" not in ran.err


async def test_a_key_is_sent_and_never_shown(webward: Command) -> None:
    async with ModelDouble(key="sk-another") as double:
        ran = await chat(webward, double, "Hello!", WEBWARD_CHAT_MODEL_API_KEY=KEY)
        assert double.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert ran.status == 7
    assert "provider-unauthorized" in ran.err
    assert KEY not in ran.err


def test_a_model_must_be_named(webward: Command) -> None:
    ran = webward("chat", "Hello!")
    assert ran.status == 7
    assert "chat.model.name" in ran.err


def test_a_wrong_setting_is_told(webward: Command) -> None:
    ran = webward("chat", "Hello!", WEBWARD_CHAT_URL_MAX_IMAGES="many")
    assert ran.status == 2
    assert "url-max-images" in ran.err.lower().replace("_", "-")


def test_closed_streams_are_told(webward: Command) -> None:
    assert "standard input is closed" in webward.closed("chat", "--model", "m").err
    ran = webward.closed("chat", "--model", "m", "Hello!", stream=">&-")
    assert ran.status == 2
    assert "standard output is closed" in ran.err


def test_the_command_starts_without_the_client_of_a_model(webward: Command) -> None:
    ran = webward("chat", "--help")
    assert ran.status == 0
    assert b"webward[chat]" in ran.out
    assert not list(Path(webward.home).rglob("*.db"))
