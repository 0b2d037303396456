from __future__ import annotations

import json
from typing import Any

import pytest

from webward.config import ReadOptions
from webward.contracts.tools import (
    BODY_BYTES,
    WINDOW_CHARS,
    CheckUrlInput,
    FetchInput,
    ReadPageInput,
    SendInput,
    ToolInput,
    WebSearchInput,
    decode,
    schema_of,
)
from webward.errors import InvalidInput

KINDS = (ReadPageInput, FetchInput, SendInput, WebSearchInput, CheckUrlInput)
URL = "https://example.com/"


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_one_closed_object_whose_arguments_are_described(kind: type[ToolInput]) -> None:
    schema = schema_of(kind)
    assert (schema["type"], schema["additionalProperties"]) == ("object", False)
    assert list(schema["properties"]) == list(kind.__struct_fields__)
    for name, argument in schema["properties"].items():
        assert argument["description"], name
        assert name == "json" or isinstance(argument["type"], str), name


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("word", ["$ref", "$defs", "anyOf", "null", "exclusiveMinimum", "exclusiveMaximum"])
def test_a_schema_has_nothing_that_hosts_stumble_over(kind: type[ToolInput], word: str) -> None:
    assert f'"{word}"' not in json.dumps(schema_of(kind))


def test_an_enumeration_has_a_type() -> None:
    assert schema_of(ReadPageInput)["properties"]["format"] == {
        "type": "string",
        "enum": ["html", "markdown", "text"],
        "description": "The form of the page.",
        "default": "markdown",
    }


@pytest.mark.parametrize(
    ("kind", "given", "arguments"),
    [
        (
            ReadPageInput,
            {"url": URL},
            {
                "url": URL,
                "format": "markdown",
                "start": 0,
                "max_chars": WINDOW_CHARS,
                "target_elements": (),
                "excluded_tags": (),
                "include_links": False,
                "include_media": False,
            },
        ),
        (FetchInput, {"url": URL}, {"url": URL, "method": "GET", "follow_redirects": True, "max_bytes": BODY_BYTES}),
        (
            SendInput,
            {"url": URL, "json": {"a": None}, "method": "PUT"},
            {"url": URL, "method": "PUT", "json": {"a": None}, "follow_redirects": True, "max_bytes": BODY_BYTES},
        ),
        (
            WebSearchInput,
            {"query": "tea"},
            {"query": "tea", "max_results": 5, "allowed_domains": (), "blocked_domains": ()},
        ),
        (CheckUrlInput, {"url": URL}, {"url": URL}),
    ],
)
def test_what_is_given_and_the_defaults_are_the_arguments(
    kind: type[ToolInput], given: dict[str, Any], arguments: dict[str, Any]
) -> None:
    assert decode(given, kind).arguments() == arguments


def test_the_names_of_a_reading_are_those_of_its_options() -> None:
    theirs = {*ReadOptions.__struct_fields__, "url", "timeout_ms", "max_bytes"} - {"sanitize", "content_filter"}
    assert {*ReadPageInput.__struct_fields__} == {*theirs, "filter", "query"}


@pytest.mark.parametrize(
    ("given", "content_filter"),
    [
        ({"filter": "pruning"}, {"type": "pruning", "query": None}),
        ({"filter": "bm25", "query": "tea"}, {"type": "bm25", "query": "tea"}),
        ({"filter": "bm25"}, {"type": "bm25", "query": None}),
    ],
)
def test_a_filter_and_its_query_are_one_option(given: dict[str, Any], content_filter: dict[str, Any]) -> None:
    arguments = decode({"url": URL, **given}, ReadPageInput).arguments()
    assert arguments["content_filter"] == content_filter
    assert not {"filter", "query"} & set(arguments)


@pytest.mark.parametrize("given", [{"query": "tea"}, {"query": "tea", "filter": "pruning"}])
def test_a_query_without_its_filter_is_told(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="give filter bm25 with it"):
        decode({"url": URL, **given}, ReadPageInput).arguments()


def test_a_null_is_an_absent_argument() -> None:
    given = {"url": URL, "max_chars": None, "query": None, "timeout_ms": None}
    assert decode(given, ReadPageInput) == decode({"url": URL}, ReadPageInput)


@pytest.mark.parametrize(
    ("kind", "given", "problem"),
    [
        (ReadPageInput, None, "missing required field `url`"),
        (ReadPageInput, {"url": None}, "missing required field `url`"),
        (ReadPageInput, {"url": 5}, "url: Expected `str`, got `int`"),
        (ReadPageInput, {"url": URL, "urls": []}, "unknown field `urls`"),
        (ReadPageInput, {"url": URL, "sanitize": False}, "unknown field `sanitize`"),
        (ReadPageInput, {"url": URL, "max_chars": "10"}, "max_chars: Expected `int`, got `str`"),
        (ReadPageInput, {"url": URL, "max_chars": True}, "max_chars: Expected `int`, got `bool`"),
        (ReadPageInput, {"url": URL, "max_chars": 0}, "max_chars: Expected `int` >= 1"),
        (ReadPageInput, {"url": URL, "start": -1}, "start: Expected `int` >= 0"),
        (ReadPageInput, {"url": URL, "format": "pdf"}, "format: Invalid enum value 'pdf'"),
        (ReadPageInput, {"url": URL, "target_elements": "p"}, "target_elements: Expected `array`, got `str`"),
        (ReadPageInput, {"url": URL, "\ud800": 1}, "lone surrogate"),
        (WebSearchInput, {"query": "tea", "max_results": 11}, "max_results: Expected `int` <= 10"),
        (SendInput, {"url": URL, "headers": {"a": 1}}, "Expected `str`, got `int`"),
        (SendInput, {"url": URL, "method": "TRACE"}, "method: Invalid enum value 'TRACE'"),
    ],
)
def test_a_bad_argument_is_named(kind: type[ToolInput], given: dict[str, Any] | None, problem: str) -> None:
    with pytest.raises(InvalidInput) as told:
        decode(given, kind)
    assert problem in told.value.message


@pytest.mark.parametrize(
    "given",
    [
        {"method": "POST"},
        {"method": "get"},
        {"method": 5},
        {"method": ["GET"]},
        {"headers": {}},
        {"json": 1},
        {"body": ""},
    ],
)
def test_what_a_reading_fetch_does_not_do_is_told_as_that(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="limited here to GET and HEAD"):
        decode({"url": URL, **given}, FetchInput)
