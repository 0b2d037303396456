from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.contracts.iii.answers import URL, request

from webward.contracts.iii.configuration import DEFAULTS
from webward.contracts.iii.request import (
    ACCEPT,
    BROWSER_USER_AGENT,
    MAX_QUERY_CHARS,
    MAX_THRESHOLD,
    METHODS,
    FetchInput,
    decode_request,
)
from webward.errors import InvalidInput

MIB = 1024 * 1024
ENRICHMENTS: dict[str, Any] = {
    "content_filter": {"type": "pruning"},
    "target_elements": ["article"],
    "excluded_tags": ["nav"],
    "include_links": True,
    "include_media": True,
}


def problem(payload: object) -> str:
    with pytest.raises(InvalidInput) as caught:
        decode_request(payload, DEFAULTS)
    return caught.value.message


def page(**payload: Any) -> Any:
    wishes = request(format="markdown", **payload).page
    assert wishes is not None
    return wishes.options


def test_a_url_is_enough() -> None:
    asked = request()
    assert (asked.url, asked.method, asked.headers, asked.body) == (URL, "GET", {}, None)
    assert (asked.timeout_ms, asked.max_bytes, asked.follow_redirects) == (30_000, 5 * MIB, True)
    assert (asked.response_format, asked.page, asked.rules.second_user_agent) == ("text", None, None)


@pytest.mark.parametrize("name", METHODS)
def test_a_method_is_in_any_case(name: str) -> None:
    assert request(method=name.lower()).method == name


@pytest.mark.parametrize(
    ("payload", "field"),
    [
        ({}, "url"),
        (None, "payload"),
        ([], "payload"),
        ("https://a/", "payload"),
        (object(), "payload"),
        ({"\ud800": 1}, "surrogate"),
        ({"url": None}, "url"),
        ({"url": 5}, "url"),
        ({"url": ""}, "url"),
        ({"url": URL, "method": "FETCH"}, "method"),
        ({"url": URL, "method": ""}, "method"),
        ({"url": URL, "method": "opt\u0131ons"}, "method"),
        ({"url": URL, "method": 5}, "method"),
        ({"url": URL, "headers": []}, "headers"),
        ({"url": URL, "headers": {"a": 1}}, "headers"),
        ({"url": URL, "headers": {"a": None}}, "headers"),
        ({"url": URL, "body": {"a": 1}}, "body"),
        ({"url": URL, "method": "POST", "body": "\ud800"}, "body"),
        ({"url": URL, "method": "POST", "json": float("nan")}, "json"),
        ({"url": URL, "timeout_ms": 0}, "timeout_ms"),
        ({"url": URL, "timeout_ms": -1}, "timeout_ms"),
        ({"url": URL, "timeout_ms": 1.0}, "timeout_ms"),
        ({"url": URL, "timeout_ms": "1"}, "timeout_ms"),
        ({"url": URL, "timeout_ms": True}, "timeout_ms"),
        ({"url": URL, "max_bytes": 0}, "max_bytes"),
        ({"url": URL, "max_bytes": -1}, "max_bytes"),
        ({"url": URL, "max_bytes": 1.5}, "max_bytes"),
        ({"url": URL, "follow_redirects": "yes"}, "follow_redirects"),
        ({"url": URL, "response_format": "Text"}, "response_format"),
        ({"url": URL, "response_format": "xml", "format": "text"}, "response_format"),
        ({"url": URL, "format": "Markdown"}, "format"),
        ({"url": URL, "format": "markdown", "content_filter": {"type": "best"}}, "content_filter"),
        ({"url": URL, "format": "markdown", "content_filter": {}}, "content_filter"),
        ({"url": URL, "format": "markdown", "content_filter": "pruning"}, "content_filter"),
        ({"url": URL, "format": "text", "target_elements": "article"}, "target_elements"),
        ({"url": URL, "format": "text", "target_elements": [1]}, "target_elements"),
        ({"url": URL, "format": "text", "target_elements": ["a", " \t"]}, "target_elements"),
        ({"url": URL, "format": "text", "excluded_tags": [""]}, "excluded_tags"),
        ({"url": URL, "format": "text", "include_links": 1}, "include_links"),
        *(({"url": URL, name: value}, name) for name, value in ENRICHMENTS.items()),
    ],
)
def test_what_is_wrong_is_named(payload: object, field: str) -> None:
    assert field in problem(payload)


@pytest.mark.parametrize("name", ENRICHMENTS)
def test_enrichment_goes_with_a_format(name: str) -> None:
    wishes = request(format="text", **{name: ENRICHMENTS[name]}).page
    assert wishes is not None
    assert wishes.is_enriched


@pytest.mark.parametrize(
    "nothing", [{"target_elements": []}, {"excluded_tags": []}, {"include_links": False}, {"include_media": False}]
)
def test_empty_lists_and_false_ask_for_nothing(nothing: dict[str, Any]) -> None:
    assert request(**nothing).page is None
    wishes = request(format="html", **nothing).page
    assert wishes is not None
    assert not wishes.is_enriched


@pytest.mark.parametrize(
    ("content_filter", "is_good"),
    [
        ({"type": "pruning", "threshold": 0}, True),
        ({"type": "pruning", "threshold": 1}, True),
        ({"type": "pruning", "threshold": 1.5}, False),
        ({"type": "pruning", "threshold": -0.1}, False),
        ({"type": "bm25", "threshold": 2.5}, True),
        ({"type": "bm25", "threshold": 10.0**9}, True),
        ({"type": "bm25", "threshold": -0.1}, False),
        ({"type": "bm25", "threshold": float("nan")}, False),
        ({"type": "bm25", "threshold": "1"}, False),
        ({"type": "pruning", "threshold_type": "dynamic", "min_word_threshold": 2**32 - 1}, True),
        ({"type": "pruning", "threshold_type": "Dynamic"}, False),
        ({"type": "pruning", "min_word_threshold": 2**32}, False),
        ({"type": "pruning", "min_word_threshold": -1}, False),
    ],
    ids=repr,
)
def test_thresholds_have_a_range(content_filter: dict[str, Any], is_good: bool) -> None:  # noqa: FBT001 - a row
    payload = {"url": URL, "format": "markdown", "content_filter": content_filter}
    if is_good:
        decode_request(payload, DEFAULTS)
    else:
        assert "content_filter" in problem(payload)


# Each payload breaks two rules or more that follow one another; the first is told.
@pytest.mark.parametrize(
    ("payload", "first"),
    [
        ({"url": "", "headers": 1, "method": "FETCH"}, "headers"),
        ({"url": "", "method": "FETCH", "timeout_ms": 0}, "url"),
        ({"url": URL, "method": "FETCH", "timeout_ms": 0}, "method"),
        ({"url": URL, "timeout_ms": 0, "max_bytes": 0}, "timeout_ms"),
        ({"url": URL, "max_bytes": 0, "include_links": True}, "max_bytes"),
        (
            {"url": URL, "include_links": True, "content_filter": {"type": "pruning", "threshold": 2}},
            "content_filter: needs",
        ),
        (
            {
                "url": URL,
                "format": "text",
                "content_filter": {"type": "pruning", "threshold": 2},
                "target_elements": [""],
            },
            "content_filter.threshold",
        ),
        ({"url": URL, "format": "text", "target_elements": [""], "excluded_tags": [""]}, "target_elements"),
    ],
    ids=repr,
)
def test_rules_come_in_order(payload: object, first: str) -> None:
    assert problem(payload).startswith(first)


def test_null_is_nothing_and_unknown_fields_are_passed_over() -> None:
    names = ("method", "headers", "json", "body", "response_format", "format", "content_filter", "target_elements")
    more = ("excluded_tags", "include_links", "include_media", "timeout_ms", "max_bytes", "follow_redirects", "unheard")
    assert decode_request({"url": URL, **dict.fromkeys((*names, *more))}, DEFAULTS) == request()


@pytest.mark.parametrize(("given", "counts"), [(None, 30_000), (5_000, 5_000), (999_999, 120_000), (2**64, 120_000)])
def test_a_timeout_is_clamped(given: int | None, counts: int) -> None:
    assert request(timeout_ms=given).timeout_ms == counts


@pytest.mark.parametrize(
    ("given", "form", "counts"),
    [
        (None, None, 5 * MIB),
        (None, "markdown", 256 * 1024),
        (10 * MIB, None, 5 * MIB),
        (10 * MIB, "markdown", 5 * MIB),
        (MIB, "markdown", MIB),
        (7, None, 7),
    ],
)
def test_max_bytes_is_clamped(given: int | None, form: str | None, counts: int) -> None:
    assert request(max_bytes=given, format=form).max_bytes == counts


def test_defaults_are_clamped_too() -> None:
    small = replace(DEFAULTS, max_timeout_ms=10, max_response_bytes=20)
    assert (request(small).timeout_ms, request(small).max_bytes) == (10, 20)
    assert request(small, format="text").max_bytes == 20


@pytest.mark.parametrize(
    ("payload", "body", "content_type"),
    [
        ({"json": {"a": 1, "b": [True]}}, b'{"a":1,"b":[true]}', "application/json"),
        ({"json": 0, "body": "x"}, b"0", "application/json"),
        ({"json": None, "body": "x"}, b"x", None),
        ({"body": "\xe9"}, b"\xc3\xa9", None),
        ({"body": ""}, b"", None),
        ({}, None, None),
        ({"json": 1, "headers": {"content-type": "application/ld+json"}}, b"1", None),
    ],
    ids=repr,
)
def test_json_wins_over_body(payload: dict[str, Any], body: bytes | None, content_type: str | None) -> None:
    asked = request(method="POST", **payload)
    assert (asked.body, asked.headers.get("Content-Type")) == (body, content_type)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("payload", [{"json": {"a": 1}}, {"body": "x"}], ids=repr)
def test_get_and_head_have_no_body(method: str, payload: dict[str, Any]) -> None:
    asked = request(method=method, **payload)
    assert (asked.body, asked.headers) == (None, {})


def test_headers_that_are_not_the_callers_are_dropped() -> None:
    dropped = (
        "Host",
        "hOsT ",
        "Connection",
        "Keep-Alive",
        "Transfer-Encoding",
        "Proxy-Authorization",
        "Metadata-Flavor",
    )
    given = dict.fromkeys((*dropped, "TE", "Upgrade", "X-aws-ec2-metadata-token"), "x")
    assert request(headers={**given, "Authorization": "a", "X-B": "b"}).headers == {"Authorization": "a", "X-B": "b"}


@pytest.mark.parametrize("form", ["markdown", "text", "html"])
def test_a_page_is_asked_for_as_a_browser_would(form: str) -> None:
    asked = request(format=form, response_format="base64")
    assert asked.headers == {
        "User-Agent": BROWSER_USER_AGENT,
        "Accept": ACCEPT[form],
        "Accept-Language": "en-US,en;q=0.9",
    }
    assert len(set(ACCEPT.values())) == len(ACCEPT)
    assert (asked.response_format, asked.rules.second_user_agent) == ("text", DEFAULTS.user_agent)


def test_a_callers_headers_replace_those_of_a_page() -> None:
    given = {"user-agent": "me/1", "ACCEPT": "a/b", "accept-Language": "de"}
    asked = request(format="markdown", headers=given)
    assert asked.headers == given
    assert asked.rules.second_user_agent is None


def test_an_answer_must_be_whole() -> None:
    assert request().rules.whole
    assert request(format="text").rules.whole


def test_what_is_asked_of_the_reading() -> None:
    options = page(**ENRICHMENTS | {"target_elements": [" .a > b "]})
    assert (options["format"], options["target_elements"], options["excluded_tags"]) == (
        "markdown",
        (".a > b",),
        ("nav",),
    )
    assert (options["include_links"], options["include_media"], options["sanitize"]) == (True, True, "invisible")
    assert options["content_filter"].type == "pruning"


@pytest.mark.parametrize(("query", "asked"), [(" ", None), ("tea", "tea"), ("x" * 9_999, "x" * MAX_QUERY_CHARS)])
def test_a_query_is_kept_as_far_as_it_is_used(query: str, asked: str | None) -> None:
    found = page(content_filter={"type": "bm25", "query": query, "threshold": 1e9})["content_filter"]
    assert (found.query, found.threshold) == (asked, MAX_THRESHOLD)


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["markdown", "text", "pruning"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = st.sampled_from(list(FetchInput.__struct_fields__))


@given(st.dictionaries(FIELDS, ANYTHING, max_size=6))
def test_any_payload_is_a_request_or_is_told(payload: dict[str, Any]) -> None:
    try:
        asked = decode_request(payload, DEFAULTS)
    except InvalidInput:
        return
    assert 1 <= asked.timeout_ms <= DEFAULTS.max_timeout_ms
    assert 1 <= asked.max_bytes <= DEFAULTS.max_response_bytes
    assert asked.method in METHODS
    assert asked.url
