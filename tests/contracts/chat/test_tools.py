from __future__ import annotations

import json
from typing import Any

import pytest

from webward.contracts.chat.tools import (
    FETCH_URL,
    MAX_ARGUMENT_CHARS,
    WEB_SEARCH,
    FetchUrlInput,
    Tool,
    WebSearchInput,
    arguments_of,
    definition,
    schema,
)
from webward.errors import InvalidInput

TOOLS: list[Tool[Any]] = [FETCH_URL, WEB_SEARCH]
URL = "https://example.com/"


def keywords(rules: object) -> set[str]:
    """Every key of a schema, those of properties aside."""
    if isinstance(rules, list):
        return {key for inner in rules for key in keywords(inner)}
    if not isinstance(rules, dict):
        return set()
    found = set(rules) | {key for name, inner in rules.items() if name != "properties" for key in keywords(inner)}
    return found | {key for inner in rules.get("properties", {}).values() for key in keywords(inner)}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
@pytest.mark.parametrize("strict", [True, False])
def test_the_two_styles_hold_the_same_function(tool: Tool[Any], strict: bool) -> None:  # noqa: FBT001 - a row
    chat, responses = definition(tool, "chat", strict=strict), definition(tool, "responses", strict=strict)
    assert chat["type"] == responses["type"] == "function"
    assert set(chat) == {"type", "function"}
    assert {"type": "function", **chat["function"], "strict": strict} == responses
    assert chat["function"].get("strict", False) is strict
    assert (responses["name"], responses["description"]) == (tool.name, tool.description)
    assert json.loads(json.dumps(chat)) == chat


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_strict_schema_has_nothing_that_a_server_could_reject(tool: Tool[Any]) -> None:
    strict = schema(tool, strict=True)
    assert strict["additionalProperties"] is False
    assert strict["required"] == list(strict["properties"])
    assert keywords(strict) <= {
        *("type", "properties", "required", "additionalProperties", "description", "anyOf"),
    }


def test_fetch_url_takes_one_string() -> None:
    for strict in (True, False):
        found = schema(FETCH_URL, strict=strict)
        assert (found["type"], found["required"], list(found["properties"])) == ("object", ["url"], ["url"])
        assert found["properties"]["url"]["type"] == "string"
        assert found["additionalProperties"] is False


def test_a_plain_schema_has_the_bounds() -> None:
    found = schema(WEB_SEARCH, strict=False)
    assert found["required"] == ["query"]
    assert (found["properties"]["query"]["minLength"], found["properties"]["query"]["maxLength"]) == (1, 400)
    number = found["properties"]["max_results"]["anyOf"][0]
    assert (number["type"], number["minimum"], number["maximum"]) == ("integer", 1, 10)


@pytest.mark.parametrize("style", ["Chat", "", None])
def test_another_style_is_told(style: Any) -> None:
    with pytest.raises(InvalidInput, match="chat or responses"):
        definition(FETCH_URL, style)


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        (FETCH_URL, '{"url": "https://example.com/"}', FetchUrlInput(url=URL)),
        (FETCH_URL, b'{"url": "https://example.com/"}', FetchUrlInput(url=URL)),
        (FETCH_URL, {"url": URL}, FetchUrlInput(url=URL)),
        (FETCH_URL, {"url": ""}, FetchUrlInput(url="")),  # which is the URL's matter, and counts
        (WEB_SEARCH, '{"query": "tea"}', WebSearchInput(query="tea")),
        (WEB_SEARCH, '{"query": "tea", "max_results": null}', WebSearchInput(query="tea")),
        (WEB_SEARCH, {"query": "tea", "max_results": 10}, WebSearchInput(query="tea", max_results=10)),
    ],
)
def test_arguments(tool: Tool[Any], arguments: object, expected: object) -> None:
    assert arguments_of(tool, arguments) == expected


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        (FETCH_URL, "", "no JSON"),
        (FETCH_URL, "{", "no JSON"),
        (FETCH_URL, '{"url": "a"} trailing', "no JSON"),
        (FETCH_URL, b"\xff", "no JSON"),
        (FETCH_URL, "[" * 100_000, "longer than"),
        (FETCH_URL, "[" * (MAX_ARGUMENT_CHARS - 1), "no JSON"),
        (FETCH_URL, '{"url": "\ud800"}', "lone surrogate"),
        (FETCH_URL, {"\ud800": 1}, "lone surrogate"),
        (FETCH_URL, '"https://example.com/"', "object"),
        (FETCH_URL, "null", "object"),
        (FETCH_URL, None, "object"),
        (FETCH_URL, 7, "object"),
        (FETCH_URL, ["https://example.com/"], "object"),
        (FETCH_URL, {}, "url"),
        (FETCH_URL, {"url": None}, "url"),
        (FETCH_URL, {"url": 1}, "url"),
        (FETCH_URL, {"url": [URL]}, "url"),
        (FETCH_URL, {"url": URL, "method": "POST"}, "method"),
        (FETCH_URL, {1: URL}, "the input"),
        (WEB_SEARCH, {"max_results": 3}, "query"),
        (WEB_SEARCH, {"query": "tea", "max_results": 0}, "max_results"),
        (WEB_SEARCH, {"query": "tea", "max_results": 11}, "max_results"),
        (WEB_SEARCH, {"query": "tea", "max_results": True}, "max_results"),
        (WEB_SEARCH, {"query": "tea", "max_results": "3"}, "max_results"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_wrong_arguments_are_told(tool: Tool[Any], arguments: object, told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        arguments_of(tool, arguments)
