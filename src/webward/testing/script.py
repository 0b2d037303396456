"""What a scripted server does on the wire, step by step."""

from __future__ import annotations

import asyncio
import socket
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Send:
    """Send bytes, as often as said, with a pause after each time."""

    data: bytes
    times: int = 1
    every_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Pause:
    """Send nothing for a while."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Close:
    """Close the connection cleanly; a script without `Close` or `Reset` ends with waiting for the next request."""


@dataclass(frozen=True, slots=True)
class Reset:
    """Break the connection off with a TCP reset."""


Step = Send | Pause | Close | Reset


def response(body: bytes, *, status: int, headers: Iterable[tuple[str, str]]) -> tuple[Step, ...]:
    """The steps of an ordinary response."""
    lines = [f"HTTP/1.1 {status} Scripted", *(f"{name}: {value}" for name, value in headers)]
    lines.append(f"Content-Length: {len(body)}")
    return (Send("\r\n".join([*lines, "", ""]).encode() + body),)


async def play(steps: Sequence[Step], writer: asyncio.StreamWriter) -> bool:
    """Do the steps; False when they ended the connection."""
    for step in steps:
        match step:
            case Send():
                await _send(step, writer)
            case Pause():
                await asyncio.sleep(step.seconds)
            case Close():
                writer.close()
                return False
            case Reset():
                _linger_not(writer)
                writer.transport.abort()
                return False
    return True


async def _send(step: Send, writer: asyncio.StreamWriter) -> None:
    for _ in range(step.times):
        writer.write(step.data)
        await writer.drain()
        if step.every_seconds:
            await asyncio.sleep(step.every_seconds)


def _linger_not(writer: asyncio.StreamWriter) -> None:
    """With a linger time of zero the kernel sends RST in place of FIN."""
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
