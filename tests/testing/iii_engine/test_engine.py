from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from iii import RegistrationRejectedError
from tests.testing.iii_engine.toy import ask, bind, code_of, soon, toy
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from webward.errors import InvalidInput
from webward.testing.iii_engine import EngineDouble, InvocationFailed

DOCS = Path(__file__).parents[3] / "docs" / "testing-iii-workers.md"


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)


def test_the_example_of_the_docs_works() -> None:
    example = DOCS.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    done = run(f"{example}\nasyncio.run(test_my_worker())")
    assert (done.returncode, done.stderr) == (0, "")


async def test_after_a_restart_the_worker_comes_again_and_registers_anew() -> None:
    async with EngineDouble() as engine, toy(engine) as worker:
        bind(worker, "bell")
        await engine.registered("toy::echo")
        await engine.bound("bell")
        url = engine.url
        await engine.restart()
        assert (engine.url, engine.connections[0].close_code) == (url, 1001)
        await engine.registered("toy::echo", "toy::fail")
        await engine.bound("bell")
        assert engine.workers == [engine.connections[1]]
        assert engine.workers[0].previous_id == engine.connections[0].id
        assert await engine.call("toy::echo", 1) == 1
        assert engine.unexpected == []


async def test_while_it_is_stopped_connections_are_refused() -> None:
    async with EngineDouble() as engine, toy(engine):
        await engine.registered("toy::echo")
        await engine.stop()
        assert (engine.workers, engine.functions, engine.triggers) == ([], {}, {})
        with pytest.raises(ConnectionRefusedError):
            await connect(engine.url)
        await engine.start()
        await engine.registered("toy::echo")


@pytest.mark.parametrize(("code", "seen"), [(1001, 1001), (1011, 1011), (None, 1006)])
async def test_dropped_connections_are_made_anew(code: int | None, seen: int) -> None:
    async with EngineDouble() as engine, toy(engine):
        await engine.registered("toy::echo")
        await engine.drop(code=code)
        assert engine.connections[0].close_code == seen
        await engine.registered("toy::echo")
        assert await engine.call("toy::echo", 1) == 1


async def test_a_worker_that_leaves_is_seen() -> None:
    async with EngineDouble() as engine:
        async with toy(engine):
            await engine.registered("toy::echo")
        await engine.until(lambda: not engine.workers)
        assert [worker.close_code for worker in engine.connections] == [1000]
        assert engine.functions == {}


async def test_refused_handshakes() -> None:
    async with EngineDouble() as engine:
        engine.refuse(403)
        with pytest.raises(InvalidStatus, match="403"):
            await connect(engine.url)
        async with toy(engine):
            await engine.until(lambda: engine.refused >= 3)
            assert engine.connections == []
            engine.accept()
            await engine.registered("toy::echo")


async def test_a_rejected_worker_does_not_come_again() -> None:
    async with EngineDouble() as engine, toy(engine) as worker:
        await engine.registered("toy::echo")
        await engine.until(lambda: engine.workers[0].about)
        await engine.reject()
        await engine.until(lambda: not engine.workers)
        with pytest.raises(RegistrationRejectedError, match="WORKER_NAMESPACE_CONFLICT: worker 'toy' rejected"):
            await ask(worker, "configuration::list")
        assert len(engine.connections) == 1


async def test_the_handshake_is_seen() -> None:
    async with EngineDouble() as engine, toy(engine, headers={"Authorization": "Bearer token-of-a-test"}):
        await engine.registered("toy::echo")
        assert engine.workers[0].headers["authorization"] == "Bearer token-of-a-test"


async def test_answers_wait_while_the_gate_is_shut() -> None:
    async with EngineDouble() as engine, toy(engine) as worker:
        await engine.registered("toy::echo")
        engine.gate.shut()
        asked = [asyncio.create_task(ask(worker, "configuration::list")) for _ in range(3)]
        await engine.until(lambda: engine.gate.waiting == 3)
        assert await engine.call("toy::echo", "meanwhile") == "meanwhile"
        assert [task.done() for task in asked] == [False] * 3
        engine.gate.open()
        assert await asyncio.gather(*asked) == [{"configurations": []}] * 3
        assert engine.gate.waiting == 0
        assert await ask(worker, "configuration::list") == {"configurations": []}


async def test_a_shut_gate_holds_up_no_end() -> None:
    async with EngineDouble() as engine, toy(engine) as worker:
        await engine.registered("toy::echo")
        engine.gate.shut()
        asked = asyncio.create_task(code_of(worker, "configuration::list", timeout_ms=200))
        await engine.until(lambda: engine.gate.waiting)
        await engine.stop()
        assert engine.gate.waiting == 0
        assert await asked == "TIMEOUT"


@pytest.mark.parametrize(
    "garbage",
    ["", "not json", "[1, 2]", "null", '{"type": "nonsense"}', '{"type": 1}', "{" * 10_000, b"", b"\xff\x00", b"{}"],
)
async def test_a_worker_survives_garbage(garbage: str | bytes) -> None:
    async with EngineDouble() as engine, toy(engine):
        await engine.registered("toy::echo")
        await engine.send_raw(garbage)
        assert await engine.call("toy::echo", 1) == 1
        assert len(engine.connections) == 1


async def test_a_frame_of_ones_own_is_sent() -> None:
    async with EngineDouble() as engine, toy(engine):
        await engine.registered("toy::echo")
        await engine.send({"type": "invokefunction", "function_id": "toy::none", "invocation_id": "x", "data": 1})
        await engine.until(lambda: engine.unexpected)
        (one,) = engine.unexpected
        assert one.reason == "an answer to no call"
        assert isinstance(one.content, dict)
        assert one.content["error"]["code"] == "function_not_found"


async def test_functions_of_the_test_are_served_to_workers() -> None:
    async def slow(data: Any) -> Any:
        return [data]

    def refuse(_: Any) -> Any:
        raise InvocationFailed("FORBIDDEN", "not you")

    async with EngineDouble() as engine, toy(engine) as worker:
        engine.serve("state::get", lambda data: {"got": data})
        engine.serve("state::slow", slow)
        engine.serve("configuration::get", refuse)
        assert await ask(worker, "state::get", 1) == {"got": 1}
        assert await ask(worker, "state::slow", 1) == [1]
        assert await code_of(worker, "configuration::get", {"id": "web"}) == "FORBIDDEN"
        assert engine.calls_to("state::get") == [1]
        assert engine.unexpected == []


@pytest.mark.parametrize("handler", [lambda _: int("x"), lambda _: object(), lambda _, __: 1])
async def test_functions_of_the_test_that_break_are_seen(handler: Any) -> None:
    async with EngineDouble() as engine, toy(engine) as worker:
        engine.serve("state::get", handler)
        assert await code_of(worker, "state::get") == "invocation_failed"
        assert [one.reason for one in engine.unexpected] == ["the function state::get failed"]


async def test_the_next_calls_fail_as_told() -> None:
    async with EngineDouble() as engine, toy(engine) as worker:
        engine.fail("configuration::list", "ADAPTER_ERROR", times=2)
        codes = [await code_of(worker, "configuration::list") for _ in range(2)]
        assert codes == ["ADAPTER_ERROR"] * 2
        assert await ask(worker, "configuration::list") == {"configurations": []}


async def test_triggers_are_refused_as_told() -> None:
    async with EngineDouble() as engine, toy(engine) as worker:
        await engine.registered("toy::echo")
        engine.refuse_triggers("bell", "FORBIDDEN", "no bells")
        bind(worker, "bell")
        await engine.until(lambda: any(frame["type"] == "registertrigger" for frame in engine.frames))
        assert engine.triggers == {}
        engine.accept_triggers("bell")
        bind(worker, "bell")
        await engine.bound("bell")


async def test_with_features_functions_are_confirmed_and_called_in_the_worker() -> None:
    async with EngineDouble(features=["observe.v1", "local-dispatch.v1"]) as engine, toy(engine) as worker:
        await engine.registered("toy::echo")
        assert await engine.call("toy::echo", 1) == 1
        assert await ask(worker, "toy::echo", 2) == 2
        assert engine.calls_to("toy::echo") == []
        assert await ask(worker, "toy::echo", 3, dispatch="remote") == 3
        assert engine.calls_to("toy::echo") == [3]
    assert engine.unexpected == []


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("not json", "malformed"),
        ("[]", "Expected `object`"),
        ('{"id": "x"}', "missing required field `type`"),
        ('{"type": "nonsense"}', "Invalid value 'nonsense'"),
        ('{"type": "registerfunction"}', "missing required field `id`"),
        ('{"type": "registerfunction", "id": 1}', "Expected `str`"),
        ('{"type": "invocationresult", "invocation_id": "x", "function_id": "f", "result": 1}', "an answer to no call"),
        ('{"type": "triggerregistrationresult", "id": "x", "trigger_type": "t", "function_id": "f"}', "to no trigger"),
        ('{"type": "reattach", "previous_worker_id": "x"}', "a reattach without the token"),
        ('{"type": "invokefunction", "function_id": "engine::workers::register"}', "tells nothing of itself"),
        ("[" * 100_000, "maximum recursion depth"),
        (b'{"type": "registerfunction", "id": "x"}', "a binary message"),
    ],
)
async def test_what_workers_should_not_send_is_kept(message: str | bytes, reason: str) -> None:
    async with EngineDouble() as engine, connect(engine.url) as client:
        assert json.loads(await soon(client.recv()))["type"] == "workerregistered"
        await client.send(message)
        await client.send(json.dumps({"type": "registerfunction", "id": "raw::f"}))
        await engine.registered("raw::f")
        (one,) = engine.unexpected
        assert reason in one.reason
        assert one.content in (message, *engine.frames, [])


async def test_an_answer_without_a_result_is_none() -> None:
    async with EngineDouble() as engine, connect(engine.url) as client:
        await soon(client.recv())
        await client.send(json.dumps({"type": "registerfunction", "id": "raw::f"}))
        await engine.registered("raw::f")
        call = asyncio.create_task(engine.call("raw::f", 1))
        asked = json.loads(await soon(client.recv()))
        assert asked == {
            "type": "invokefunction",
            "function_id": "raw::f",
            "data": 1,
            "invocation_id": asked["invocation_id"],
        }
        answer = {"type": "invocationresult", "invocation_id": asked["invocation_id"], "function_id": "raw::f"}
        await client.send(json.dumps(answer))
        with pytest.raises(InvocationFailed, match="no_answer"):
            await soon(call)
        assert [one.content for one in engine.unexpected] == [answer]


async def test_a_reattach_with_another_token_is_none() -> None:
    async with EngineDouble() as engine, connect(engine.url) as old, connect(engine.url) as new:
        welcome = json.loads(await soon(old.recv()))
        frame = {"type": "reattach", "previous_worker_id": welcome["worker_id"], "reattach_token": "guessed"}
        await new.send(json.dumps(frame))
        await engine.until(lambda: engine.unexpected)
        assert [one.content for one in engine.unexpected] == [frame]
        assert [worker.previous_id for worker in engine.workers] == [None, None]


async def test_a_call_without_an_id_gets_no_answer() -> None:
    async with EngineDouble() as engine, connect(engine.url) as client:
        await soon(client.recv())
        engine.gate.shut()
        asked = {"type": "invokefunction", "function_id": "configuration::list"}
        await client.send(json.dumps(asked))
        await client.send(json.dumps(asked | {"invocation_id": "x"}))
        await engine.until(lambda: engine.gate.waiting)
        assert (engine.gate.waiting, len(engine.calls_to("configuration::list"))) == (1, 2)
        engine.gate.open()
        answer = {"type": "invocationresult", "invocation_id": "x", "function_id": "configuration::list"}
        assert json.loads(await soon(client.recv())) == answer | {"result": {"configurations": []}}


async def test_a_provider_is_handed_a_trigger_once_and_its_refusal_goes_to_who_bound_it() -> None:
    trigger = {"type": "registertrigger", "id": "t", "trigger_type": "bell", "function_id": "f", "config": {"a": 1}}
    error = {"code": "NO_BELL", "message": "none"}
    refusal = {"type": "triggerregistrationresult", "id": "t", "trigger_type": "bell", "function_id": "f"}
    async with EngineDouble() as engine, connect(engine.url) as provider, connect(engine.url) as user:
        await soon(provider.recv())
        await soon(user.recv())
        await provider.send(json.dumps({"type": "registertriggertype", "id": "bell", "description": "Rings."}))
        await engine.until(lambda: engine.workers[0].trigger_types)
        await user.send(json.dumps(trigger))
        await user.send(json.dumps(trigger))
        assert json.loads(await soon(provider.recv())) == trigger
        await provider.send(json.dumps(refusal | {"error": error}))
        assert json.loads(await soon(user.recv())) == refusal | {"error": error}
        assert engine.triggers == {}
        await user.send(json.dumps(trigger | {"id": "last"}))
        assert json.loads(await soon(provider.recv()))["id"] == "last"


async def test_reattaching_ends_the_connection_that_was() -> None:
    async with EngineDouble() as engine, connect(engine.url) as old, connect(engine.url) as new:
        welcome = json.loads(await soon(old.recv()))
        await soon(new.recv())
        frame = {"type": "reattach", "previous_worker_id": welcome["worker_id"]}
        await new.send(json.dumps(frame | {"reattach_token": welcome["reattach_token"]}))
        with pytest.raises(ConnectionClosed, match="reattached"):
            await soon(old.recv())
        await engine.until(lambda: len(engine.workers) == 1)
        assert engine.workers[0].previous_id == welcome["worker_id"]


async def test_telemetry_is_kept_apart() -> None:
    async with EngineDouble() as engine:
        async with connect(f"{engine.url}/otel") as client:
            await client.send(b"OTLP")
            await engine.until(lambda: engine.telemetry == [b"OTLP"])
        assert (engine.connections, engine.unexpected) == ([], [])
        with pytest.raises(InvalidStatus, match="404"):
            await connect(f"{engine.url}/ws/channels/x")
        assert [one.content for one in engine.unexpected] == ["/ws/channels/x"]


async def test_with_telemetry_off_the_sdk_leaves_urllib_alone() -> None:
    before = urllib.request.OpenerDirector.open
    async with EngineDouble() as engine, toy(engine):
        await engine.registered("toy::echo")
        assert urllib.request.OpenerDirector.open is before


async def test_starting_twice_is_starting_once() -> None:
    async with EngineDouble() as engine, toy(engine):
        await engine.start()
        await engine.stop()
        with pytest.raises(ConnectionRefusedError):
            await connect(engine.url)
        await engine.stop()


async def test_it_has_no_address_unless_it_is_open() -> None:
    engine = EngineDouble()
    with pytest.raises(InvalidInput, match="async with"):
        _ = engine.url
    async with engine:
        url = engine.url
    with pytest.raises(InvalidInput, match="async with"):
        _ = engine.url
    with pytest.raises(ConnectionRefusedError):
        await connect(url)


@pytest.mark.parametrize(
    ("module", "said"),
    [("webward.testing.iii_engine", "pip install 'webward[iii]'"), ("webward.testing", "")],
)
def test_without_websockets_only_the_double_is_missing(module: str, said: str) -> None:
    done = run(f"import sys; sys.modules['websockets'] = None; import {module}")
    assert (done.returncode, said in done.stderr) == (1 if said else 0, True)
