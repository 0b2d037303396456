from __future__ import annotations

import asyncio
from typing import Any

import pytest
from iii.iii_types import TriggerActionEnqueue, TriggerActionVoid
from iii.triggers import TriggerHandler
from tests.testing.iii_engine.toy import ask, bind, code_of, echo, elsewhere, soon, toy

from webward.testing.iii_engine import EngineDouble, InvocationFailed

CALLS = 100
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}


def answers(engine: EngineDouble) -> list[Any]:
    return [frame.get("result") for frame in engine.frames if frame["type"] == "invocationresult"]


async def test_what_is_registered_is_recorded_as_it_came() -> None:
    async with EngineDouble() as engine, toy(engine, worker_description="A toy.") as worker:
        formats = {"request_format": SCHEMA, "response_format": SCHEMA}
        served = worker.register_function("toy::n", echo, description="N.", metadata={"tags": ["toy"]}, **formats)
        await engine.registered("toy::echo", "toy::fail", "toy::n")
        function = engine.functions["toy::n"]
        assert (function.description, function.metadata) == ("N.", {"tags": ["toy"]})
        assert (function.request_format, function.response_format) == (SCHEMA, SCHEMA)
        await engine.until(lambda: engine.workers[0].about)
        about = engine.workers[0].about
        assert (about["name"], about["description"], about["runtime"]) == ("toy", "A toy.", "python")
        served.unregister()
        await engine.until(lambda: "toy::n" not in engine.functions)
        assert {"type": "unregisterfunction", "id": "toy::n"} in engine.frames
        assert (engine.unexpected, engine.telemetry) == ([], [])


async def test_triggers_are_kept_while_they_are_bound() -> None:
    async with EngineDouble() as engine, toy(engine) as worker:
        await engine.registered("toy::echo")
        first = bind(worker, "bell", {"rings": 1}, metadata={"k": 1})
        bind(worker, "bell", {"rings": 2})
        await engine.until(lambda: len(engine.triggers_of("bell")) == 2)
        bound = await engine.bound("bell")
        assert (bound.function_id, bound.config, bound.metadata) == ("toy::echo", {"rings": 1}, {"k": 1})
        assert await engine.fire("bell", "ding") == [{"data": "ding", "metadata": {"k": 1}}, "ding"]
        first.unregister()
        await engine.until(lambda: len(engine.triggers) == 1)
        assert await engine.fire("bell", "dong") == ["dong"]
        assert engine.unexpected == []


@pytest.mark.parametrize("payload", [{"n": 1, "x": None}, [1, "zwei"], "drei", 4.5, True, None])
async def test_a_call_gives_the_result(payload: Any) -> None:
    async with EngineDouble() as engine, toy(engine):
        await engine.registered("toy::echo")
        assert await engine.call("toy::echo", payload) == payload
        assert await engine.call("toy::echo", payload, metadata={"k": 1}) == {"data": payload, "metadata": {"k": 1}}


async def test_many_calls_at_once_each_get_their_own_answer() -> None:
    async with EngineDouble() as engine, toy(engine):
        await engine.registered("toy::echo")
        calls = [engine.call("toy::echo", number) for number in range(CALLS)]
        assert await asyncio.gather(*calls) == list(range(CALLS))


async def test_a_failed_call_gives_the_error_of_the_worker() -> None:
    async with EngineDouble() as engine, toy(engine):
        await engine.registered("toy::fail")
        with pytest.raises(InvocationFailed, match="invocation_failed: no bread") as caught:
            await engine.call("toy::fail", "bread")
        assert caught.value.message == "no bread"
        assert "ValueError" in (caught.value.stacktrace or "")


@pytest.mark.parametrize(
    ("function_id", "namespace", "code"),
    [
        ("toy::none", None, "function_not_found"),
        ("toy::echo", "elsewhere", "function_not_found"),
        ("toy::echo", " ", "INVALID_NAMESPACE"),
    ],
)
async def test_what_no_worker_has_cannot_be_called(function_id: str, namespace: str | None, code: str) -> None:
    async with EngineDouble() as engine, toy(engine):
        await engine.registered("toy::echo")
        with pytest.raises(InvocationFailed) as caught:
            await engine.call(function_id, 1, namespace=namespace)
        assert caught.value.code == code


async def test_a_worker_in_a_namespace_is_called_there() -> None:
    async with EngineDouble() as engine, toy(engine, namespace="lab"):
        await engine.until(lambda: engine.workers and engine.workers[0].about)
        await engine.registered("toy::echo")
        assert await engine.call("toy::echo", 1, namespace="lab") == 1
        with pytest.raises(InvocationFailed, match="function_not_found"):
            await engine.call("toy::echo", 1)


async def test_a_cast_wants_no_answer() -> None:
    came = asyncio.Queue[Any]()
    loop = asyncio.get_running_loop()

    async def note(data: Any) -> None:
        await elsewhere(loop, came.put(data))

    async with EngineDouble() as engine, toy(engine) as worker:
        worker.register_function("toy::note", note)
        await engine.registered("toy::note", "toy::echo")
        await engine.cast("toy::note", {"n": 1})
        assert await soon(came.get()) == {"n": 1}
        assert await engine.call("toy::echo", 1) == 1
        assert answers(engine) == [1]


async def test_a_call_that_is_given_up_leaves_nothing_behind() -> None:
    go = asyncio.Event()
    loop = asyncio.get_running_loop()

    async def slow(data: Any) -> Any:
        await elsewhere(loop, go.wait())
        return data

    async with EngineDouble() as engine, toy(engine) as worker:
        worker.register_function("toy::slow", slow)
        await engine.registered("toy::slow")
        with pytest.raises(TimeoutError, match="toy::slow has not answered within 0"):
            await engine.call("toy::slow", 1, seconds=0)
        task = asyncio.create_task(engine.call("toy::slow", 2))
        await engine.call("toy::echo", 3)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        go.set()
        await engine.until(lambda: sorted(answers(engine)) == [1, 2, 3])
        assert engine.unexpected == []


async def test_calls_to_a_worker_that_goes_away_fail() -> None:
    go = asyncio.Event()
    loop = asyncio.get_running_loop()

    async def stuck(_: Any) -> None:
        await elsewhere(loop, go.wait())

    async with EngineDouble() as engine, toy(engine) as worker:
        worker.register_function("toy::stuck", stuck)
        await engine.registered("toy::stuck")
        call = asyncio.create_task(engine.call("toy::stuck", 1))
        await engine.call("toy::echo", 1)
        await engine.drop()
        with pytest.raises(InvocationFailed, match="worker_gone"):
            await soon(call)
        go.set()


async def test_workers_call_each_other_through_the_engine() -> None:
    async with EngineDouble() as engine, toy(engine, worker_name="one") as one:
        await engine.registered("toy::echo")
        async with toy(engine, worker_name="two") as two:
            two.register_function("two::echo", echo)
            await engine.registered("two::echo")
            assert await ask(one, "two::echo", {"n": 1}) == {"n": 1}
            assert await ask(one, "two::echo", 1, metadata={"k": 1}) == {"data": 1, "metadata": {"k": 1}}
            assert await code_of(one, "two::none") == "function_not_found"
            assert await code_of(two, "toy::echo", 1, namespace="lab") == "function_not_found"
            assert await code_of(one, "toy::fail", 1, action=TriggerActionEnqueue(queue="q")) == "enqueue_error"
            # Ids are unique: the second worker kept its other functions, but lost these.
            assert [sorted(worker.functions) for worker in engine.workers] == [
                ["toy::echo", "toy::fail"],
                ["two::echo"],
            ]
            await ask(one, "two::echo", "void", action=TriggerActionVoid())
            await engine.until(lambda: "void" in engine.calls_to("two::echo"))
        assert engine.calls_to("two::echo") == [{"n": 1}, 1, "void"]
        assert engine.unexpected == []


async def test_triggers_of_a_type_that_a_worker_provides_go_to_it() -> None:
    loop = asyncio.get_running_loop()
    seen = asyncio.Queue[Any]()

    class Bells(TriggerHandler):  # type: ignore[misc]  # it has no types
        async def register_trigger(self, config: Any) -> None:
            if config.config == "broken":
                raise ValueError("it does not ring")
            await elsewhere(loop, seen.put(("bound", config.config)))

        async def unregister_trigger(self, config: Any) -> None:
            await elsewhere(loop, seen.put(("unbound", config.id)))

    async with EngineDouble() as engine, toy(engine) as provider:
        await engine.registered("toy::echo")
        async with toy(engine, worker_name="user") as user:
            await engine.until(lambda: len(engine.workers) == 2)
            bind(user, "bell", "early")
            await engine.bound("bell")
            with pytest.warns(DeprecationWarning, match="register_trigger_type"):
                provider.register_trigger_type({"id": "bell", "description": "Rings."}, Bells())
            assert await soon(seen.get()) == ("bound", "early")
            assert engine.workers[0].trigger_types["bell"].description == "Rings."
            late = bind(user, "bell", "late")
            assert await soon(seen.get()) == ("bound", "late")
            bind(user, "bell", "broken")
            await engine.until(lambda: any("error" in frame for frame in engine.frames))
            assert [trigger.config for trigger in engine.triggers_of("bell")] == ["early", "late"]
            late.unregister()
            assert (await soon(seen.get()))[0] == "unbound"
        assert (await soon(seen.get()))[0] == "unbound"
        assert engine.unexpected == []


async def test_what_does_not_come_to_pass_is_told() -> None:
    async with EngineDouble(wait_seconds=0.1) as engine, toy(engine):
        with pytest.raises(TimeoutError, match=r"not within 0\.1 s; . workers, functions .*, triggers .*, unexpected"):
            await engine.registered("toy::none")
