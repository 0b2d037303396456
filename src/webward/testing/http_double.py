"""What the doubles of HTTP services share: a real server on loopback that can be told what to do next."""

from __future__ import annotations

from collections import deque
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, Self

import msgspec

from webward.errors import InvalidInput
from webward.testing.listening import LOOPBACK, Listening, serve_streams
from webward.testing.script import Step, play, response
from webward.testing.seen import SeenRequest, read_request

if TYPE_CHECKING:
    import asyncio
    import socket
    from collections.abc import Iterable

JSON = "application/json"


class HttpDouble:
    """A service that answers as the original would, unless it was told to do something else with the next request.

    Attributes:
        requests: All requests that came, in order.
    """

    def __init__(self) -> None:
        self.requests: list[SeenRequest] = []
        self._scripts: deque[tuple[Step, ...]] = deque()
        self._listening = Listening()
        self._port: int | None = None
        self._connections = 0

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

    def script(self, *steps: Step) -> None:
        """Do these steps with the next request that has none yet."""
        self._scripts.append(steps)

    @property
    def base_url(self) -> str:
        """Where it is served."""
        if self._port is None:
            raise InvalidInput("the double is not open; use it inside `async with`")
        return f"http://{LOOPBACK}:{self._port}"

    async def __aenter__(self) -> Self:
        self._port = self._listening.listen(self._serve)
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self._listening.close()

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
