"""What a content worker runs: takes jobs on standard input, gives readings on standard output, one at a time.

A frame is its length in four bytes and a MessagePack value. Nothing that a worker sends is ever unpickled: a hostile
page may have taken it over.
"""

from __future__ import annotations

import sys
from typing import BinaryIO

import msgspec

from webward.engine.content import ContentJob, read_content
from webward.errors import WebwardError
from webward.model import Reading  # noqa: TC001 - msgspec reads the annotations of Success

LENGTH_BYTES = 4
MAX_FRAME_BYTES = 512 * 1024 * 1024  # a body at its ceiling, as text and written out as HTML, fits many times


class Failure(msgspec.Struct, frozen=True, tag="failure"):
    """The code and message of an error of webward's own tree."""

    code: str
    message: str


class Success(msgspec.Struct, frozen=True, tag="success"):
    """A reading."""

    reading: Reading


Answer = Success | Failure


def answer(frame: bytes) -> bytes:
    """Do the job of a frame."""
    job = msgspec.msgpack.decode(frame, type=ContentJob)
    outcome: Answer
    try:
        outcome = Success(read_content(job))
    except WebwardError as error:
        outcome = Failure(error.code, error.message)
    return msgspec.msgpack.encode(outcome)


def framed(data: bytes) -> bytes:
    """A value as a frame."""
    return len(data).to_bytes(LENGTH_BYTES) + data


def main(memory_bytes: int) -> None:
    """Serve until standard input ends.

    Args:
        memory_bytes: Of address space, where the system can bound it.
    """
    _bound_memory(memory_bytes)
    frames, answers = sys.stdin.buffer, sys.stdout.buffer
    while (length := frames.read(LENGTH_BYTES)) and len(length) == LENGTH_BYTES:
        answers.write(framed(answer(_exactly(frames, int.from_bytes(length)))))
        answers.flush()


def _exactly(frames: BinaryIO, length: int) -> bytes:
    data = frames.read(length)
    if len(data) < length:
        sys.exit(0)  # the gateway went away in the middle of a frame
    return data


def _bound_memory(memory_bytes: int) -> None:
    try:
        import resource  # noqa: PLC0415 - not on Windows, where only time is bounded
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
