"""What people and pipes are shown: foreign text never drives a terminal, and bytes go to a pipe as they are."""

from __future__ import annotations

import re
import sys

# C0 but for tab and line feed, DEL, C1, the bidirectional controls (Trojan Source, CVE-2021-42574), line and paragraph
# separators, and lone surrogates: each can make a terminal show or do what was not written.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def printable(text: str) -> str:
    r"""Text with its control characters escaped, as in ``\\x1b``; tabs and line feeds stay."""
    return _UNSAFE.sub(_escaped, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """As `printable`, with line feeds and tabs as spaces."""
    return " ".join(printable(text).split())


def is_terminal() -> bool:
    """Whether standard output is shown to a person."""
    return sys.stdout.isatty()


def write_bytes(data: bytes) -> None:
    """Write to standard output as they are."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write_text(text: str) -> None:
    """Write text to standard output: as UTF-8 to a pipe, made printable on a terminal; a last line feed is added."""
    shown = printable(text) if is_terminal() else text
    ending = "" if shown.endswith("\n") or not shown else "\n"
    write_bytes((shown + ending).encode(errors="replace"))


def note(text: str) -> None:
    """Tell the user something beside the output."""
    sys.stderr.write(f"webward: {one_line(text)}\n")
    sys.stderr.flush()


def _escaped(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}"  # noqa: PLR2004 - what two hex digits can write
