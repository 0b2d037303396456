"""The tool ``web_search`` and its contract ``WebSearchV1``: the input, and the JSON that it gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from webward.contracts.frockbot.classifier import BLANKS
from webward.contracts.frockbot.codes import MAX_MESSAGE_CHARS
from webward.contracts.frockbot.results import ToolResult, failure, success
from webward.contracts.inputs import decoded
from webward.errors import InvalidInput, ProviderFailed, ProviderUnauthorized, WebwardError
from webward.model import DEFAULT_RESULTS, MAX_QUERY_CHARS, MAX_RESULTS

if TYPE_CHECKING:
    from webward.model import SearchResponse

INVALID_INPUT = "web-search-invalid-input"
FAILED = "web-search-failed"

# What is told of an error; those of a provider speak for themselves. Settings are the operator's matter.
_MESSAGES = {
    "provider-not-configured": "no search provider can be asked",
    "deadline-exceeded": "there was no answer in time",
    "overloaded": "the gateway is busy; try again later",
    "internal": "a fault of the gateway itself",
}


class SearchInput(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a model says to ``web_search``."""

    query: Annotated[
        str,
        Meta(
            description="What to look for.",
            extra_json_schema={"minLength": 1, "maxLength": MAX_QUERY_CHARS},  # counted after trimming
        ),
    ]
    max_results: Annotated[int, Meta(ge=1, le=MAX_RESULTS, description="How many results are wanted.")] = (
        DEFAULT_RESULTS
    )


def decode_input(value: object) -> SearchInput:
    """The input of a call.

    Raises:
        InvalidInput: A key is unknown, missing, of the wrong type or out of its range, or the query is blank.
    """
    given = decoded(value, SearchInput)
    query = given.query.strip(BLANKS)
    if not 1 <= len(query) <= MAX_QUERY_CHARS:
        raise InvalidInput(f"query must have 1 to {MAX_QUERY_CHARS} characters")
    return replace(given, query=query)


def found(response: SearchResponse) -> ToolResult:
    """The result of a search; the hits are within the bounds of the contract already."""
    results = [{"title": hit.title, "url": hit.url, "snippet": hit.snippet} for hit in response.hits]
    return success({"query": response.query, "results": results})


def refused(value: object, error: WebwardError) -> ToolResult:
    """The result of a search that failed."""
    if isinstance(error, InvalidInput):
        return failure({"error": INVALID_INPUT, "message": error.message[:MAX_MESSAGE_CHARS]})
    return failed(value, _message(error))


def failed(value: object, message: str) -> ToolResult:
    """The result of a search that gave nothing, with the query as the caller wrote it."""
    query = value.get("query") if isinstance(value, Mapping) else None
    asked = query.strip(BLANKS)[:MAX_QUERY_CHARS] if isinstance(query, str) else ""
    return failure({"error": FAILED, "query": asked, "message": message[:MAX_MESSAGE_CHARS]})


def _message(error: WebwardError) -> str:
    if isinstance(error, ProviderUnauthorized) or (isinstance(error, ProviderFailed) and not error.unreached):
        return error.message
    return _MESSAGES.get(error.code, "the search provider cannot be reached")
