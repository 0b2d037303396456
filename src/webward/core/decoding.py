"""Undoes the content codings of a body (RFC 9110 section 8.4), with a bound on every step.

A few kilobytes can hold gigabytes, so no decoder is called without a limit on what it may give back. What is wrong
with the coding is told in notes, and as much of the body as possible is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from webward.core.decompression import FORMATS, BrokenCodingError, Members, Where
from webward.errors import ContentUndecodable
from webward.model import Note

if TYPE_CHECKING:
    from collections.abc import Iterator

ACCEPT_ENCODING = "gzip, deflate, br, zstd"
"""What a request advertises: the codings that can be undone within bounds."""

CODINGS_MAX = 2
"""A stack of a thousand codings is a bomb (CVE-2025-66418); two are more than any honest server sends."""

SLICE_BYTES = 1024
"""The wire is cut at these offsets, so that the network's own cuts change nothing. Longer slices are no faster."""

KEPT_BYTES = 64 * 1024
"""How much of the wire is kept for a second try, or to be given as it is when the label was wrong."""

BETWEEN_SLACK_BYTES = 64 * 1024
"""What may pass between two codings over the limit of the body: an honest body is hardly larger when coded."""

_ALIASES = {"x-gzip": "gzip"}


def plan(content_encoding: str) -> tuple[str, ...]:
    """The codings that a Content-Encoding header names, in the order in which they were applied.

    An unknown name is among them: whoever decodes gives the raw bytes then.

    Raises:
        ContentUndecodable: There are more than `CODINGS_MAX`.
    """
    names = (name.strip(" \t").lower() for name in content_encoding.split(","))
    codings = tuple(_ALIASES.get(name, name) for name in names if name not in ("", "identity"))
    if len(codings) > CODINGS_MAX:
        raise ContentUndecodable(
            f"the answer is wrapped in {len(codings)} content codings; at most {CODINGS_MAX} are undone"
        )
    return codings


class BodyDecoder:
    """The body of one response, from its wire bytes.

    Feed it what arrives, stop when it is `full`, call `finish` at the end of the message. Its memory is bounded by
    `max_bytes`, one piece for each coding, and what the wire's own chunk takes.

    Raises:
        ContentUndecodable: The header names more than `CODINGS_MAX` codings.
    """

    def __init__(self, content_encoding: str | None, *, max_bytes: int) -> None:
        codings = plan(content_encoding or "")
        known = all(coding in FORMATS for coding in codings)
        self.codings = codings if known else ()
        """Those that are undone."""
        self._notes = [] if known else [Note.UNKNOWN_CONTENT_CODING]
        self._stages = [_Stage(coding) for coding in reversed(codings)] if known else []
        self._between_left = max_bytes + BETWEEN_SLACK_BYTES
        self._max_bytes = max_bytes
        self._body = bytearray()
        self._passed = False
        self.wire_bytes = 0
        """Bytes before decoding."""

    def feed(self, chunk: bytes) -> None:
        """Take what came from the wire."""
        self.wire_bytes += len(chunk)
        if not self.full:
            self._pass(chunk, 0)

    def finish(self) -> None:
        """Say that the message has ended."""
        for depth, stage in enumerate(self._stages, start=1):
            if not self._ends_before(depth):
                for piece in stage.finish():
                    self._pass(piece, depth)

    def _pass(self, data: bytes, depth: int) -> None:
        """Give bytes to the stage at this depth, and what comes of them to the next; behind the last is the body."""
        if depth == len(self._stages):
            room = self._max_bytes - len(self._body)
            self._body += data[:room]
            self._passed = len(data) > room
            return
        if depth > 0:
            self._between_left -= len(data)
            self._passed = self._between_left < 0
        for piece in () if self._passed else self._stages[depth].decode(data):
            self._pass(piece, depth + 1)
            if self._ends_before(depth + 1):
                return

    def _ends_before(self, depth: int) -> bool:
        """Whether what the stages before this depth give would go nowhere."""
        return self._passed or (bool(self._stages) and any(stage.stopped for stage in self._stages[depth:]))

    @property
    def body(self) -> bytes:
        """What was decoded so far, at most `max_bytes`."""
        return bytes(self._body)

    @property
    def decoded_bytes(self) -> int:
        """Size of `body`."""
        return len(self._body)

    @property
    def full(self) -> bool:
        """Whether nothing more will be kept: the body has passed `max_bytes`, or a coding is broken."""
        return self._ends_before(0)

    @property
    def truncated(self) -> bool:
        """Whether the body had more than what was kept."""
        return self._passed or any(stage.lost for stage in self._stages)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Stable words on what was wrong, each once."""
        return tuple(dict.fromkeys([*self._notes, *(note for stage in self._stages for note in stage.notes)]))


class _SecondTry:
    """The same bytes again, the last slice byte by byte: how far they go, and what they give that was not given yet."""

    def __init__(self, members: Members) -> None:
        self.members = members
        self.produced = self.offset = 0
        self.broke = False
        self.fresh = bytearray()

    def run(self, kept: bytes, last: int, given: int) -> None:
        """Decode `kept`, whose slice of `last` bytes broke after `given` bytes of output had been passed on."""
        steps = [kept[: len(kept) - last], *(kept[at : at + 1] for at in range(len(kept) - last, len(kept)))]
        try:
            for step in steps:
                for piece in self.members.decode(step):
                    self.produced += len(piece)
                    self.fresh += piece[max(0, len(piece) - max(0, self.produced - given)) :]
                self.offset += len(step)
        except BrokenCodingError:
            self.broke = True


class _Stage:
    """Undoes one coding. `stopped`: nothing more will come of it; `lost`: something of the body is missing."""

    def __init__(self, coding: str) -> None:
        self.notes: list[Note] = []
        self.stopped = self.lost = False
        self._formats = list(FORMATS[coding])
        self._waiting = bytearray()
        self._raw = False
        self._started = False
        self._restart()

    def _restart(self) -> None:
        self._members = Members(self._formats[0])
        self._kept: bytearray | None = bytearray()
        self._produced = 0

    def decode(self, data: bytes) -> Iterator[bytes]:
        self._waiting += data
        while len(self._waiting) >= SLICE_BYTES and not self.stopped:
            piece = bytes(self._waiting[:SLICE_BYTES])
            del self._waiting[:SLICE_BYTES]
            yield from self._slice(piece)

    def finish(self) -> Iterator[bytes]:
        if self._waiting and not self.stopped:
            yield from self._slice(bytes(self._waiting))
            self._waiting.clear()
        self._members.end()
        yield from self._look_behind()
        if self._raw or self.stopped or not self._started or self._members.where is not Where.INSIDE:
            return
        kept = bytes(self._kept or b"")
        if kept and self._produced == 0 and not self._formats[0].may_begin(kept):
            yield from self._give_raw(kept)
        else:
            self._lose(Note.TRUNCATED_CODING)

    def _slice(self, data: bytes) -> Iterator[bytes]:
        if self._raw:
            yield data
            return
        self._remember(data)
        try:
            for piece in self._members.decode(data):
                self._produced += len(piece)
                yield piece
        except BrokenCodingError:
            yield from self._broken(len(data))
        yield from self._look_behind()

    def _remember(self, data: bytes) -> None:
        self._started = True
        if self._kept is not None and len(self._kept) + len(data) <= KEPT_BYTES:
            self._kept += data
        else:
            self._kept = None

    def _look_behind(self) -> Iterator[bytes]:
        """See to what follows the last member."""
        if self._members.where is Where.TOO_MANY:
            self._lose(Note.TOO_MANY_MEMBERS)
        elif self._members.where is Where.GARBAGE and not self._raw:
            # Some texts begin with what is an empty brotli stream.
            if self._kept and not self._produced and not self._formats[0].signatures:
                yield from self._give_raw(bytes(self._kept))
            else:
                self._note(Note.TRAILING_GARBAGE)

    def _broken(self, last: int) -> Iterator[bytes]:
        """A slice broke: find out where, and whether the coding, a member's end or the label was at fault."""
        if self._kept is None:
            self._lose(Note.CORRUPT_CODING)
            return
        kept = bytes(self._kept)
        second = _SecondTry(Members(self._formats[0]))
        second.run(kept, last, self._produced)
        if second.broke and self._is_wrong_label(second):
            yield from self._next_format(kept)
            return
        self._members = second.members
        self._produced = second.produced
        yield bytes(second.fresh)
        if second.broke:
            self._lose(Note.CORRUPT_CODING)

    def _is_wrong_label(self, second: _SecondTry) -> bool:
        form = self._formats[0]
        if self._produced or (second.produced and second.offset >= form.noise_bytes):
            return False
        return len(self._formats) > 1 or not form.signatures or not form.may_begin(bytes(self._kept or b""))

    def _next_format(self, kept: bytes) -> Iterator[bytes]:
        if len(self._formats) == 1:
            yield from self._give_raw(kept)
            return
        del self._formats[0]
        self._restart()
        for at in range(0, len(kept), SLICE_BYTES):
            yield from self._slice(kept[at : at + SLICE_BYTES])

    def _give_raw(self, kept: bytes) -> Iterator[bytes]:
        self._raw = True
        self._kept = None
        self._note(Note.WRONG_CONTENT_CODING)
        yield kept

    def _lose(self, note: Note) -> None:
        self._note(note)
        self.stopped = self.lost = True

    def _note(self, note: Note) -> None:
        if note not in self.notes:
            self.notes.append(note)
