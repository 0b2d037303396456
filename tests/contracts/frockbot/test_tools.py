from __future__ import annotations

import json

import pytest

from webward import __version__
from webward.contracts.frockbot.tools import WEB_FETCH, WEB_SEARCH, Admission, admitted, is_enabled, manifest


def test_the_schema_of_web_fetch_has_the_bounds_of_the_contract() -> None:
    schema = WEB_FETCH.input_schema
    properties = schema["properties"]
    assert (schema["type"], schema["required"], schema["additionalProperties"]) == ("object", ["url"], False)
    assert set(properties) == {"url", "max_bytes", "format"}
    assert all(rule["description"] for rule in properties.values())
    url, number, form = properties["url"], properties["max_bytes"], properties["format"]
    assert (url["type"], url["minLength"], url["maxLength"]) == ("string", 1, 2048)
    assert (number["type"], number["minimum"], number["maximum"]) == ("integer", 1024, 1_048_576)
    assert (number["default"], form["default"]) == (1_048_576, "text")
    assert sorted(form["enum"]) == ["markdown", "text"]


@pytest.mark.parametrize(
    ("enabled", "offered"),
    [
        (None, True),
        (("web", "web-fetch"), True),
        (("web-fetch", "other", "web"), True),
        (("web",), False),
        (("web-fetch",), False),
        (("web", "web-search"), False),
        ((), False),
    ],
)
def test_a_tool_is_offered_inside_the_fence(enabled: tuple[str, ...] | None, offered: bool) -> None:  # noqa: FBT001 - a row
    assert is_enabled(WEB_FETCH, enabled) is offered


def test_the_manifest_is_data() -> None:
    shown = manifest([WEB_FETCH])
    assert json.loads(json.dumps(shown)) == shown
    assert (shown["id"], shown["version"], shown["schemaVersion"]) == ("web", __version__, 4)
    assert shown["configuration"]["connectionTypes"] == []
    (capability,) = shown["configuration"]["capabilities"]
    assert capability == {
        "id": "web-fetch",
        "kind": "tool",
        "connectionTypes": [],
        "admission": {"turnTypes": "all"},
    }
    (tool,) = shown["tools"]
    assert tool["inputSchema"] == WEB_FETCH.input_schema
    assert (tool["name"], tool["idempotent"], tool["admission"]) == ("web_fetch", True, {"turnTypes": "all"})


def test_a_host_may_list_turns_and_roles() -> None:
    admission = Admission(turn_types=("chat", "subagent"), subagent_roles=("executor",))
    shown = manifest([admitted(WEB_FETCH, admission)])
    wanted = {"turnTypes": ["chat", "subagent"], "subagentRoles": ["executor"]}
    assert shown["configuration"]["capabilities"][0]["admission"] == wanted
    assert shown["tools"][0]["admission"] == wanted


def test_without_tools_nothing_is_offered() -> None:
    shown = manifest([])
    assert (shown["tools"], shown["configuration"]["capabilities"]) == ([], [])


def test_the_schema_of_web_search_has_the_bounds_of_the_contract() -> None:
    schema = WEB_SEARCH.input_schema
    query, number = schema["properties"]["query"], schema["properties"]["max_results"]
    assert (schema["type"], schema["required"], schema["additionalProperties"]) == ("object", ["query"], False)
    assert set(schema["properties"]) == {"query", "max_results"}
    assert (query["type"], query["minLength"], query["maxLength"]) == ("string", 1, 400)
    assert (number["type"], number["minimum"], number["maximum"], number["default"]) == ("integer", 1, 10, 5)
    assert (WEB_SEARCH.capability, WEB_SEARCH.idempotent) == ("web-search", True)
