"""The worker on the real SDK, through an engine on loopback."""

from __future__ import annotations

import asyncio
import urllib.request
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace
from tests.surfaces.iii.bench import URL, WAIT_SECONDS, ready

from webward.config import Settings
from webward.contracts.iii.configuration import DEFAULTS, configuration_schema, stored_form
from webward.contracts.iii.functions import request_schema, response_schema
from webward.contracts.iii.guidance import GUIDANCE
from webward.errors import InvalidConfiguration
from webward.surfaces.iii.worker import RETRY_SECONDS, WebWorker
from webward.testing import Pause, Send
from webward.testing.iii_engine import EngineDouble, InvocationFailed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.surfaces.iii.bench import Bench

HOOK = "harness::hook::pre-generate"
IDS = {"web::fetch", "web::inject-guidance", "web::on-config-change"}
TEXT = [("Content-Type", "text/plain")]


class Running:
    """A worker in the background, and what it warned of."""

    def __init__(self, engine: EngineDouble, bench: Bench, **arguments: Any) -> None:
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


@asynccontextmanager
async def running(engine: EngineDouble, bench: Bench, **arguments: Any) -> AsyncIterator[Running]:
    worker = Running(engine, bench, **arguments)
    try:
        yield worker
    finally:
        worker.stop.set()
        async with asyncio.timeout(WAIT_SECONDS):
            assert await worker.ended


def value(engine: EngineDouble, entry: str = "web") -> Any:
    return engine.configuration.entries[entry]["value"]


def asked(engine: EngineDouble) -> list[str]:
    """Which functions of the configuration worker were called."""
    ids = [frame["function_id"] for frame in engine.frames if frame["type"] == "invokefunction"]
    return [one.removeprefix("configuration::") for one in ids if one.startswith("configuration::")]


async def test_what_the_engine_is_told(bench: Bench) -> None:
    async with EngineDouble() as engine, running(engine, bench):
        await ready(engine)
        assert set(engine.functions) == IDS
        fetch = engine.functions["web::fetch"]
        assert (fetch.request_format, fetch.response_format) == (request_schema(), response_schema())
        assert engine.functions["web::on-config-change"].metadata == {"internal": True}
        (hook,), (change,) = engine.triggers_of(HOOK), engine.triggers_of("configuration")
        assert (hook.function_id, hook.config) == ("web::inject-guidance", {"on_error": "fail_open"})
        assert hook.metadata == {"inject_prompt": GUIDANCE}
        assert change.function_id == "web::on-config-change"
        assert change.config == {"configuration_id": "web", "event_types": ["configuration:updated"]}
        await engine.until(lambda: engine.workers[0].about)
        about = engine.workers[0].about
        assert (about["name"], about["runtime"]) == ("web", "python")
        assert about["description"]
        assert engine.unexpected == []


async def test_a_call_is_answered(bench: Bench) -> None:
    bench.web.page(URL, "hi", headers=TEXT)
    async with EngineDouble() as engine, running(engine, bench) as worker:
        await ready(engine)
        assert (await worker.fetch())["body"] == "hi"
        assert (await worker.fetch("http://10.0.0.1/"))["error"] == "blocked_host"


@pytest.mark.parametrize("payload", [None, {}, [], "x", 5, {"url": 5}, {"url": URL, "timeout_ms": 0}], ids=repr)
async def test_a_bad_payload_is_no_error_of_the_bus(bench: Bench, payload: object) -> None:
    async with EngineDouble() as engine, running(engine, bench):
        await ready(engine)
        envelope = await engine.call("web::fetch", payload)
    assert (envelope["ok"], envelope["error"]) == (False, "invalid_payload")


async def test_an_unknown_function_is(bench: Bench) -> None:
    async with EngineDouble() as engine, running(engine, bench):
        await ready(engine)
        with pytest.raises(InvocationFailed) as caught:
            await engine.call("web::nothing", {})
    assert caught.value.code == "function_not_found"


async def test_telemetry_is_off(bench: Bench) -> None:
    before = urllib.request.OpenerDirector.open
    async with EngineDouble() as engine, running(engine, bench):
        await ready(engine)
        assert urllib.request.OpenerDirector.open is before
        assert engine.telemetry == []


async def test_the_entry_is_ensured(bench: Bench) -> None:
    seed = replace(DEFAULTS, max_redirects=1)
    async with EngineDouble() as engine, running(engine, bench, seed=seed):
        await ready(engine)
        (ensured,) = engine.calls_to("configuration::ensure")
        assert value(engine) == ensured["initial_value"] == stored_form(seed)
    assert (ensured["id"], ensured["name"], ensured["schema"]) == ("web", "web", configuration_schema())
    assert ensured["metadata"] == {"ui_form": "web"}
    assert asked(engine)[:2] == ["ensure", "get"]


@pytest.mark.parametrize("stored", [None, {"max_redirects": 1}])
async def test_an_older_configuration_worker_is_asked_first(bench: Bench, stored: object) -> None:
    async with EngineDouble(lacking=["configuration::ensure"]) as engine:
        if stored is not None:
            engine.configuration.store("web", stored)
        async with running(engine, bench):
            await ready(engine)
        (registered,) = engine.calls_to("configuration::register")
        assert ("initial_value" in registered) == (stored is None)
        assert value(engine) == (stored or stored_form(DEFAULTS))
    assert asked(engine)[:4] == ["ensure", "get", "register", "get"]
    assert engine.calls_to("configuration::get")[0] == {"id": "web", "raw": True}


async def test_the_entry_may_have_another_name(bench: Bench) -> None:
    async with EngineDouble() as engine, running(engine, bench, entry="web-2"):
        await ready(engine)
        assert list(engine.configuration.entries) == ["web-2"]
        (change,) = engine.triggers_of("configuration")
        assert change.config["configuration_id"] == "web-2"


async def test_placeholders_are_the_services_matter(bench: Bench) -> None:
    bench.web.page(URL)
    async with EngineDouble() as engine:
        engine.configuration.store("web", {"user_agent": "${AGENT:me/1}"})
        async with running(engine, bench) as worker:
            await ready(engine)
            await worker.fetch()
    assert bench.web.requests[0].headers["user-agent"] == "me/1"


async def test_without_a_configuration_worker_the_seed_counts(bench: Bench) -> None:
    bench.web.redirect(URL, URL)
    seed, lacking = replace(DEFAULTS, max_redirects=1), ["configuration::"]
    async with EngineDouble(lacking=lacking) as engine, running(engine, bench, seed=seed) as worker:
        await ready(engine)
        assert "more than 1 " in (await worker.fetch())["message"]
        assert sum("cannot be read" in warning for warning in worker.warnings) == 1


@pytest.mark.parametrize(("times", "is_read"), [(2, True), (3, False)])
async def test_a_failing_configuration_worker_is_asked_three_times(bench: Bench, times: int, is_read: bool) -> None:  # noqa: FBT001 - a row
    async with EngineDouble() as engine:
        engine.fail("configuration::ensure", "ADAPTER_ERROR", times=times)
        async with running(engine, bench) as worker:
            await ready(engine)
            assert any("ADAPTER_ERROR" in warning for warning in worker.warnings) != is_read


@pytest.mark.parametrize("stored", [{"max_redirects": "x"}, [], {"web": {"user_agent": ""}}], ids=repr)
async def test_a_bad_value_at_the_start_is_passed_over(bench: Bench, stored: object) -> None:
    bench.web.page(URL)
    async with EngineDouble() as engine:
        engine.configuration.store("web", stored)
        async with running(engine, bench) as worker:
            await ready(engine)
            assert (await worker.fetch())["ok"]
            assert any("is bad" in warning for warning in worker.warnings)


async def test_the_configuration_changes_while_it_runs(bench: Bench) -> None:
    bench.web.redirect(URL, URL)
    async with EngineDouble() as engine, running(engine, bench) as worker:
        await ready(engine)
        for stored, most in (
            ({"max_redirects": 1}, 1),
            ({"web": {"max_redirects": 2}}, 2),
            ({"max_redirects": -1}, 2),
            ({"max_redirects": 0}, 0),
            ({}, 5),
        ):
            assert await engine.configure("web", stored) == [{"ok": True}]
            assert f"more than {most} " in (await worker.fetch())["message"]
        await engine.configure("web", {"max_redirects": "x", "allow_loopback": False})
        assert "allow_loopback" in (await worker.fetch("http://127.0.0.1/"))["message"]


async def test_a_change_that_cannot_be_read_changes_nothing(bench: Bench) -> None:
    bench.web.redirect(URL, URL)
    async with EngineDouble() as engine, running(engine, bench) as worker:
        await ready(engine)
        await engine.configure("web", {"max_redirects": 1})
        engine.fail("configuration::get", "ADAPTER_ERROR", times=3)
        assert await engine.configure("web", {"max_redirects": 2}) == [{"ok": True}]
        assert "more than 1 " in (await worker.fetch())["message"]


async def test_nothing_is_lost_while_the_configuration_changes(bench: Bench) -> None:
    bench.web.script(URL, Pause(0.05), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"))
    async with EngineDouble() as engine, running(engine, bench) as worker:
        await ready(engine)
        calls = [asyncio.ensure_future(worker.fetch()) for _ in range(50)]
        for number in range(10):
            await engine.configure("web", {"max_redirects": number, "user_agent": f"me/{number}"})
            calls.append(asyncio.ensure_future(worker.fetch()))
        envelopes = await asyncio.gather(*calls)
    assert [envelope["body"] for envelope in envelopes] == ["hi"] * 60


async def test_loopback_is_warned_of(bench: Bench) -> None:
    async with EngineDouble() as engine, running(engine, bench) as worker:
        await ready(engine)
        assert sum("loopback" in warning for warning in worker.warnings) == 1
        await engine.configure("web", {"allow_loopback": False})
        assert sum("loopback" in warning for warning in worker.warnings) == 1
        await engine.configure("web", {"allow_loopback": True})
        assert sum("loopback" in warning for warning in worker.warnings) == 2


async def test_loopback_that_is_closed_is_not_warned_of(bench: Bench) -> None:
    async with EngineDouble() as engine:
        engine.configuration.store("web", {"allow_loopback": False})
        async with running(engine, bench) as worker:
            await ready(engine)
            assert worker.warnings == []


@pytest.mark.parametrize("injects", [True, False], ids=["by metadata", "by call"])
async def test_the_hook_adds_the_guidance(bench: Bench, injects: bool) -> None:  # noqa: FBT001 - a row
    async with EngineDouble() as engine, running(engine, bench):
        await ready(engine)
        turn = await engine.harness.turn("You are.", injects=injects)
        assert (turn.system_prompt, turn.decision, turn.failed) == (f"You are.\n\n{GUIDANCE}", "continue", ())
        await engine.configure("web", {"inject_guidance": False})
        await engine.until(lambda: not engine.triggers_of(HOOK))
        assert (await engine.harness.turn("You are.", injects=injects)).system_prompt == "You are."


async def test_a_hook_without_a_prompt_changes_nothing(bench: Bench) -> None:
    async with EngineDouble() as engine, running(engine, bench):
        await ready(engine)
        assert (await engine.harness.turn("", injects=False)).system_prompt == ""
        assert await engine.call("web::inject-guidance", None) == {"mutations": {}}


async def test_the_harness_may_come_later(bench: Bench) -> None:
    async with EngineDouble(harness_up=False) as engine, running(engine, bench):
        await ready(engine)
        await engine.start_harness()
        assert GUIDANCE in (await engine.harness.turn("You are.")).system_prompt


async def test_guidance_is_bound_while_it_is_wanted(bench: Bench) -> None:
    async with EngineDouble() as engine:
        engine.configuration.store("web", {"inject_guidance": False})
        async with running(engine, bench):
            await ready(engine)
            bound = partial(engine.triggers_of, HOOK)
            for wanted in (True, True, False, False, True):
                await engine.configure("web", {"inject_guidance": wanted})
                await engine.until(bound if wanted else lambda: not engine.triggers_of(HOOK))


async def test_a_restarted_engine_finds_the_worker_again(bench: Bench) -> None:
    bench.web.page(URL, "hi", headers=TEXT)
    bench.web.redirect(f"{URL}loop", f"{URL}loop")
    soon = RETRY_SECONDS / 2  # or it would be found again anyway
    async with EngineDouble(wait_seconds=soon) as engine, running(engine, bench) as worker:
        await ready(engine)
        await engine.until(lambda: asked(engine).count("get") == 2)
        await worker.fetch()  # what was asked before is answered by now
        await engine.stop()
        engine.configuration.store("web", {"max_redirects": 1})
        ensured = len(engine.calls_to("configuration::ensure"))
        await engine.start()
        await ready(engine)
        assert set(engine.functions) == IDS
        assert len(engine.triggers_of(HOOK)) == 1
        assert (await worker.fetch())["body"] == "hi"
        await engine.until(lambda: len(engine.calls_to("configuration::ensure")) > ensured)
        async with asyncio.timeout(WAIT_SECONDS):
            while "more than 1 " not in (await worker.fetch(f"{URL}loop"))["message"]:
                pass
        assert engine.workers[0].previous_id == engine.connections[0].id


@pytest.mark.parametrize("code", [1001, None], ids=["closed", "broken off"])
async def test_a_lost_connection_is_made_anew(bench: Bench, code: int | None) -> None:
    bench.web.page(URL)
    async with EngineDouble() as engine, running(engine, bench) as worker:
        await ready(engine)
        await engine.drop(code=code)
        await ready(engine)
        assert (await worker.fetch())["ok"]


async def test_a_worker_may_be_there_before_the_engine(bench: Bench) -> None:
    bench.web.page(URL)
    async with EngineDouble() as engine:
        await engine.stop()
        async with running(engine, bench) as worker:
            await asyncio.wait([worker.ended], timeout=0.2)
            await engine.start()
            await ready(engine)
            assert (await worker.fetch())["ok"]


async def test_a_worker_that_never_found_its_engine_ends(bench: Bench) -> None:
    async with EngineDouble() as engine:
        engine.refuse()
        async with running(engine, bench) as worker:
            await engine.until(lambda: engine.refused)
            assert not worker.ended.done()


async def test_a_slow_engine_is_waited_for(bench: Bench) -> None:
    bench.web.page(URL)
    async with EngineDouble() as engine:
        engine.configuration.store("web", {"user_agent": "me/1"})
        engine.gate.shut()
        async with running(engine, bench) as worker:
            await engine.until(lambda: engine.gate.waiting)
            assert engine.functions == {}
            engine.gate.open()
            await ready(engine)
            assert (await worker.fetch())["ok"]
    assert bench.web.requests[0].headers["user-agent"] == "me/1"


async def test_a_worker_ends_while_the_engine_keeps_it_waiting(bench: Bench) -> None:
    async with EngineDouble() as engine:
        engine.gate.shut()
        async with running(engine, bench):
            await engine.until(lambda: engine.gate.waiting)


@pytest.mark.parametrize("features", [(), ("observe.v1", "local-dispatch.v1")], ids=["0.24", "0.25"])
async def test_engines_of_both_kinds_are_served(bench: Bench, features: tuple[str, ...]) -> None:
    bench.web.page(URL, "hi", headers=TEXT)
    async with EngineDouble(features=features) as engine, running(engine, bench) as worker:
        await ready(engine)
        assert (await worker.fetch())["body"] == "hi"
        assert engine.unexpected == []


async def test_garbage_stops_nothing(bench: Bench) -> None:
    bench.web.page(URL)
    async with EngineDouble() as engine, running(engine, bench) as worker:
        await ready(engine)
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
            await engine.send_raw(text)
        await engine.send({"type": "invocationresult", "invocation_id": "nobody", "result": 1})
        await engine.send_raw(b"\x00\xff")
        assert (await worker.fetch())["ok"]


async def test_a_fault_ends_the_worker_and_is_told(bench: Bench) -> None:
    def fail(_: str) -> None:
        raise ZeroDivisionError

    async with EngineDouble() as engine:
        worker = WebWorker(Settings(), url=engine.url, warn=fail, make_gateway=bench.gateway)
        with pytest.raises(ZeroDivisionError):
            async with asyncio.timeout(WAIT_SECONDS):
                await worker.run(asyncio.Event())


async def test_a_refused_worker_says_so(bench: Bench) -> None:
    async with EngineDouble() as engine:
        worker = Running(engine, bench)
        await ready(engine)
        await engine.reject()
        with pytest.raises(InvalidConfiguration, match="does not take this worker"):
            async with asyncio.timeout(WAIT_SECONDS):
                await worker.ended


async def test_calls_under_way_are_answered_before_it_ends(bench: Bench) -> None:
    bench.web.script(URL, Pause(0.2), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"))
    async with EngineDouble() as engine, running(engine, bench) as worker:
        await ready(engine)
        calls = [asyncio.ensure_future(worker.fetch()) for _ in range(20)]
        async with asyncio.timeout(WAIT_SECONDS):
            while len(bench.web.requests) < 20:
                await asyncio.wait(calls, timeout=0.01)
        worker.stop.set()
        assert [(await call)["body"] for call in calls] == ["hi"] * 20
        await engine.until(lambda: "web::fetch" not in engine.functions)
