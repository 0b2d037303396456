"""Our reader and h11 find the same in whatever a server sends, but for the differences that are listed here.

Ours is stricter in this, on purpose:
- a size line of a chunk: at most 16 digits and `MAX_CHUNK_LINE_BYTES`, neither a bare CR nor NUL in its extensions;
- a trailer line: never folded;
- what cannot become a status line, or the size line of a chunk, is refused as soon as that shows;
- the limits hold however the wire cuts a head;
- a connection goes on only behind HTTP/1.1, and not behind a message with chunks and a length.

It is more lenient in one thing: white space before an extension's semicolon, which RFC 9112 section 7.1.1 demands.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import h11
from hypothesis import given
from hypothesis import strategies as st

from webward.config import Limits
from webward.core.response import ResponseReader
from webward.core.response_head import BrokenResponseError

if TYPE_CHECKING:
    from webward.model import ResponseHead

LIMITS = Limits(head_bytes=1 << 20, head_fields=1000, interim_responses=100)
TIGHT = Limits(head_bytes=60, head_fields=3, interim_responses=1)

BROKEN, CUT, WAITS, COMPLETE = "broken", "cut", "waits", "complete"


class Outcome(NamedTuple):
    """What a reader makes of an answer."""

    end: str
    status: int = 0
    reason: str = ""
    fields: tuple[tuple[str, tuple[str, ...]], ...] = ()
    body: bytes = b""
    reusable: bool = False


class Answer(NamedTuple):
    """What a server sends to a request."""

    method: str
    pieces: tuple[bytes, ...]
    closes: bool

    @property
    def data(self) -> bytes:
        """All of it."""
        return b"".join(self.pieces)


def by_webward(answer: Answer, limits: Limits = LIMITS) -> Outcome:
    reader = ResponseReader(limits, answer.method)
    head: ResponseHead | None = None
    body, end = b"", WAITS
    try:
        for piece in answer.pieces:
            reader.feed(piece)
            head = head or reader.head()
            while head and (part := reader.body()):
                body += part
    except BrokenResponseError:
        end = BROKEN
    else:
        if answer.closes and head:
            reader.end()
        end = COMPLETE if reader.complete else CUT if answer.closes else WAITS
    if head is None:
        return Outcome(end)
    fields = {name: head.headers.get_list(name) for name in head.headers}
    return Outcome(end, head.status, head.reason, _sorted(fields), body, reader.reusable)


def by_h11(answer: Answer) -> Outcome:
    protocol = h11.Connection(h11.CLIENT, max_incomplete_event_size=LIMITS.head_bytes)
    protocol.send(h11.Request(method=answer.method, target="/", headers=[("Host", "a")]))
    protocol.send(h11.EndOfMessage())
    seen = _Seen()
    try:
        for piece in answer.pieces:
            protocol.receive_data(piece)
            _drain(protocol, seen)
    except h11.RemoteProtocolError:
        return seen.outcome(BROKEN)
    if protocol.their_state in {h11.DONE, h11.MUST_CLOSE}:
        reusable = protocol.their_state is h11.DONE and not protocol.trailing_data[0] and seen.may_persist
        return seen.outcome(COMPLETE, reusable=reusable)
    if not answer.closes:
        return seen.outcome(WAITS)
    protocol.receive_data(b"")
    try:
        _drain(protocol, seen)
    except h11.RemoteProtocolError:
        return seen.outcome(CUT)
    return seen.outcome(COMPLETE)


class _Seen:
    def __init__(self) -> None:
        self.head: h11.Response | None = None
        self.body = b""

    @property
    def may_persist(self) -> bool:
        """Whether we agree that the connection may go on."""
        assert self.head is not None
        names = {name for name, _ in self.head.headers}
        return self.head.http_version == b"1.1" and not {b"content-length", b"transfer-encoding"} <= names

    def outcome(self, end: str, *, reusable: bool = False) -> Outcome:
        if self.head is None:
            return Outcome(end)
        fields: dict[str, tuple[str, ...]] = {}
        for name, value in self.head.headers.raw_items():
            key = name.decode().lower()
            fields[key] = (*fields.get(key, ()), _text(value))
        return Outcome(end, self.head.status_code, _text(self.head.reason), _sorted(fields), self.body, reusable)


def _drain(protocol: h11.Connection, seen: _Seen) -> None:
    while protocol.their_state not in {h11.DONE, h11.MUST_CLOSE, h11.CLOSED}:
        event = protocol.next_event()
        if event is h11.NEED_DATA:
            return
        if isinstance(event, h11.Response):
            seen.head = event
        elif isinstance(event, h11.Data):
            seen.body += event.data
        elif isinstance(event, h11.ConnectionClosed):
            raise h11.RemoteProtocolError("closed")


def _sorted(fields: dict[str, tuple[str, ...]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if codings := fields.get("transfer-encoding"):
        fields["transfer-encoding"] = tuple(coding.lower() for coding in codings)  # which h11 gives so
    return tuple(sorted(fields.items()))


def _text(value: bytes) -> str:
    try:
        return bytes(value).decode()
    except UnicodeDecodeError:
        return bytes(value).decode("latin-1")


def pieces_of(data: bytes, cuts: list[int]) -> tuple[bytes, ...]:
    places = [0, *sorted({cut % (len(data) + 1) for cut in cuts}), len(data)]
    return tuple(data[start:end] for start, end in pairwise(places) if start < end)


cuts = st.lists(st.integers(0, 5000), max_size=12)
line_ends = st.sampled_from((b"\r\n",) * 5 + (b"\n",))
status_lines = st.sampled_from(
    (b"HTTP/1.1 200 OK",) * 12
    + (b"HTTP/1.1 404 Not Found", b"HTTP/1.0 200 OK", b"HTTP/1.1 204 No Content", b"HTTP/1.1 304 N", b"HTTP/1.1 200")
    + (b"HTTP/1.1 302 caf\xe9", b"HTTP/2.0 200 \xc3\xa9", b"HTTP/1.1 101 S", b"HTTP/1.1 999 ", b"HTTP/1.1 099 X")
    + (b"HTTP/1.1 200 O\rK", b"HTTP/1.1 200 O\x00K", b"HTTP/1.1 2000 OK", b"HTTP/1.1\t200 OK", b"HTTP/1.1 20 OK")
)
odd_lines = st.sampled_from(
    (
        *(b" folded", b"\tfolded: b", b" ", b"X : a", b": a", b"X", b"X: a\x00b", b"X: a\rb", b"X: a\r", b"X: a\x0bb"),
        *(b"X:", b"X:\t", b"X:a\x01\x7f", b"X: \xff\xe9", b"X: \xc3\xa9 \xc2\x85", b"\xe9: a", b"X Y: a", b"~|: ~"),
        *(b"Connection: close", b"connection: a, CLOSE ,b", b"Connection: keep-alive", b"Connection: not-close"),
    )
)
lengths = (b"0", b"5", b"5", b"05", b"5, 5", b"5,6", b"-5", b"5a", b"", b"\xb2", b"1" * 20, b"1" * 21, b"5,")
framing_lines = st.sampled_from(
    tuple(b"Content-Length: " + length for length in lengths)
    + (b"Transfer-Encoding: chunked",) * 8
    + (b"transfer-encoding: CHUNKED", b"Transfer-Encoding: gzip, chunked", b"Transfer-Encoding:", b"Content-Length:5")
)
plain_lines = st.builds(
    lambda name, value: name + b": " + value,
    st.text("abcXYZ-_0", min_size=1, max_size=6).map(str.encode),
    st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), max_size=10).map(str.encode),
)
lines = st.one_of(plain_lines, plain_lines, plain_lines, odd_lines)


@st.composite
def heads(draw: st.DrawFn, starts: st.SearchStrategy[bytes] = status_lines) -> bytes:
    framing = draw(st.lists(framing_lines, max_size=2))
    fields = [*draw(st.lists(lines, max_size=3)), *framing, *draw(st.lists(lines, max_size=1))]
    return b"".join(line + draw(line_ends) for line in (draw(starts), *fields, b""))


interim = heads(st.sampled_from((b"HTTP/1.1 100 Continue", b"HTTP/1.1 103 E", b"HTTP/1.0 199")))
sizes = st.sampled_from((b"%x", b"%X", b"%04x", b"%x \t", b"%x;a", b'%x;a="b c"', b"%x;a=\xff\t"))
wrong_chunks = st.sampled_from(
    (
        b"zz\r\n",
        b"-1\r\na",
        b"5\nhello\r\n",
        b"5\r\nhello",
        b"5\r\nhelloX\r\n",
        b"5\r\nhello\n",
        b"\r\n",
        b";\r\n",
        b"g",
    )
)


@st.composite
def chunked(draw: st.DrawFn) -> bytes:
    data = draw(st.lists(st.binary(min_size=1, max_size=20), max_size=4))
    chunks = [draw(sizes) % len(piece) + b"\r\n" + piece + b"\r\n" for piece in data]
    wrong = draw(st.one_of(st.just(b""), st.just(b""), st.just(b""), wrong_chunks))
    last = draw(sizes) % 0 + b"\r\n"
    trailers = draw(st.lists(st.one_of(plain_lines, st.sampled_from((b"X", b"X: a\rb", b": a"))), max_size=2))
    return b"".join((*chunks, wrong, last, *(line + draw(line_ends) for line in (*trailers, b""))))


bodies = st.one_of(chunked(), chunked(), st.binary(max_size=30), st.just(b"hello"))
methods = st.sampled_from(("GET", "GET", "GET", "POST", "HEAD"))
messages = st.builds(
    lambda early, head, body, behind: b"".join((*early, head, body, behind)),
    st.lists(interim, max_size=2),
    heads(),
    bodies,
    st.one_of(st.just(b""), st.just(b""), st.binary(max_size=5)),
)


@st.composite
def answers(draw: st.DrawFn) -> Answer:
    """A message, cut off at the end sometimes, in pieces."""
    data = draw(messages)
    if draw(st.booleans()):
        data = data[: draw(st.integers(0, len(data)))]
    return Answer(draw(methods), pieces_of(data, draw(cuts)), draw(st.booleans()))


@st.composite
def spoilt_answers(draw: st.DrawFn) -> Answer:
    """The same with some bytes changed, dropped or added."""
    answer = draw(answers())
    data = bytearray(answer.data)
    for place, byte in draw(st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 255)), max_size=4)):
        at = place % (len(data) + 1)
        data[at : at + draw(st.integers(0, 2))] = bytes((byte,)) * draw(st.integers(0, 2))
    return answer._replace(pieces=pieces_of(bytes(data), draw(cuts)))


@given(answers())
def test_both_find_the_same(answer: Answer) -> None:
    ours, theirs = by_webward(answer), by_h11(answer)
    if ours.end == BROKEN and theirs.end in {WAITS, CUT} and re.search(rb"^(?!HTTP/)|(?<!\r)\n", answer.data):
        theirs = theirs._replace(end=BROKEN)  # ours need not have waited
    assert ours == theirs


@given(spoilt_answers())
def test_ours_is_never_more_lenient(answer: Answer) -> None:
    ours = by_webward(answer)
    if ours.end != BROKEN and not re.search(rb"[ \t];", answer.data):
        assert ours == by_h11(answer)


@given(spoilt_answers(), cuts)
def test_how_the_wire_cuts_an_answer_changes_nothing(answer: Answer, others: list[int]) -> None:
    cut_otherwise = answer._replace(pieces=pieces_of(answer.data, others))
    for limits in (LIMITS, TIGHT):
        assert by_webward(answer, limits) == by_webward(cut_otherwise, limits)
