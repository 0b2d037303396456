from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from webward import errors
from webward.contracts.frockbot import search
from webward.errors import DeadlineExceeded, InvalidInput, ProviderFailed, ProviderNotConfigured, ProviderUnauthorized
from webward.model import Hit, SearchResponse

if TYPE_CHECKING:
    from collections.abc import Iterator

NO_NUMBERS: tuple[Any, ...] = (5.0, 5.5, True, "5", None, [], float("nan"))


def test_defaults() -> None:
    request = search.decode_input({"query": "tea"})
    assert (request.query, request.max_results) == ("tea", 5)


@pytest.mark.parametrize("max_results", [1, 5, 10])
@pytest.mark.parametrize("query", ["t", "é" * 400])
def test_what_is_in_range_is_taken(query: str, max_results: int) -> None:
    request = search.decode_input({"query": f"\ufeff {query}\u2003\n", "max_results": max_results})
    assert (request.query, request.max_results) == (query, max_results)


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 1, "tea", [], ["tea"], {}),
        {"query": None},
        {"query": 1},
        {"query": ["tea"]},
        {"q": "tea"},
        {"max_results": 5},
        *({"query": query} for query in ("", " ", "\t\n\ufeff\u3000", "x" * 401)),
        *({"query": "tea", "max_results": number} for number in (0, -1, 11, 10**30)),
        *({"query": "tea", "max_results": number} for number in NO_NUMBERS),
        {"query": "tea", "language": "en"},
        {"query": "tea", "\ud800": 1},
    ],
    ids=str,
)
def test_a_wrong_input_is_an_input_error(value: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        search.decode_input(value)
    result = search.refused(value, caught.value)
    content = json.loads(result["content"])
    assert result["isError"] is True
    assert list(content) == ["error", "message"]
    assert content["error"] == "web-search-invalid-input"


def test_results_are_the_rows_of_the_contract() -> None:
    hits = (Hit(title="", url="https://a.example/", snippet="b"), Hit(title="c", url="https://d.example/", snippet=""))
    result = search.found(SearchResponse(query="tea", hits=hits, provider="fake", notes=("dates-ignored",)))
    assert result["isError"] is False
    assert json.loads(result["content"]) == {
        "query": "tea",
        "results": [
            {"title": "", "url": "https://a.example/", "snippet": "b"},
            {"title": "c", "url": "https://d.example/", "snippet": ""},
        ],
    }


def kinds(kind: type[errors.WebwardError] = errors.WebwardError) -> Iterator[type[errors.WebwardError]]:
    if "code" in vars(kind):
        yield kind
    for child in kind.__subclasses__():
        yield from kinds(child)


def made(kind: type[errors.WebwardError]) -> errors.WebwardError:
    """An error of a kind, about an address."""
    details: dict[type[errors.WebwardError], dict[str, Any]] = {
        errors.AddressRefused: {"address_class": "private-use"},
        errors.StatusRefused: {"status": 404},
        errors.MediaTypeRefused: {"media_type": None},
        errors.ProviderFailed: {"unreached": True},
    }
    return kind("10.0.0.5 and more words", **details.get(kind, {}))


@pytest.mark.parametrize("kind", [kind for kind in kinds() if not issubclass(kind, InvalidInput)])
def test_every_other_error_is_a_failed_search(kind: type[errors.WebwardError]) -> None:
    result = search.refused({"query": " tea "}, made(kind))
    content = json.loads(result["content"])
    assert result["isError"] is True
    assert list(content) == ["error", "query", "message"]
    assert (content["error"], content["query"]) == ("web-search-failed", "tea")
    assert ("10.0.0.5" in content["message"]) is (kind is ProviderUnauthorized)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            ProviderUnauthorized("ollama: the key was rejected (status 401)"),
            "ollama: the key was rejected (status 401)",
        ),
        (ProviderFailed("brave: answered with status 500"), "brave: answered with status 500"),
        (
            ProviderFailed("searxng: 10.0.0.5 cannot be reached", unreached=True),
            "the search provider cannot be reached",
        ),
        (ProviderNotConfigured("set search.provider", setting="search.provider"), "no search provider can be asked"),
        (DeadlineExceeded("the deadline of 30 s has passed"), "there was no answer in time"),
    ],
)
def test_what_helps_is_told_and_no_setting(error: errors.WebwardError, message: str) -> None:
    assert json.loads(search.refused({"query": "tea"}, error)["content"])["message"] == message


def test_a_message_and_a_query_have_bounds() -> None:
    content = json.loads(search.refused({"query": "x" * 10_000}, ProviderFailed("y" * 10_000))["content"])
    assert (len(content["message"]), len(content["query"])) == (500, 400)


@pytest.mark.parametrize("value", [None, [], "tea", {}, {"query": 1}])
def test_without_a_query_none_is_repeated(value: Any) -> None:
    assert json.loads(search.failed(value, "x")["content"])["query"] == ""
