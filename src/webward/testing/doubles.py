"""Doubles of search providers: real HTTP servers on loopback that ask for what the originals ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import msgspec

from webward.config import SearchSettings, Settings
from webward.testing.http_double import HttpDouble

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from webward.testing.seen import SeenRequest

KEY = "key-of-the-double-4f9d2c"
ROWS = (
    {"title": "First", "url": "https://first.example/", "content": "The first page."},
    {"title": "Second", "url": "https://second.example/a?b=c", "content": "The second page."},
    {"title": "Third", "url": "https://docs.third.example/", "content": "The third page."},
)


class ProviderDouble(HttpDouble):
    """A search provider that finds rows, unless it was told to do something else with the next request.

    Args:
        key: The one that it accepts; None for one that needs none.

    Attributes:
        requests: All requests that came, in order.
    """

    name: ClassVar[str]

    def __init__(self, *, key: str | None = KEY) -> None:
        super().__init__()
        self.key = key
        self._rows: tuple[Mapping[str, object], ...] = ROWS

    def find(self, *rows: Mapping[str, object]) -> None:
        """Find these rows, with the fields that Ollama has, from now on."""
        self._rows = rows

    def fail(self, status: int, words: str = "no", *, headers: Iterable[tuple[str, str]] = ()) -> None:
        """Answer the next request that has no answer yet with an error as the original writes it."""
        self.reply(self._error(status, words), status=status, headers=headers)

    def settings(self, *, max_results: int = 10) -> Settings:
        """Settings under which this provider is the one that is asked."""
        section = {"base-url": self.base_url, "unsafe-allow-private": True, **self._key_setting()}
        search = {"provider": self.name, "max-results": max_results, self.name: section}
        return Settings(search=msgspec.convert(search, SearchSettings))

    def _key_setting(self) -> dict[str, str]:
        return {"api-key": self.key} if self.key else {}

    def _error(self, status: int, words: str) -> object:  # noqa: ARG002 - what some originals repeat
        return {"error": words}


class OllamaDouble(ProviderDouble):
    """Ollama: the cloud with a key, a daemon without."""

    name = "ollama"

    def _found(self, request: SeenRequest) -> tuple[int, object]:
        path = "/api/web_search" if self.key else "/api/experimental/web_search"
        if (request.method, urlsplit(request.url).path) != ("POST", path):
            return 404, self._error(404, "path not found")
        if self.key and request.headers.get("authorization") != f"Bearer {self.key}":
            return 401, self._error(401, "unauthorized")
        asked: dict[str, Any] = msgspec.json.decode(request.body)
        return 200, {"results": self._rows[: asked["max_results"]]}


class SearxngDouble(ProviderDouble):
    """A SearXNG instance.

    Args:
        formats: What its operator allows.
    """

    name = "searxng"

    def __init__(self, *, formats: tuple[str, ...] = ("html", "json")) -> None:
        super().__init__(key=None)
        self._formats = formats

    def _found(self, request: SeenRequest) -> tuple[int, object]:
        asked = urlsplit(request.url)
        query = parse_qs(asked.query)
        if asked.path != "/search":
            return 404, b"<!doctype html><title>404</title>"
        if query.get("format", ["html"])[0] not in self._formats:
            return 403, b"<!doctype html><title>403 Forbidden</title>"
        return 200, {"query": query["q"][0], "results": self._rows, "unresponsive_engines": []}


class BraveDouble(ProviderDouble):
    """Brave Search."""

    name = "brave"

    def _error(self, status: int, words: str) -> object:
        return {"type": "ErrorResponse", "error": {"status": status, "code": "ERROR", "detail": words}}

    def _found(self, request: SeenRequest) -> tuple[int, object]:
        asked = urlsplit(request.url)
        if asked.path != "/res/v1/web/search":
            return 404, self._error(404, "not found")
        if request.headers.get("x-subscription-token") != self.key:
            return 422, {"type": "ErrorResponse", "error": {"status": 422, "code": "SUBSCRIPTION_TOKEN_INVALID"}}
        count = int(parse_qs(asked.query)["count"][0])
        return 200, {"type": "search", "web": {"results": [_as_brave(row) for row in self._rows[:count]]}}


def _as_brave(row: Mapping[str, object]) -> dict[str, object]:
    return {"description" if name == "content" else name: value for name, value in row.items()}
