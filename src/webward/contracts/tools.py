"""What the tools take: models that give the schemas, the descriptions of arguments and the errors about them.

Names and meanings are those of the Python calls, so that equal calls give equal text. A null is an absent argument,
since models write it so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from webward.config import Rendition
from webward.contracts.inputs import decoded
from webward.errors import InvalidInput
from webward.model import DEFAULT_RESULTS, MAX_QUERY_CHARS, MAX_RESULTS

if TYPE_CHECKING:
    from collections.abc import Mapping

WINDOW_CHARS = 20_000  # contracts/page.md: of a page over HTTP and MCP
BODY_BYTES = 64 * 1024  # of a raw body, some 20,000 tokens: it is not cut into windows
READ_METHODS = ("GET", "HEAD")
_OF_WRITES = ("headers", "json", "body")

Url = Annotated[str, Meta(description="An absolute http or https URL.")]
TimeoutMs = Annotated[
    int,
    Meta(ge=1, description="One deadline over everything, in milliseconds; by default 30000, at most 120000."),
]
Domains = tuple[Annotated[str, Meta(description="A host name, which stands for all below it, too.")], ...]
Day = Annotated[str, Meta(description="A day, as in 2026-01-31.")]


class ToolInput(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a caller says to a tool."""

    def arguments(self) -> dict[str, Any]:
        """What was given or has a default, by name."""
        values = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in values.items() if value is not UNSET}


class ReadPageInput(ToolInput, frozen=True, kw_only=True):
    """What a caller says to ``read_page``."""

    url: Url
    format: Annotated[Rendition, Meta(description="The form of the page.")] = Rendition.MARKDOWN
    start: Annotated[
        int, Meta(ge=0, description="First character of the window; next_start of the window before continues there.")
    ] = 0
    max_chars: Annotated[int, Meta(ge=1, description="Length of the window in characters.")] = WINDOW_CHARS
    target_elements: Annotated[tuple[str, ...], Meta(description="CSS selectors; only what matches is given.")] = ()
    excluded_tags: Annotated[tuple[str, ...], Meta(description="CSS selectors; what matches is dropped.")] = ()
    filter: (
        Annotated[
            Literal["pruning", "bm25"],
            Meta(description="pruning drops what surrounds the content; bm25 keeps the blocks that match query."),
        ]
        | UnsetType
    ) = UNSET
    query: Annotated[str, Meta(max_length=2_000, description="What bm25 looks for.")] | UnsetType = UNSET
    include_links: Annotated[bool, Meta(description="Whether the links of the page are listed.")] = False
    include_media: Annotated[bool, Meta(description="Whether images, videos and audios are listed.")] = False
    timeout_ms: TimeoutMs | UnsetType = UNSET
    max_bytes: (
        Annotated[int, Meta(ge=1, description="Of the body; a longer one is cut. By default 5 MiB.")] | UnsetType
    ) = UNSET

    def arguments(self) -> dict[str, Any]:
        """Those of `Gateway.read`.

        Raises:
            InvalidInput: There is a query and nothing that it is for.
        """
        given = super().arguments()
        kind, query = given.pop("filter", None), given.pop("query", None)
        if query is not None and kind != "bm25":
            raise InvalidInput("query is what bm25 looks for; give filter bm25 with it")
        return given if kind is None else {**given, "content_filter": {"type": kind, "query": query}}


class RequestInput(ToolInput, frozen=True, kw_only=True):
    """What a caller says to ``fetch``."""

    url: Url
    follow_redirects: Annotated[bool, Meta(description="Whether a redirect is followed or is the answer.")] = True
    timeout_ms: TimeoutMs | UnsetType = UNSET
    max_bytes: Annotated[int, Meta(ge=1, description="Of the body; a longer one is cut. At most 50 MiB.")] = BODY_BYTES


class FetchInput(RequestInput, frozen=True, kw_only=True):
    """What a caller says to ``fetch`` where it only reads."""

    method: Annotated[Literal["GET", "HEAD"], Meta(description="The HTTP method.")] = "GET"


class SendInput(RequestInput, frozen=True, kw_only=True):
    """What a caller says to ``fetch`` where it may change something."""

    method: (
        Annotated[
            Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
            Meta(description="The HTTP method; by default GET, or POST with a body."),
        ]
        | UnsetType
    ) = UNSET
    headers: Annotated[dict[str, str], Meta(description="Request headers.")] | UnsetType = UNSET
    json: Annotated[Any, Meta(description="A value to send as JSON.")] = UNSET
    body: Annotated[str, Meta(description="Text to send, in place of json.")] | UnsetType = UNSET


class WebSearchInput(ToolInput, frozen=True, kw_only=True):
    """What a caller says to ``web_search``."""

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
    allowed_domains: Annotated[Domains, Meta(description="Only results of these hosts.")] = ()
    blocked_domains: Annotated[Domains, Meta(description="No results of these hosts.")] = ()
    published_after: Annotated[Day, Meta(description="First day of publication.")] | UnsetType = UNSET
    published_before: Annotated[Day, Meta(description="Last day of publication.")] | UnsetType = UNSET
    timeout_ms: TimeoutMs | UnsetType = UNSET


class CheckUrlInput(ToolInput, frozen=True, kw_only=True):
    """What a caller says to ``check_url``."""

    url: Url


def decode(value: Mapping[str, Any] | None, kind: type[ToolInput]) -> ToolInput:
    """The arguments of a call.

    Raises:
        InvalidInput: One is unknown, missing, of the wrong type or out of its range.
    """
    given = {name: argument for name, argument in (value or {}).items() if argument is not None}
    if kind is FetchInput and (given.get("method", "GET") not in READ_METHODS or given.keys() & set(_OF_WRITES)):
        raise InvalidInput("fetch is limited here to GET and HEAD, without headers or a body of the caller's own")
    return decoded(given, kind)


def schema_of(kind: type[ToolInput]) -> dict[str, Any]:
    """JSON Schema of an input, in one piece and without what we call it ourselves."""
    _, components = msgspec.json.schema_components([kind], ref_template="{name}")
    schema: dict[str, Any] = _inlined(components[kind.__name__], components)
    return {key: value for key, value in schema.items() if key not in {"title", "description"}}


def _inlined(value: Any, components: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
    """A schema with what it refers to in its place: not every host follows references."""
    if isinstance(value, list):
        return [_inlined(item, components) for item in value]
    if not isinstance(value, dict):
        return value
    rest = {key: _inlined(item, components) for key, item in value.items() if key != "$ref"}
    if "enum" in rest:
        rest["type"] = "string"  # all of ours are words; a host may want to be told
    if "$ref" not in value:
        return rest
    named = {key: item for key, item in components[value["$ref"]].items() if key not in {"title", "description"}}
    return {**_inlined(named, components), **rest}
