"""Doubles of search providers: real HTTP servers on loopback that ask for what the originals ask for."""

from __future__ import annotations

from collections import deque
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, ClassVar, Self
from urllib.parse import parse_qs, urlsplit

import msgspec

from webward.config import SearchSettings, Settings
from webward.errors import InvalidInput
from webward.testing.listening import LOOPBACK, Listening, serve_streams
from webward.testing.script import Step, play, response
from webward.testing.seen import SeenRequest, read_request

if TYPE_CHECKING:
    import asyncio
    import socket
    from collections.abc import Iterable, Mapping

JSON = "application/json"
KEY = "key-of-the-double-4f9d2c"
ROWS = (
    {"title": "First", "url": "https://first.example/", "content": "The first page."},
    {"title": "Second", "url": "https://second.example/a?b=c", "content": "The second page."},
    {"title": "Third", "url": "https://docs.third.example/", "content": "The third page."},
)


class ProviderDouble:
    """A search provider that finds rows, unless it was told to do something else with the next request.

    Args:
        key: The one that it accepts; None for one that needs none.

    Attributes:
        requests: All requests that came, in order.
    """

    name: ClassVar[str]

    def __init__(self, *, key: str | None = KEY) -> None:
        self.key = key
        self.requests: list[SeenRequest] = []
        self._rows: tuple[Mapping[str, object], ...] = ROWS
        self._scripts: deque[tuple[Step, ...]] = deque()
        self._listening = Listening()
        self._port: int | None = None
        self._connections = 0

    def find(self, *rows: Mapping[str, object]) -> None:
        """Find these rows, with the fields that Ollama has, from now on."""
        self._rows = rows

    def reply(
        self,
        body: bytes | object,
        *,
        status: int = 200,
        media_type: str = JSON,
        headers: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Answer the next request that has no answer yet with these bytes, or a value as JSON."""
        content = body if isinstance(body, bytes) else msgspec.json.encode(body)
        self.script(*response(content, status=status, headers=[("Content-Type", media_type), *headers]))

    def fail(self, status: int, words: str = "no", *, headers: Iterable[tuple[str, str]] = ()) -> None:
        """Answer the next request that has no answer yet with an error as the original writes it."""
        self.reply(self._error(status, words), status=status, headers=headers)

    def script(self, *steps: Step) -> None:
        """Do these steps with the next request that has none yet."""
        self._scripts.append(steps)

    @property
    def base_url(self) -> str:
        """Where it is served."""
        if self._port is None:
            raise InvalidInput("the double is not open; use it inside `async with`")
        return f"http://{LOOPBACK}:{self._port}"

    def settings(self, *, max_results: int = 10) -> Settings:
        """Settings under which this provider is the one that is asked."""
        section = {"base-url": self.base_url, "unsafe-allow-private": True, **self._key_setting()}
        search = {"provider": self.name, "max-results": max_results, self.name: section}
        return Settings(search=msgspec.convert(search, SearchSettings))

    async def __aenter__(self) -> Self:
        self._port = self._listening.listen(self._serve)
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self._listening.close()

    def _key_setting(self) -> dict[str, str]:
        return {"api-key": self.key} if self.key else {}

    def _error(self, status: int, words: str) -> object:  # noqa: ARG002 - what some originals repeat
        return {"error": words}

    def _found(self, request: SeenRequest) -> tuple[int, object]:
        """Status and body of an ordinary answer."""
        raise NotImplementedError

    async def _serve(self, connection: socket.socket) -> None:
        number = self._connections
        self._connections += 1
        await serve_streams(connection, partial(self._answer, number))

    async def _answer(self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        address, port = ip_address(LOOPBACK), self._port or 0
        request = await read_request(reader, scheme="http", address=address, port=port, connection=number)
        self.requests.append(request)
        if not self._scripts:
            status, body = self._found(request)
            self.reply(body, status=status)
        return await play(self._scripts.popleft(), writer)


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
