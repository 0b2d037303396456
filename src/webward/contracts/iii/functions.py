"""The functions and bindings that the engine is told of, and the worker's manifest."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from webward._version import __version__
from webward.contracts.iii.configuration import DEFAULTS, NAME, configuration_schema, stored_form
from webward.contracts.iii.guidance import GUIDANCE
from webward.contracts.iii.request import FetchInput
from webward.contracts.iii.response import FetchResponse

Schema = dict[str, Any]

DESCRIPTION = (
    "HTTP client for agents: web::fetch requests public URLs, reads pages as Markdown, and reaches nothing internal."
)
SUPPORTED_TARGETS = (
    *("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-apple-darwin", "aarch64-apple-darwin"),
    "x86_64-pc-windows-msvc",
)


class Function(Struct, frozen=True, kw_only=True):
    """A function as the engine is told of it.

    Attributes:
        id: How it is called.
        description: What it does, for a model.
        metadata: What the engine keeps beside it.
        request_schema: JSON Schema of its payload.
        response_schema: JSON Schema of its result.
    """

    id: str
    description: str
    metadata: dict[str, Any]
    request_schema: Schema
    response_schema: Schema


class Binding(Struct, frozen=True, kw_only=True):
    """A trigger that calls a function.

    Attributes:
        type: Of the trigger.
        function_id: What it calls.
        config: When, in the words of the type's provider.
        metadata: What the provider keeps beside it.
    """

    type: str
    function_id: str
    config: dict[str, Any]
    metadata: dict[str, Any] | None = None


def request_schema() -> Schema:
    """JSON Schema of the payload of ``web::fetch``."""
    return _schema(FetchInput)


def response_schema() -> Schema:
    """JSON Schema of its result."""
    return _schema(FetchResponse)


def _schema(kind: type[Struct]) -> Schema:
    _, components = msgspec.json.schema_components([kind])
    schema: Schema = components.pop(kind.__name__)
    schema.pop("title", None)
    return {**schema, "$defs": components} if components else schema


_OBJECT: Schema = {"type": "object", "additionalProperties": True}

FETCH = Function(
    id="web::fetch",
    description=(
        "Make an HTTP or HTTPS request. Gives { ok, status, headers, body }; ok tells whether there was an answer, "
        'status what it was. Pass format: "markdown" to read a web page. Private and cloud metadata addresses are '
        "refused."
    ),
    metadata={},
    request_schema=request_schema(),
    response_schema=response_schema(),
)
INJECT_GUIDANCE = Function(
    id="web::inject-guidance",
    description="Adds the section on web::fetch to a system prompt; called by the harness before a turn.",
    metadata={"internal": True},
    request_schema=_OBJECT,
    response_schema=_OBJECT,
)
ON_CONFIG_CHANGE = Function(
    id="web::on-config-change",
    description="Reads the configuration again; called by the configuration worker when it changes.",
    metadata={"internal": True},
    request_schema=_OBJECT,
    response_schema={"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]},
)

# A hook that failed would abort the turn unless it is told to fail open.
GUIDANCE_BINDING = Binding(
    type="harness::hook::pre-generate",
    function_id=INJECT_GUIDANCE.id,
    config={"on_error": "fail_open"},
    metadata={"inject_prompt": GUIDANCE},
)


def configuration_binding(entry: str) -> Binding:
    """What tells of changes of a configuration entry."""
    config = {"configuration_id": entry, "event_types": ["configuration:updated"]}
    return Binding(type="configuration", function_id=ON_CONFIG_CHANGE.id, config=config)


def configuration_entry(entry: str) -> dict[str, Any]:
    """What the configuration worker is told of an entry, but for its value."""
    return {
        "id": entry,
        "name": NAME,
        "description": "Ceilings, User-Agent and loopback policy of web::fetch, and whether the prompt tells of it.",
        "schema": configuration_schema(),
        "metadata": {"ui_form": NAME},
    }


def manifest() -> dict[str, Any]:
    """What a registry of workers is told."""
    return {
        "name": NAME,
        "version": __version__,
        "description": DESCRIPTION,
        "default_config": stored_form(DEFAULTS),
        "supported_targets": list(SUPPORTED_TARGETS),
    }
