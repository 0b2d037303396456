"""What people and pipes are shown: foreign text never drives a terminal, and bytes go to a pipe as they are."""

from __future__ import annotations

import os
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from webward.errors import InvalidInput
from webward.model import Note
from webward.surfaces.cli import exit_codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webward.model import Answer

FIRST_ERROR_STATUS = 400

# C0 but for tab and line feed, DEL, C1, the bidirectional controls (Trojan Source, CVE-2021-42574), line and paragraph
# separators, invisible characters but the joiners that scripts and emoji need, tag characters, and lone surrogates:
# each can make a terminal show or do what was not written, or hide what was.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    r"""Text with its control characters escaped, as in ``\\x1b``; tabs and line feeds stay."""
    return _UNSAFE.sub(_escaped, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """As `printable`, with line feeds and tabs as spaces."""
    return " ".join(printable(text).split())


def is_terminal() -> bool:
    """Whether standard output is shown to a person."""
    return has_output() and sys.stdout.isatty()


def has_output() -> bool:
    """Whether there is a standard output at all."""
    return sys.stdout is not None


def require_output() -> None:
    """Know that there is a standard output before work is done for it.

    Raises:
        InvalidInput: It is closed.
    """
    if not has_output():
        raise InvalidInput("standard output is closed; results are written there")


def write_bytes(data: bytes) -> None:
    """Write to standard output as they are; where it cannot be written, say so and exit.

    Raises:
        InvalidInput: Standard output is closed.
        BrokenPipeError: Its reader has gone.
    """
    require_output()
    with told_when_lost():
        put(data)


def put(data: bytes) -> None:
    """Write to standard output, and leave what goes wrong to the caller."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


@contextmanager
def told_when_lost() -> Iterator[None]:
    """Say that the output cannot be written, and exit; a reader that has gone is the caller's matter."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_output()
        note(f"cannot write the output: {error.strerror}")
        sys.exit(exit_codes.INTERNAL)


def discard_output() -> None:
    """Let what is still to be flushed go nowhere; the interpreter would complain about it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_text(text: str) -> None:
    """Write text to standard output: as UTF-8 to a pipe, made printable on a terminal; a last line feed is added."""
    shown = printable(text) if is_terminal() else text
    ending = "" if shown.endswith("\n") or not shown else "\n"
    write_bytes((shown + ending).encode(errors="replace"))


def tell(answer: Answer) -> None:
    """Note what a user should know of an answer beside its content."""
    if answer.status >= FIRST_ERROR_STATUS:
        note(f"status {answer.status} {answer.reason}")
    if answer.truncated:
        note(
            f"the body was cut short after {answer.body_bytes} bytes: it is longer than --max-bytes "
            "(or limits.body-bytes), or it ended before its declared length"
        )
    for word in answer.notes:
        if word is not Note.FROM_BYTES:  # who names a file knows
            note(f"note: {word}")


def note(text: str) -> None:
    """Tell the user something beside the output."""
    sys.stderr.write(f"webward: {one_line(text)}\n")
    sys.stderr.flush()


def _escaped(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code <= 0xFF:  # noqa: PLR2004 - what two hex digits can write
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004 - and four
