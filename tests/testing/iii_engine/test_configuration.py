from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.testing.iii_engine.toy import ask, bind, code_of, echo, elsewhere, soon, toy

from webward.testing.iii_engine import EngineDouble, InvocationFailed

CHANGED = {"configuration_id": "web", "event_types": ["configuration:updated"]}
TOLD = {"id": "web", "name": "Web", "description": "Of the web.", "schema": {"type": "object"}}


async def test_an_entry_is_registered_and_read_and_set() -> None:
    async with EngineDouble() as engine, toy(engine) as worker:
        assert await code_of(worker, "configuration::get", {"id": "web"}) == "NOT_FOUND"
        assert await code_of(worker, "configuration::set", {"id": "web", "value": 1}) == "NOT_REGISTERED"
        entry = TOLD | {"metadata": {"ui_form": "web"}}
        assert await ask(worker, "configuration::register", entry) == entry | {"value": None}
        assert await ask(worker, "configuration::get", {"id": "web"}) == {"id": "web", "value": None}
        changed = {"old_value": None, "new_value": {"a": 1}}
        assert await ask(worker, "configuration::set", {"id": "web", "value": {"a": 1}}) == changed
        assert await ask(worker, "configuration::get", {"id": "web"}) == {"id": "web", "value": {"a": 1}}
        assert await ask(worker, "configuration::list", {}) == {"configurations": [entry]}
        assert engine.configuration.entries == {"web": entry | {"value": {"a": 1}}}


@pytest.mark.parametrize(
    ("stored", "function_id", "initial", "value"),
    [
        (None, "configuration::register", {"a": 1}, {"a": 1}),
        ({"a": 2}, "configuration::register", {"a": 1}, {"a": 1}),  # it replaces the value whenever one is given
        (None, "configuration::ensure", {"a": 1}, {"a": 1}),
        ({"a": 2}, "configuration::ensure", {"a": 1}, {"a": 2}),
    ],
)
async def test_the_first_value(stored: Any, function_id: str, initial: Any, value: Any) -> None:
    async with EngineDouble() as engine, toy(engine) as worker:
        if stored is not None:
            engine.configuration.store("web", stored)
        entry = await ask(worker, function_id, TOLD | {"initial_value": initial})
        assert entry == TOLD | {"value": value}
        assert (await ask(worker, "configuration::register", TOLD))["value"] == value


@pytest.mark.parametrize(
    ("function_id", "payload", "code"),
    [
        ("configuration::get", {"id": "Web"}, "INVALID_ID"),
        ("configuration::get", {"id": "w" * 65}, "INVALID_ID"),
        ("configuration::get", {"id": 12}, "INVALID_ID"),
        ("configuration::get", {}, "INVALID_ID"),
        ("configuration::get", "web", "invocation_failed"),
        ("configuration::register", {"id": "web", "schema": "x"}, "SCHEMA_INVALID"),
        ("configuration::drop", {"id": "web"}, "function_not_found"),
    ],
)
async def test_bad_questions_get_codes(function_id: str, payload: Any, code: str) -> None:
    async with EngineDouble() as engine, toy(engine) as worker:
        assert await code_of(worker, function_id, payload) == code
        assert engine.configuration.entries == {}
        assert engine.unexpected == []


async def test_it_is_in_the_default_namespace() -> None:
    async with EngineDouble() as engine, toy(engine) as worker:
        engine.configuration.store("web", 1)
        assert await ask(worker, "configuration::get", {"id": "web"}, namespace="default") == {"id": "web", "value": 1}
        code = await code_of(worker, "configuration::get", {"id": "web"}, namespace="lab")
        assert code == "function_not_found"


@pytest.mark.parametrize(
    ("lacking", "there"),
    [
        ("configuration::ensure", {"configuration::get"}),
        ("configuration::", set[str]()),
    ],
)
async def test_engines_without_a_function(lacking: str, there: set[str]) -> None:
    async with EngineDouble(lacking=[lacking]) as engine, toy(engine) as worker:
        codes = {name: await code_of(worker, name, TOLD) for name in ("configuration::get", "configuration::ensure")}
        assert codes["configuration::ensure"] == "function_not_found"
        assert {name for name, code in codes.items() if code == "NOT_FOUND"} == there
        engine.lacking.clear()
        assert (await ask(worker, "configuration::ensure", TOLD))["value"] is None


async def test_placeholders_are_filled_in_when_a_value_is_read() -> None:
    async with EngineDouble() as engine, toy(engine) as worker:
        value = {"a": "${HOST}:${PORT:80}", "b": ["${EMPTY:}"], "c": 1}
        engine.configuration.store("web", value)
        assert await code_of(worker, "configuration::get", {"id": "web"}) == "EXPAND_FAILED"
        engine.configuration.variables["HOST"] = "h"
        filled = {"a": "h:80", "b": [""], "c": 1}
        assert await ask(worker, "configuration::get", {"id": "web"}) == {"id": "web", "value": filled}
        assert await ask(worker, "configuration::get", {"id": "web", "raw": True}) == {"id": "web", "value": value}


async def test_a_change_is_told_to_those_who_asked_for_it() -> None:
    async with EngineDouble() as engine, toy(engine) as worker:
        await ask(worker, "configuration::register", TOLD | {"initial_value": 1})
        bind(worker, "configuration", CHANGED, metadata={"k": 1})
        bind(worker, "configuration", CHANGED | {"configuration_id": "other"})
        bind(worker, "configuration", CHANGED | {"event_types": ["configuration:registered"]})
        bind(worker, "bell", CHANGED)
        await engine.until(lambda: len(engine.triggers) == 4)
        (told,) = await engine.configure("web", {"a": 2})
        event = {"type": "configuration", "event_type": "configuration:updated", **TOLD}
        assert told == {"data": event | {"old_value": 1, "new_value": {"a": 2}}, "metadata": {"k": 1}}
        assert await engine.configure("unheard", 1) == []


async def test_a_change_by_a_worker_is_told_too() -> None:
    seen = asyncio.Queue[Any]()
    loop = asyncio.get_running_loop()

    async def note(data: Any) -> None:
        await elsewhere(loop, seen.put(data))

    async with EngineDouble() as engine, toy(engine) as worker:
        worker.register_function("toy::note", note)
        bind(worker, "configuration", {"configuration_id": "web"}, function_id="toy::note")
        await engine.bound("configuration")
        await engine.registered("toy::note")
        await ask(worker, "configuration::register", TOLD)
        await ask(worker, "configuration::register", TOLD)
        await ask(worker, "configuration::ensure", TOLD)
        await ask(worker, "configuration::set", {"id": "web", "value": 3})
        events = [await soon(seen.get()) for _ in range(3)]
        kinds = [(event["event_type"].partition(":")[2], event["new_value"]) for event in events]
        assert sorted(kinds, key=str) == [("registered", None), ("updated", 3), ("updated", None)]
        assert len(engine.configuration.events) == 3
        assert engine.unexpected == []


async def test_a_function_that_does_not_take_a_change_is_seen() -> None:
    async with EngineDouble() as engine, toy(engine) as worker:
        await ask(worker, "configuration::register", TOLD)
        bind(worker, "configuration", CHANGED, function_id="toy::fail")
        await engine.bound("configuration")
        with pytest.raises(InvocationFailed, match="invocation_failed"):
            await engine.configure("web", 1)
        await ask(worker, "configuration::set", {"id": "web", "value": 2})
        await engine.until(lambda: engine.unexpected)
        assert [one.reason for one in engine.unexpected] == ["a function did not take a change of the configuration"]


async def test_entries_outlive_the_engine() -> None:
    async with EngineDouble() as engine, toy(engine) as worker:
        worker.register_function("toy::other", echo)
        await ask(worker, "configuration::register", TOLD | {"initial_value": 1})
        await engine.restart()
        await engine.registered("toy::other")
        assert await ask(worker, "configuration::get", {"id": "web"}) == {"id": "web", "value": 1}
