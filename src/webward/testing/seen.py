"""Requests as a server of the kit sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webward.model import Headers

if TYPE_CHECKING:
    import asyncio

    from webward.model import Address

HEAD_BYTES = 1024 * 1024  # of a request; tests send large ones


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenRequest:
    """A request as it came.

    Attributes:
        method: As sent.
        url: Scheme, Host header and request target together.
        headers: As sent.
        body: As sent.
        address: The public-looking address that was dialed.
        port: The port that was dialed.
        connection: Which connection carried it, counted from 0.
    """

    method: str
    url: str
    headers: Headers
    body: bytes
    address: Address
    port: int
    connection: int


async def read_request(
    reader: asyncio.StreamReader, *, scheme: str, address: Address, port: int, connection: int
) -> SeenRequest:
    """The next request of a connection.

    Raises:
        IncompleteReadError: There is none.
    """
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, _ = head[0].split(" ", 2)
    headers = Headers(tuple(_field(line) for line in head[1:] if line))
    return SeenRequest(
        method=method,
        url=f"{scheme}://{headers.get('host', '')}{target}",
        headers=headers,
        body=await reader.readexactly(int(headers.get("content-length", "0"))),
        address=address,
        port=port,
        connection=connection,
    )


def _field(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name, value.strip()
