"""The line protocol: each line gets one answer, calls run side by side, a cancel ends one of them."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.sites import WAIT_SECONDS, secure, until

from webward import Gateway, Settings
from webward.frockbot import WebTool, mounted, strict_settings
from webward.surfaces.frockbot.host import LineHost
from webward.testing import LoopbackWeb, Pause

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from webward.frockbot import ToolResult

URL, SILENT = "https://site.test/", "https://site.test/silent"


class Conversation:
    """A host's side of the protocol."""

    def __init__(self, host: LineHost, web: LoopbackWeb) -> None:
        self.web = web
        self._host = host

    async def say(self, value: object) -> dict[str, Any] | None:
        """The answer to a line, if there is one; bytes are said as they are."""
        line = value if isinstance(value, bytes) else json.dumps(value).encode()
        async with asyncio.timeout(WAIT_SECONDS):
            answer = await self._host.answer(line)
        if not answer:
            return None
        assert answer.endswith(b"\n")
        assert answer.count(b"\n") == 1
        found: dict[str, Any] = json.loads(answer)
        assert list(found) == ["id", "content", "isError"]
        return found

    async def error(self, value: object) -> tuple[Any, str]:
        answer = await self.say(value)
        assert answer is not None
        assert answer["isError"] is True
        return answer["id"], json.loads(answer["content"])["error"]

    def begin(self, value: object) -> asyncio.Task[dict[str, Any] | None]:
        return asyncio.create_task(self.say(value))


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[Conversation]:
    trust = secure(tmp_path, "site.test")
    async with LoopbackWeb(tls=trust.tls) as web, web.gateway(strict_settings(trust.settings)) as gateway:
        web.page(URL, "here", headers=[("Content-Type", "text/plain")])
        web.script(SILENT, Pause(10 * WAIT_SECONDS))
        yield Conversation(LineHost(mounted(gateway)), web)


def call(identity: str | int, url: str = URL, **more: Any) -> dict[str, Any]:
    return {"id": identity, "tool": "web_fetch", "input": {"url": url}, **more}


async def test_a_call_is_answered(host: Conversation) -> None:
    answer = await host.say(call("a", context={"effectId": "e1", "turn": "chat"}))
    assert answer is not None
    assert (answer["id"], answer["isError"]) == ("a", False)
    assert json.loads(answer["content"])["text"] == "here"


async def test_ids_keep_their_type(host: Conversation) -> None:
    answers = await asyncio.gather(host.say(call(1)), host.say(call("1")), host.say(call("\ud800")))
    assert [answer["id"] for answer in answers if answer] == [1, "1", "\ud800"]


@pytest.mark.parametrize(
    ("line", "identity", "code"),
    [
        (b"garbage", None, "invalid-input"),
        (b"", None, "invalid-input"),
        (b"\xff\xfe", None, "invalid-input"),
        (b"[" * 100_000, None, "invalid-input"),
        (b'{"id": "a", "tool": "web_fetch"', "a", "invalid-input"),
        (b'{"id": 1, "tool": "web_fetch", "input": ' + b"[" * 5000 + b"]" * 5000 + b"}", 1, "invalid-input"),
        (b'{"id": "a", "tool": "web_fetch", "input": {"max_bytes": ' + b"9" * 5000 + b"}}", "a", "invalid-input"),
        ({"id": "a", "tool": "web_fetch", "input": {"url": "x" * 1024 * 1024}}, "a", "invalid-input"),
        (b" " * 1024 * 1024 + b"1", None, "invalid-input"),
        ([], None, "invalid-input"),
        ({}, None, "invalid-input"),
        ({"id": "a"}, "a", "invalid-input"),
        ({"id": "a", "tool": "web_fetch", "inputs": {}}, "a", "invalid-input"),
        ({"id": "a", "tool": "fetch", "input": {}}, "a", "invalid-input"),
        ({"id": "a", "tool": "web_search", "input": {"query": "q"}}, "a", "invalid-input"),
        ({"id": True, "tool": "web_fetch", "input": {}}, None, "invalid-input"),
        ({"cancel": "a", "id": "b"}, "b", "invalid-input"),
        ({"id": "a", "tool": "web_fetch"}, "a", "web-fetch-invalid-input"),
        ({"id": "a", "tool": "web_fetch", "input": "https://site.test/"}, "a", "web-fetch-invalid-input"),
        ({"id": "a", "tool": "web_fetch", "input": {"url": "https://127.1/"}}, "a", "ssrf-blocked-private-address"),
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_a_bad_line_is_answered_and_stops_nothing(
    host: Conversation, line: Any, identity: str | None, code: str
) -> None:
    assert await host.error(line) == (identity, code)
    answer = await host.say(call("good"))
    assert answer is not None
    assert answer["isError"] is False


async def test_a_quick_call_is_answered_before_a_slow_one(host: Conversation) -> None:
    slow = host.begin(call("slow", SILENT))
    await until(lambda: len(host.web.requests) == 1)
    quick = await host.say(call("quick"))
    assert quick is not None
    assert not slow.done()
    await host.say({"cancel": "slow"})
    await slow


async def test_a_cancel_ends_one_call(host: Conversation) -> None:
    running = {identity: host.begin(call(identity, SILENT)) for identity in ("a", "b")}
    await until(lambda: len(host.web.requests) == 2)
    assert await host.say({"cancel": "a"}) is None
    answer = await running["a"]
    assert answer is not None
    assert (answer["id"], answer["isError"]) == ("a", True)
    assert json.loads(answer["content"]) == {
        "url": SILENT,
        "error": "web-fetch-failed",
        "message": "the call was canceled",
    }
    assert not running["b"].done()
    assert await host.say({"cancel": "b"}) is None
    await running["b"]


async def test_a_cancel_may_come_twice_too_late_or_for_nobody(host: Conversation) -> None:
    running = host.begin(call("a", SILENT))
    await until(lambda: len(host.web.requests) == 1)
    for identity in ("a", "a", "x"):
        assert await host.say({"cancel": identity}) is None
    await running
    assert await host.say({"cancel": "a"}) is None
    answer = await host.say(call("a"))
    assert answer is not None
    assert answer["isError"] is False


async def test_a_cancel_right_behind_its_call_is_seen(host: Conversation) -> None:
    running = host.begin(call("a", SILENT))
    cancel = host.begin({"cancel": "a"})
    assert await cancel is None
    answer = await running
    assert answer is not None
    assert answer["isError"] is True


async def test_a_cancel_knows_text_from_number(host: Conversation) -> None:
    running = host.begin(call(1, SILENT))
    await until(lambda: len(host.web.requests) == 1)
    assert await host.say({"cancel": "1"}) is None
    assert not running.done()
    await host.say({"cancel": 1})
    await running


async def test_an_id_under_way_is_not_taken_again(host: Conversation) -> None:
    running = host.begin(call("a", SILENT))
    await until(lambda: len(host.web.requests) == 1)
    assert await host.error(call("a")) == ("a", "invalid-input")
    await host.say({"cancel": "a"})
    await running


async def test_the_end_of_the_process_is_no_answer(host: Conversation) -> None:
    running = host.begin(call("a", SILENT))
    await until(lambda: len(host.web.requests) == 1)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_without_tools_every_call_is_an_error() -> None:
    answer = json.loads(await LineHost([]).answer(json.dumps(call("a")).encode()))
    assert json.loads(answer["content"])["message"] == "there is no such tool; offered are: none"


class Faulty(WebTool):
    """A tool with a fault of its own."""

    def __init__(self, tool: WebTool) -> None:
        self.definition = tool.definition

    async def __call__(self, value: object, *, effect_id: str | None = None) -> ToolResult:
        raise RuntimeError(f"secret words of {value} and {effect_id}")


async def test_a_fault_is_answered_and_reported(host: Conversation) -> None:
    reported: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
    gateway = Gateway(strict_settings(Settings()))
    faulty = Conversation(LineHost(map(Faulty, mounted(gateway))), host.web)
    assert await faulty.error(call("a")) == ("a", "internal")
    assert [type(context["exception"]) for context in reported] == [RuntimeError]


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "id": JSON_VALUES,
        "tool": st.just("web_fetch") | JSON_VALUES,
        "input": st.fixed_dictionaries({}, optional={"url": JSON_VALUES, "max_bytes": JSON_VALUES}) | JSON_VALUES,
        "context": st.fixed_dictionaries({}, optional={"effectId": JSON_VALUES}) | JSON_VALUES,
        "cancel": JSON_VALUES,
    },
)


@given(FIELDS.map(lambda value: json.dumps(value).encode()) | st.binary())
def test_any_line_is_answered(line: bytes) -> None:
    gateway = Gateway(strict_settings(Settings()))
    answer = asyncio.run(LineHost(mounted(gateway)).answer(line))
    if answer:
        found = json.loads(answer)
        assert list(found) == ["id", "content", "isError"]
        assert isinstance(json.loads(found["content"]), dict)
        assert found["isError"] is True
