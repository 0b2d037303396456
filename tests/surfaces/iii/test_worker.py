"""The worker on the real SDK, through an engine on loopback."""

from __future__ import annotations

import asyncio
import urllib.request
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace
from tests.surfaces.iii.conftest import URL, WAIT_SECONDS
from tests.surfaces.iii.engine import BusError, Engine

from webward.config import Settings
from webward.contracts.iii.configuration import DEFAULTS, configuration_schema, stored_form
from webward.contracts.iii.functions import request_schema, response_schema
from webward.contracts.iii.guidance import GUIDANCE
from webward.errors import InvalidConfiguration
from webward.surfaces.iii.worker import WebWorker
from webward.testing import Pause, Send

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.surfaces.iii.conftest import Bench

HOOK = "harness::hook::pre-generate"
IDS = {"web::fetch", "web::inject-guidance", "web::on-config-change"}
TEXT = [("Content-Type", "text/plain")]


class Running:
    """A worker in the background, and what it warned of."""

    def __init__(self, engine: Engine, bench: Bench, **arguments: Any) -> None:
        self.engine = engine
        self.warnings: list[str] = []
        self.stop = asyncio.Event()
        worker = WebWorker(
            Settings(), url=engine.url, warn=self.warnings.append, make_gateway=bench.gateway, **arguments
        )
        self.ended = asyncio.create_task(worker.run(self.stop))

    async def fetch(self, url: str = URL, **payload: Any) -> dict[str, Any]:
        envelope: dict[str, Any] = await self.engine.call("web::fetch", {"url": url, **payload})
        return envelope

    def bound(self, trigger_type: str) -> list[dict[str, Any]]:
        return [one for one in self.engine.triggers.values() if one["trigger_type"] == trigger_type]


@asynccontextmanager
async def running(engine: Engine, bench: Bench, **arguments: Any) -> AsyncIterator[Running]:
    worker = Running(engine, bench, **arguments)
    try:
        yield worker
    finally:
        worker.stop.set()
        async with asyncio.timeout(WAIT_SECONDS):
            assert await worker.ended


def asked(engine: Engine) -> list[str]:
    """Which functions of the configuration worker were called."""
    ids = [frame["function_id"] for frame in engine.frames if frame["type"] == "invokefunction"]
    return [one for one in ids if one.startswith("configuration::")]


async def test_what_the_engine_is_told(bench: Bench) -> None:
    async with Engine() as engine, running(engine, bench) as worker:
        await engine.ready()
        assert set(engine.functions) == IDS
        fetch = engine.functions["web::fetch"]
        assert (fetch["request_format"], fetch["response_format"]) == (request_schema(), response_schema())
        assert engine.functions["web::on-config-change"]["metadata"] == {"internal": True}
        assert [one["function_id"] for one in engine.triggers.values()] == [
            "web::inject-guidance",
            "web::on-config-change",
        ]
        (hook,) = worker.bound(HOOK)
        assert (hook["config"], hook["metadata"]) == ({"on_error": "fail_open"}, {"inject_prompt": GUIDANCE})
        (change,) = worker.bound("configuration")
        assert change["config"] == {"configuration_id": "web", "event_types": ["configuration:updated"]}
        told = next(frame["data"] for frame in engine.frames if frame.get("function_id") == "engine::workers::register")
        assert (told["name"], told["runtime"]) == ("web", "python")
        assert told["description"]


async def test_a_call_is_answered(bench: Bench) -> None:
    bench.web.page(URL, "hi", headers=TEXT)
    async with Engine() as engine, running(engine, bench) as worker:
        await engine.ready()
        assert (await worker.fetch())["body"] == "hi"
        assert (await worker.fetch("http://10.0.0.1/"))["error"] == "blocked_host"


@pytest.mark.parametrize("payload", [None, {}, [], "x", 5, {"url": 5}, {"url": URL, "timeout_ms": 0}], ids=repr)
async def test_a_bad_payload_is_no_error_of_the_bus(bench: Bench, payload: object) -> None:
    async with Engine() as engine, running(engine, bench):
        await engine.ready()
        envelope = await engine.call("web::fetch", payload)
    assert (envelope["ok"], envelope["error"]) == (False, "invalid_payload")


async def test_an_unknown_function_is(bench: Bench) -> None:
    async with Engine() as engine, running(engine, bench):
        await engine.ready()
        with pytest.raises(BusError) as caught:
            await engine.call("web::nothing", {})
    assert caught.value.code == "function_not_found"


async def test_telemetry_is_off(bench: Bench) -> None:
    before = urllib.request.OpenerDirector.open
    async with Engine() as engine, running(engine, bench):
        await engine.ready()
        assert urllib.request.OpenerDirector.open is before


async def test_the_entry_is_ensured(bench: Bench) -> None:
    seed = replace(DEFAULTS, max_redirects=1)
    async with Engine() as engine, running(engine, bench, seed=seed):
        await engine.ready()
        ensured = next(frame["data"] for frame in engine.frames if frame.get("function_id") == "configuration::ensure")
    assert engine.stored == {"web": stored_form(seed)}
    assert (ensured["id"], ensured["name"], ensured["schema"]) == ("web", "web", configuration_schema())
    assert ensured["metadata"] == {"ui_form": "web"}
    assert asked(engine)[:2] == ["configuration::ensure", "configuration::get"]


@pytest.mark.parametrize("stored", [None, {"max_redirects": 1}])
async def test_an_older_configuration_worker_is_asked_first(bench: Bench, stored: object) -> None:
    async with Engine() as engine:
        engine.lacking.add("configuration::ensure")
        if stored is not None:
            engine.stored["web"] = stored
        async with running(engine, bench):
            await engine.ready()
        registered = next(
            frame["data"] for frame in engine.frames if frame.get("function_id") == "configuration::register"
        )
    assert ("initial_value" in registered) == (stored is None)
    assert engine.stored["web"] == (stored or stored_form(DEFAULTS))
    names = ("ensure", "get", "register", "get")
    assert asked(engine)[:4] == [f"configuration::{name}" for name in names]


async def test_the_entry_may_have_another_name(bench: Bench) -> None:
    async with Engine() as engine, running(engine, bench, entry="web-2"):
        await engine.ready()
        assert list(engine.stored) == ["web-2"]
        (change,) = [one for one in engine.triggers.values() if one["trigger_type"] == "configuration"]
        assert change["config"]["configuration_id"] == "web-2"


async def test_without_a_configuration_worker_the_seed_counts(bench: Bench) -> None:
    bench.web.redirect(URL, URL)
    async with Engine() as engine:
        engine.lacking |= {f"configuration::{name}" for name in ("ensure", "get", "register")}
        async with running(engine, bench, seed=replace(DEFAULTS, max_redirects=1)) as worker:
            await engine.ready()
            assert "more than 1 " in (await worker.fetch())["message"]
            assert sum("cannot be read" in warning for warning in worker.warnings) == 1


@pytest.mark.parametrize("stored", [{"max_redirects": "x"}, [], {"web": {"user_agent": ""}}], ids=repr)
async def test_a_bad_value_at_the_start_is_passed_over(bench: Bench, stored: object) -> None:
    bench.web.page(URL)
    async with Engine() as engine:
        engine.stored["web"] = stored
        async with running(engine, bench) as worker:
            await engine.ready()
            assert (await worker.fetch())["ok"]
            assert any("is bad" in warning for warning in worker.warnings)


async def test_the_configuration_changes_while_it_runs(bench: Bench) -> None:
    bench.web.redirect(URL, URL)
    async with Engine() as engine, running(engine, bench) as worker:
        await engine.ready()
        for value, most in (
            ({"max_redirects": 1}, 1),
            ({"web": {"max_redirects": 2}}, 2),
            ({"max_redirects": -1}, 2),
            ({"max_redirects": 0}, 0),
            ({}, 5),
        ):
            await engine.set("web", value)
            assert f"more than {most} " in (await worker.fetch())["message"]
        await engine.set("web", {"max_redirects": "x", "allow_loopback": False})
        assert "allow_loopback" in (await worker.fetch("http://127.0.0.1/"))["message"]


async def test_nothing_is_lost_while_the_configuration_changes(bench: Bench) -> None:
    bench.web.script(URL, Pause(0.05), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"))
    async with Engine() as engine, running(engine, bench) as worker:
        await engine.ready()
        calls = [asyncio.ensure_future(worker.fetch()) for _ in range(50)]
        for number in range(10):
            await engine.set("web", {"max_redirects": number, "user_agent": f"me/{number}"})
            calls.append(asyncio.ensure_future(worker.fetch()))
        envelopes = await asyncio.gather(*calls)
    assert [envelope["body"] for envelope in envelopes] == ["hi"] * 60


async def test_loopback_is_warned_of(bench: Bench) -> None:
    async with Engine() as engine, running(engine, bench) as worker:
        await engine.ready()
        assert sum("loopback" in warning for warning in worker.warnings) == 1
        await engine.set("web", {"allow_loopback": False})
        assert sum("loopback" in warning for warning in worker.warnings) == 1
        await engine.set("web", {"allow_loopback": True})
        assert sum("loopback" in warning for warning in worker.warnings) == 2


async def test_loopback_that_is_closed_is_not_warned_of(bench: Bench) -> None:
    async with Engine() as engine:
        engine.stored["web"] = {"allow_loopback": False}
        async with running(engine, bench) as worker:
            await engine.ready()
            assert worker.warnings == []


async def test_the_hook_adds_the_guidance(bench: Bench) -> None:
    async with Engine() as engine, running(engine, bench):
        await engine.ready()
        generate = {"system_prompt": "You are.", "messages": [], "model": "m", "provider": "p"}
        event = {
            "point": "pre_generate",
            "session_id": "s",
            "turn_id": "t",
            "step": 0,
            "depth": 0,
            "generate": generate,
        }
        answered = await engine.call("web::inject-guidance", event)
        assert answered == {"mutations": {"system_prompt": f"You are.\n\n{GUIDANCE}"}}
        assert await engine.call("web::inject-guidance", None) == {"mutations": {}}


async def test_guidance_is_bound_while_it_is_wanted(bench: Bench) -> None:
    async with Engine() as engine:
        engine.stored["web"] = {"inject_guidance": False}
        async with running(engine, bench) as worker:
            await engine.ready()
            for wanted in (True, True, False, False, True):
                await engine.set("web", {"inject_guidance": wanted})
                await engine.until(lambda wanted=wanted: len(worker.bound(HOOK)) == wanted)


async def test_a_restarted_engine_finds_the_worker_again(bench: Bench) -> None:
    bench.web.page(URL, "hi", headers=TEXT)
    bench.web.redirect(f"{URL}loop", f"{URL}loop")
    async with Engine() as engine, running(engine, bench) as worker:
        await engine.ready()
        await engine.stop()
        engine.stored["web"] = {"max_redirects": 1}
        await engine.start()
        await engine.ready()
        await engine.until(lambda: set(engine.functions) == IDS)
        assert (await worker.fetch())["body"] == "hi"
        assert len(worker.bound(HOOK)) == 1
        await engine.until(lambda: asked(engine)[-1] == "configuration::get")
        async with asyncio.timeout(WAIT_SECONDS):
            while "more than 1 " not in (await worker.fetch(f"{URL}loop"))["message"]:
                pass
    reattached = next(frame for frame in engine.frames if frame["type"] == "reattach")
    assert reattached["previous_worker_id"]


async def test_a_worker_may_be_there_before_the_engine(bench: Bench) -> None:
    bench.web.page(URL)
    engine = Engine()
    await engine.start()
    await engine.stop()
    async with running(engine, bench) as worker:
        await asyncio.wait([worker.ended], timeout=0.2)
        await engine.start()
        await engine.ready()
        assert (await worker.fetch())["ok"]
    await engine.stop()


async def test_a_worker_that_never_found_its_engine_ends(bench: Bench) -> None:
    engine = Engine()
    await engine.start()
    await engine.stop()
    async with running(engine, bench) as worker:
        await asyncio.wait([worker.ended], timeout=0.1)
        assert not worker.ended.done()


async def test_a_slow_engine_is_waited_for(bench: Bench) -> None:
    bench.web.page(URL)
    async with Engine() as engine:
        engine.delay_seconds = 0.3
        engine.stored["web"] = {"user_agent": "me/1"}
        async with running(engine, bench) as worker:
            await engine.ready()
            assert (await worker.fetch())["ok"]
    assert bench.web.requests[0].headers["user-agent"] == "me/1"


async def test_garbage_stops_nothing(bench: Bench) -> None:
    bench.web.page(URL)
    async with Engine() as engine, running(engine, bench) as worker:
        await engine.ready()
        for text in (
            "",
            "{",
            "[]",
            "null",
            '{"type": 5}',
            '{"type": "unheard"}',
            '{"type": "invokefunction"}',
            "\0" * 999,
        ):
            await engine.send(text)
        await engine.send('{"type": "invocationresult", "invocation_id": "nobody", "result": 1}')
        assert (await worker.fetch())["ok"]


async def test_a_refused_worker_says_so(bench: Bench) -> None:
    async with Engine() as engine:
        worker = Running(engine, bench)
        await engine.ready()
        await engine.send(
            '{"type": "registrationrejected", "code": "WORKER_NAMESPACE_CONFLICT", "namespace": "default"}'
        )
        with pytest.raises(InvalidConfiguration, match="does not take this worker"):
            async with asyncio.timeout(WAIT_SECONDS):
                await worker.ended


async def test_calls_under_way_are_answered_before_it_ends(bench: Bench) -> None:
    bench.web.script(URL, Pause(0.2), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"))
    async with Engine() as engine, running(engine, bench) as worker:
        await engine.ready()
        calls = [asyncio.ensure_future(worker.fetch()) for _ in range(20)]
        async with asyncio.timeout(WAIT_SECONDS):
            while len(bench.web.requests) < 20:
                await asyncio.wait(calls, timeout=0.01)
        worker.stop.set()
        assert [(await call)["body"] for call in calls] == ["hi"] * 20
        await engine.until(lambda: "web::fetch" not in engine.functions)
