"""The loop with a model that is a real server on loopback, and tools on a web of their own."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.engine.sites import WAIT_SECONDS
from tests.pictures import png
from tests.surfaces.chat.bench import BOTH, LARGE, PNG, READING, SITE, URL, WHO, Bench

from webward.chat import ChatLoop, ChatModel, ChatSettings, Progress, told_call, told_reply
from webward.contracts.chat.prompt import SYSTEM_PROMPT
from webward.errors import ProviderFailed
from webward.model import Hit
from webward.surfaces.chat.loop import MAX_CALLS, MAX_ROUNDS, NO_ANSWER
from webward.testing import FakeProvider, ModelDouble, Pause

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def double() -> AsyncIterator[ModelDouble]:
    async with ModelDouble() as model:
        yield model


@asynccontextmanager
async def loop_of(
    bench: Bench, double: ModelDouble, settings: ChatSettings = READING, *, sees_images: bool = False, **parts: Any
) -> AsyncIterator[ChatLoop]:
    model = ChatModel(double.settings(sees_images=sees_images), retries=0)
    async with bench.tools(settings, **parts) as tools, model:
        yield ChatLoop(model, tools)


def roles(messages: list[dict[str, Any]]) -> list[str]:
    return [message["role"] for message in messages]


def results(asked: dict[str, Any]) -> list[dict[str, Any]]:
    """The results of tools that a request holds."""
    return [json.loads(message["content"]) for message in asked["messages"] if message["role"] == "tool"]


async def test_words_are_the_answer(bench: Bench, double: ModelDouble) -> None:
    double.say(" Good morning. ")
    async with loop_of(bench, double) as loop:
        answer = await loop.answer("Hello!", **WHO)
    assert (answer.text, answer.images) == ("Good morning.", ())
    (asked,) = double.asked
    assert asked["messages"] == [
        {"role": "system", "content": SYSTEM_PROMPT},
        {"role": "user", "content": "Hello!"},
    ]
    assert [tool["function"]["name"] for tool in asked["tools"]] == ["fetch_url"]
    assert answer.messages == [{"role": "user", "content": "Hello!"}, {"role": "assistant", "content": "Good morning."}]


async def test_a_link_is_read_when_the_model_asks(bench: Bench, double: ModelDouble) -> None:
    bench.web.page(URL, f"<p>Tea is green.<img src=/a alt='A cup.' {LARGE}>")
    bench.web.page(f"{SITE}/a", png(), headers=PNG)
    double.call(("fetch_url", {"url": URL}), text="I read it.")
    double.say("It says that tea is green.")
    seen: list[Progress] = []
    async with loop_of(bench, double) as loop:
        answer = await loop.answer(f"What says {URL}?", on_progress=seen.append, **WHO)
    assert answer.text == "It says that tea is green."
    assert [image.alt for image in answer.images] == ["A cup."]
    assert roles(double.asked[1]["messages"]) == ["system", "user", "assistant", "tool"]
    assert "Tea is green." in results(double.asked[1])[0]["text"]
    begun, ended = seen
    assert told_call(begun.call) == f'fetch_url {{"url":"{URL}"}}'
    assert begun.reply is None
    assert ended.reply is not None
    assert told_reply(ended.call, ended.reply) == "fetch_url: 13 characters, 1 image"
    assert await bench.used() == 1


async def test_several_rounds_and_tools(bench: Bench, double: ModelDouble) -> None:
    bench.web.page(URL, "<p>Tea is green.")
    provider = FakeProvider([Hit(title="Tea", url=URL, snippet="")])
    double.call(("web_search", {"query": "tea", "max_results": None}))
    double.call(("fetch_url", {"url": URL}))
    double.call(("fetch_url", {"url": f"{SITE}/missing"}))
    double.say("Green.")
    async with loop_of(bench, double, BOTH, search_providers=[provider]) as loop:
        answer = await loop.answer("Which color has tea?", **WHO)
    assert answer.text == "Green."
    assert roles(answer.messages) == ["user", *["assistant", "tool"] * 3, "assistant"]
    searched, read, missed = results(double.asked[-1])
    assert URL in searched["text"]
    assert "Tea is green." in read["text"]
    assert missed["error"] == "refused-status"


async def test_parallel_calls_are_done_at_once_and_answered_in_order(bench: Bench, double: ModelDouble) -> None:
    for number in range(3):
        bench.web.page(f"{SITE}/{number}", f"<p>Page {number}.")
    double.call(*(("fetch_url", {"url": f"{SITE}/{number}"}) for number in range(3)))
    seen: list[Progress] = []
    async with loop_of(bench, double) as loop:
        await loop.answer("Read them.", on_progress=seen.append, **WHO)
    assert [progress.reply is None for progress in seen[:3]] == [True] * 3  # all begin before the first ends
    message = double.asked[1]["messages"]
    assert [call["id"] for call in message[2]["tool_calls"]] == [result["tool_call_id"] for result in message[3:]]
    assert [f"Page {number}." in result["text"] for number, result in enumerate(results(double.asked[1]))] == [True] * 3


MALFORMED = [
    ("no-json", ("fetch_url", "{'url': 'http://site.test/'}"), "invalid-arguments"),
    ("no-object", ("fetch_url", '"http://site.test/"'), "invalid-arguments"),
    ("no-url", ("fetch_url", {}), "invalid-arguments"),
    ("a-number", ("fetch_url", {"url": 5}), "invalid-arguments"),
    ("more-than-asked", ("fetch_url", {"url": URL, "mode": "fast"}), "invalid-arguments"),
    ("empty", ("fetch_url", ""), "invalid-arguments"),
    ("not-offered", ("web_search", {"query": "tea"}), "unknown-tool"),
    ("no-such-tool", ("igdb lookup!", {"game": "Tetris"}), "unknown-tool"),
    ("no-name", ("", {}), "unknown-tool"),
    ("inner", ("fetch_url", {"url": "http://169.254.169.254/"}), "refused-address"),
    ("no-scheme", ("fetch_url", {"url": "site.test"}), "invalid-url"),
]


@pytest.mark.parametrize(("call", "code"), [row[1:] for row in MALFORMED], ids=[row[0] for row in MALFORMED])
async def test_a_malformed_call_is_told_to_the_model(
    bench: Bench, double: ModelDouble, call: tuple[str, object], code: str
) -> None:
    bench.web.page(URL, "<p>Words.")
    double.call(call, ("fetch_url", {"url": URL}))
    double.say("It did not work.")
    async with loop_of(bench, double) as loop:
        answer = await loop.answer("Read it.", **WHO)
    assert answer.text == "It did not work."
    wrong, right = results(double.asked[1])
    assert wrong["error"] == code
    assert "Words." in right["text"]


@pytest.mark.parametrize(
    "calls",
    [
        [{"type": "function", "function": {"name": "fetch_url", "arguments": '{"url": "http://site.test/"}'}}],
        [{"id": "", "function": {"name": "fetch_url", "arguments": {"url": "http://site.test/"}}}],
        [{"id": "x", "function": {"name": "fetch_url", "arguments": '{"url": "http://site.test/"}'}}] * 2,
        [{"id": "x", "type": "custom", "custom": {"name": "fetch_url", "input": "x"}}, {}],
    ],
    ids=["no id", "no id, arguments as an object", "the same id twice", "none of ours"],
)
async def test_the_history_is_well_formed_whatever_the_model_wrote(
    bench: Bench, double: ModelDouble, calls: list[dict[str, Any]]
) -> None:
    bench.web.page(URL, "<p>Words.")
    double.turn({"role": "assistant", "content": None, "tool_calls": calls})
    double.say("Done.")
    async with loop_of(bench, double) as loop:
        answer = await loop.answer("Read it.", **WHO)  # else the double gives status 400
    assert answer.text == "Done."
    assert len(results(double.asked[1])) == len(calls)


async def test_too_many_calls_of_a_round_are_refused(bench: Bench, double: ModelDouble) -> None:
    bench.web.page(URL, "<p>Words.")
    double.call(*[("fetch_url", {"url": URL})] * (MAX_CALLS + 2))
    async with loop_of(bench, double) as loop:
        await loop.answer("Read it often.", **WHO)
    codes = [result.get("error") for result in results(double.asked[1])]
    assert codes == [None] * MAX_CALLS + ["overloaded"] * 2
    assert await bench.used() == MAX_CALLS


async def test_after_the_last_round_the_model_must_answer(bench: Bench, double: ModelDouble) -> None:
    bench.web.page(URL, "<p>Words.")
    for _ in range(MAX_ROUNDS + 5):
        double.call(("fetch_url", {"url": URL}), text="Once more.")
    async with loop_of(bench, double) as loop:
        answer = await loop.answer("Read on.", **WHO)
    assert [asked["tool_choice"] for asked in double.asked] == ["auto"] * MAX_ROUNDS + ["none"]
    assert answer.text == "Once more."
    assert roles(answer.messages)[-1] == "assistant"
    assert "tool_calls" not in answer.messages[-1]


@pytest.mark.parametrize("words", ["", " \n", None])
async def test_no_words_are_told(bench: Bench, double: ModelDouble, words: str | None) -> None:
    double.turn({"role": "assistant", "content": words})
    async with loop_of(bench, double) as loop:
        assert (await loop.answer("Hello!", **WHO)).text == NO_ANSWER


async def test_the_daily_limit_is_told_to_the_model(bench: Bench, double: ModelDouble) -> None:
    bench.web.page(URL, "<p>Words.")
    async with loop_of(bench, double) as loop:
        for number in range(21):
            double.call(("fetch_url", {"url": URL}))
            double.say(f"Answer {number}.")
            await loop.answer("Read it.", **WHO)
    codes = [result.get("error") for asked in double.asked[1::2] for result in results(asked)]
    assert codes == [None] * 20 + ["quota-exceeded"]


async def test_without_tools_none_is_offered(bench: Bench, double: ModelDouble) -> None:
    double.say("Hello.")
    async with loop_of(bench, double, ChatSettings()) as loop:
        await loop.answer("Hello!", **WHO)
    assert "tools" not in double.asked[0]
    assert "tool_choice" not in double.asked[0]


async def test_images_are_shown_to_a_model_that_sees(bench: Bench, double: ModelDouble) -> None:
    bench.web.page(URL, f"<p>Words.<img src=/a {LARGE}>")
    bench.web.page(f"{SITE}/a", png(), headers=PNG)
    double.call(("fetch_url", {"url": URL}), ("fetch_url", {"url": URL}))
    double.call(("fetch_url", {"url": URL}))
    double.say("A gray square.")
    async with loop_of(bench, double, sees_images=True) as loop:
        answer = await loop.answer("What is on it?", **WHO)
    assert roles(double.asked[1]["messages"]) == ["system", "user", "assistant", "tool", "tool", "user"]
    parts = double.asked[1]["messages"][-1]["content"]
    assert [part["type"] for part in parts] == ["text", "text", "image_url"]
    assert answer.images[0].id in parts[1]["text"]
    assert parts[2]["image_url"]["url"].startswith("data:image/")
    assert roles(answer.messages).count("user") == 2  # the question, and the image, which was shown once
    assert len(answer.images) == 1


async def test_the_history_goes_on(bench: Bench, double: ModelDouble) -> None:
    double.say("Hello Ada.")
    double.say("Ada.")
    async with loop_of(bench, double) as loop:
        first = await loop.answer("I am Ada.", **WHO)
        await loop.answer("Who am I?", history=first.messages, **WHO)
    assert [message["content"] for message in double.asked[1]["messages"][1:]] == [
        "I am Ada.",
        "Hello Ada.",
        "Who am I?",
    ]


async def test_a_lone_surrogate_of_the_user_stops_nothing(bench: Bench, double: ModelDouble) -> None:
    double.say("Hello.")
    async with loop_of(bench, double) as loop:
        await loop.answer("\udc80", **WHO)
    assert double.asked[0]["messages"][1]["content"] == "?"


async def test_a_model_that_fails_is_an_error(bench: Bench, double: ModelDouble) -> None:
    bench.web.page(URL, "<p>Words.")
    double.call(("fetch_url", {"url": URL}))
    async with loop_of(bench, double) as loop:
        double.reply({"error": {"message": "the GPU is on fire"}}, status=500)
        with pytest.raises(ProviderFailed, match="the GPU is on fire"):
            await loop.answer("Read it.", **WHO)


async def test_a_canceled_answer_ends_its_calls(bench: Bench, double: ModelDouble) -> None:
    bench.web.script(URL, Pause(10 * WAIT_SECONDS))
    double.call(("fetch_url", {"url": URL}))
    async with loop_of(bench, double) as loop:
        running = asyncio.create_task(loop.answer("Read it.", **WHO))
        while not bench.web.requests:
            await asyncio.wait([running], timeout=0.01)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
