from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.testing.iii_engine.toy import bind, elsewhere, toy

from webward.testing.iii_engine import EngineDouble, InvocationFailed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

HOOK = "harness::hook::pre-generate"
OPEN = {"on_error": "fail_open"}


@asynccontextmanager
async def hooked(*hooks: tuple[Any, dict[str, Any]], metadata: Any = None) -> AsyncIterator[EngineDouble]:
    """An engine with a worker whose hooks answer what is said here, or by a function."""
    async with EngineDouble() as engine, toy(engine) as worker:
        for number, (answer, config) in enumerate(hooks):
            name = f"toy::hook{number}"
            worker.register_function(name, answer if callable(answer) else lambda _, answer=answer: answer)
            bind(worker, HOOK, config, function_id=name, metadata=metadata)
        await engine.registered("toy::fail", *(f"toy::hook{number}" for number in range(len(hooks))))
        await engine.until(lambda: len(engine.triggers_of(HOOK)) == len(hooks))
        yield engine


@pytest.mark.parametrize(
    ("answer", "prompt", "decision", "reason"),
    [
        (None, "Be kind.", "continue", None),
        ({}, "Be kind.", "continue", None),
        ({"mutations": {}}, "Be kind.", "continue", None),
        ({"mutations": {"system_prompt": "Be brief."}}, "Be brief.", "continue", None),
        ({"decision": "deny", "reason": "Late."}, "Be kind.", "deny", "Late."),
        ({"decision": "hold"}, "Be kind.", "hold", None),
    ],
)
async def test_what_a_hook_answers_is_done(answer: Any, prompt: str, decision: str, reason: str | None) -> None:
    async with hooked((answer, OPEN)) as engine:
        turn = await engine.harness.turn("Be kind.")
        assert (turn.system_prompt, turn.decision, turn.reason, turn.failed) == (prompt, decision, reason, ())


async def test_a_hook_is_given_the_turn() -> None:
    seen = []

    async def hook(data: Any) -> Any:
        seen.append(data)
        return {"mutations": {"append_messages": ["two"]}, "annotations": {"k": 1}}

    async with hooked((hook, OPEN)) as engine:
        turn = await engine.harness.turn("Be kind.", messages=["one"])
        assert (turn.messages, turn.annotations) == (["one", "two"], {"k": 1})
        assert set(seen[0]) == {"point", "session_id", "turn_id", "step", "depth", "generate"}
        assert seen[0]["point"] == "pre_generate"
        assert seen[0]["generate"] == {
            "system_prompt": "Be kind.",
            "messages": ["one"],
            "model": "m",
            "provider": "p",
        }


async def test_hooks_follow_their_priority_until_one_ends_the_turn() -> None:
    async def more(data: Any) -> Any:
        return {"mutations": {"system_prompt": f"{data['generate']['system_prompt']}!"}}

    last = {"mutations": {"system_prompt": "last"}}
    deny = {"decision": "deny"}
    async with hooked(
        (last, OPEN | {"priority": 3}), (deny, OPEN | {"priority": 2}), (more, OPEN), (more, {})
    ) as engine:
        turn = await engine.harness.turn("Hi")
        assert (turn.system_prompt, turn.decision) == ("Hi!!", "deny")


@pytest.mark.parametrize(("prompt", "whole"), [("Be kind.", "Be kind.\n\nUse it."), ("", "Use it.")])
async def test_a_text_of_the_metadata_is_appended_without_a_call(prompt: str, whole: str) -> None:
    called = {"mutations": {"system_prompt": "called"}}
    async with hooked((called, OPEN), metadata={"inject_prompt": "Use it."}) as engine:
        assert (await engine.harness.turn(prompt)).system_prompt == whole
        assert (await engine.harness.turn(prompt, injects=False)).system_prompt == "called"


@pytest.mark.parametrize(
    ("config", "decision", "failed"),
    [(OPEN, "continue", 1), ({"on_error": "fail_closed"}, "abort", 0), (None, "abort", 0)],
)
@pytest.mark.parametrize("answer", ["no object", {"mutations": {"system_prompt": 1}}, "fail"])
async def test_a_hook_that_fails(answer: Any, config: Any, decision: str, failed: int) -> None:
    async def hook(_: Any) -> Any:
        if answer == "fail":
            raise ValueError("no")
        return answer

    async with hooked((hook, config)) as engine:
        turn = await engine.harness.turn("Hi")
        assert (turn.system_prompt, turn.decision, len(turn.failed)) == ("Hi", decision, failed)
        assert bool(turn.reason) == (decision == "abort")


async def test_a_hook_has_its_time() -> None:
    go = asyncio.Event()
    loop = asyncio.get_running_loop()

    async def stuck(_: Any) -> None:
        await elsewhere(loop, go.wait())

    async with hooked((stuck, OPEN | {"timeout_ms": 1})) as engine:
        turn = await engine.harness.turn("Hi")
        assert (turn.decision, len(turn.failed)) == ("continue", 1)
        assert "has not answered within 0.001 s" in turn.failed[0]
        go.set()


@pytest.mark.parametrize("config", [{"on_error": "never"}, {"colour": 1}, {"priority": "high"}, "open"])
@pytest.mark.parametrize("up", [True, False])
async def test_a_binding_that_it_does_not_take_is_refused(config: Any, *, up: bool) -> None:
    async with EngineDouble(harness_up=up) as engine, toy(engine) as worker:
        await engine.registered("toy::fail")
        trigger = bind(worker, HOOK, config)
        bind(worker, HOOK, OPEN)
        await engine.until(lambda: [one.config for one in engine.triggers_of(HOOK)][-1:] == [OPEN])
        await engine.start_harness()
        assert [one.config for one in engine.triggers_of(HOOK)] == [OPEN]
        trigger.unregister()
        await engine.until(lambda: any(frame["type"] == "unregistertrigger" for frame in engine.frames))
        assert engine.unexpected == []


@pytest.mark.parametrize("parks", [True, False])
async def test_before_the_harness_has_come_triggers_wait_or_are_lost(*, parks: bool) -> None:
    async with EngineDouble(harness_up=False, parks=parks) as engine, toy(engine) as worker:
        await engine.registered("toy::fail")
        bind(worker, HOOK, OPEN, metadata={"inject_prompt": "Use it."})
        await engine.until(lambda: any(frame["type"] == "registertrigger" for frame in engine.frames))
        with pytest.raises(InvocationFailed, match="harness_down"):
            await engine.harness.turn("Hi")
        await engine.start_harness()
        assert (await engine.harness.turn("Hi")).system_prompt == ("Hi\n\nUse it." if parks else "Hi")


async def test_an_unbound_hook_is_not_asked() -> None:
    async with EngineDouble() as engine, toy(engine) as worker:
        await engine.registered("toy::fail")
        trigger = bind(worker, HOOK, OPEN, metadata={"inject_prompt": "Use it."})
        await engine.bound(HOOK)
        trigger.unregister()
        await engine.until(lambda: not engine.triggers)
        assert (await engine.harness.turn("Hi")).system_prompt == "Hi"
