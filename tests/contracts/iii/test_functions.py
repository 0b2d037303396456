from __future__ import annotations

from typing import Any

import msgspec
import pytest

from webward import __version__
from webward.contracts.iii.configuration import DEFAULTS, stored_form
from webward.contracts.iii.functions import (
    FETCH,
    GUIDANCE_BINDING,
    INJECT_GUIDANCE,
    ON_CONFIG_CHANGE,
    configuration_binding,
    configuration_entry,
    manifest,
    request_schema,
    response_schema,
)
from webward.contracts.iii.guidance import GUIDANCE, inject

# As the seed lists them.
REQUEST_FIELDS = {
    *("url", "method", "headers", "json", "body", "response_format", "format", "content_filter", "target_elements"),
    *("excluded_tags", "include_links", "include_media", "timeout_ms", "max_bytes", "follow_redirects"),
}
RESPONSE_FIELDS = {
    *("ok", "status", "status_text", "headers", "body", "json", "parse_error", "response_format", "bytes_truncated"),
    *("redirect_chain", "content_type", "transformed", "links", "media", "error", "message", "content", "details"),
}


def test_the_request_schema() -> None:
    schema = request_schema()
    assert (schema["type"], schema["required"]) == ("object", ["url"])
    assert set(schema["properties"]) == REQUEST_FIELDS
    assert all(field["description"] for field in schema["properties"].values())
    assert schema["$defs"]["FilterInput"]["required"] == ["type"]
    assert schema.get("additionalProperties", True) is True


def test_the_response_schema() -> None:
    schema = response_schema()
    assert schema["type"] == "object"
    assert set(schema["properties"]) >= RESPONSE_FIELDS
    assert "required" not in schema or schema["required"] == []
    assert all(field["description"] for field in schema["properties"].values())


def test_what_the_engine_is_told_is_json() -> None:
    for value in (request_schema(), response_schema(), manifest(), configuration_entry("web")):
        assert msgspec.json.decode(msgspec.json.encode(value)) == value


def test_the_functions() -> None:
    assert [one.id for one in (FETCH, INJECT_GUIDANCE, ON_CONFIG_CHANGE)] == [
        *("web::fetch", "web::inject-guidance", "web::on-config-change")
    ]
    assert ON_CONFIG_CHANGE.metadata == {"internal": True}


def test_the_bindings() -> None:
    assert GUIDANCE_BINDING.type == "harness::hook::pre-generate"
    assert (GUIDANCE_BINDING.function_id, GUIDANCE_BINDING.config) == (
        "web::inject-guidance",
        {"on_error": "fail_open"},
    )
    assert GUIDANCE_BINDING.metadata == {"inject_prompt": GUIDANCE}
    change = configuration_binding("web-2")
    assert (change.type, change.function_id) == ("configuration", "web::on-config-change")
    assert change.config == {"configuration_id": "web-2", "event_types": ["configuration:updated"]}


def test_the_configuration_entry() -> None:
    entry = configuration_entry("web-2")
    assert (entry["id"], entry["name"], entry["metadata"]) == ("web-2", "web", {"ui_form": "web"})
    assert "value" not in entry


def test_the_manifest() -> None:
    assert manifest()["name"] == "web"
    assert manifest()["version"] == __version__
    assert manifest()["default_config"] == stored_form(DEFAULTS)
    assert manifest()["supported_targets"]


@pytest.mark.parametrize(
    "idea",
    [
        *("web::fetch", "curl", "wget", "localhost", "just bound", '"format": "markdown"', "`status`", "`error`"),
        *("never on the words", "verified", "read its envelope", "engine::functions::info", "once"),
    ],
)
def test_the_guidance_says_what_matters(idea: str) -> None:
    assert idea in GUIDANCE


def test_guidance_follows_the_prompt_that_is_there() -> None:
    answered = inject({"point": "pre_generate", "generate": {"system_prompt": "You are.", "messages": []}})
    assert answered == {"mutations": {"system_prompt": f"You are.\n\n{GUIDANCE}"}}


@pytest.mark.parametrize(
    "payload",
    [
        None,
        [],
        {},
        {"generate": None},
        {"generate": {}},
        {"generate": {"system_prompt": ""}},
        {"generate": {"system_prompt": 5}},
    ],
    ids=repr,
)
def test_without_a_prompt_nothing_changes(payload: Any) -> None:
    assert inject(payload) == {"mutations": {}}
