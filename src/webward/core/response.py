"""Reads one HTTP/1.1 response, without I/O: bytes in, a head and the pieces of a body out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webward.core.response_head import BrokenResponseError, ParsedHead, broken, parse_response_head

if TYPE_CHECKING:
    from collections.abc import Callable

    from webward.config import Limits
    from webward.model import ResponseHead

MAX_CHUNK_LINE_BYTES = 1024  # the end of a chunk, the next one's size, and extensions, which nobody has a use for

_HTTP = b"HTTP/"
_HEAD_END = re.compile(rb"\n\r?\n")
# RFC 9112 section 7.1: a size of at most 64 bits, extensions that are dropped, and CRLF: readers that took less for
# the end of such a line were made to see another message. The CRLF in front ends the data of the chunk before.
_SIZE = rb"([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\x00\r\n]*)?\r\n"
_FIRST_CHUNK = re.compile(_SIZE)
_NEXT_CHUNK = re.compile(rb"\r\n" + _SIZE)
_TRAILER_LINE = re.compile(rb"(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[^\x00\r\n\v\f]*)?\r?\n")

_WITHOUT_BODY = frozenset((204, 304))
_SWITCHING_PROTOCOLS, _FIRST_FINAL, _FIRST_REDIRECT = 101, 200, 300


class ResponseReader:
    """Reads a response: ask for the `head` until it is there, then for the `body` until that is b"", and `feed` it.

    Args:
        limits: Caps on the head, the interim heads and the trailers.
        method: Of the request.

    Attributes:
        complete: Whether the message has ended as its head had declared.
    """

    def __init__(self, limits: Limits, method: str) -> None:
        self.complete = False
        self._limits = limits
        self._method = method
        self._interim_left = limits.interim_responses
        self._fields_left = self._trailers_left = limits.head_bytes
        self._held: bytes | bytearray = b""
        self._at = 0  # what is in front was read
        self._searched = 0  # no line ends between there and here
        self._status_line_end = 0
        self._take: Callable[[ResponseReader], bytes | None] = ResponseReader._take_declared
        self._left = 0  # bytes of the body, or of its chunk
        self._chunk_line = _FIRST_CHUNK
        self._persistent = False

    @property
    def reusable(self) -> bool:
        """Whether the connection may carry another response: this one is complete, and nothing is behind it."""
        return self.complete and self._persistent and not self.has_more

    @property
    def has_more(self) -> bool:
        """Whether bytes are here that were not read."""
        return self._at < len(self._held)

    def feed(self, data: bytes) -> None:
        """Take what came."""
        if not self.has_more:
            self._held, self._at, self._searched, self._status_line_end = data, 0, 0, 0
            return
        if self._at or not isinstance(self._held, bytearray):  # a copy of what is left, and then none until it is read
            self._held = bytearray(self._held[self._at :])
            self._searched = max(0, self._searched - self._at)
            self._status_line_end = max(0, self._status_line_end - self._at)
            self._at = 0
        self._held += data

    def head(self) -> ResponseHead | None:
        """The final response's head, or None while it is not here; interim ones are dropped (RFC 9110 section 15.2).

        Raises:
            BrokenResponseError: It is no head, passes a limit, or is a 101, which nobody asked for.
        """
        while (parsed := self._next_head()) is not None:
            if parsed.head.status >= _FIRST_FINAL:
                self._frame(parsed)
                return parsed.head
            if parsed.head.status == _SWITCHING_PROTOCOLS:
                raise broken("it switches protocols, which nobody asked for")
            if self._interim_left == 0:
                text = f"sent more than {self._limits.interim_responses} interim responses"
                raise BrokenResponseError(text, setting="limits.interim-responses")
            self._interim_left -= 1
        return None

    def body(self) -> bytes | None:
        """The next piece of the body, None while it is not here, or b"" at its end.

        Raises:
            BrokenResponseError: The framing is broken.
        """
        return self._take(self)

    def end(self) -> None:
        """Say that the other end has closed: some bodies end so (RFC 9112 section 6.3, rule 8), others are cut."""
        self.complete = self.complete or self._take is ResponseReader._take_all

    def _next_head(self) -> ParsedHead | None:
        if not _HTTP.startswith(bytes(self._held[self._at : self._at + len(_HTTP)])):
            raise broken("its answer begins with no status line")  # and perhaps never ends a line
        start = max(self._at, self._searched)
        found = _HEAD_END.search(self._held, start)
        end = found.start() + 1 if found else len(self._held)
        self._status_line_end = self._status_line_end or self._held.find(b"\n", start) + 1
        fields_start = self._status_line_end or end
        fields_bytes = end - fields_start if found else end - fields_start - 1  # the blank line's CR may be there
        if fields_start - self._at > self._limits.head_bytes or fields_bytes > self._fields_left:
            raise self._too_long("response head")
        if found is None:
            self._searched = max(self._at, end - 2)
            return None
        parsed = parse_response_head(bytes(self._held[self._at : end]), max_fields=self._limits.head_fields)
        self._fields_left -= fields_bytes
        self._at = found.end()
        self._status_line_end = 0
        return parsed

    def _frame(self, parsed: ParsedHead) -> None:
        """See how the body ends (RFC 9112 section 6.3)."""
        status = parsed.head.status
        tunnels = self._method == "CONNECT" and status < _FIRST_REDIRECT
        self._persistent = parsed.persistent
        if self._method == "HEAD" or status in _WITHOUT_BODY or tunnels:
            return
        if parsed.chunked:
            self._take = ResponseReader._take_chunk
        elif parsed.length is not None:
            self._left = parsed.length
        else:
            self._take = ResponseReader._take_all
            self._persistent = False

    def _take_declared(self) -> bytes | None:
        if self._left:
            return self._take_left()
        self.complete = True
        return b""

    def _take_all(self) -> bytes | None:
        self._left = len(self._held) - self._at
        return self._take_left()

    def _take_left(self) -> bytes | None:
        piece = bytes(self._held[self._at : self._at + self._left])  # no copy when it is all of what came
        self._at += len(piece)
        self._left -= len(piece)
        return piece or None

    def _take_chunk(self) -> bytes | None:
        if self._left:
            return self._take_left()
        line = self._chunk_line.match(self._held, self._at)
        if line is None or line.end() - self._at > MAX_CHUNK_LINE_BYTES:
            self._judge_unfinished_chunk_line()
            return None
        self._at = line.end()
        self._left = int(line[1], 16)
        self._chunk_line = _NEXT_CHUNK
        if self._left:
            return self._take_left()
        self._take = ResponseReader._take_trailers
        return self._take_trailers()

    def _judge_unfinished_chunk_line(self) -> None:
        """Raise unless what is missing may still come."""
        waiting = bytes(self._held[self._at : self._at + MAX_CHUNK_LINE_BYTES + 1])
        chunk_end = b"\r\n" if self._chunk_line is _NEXT_CHUNK else b""
        if not waiting.startswith(chunk_end[: len(waiting)]):
            raise broken("a chunk is longer than its size")
        if b"\n" in waiting[len(chunk_end) :] or len(waiting) > MAX_CHUNK_LINE_BYTES:
            raise broken("a chunk begins with no size")

    def _take_trailers(self) -> bytes | None:
        """Drop them: nobody asked for any, and they must not be taken for fields of the head (section 7.1.2)."""
        while not self.complete:
            end = self._held.find(b"\n", max(self._at, self._searched)) + 1
            size = (end or len(self._held)) - self._at
            if size > self._trailers_left:
                raise self._too_long("trailer section")
            if not end:
                self._searched = len(self._held)
                return None
            line = bytes(self._held[self._at : end])
            if not _TRAILER_LINE.fullmatch(line):
                raise broken("a line of the trailers is no field")
            self._trailers_left -= size
            self._at = end
            self.complete = line in (b"\r\n", b"\n")
        return b""

    def _too_long(self, what: str) -> BrokenResponseError:
        text = f"sent a {what} longer than {self._limits.head_bytes} bytes"
        return BrokenResponseError(text, setting="limits.head-bytes")
