"""What a person sees: run on a real pseudo-terminal."""

from __future__ import annotations

import asyncio
import errno
import os
import pty
import subprocess
import sys

import pytest
from tests.surfaces.cli.conftest import SECONDS, Command

from webward.surfaces.cli.terminal import one_line, printable
from webward.testing import SearxngDouble


def _on_terminal(webward: Command, *arguments: str, **variables: str) -> tuple[int, str]:
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "webward", *arguments],
        stdin=child,
        stdout=child,
        stderr=child,
        cwd=webward.home,
        env=webward.environment(TERM="xterm-256color", WEBWARD_EGRESS_PRESET="development", **variables),
    )
    os.close(child)
    shown = b""
    while chunk := _read(parent):
        shown += chunk
    os.close(parent)
    return process.wait(SECONDS), shown.decode()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError as error:
        if error.errno == errno.EIO:  # how Linux says that the other side of a terminal is gone
            return b""
        raise


def test_foreign_text_cannot_drive_the_terminal(webward: Command, site: str) -> None:
    status, shown = _on_terminal(webward, "fetch", f"{site}/escape")

    assert status == 0
    assert "\x1b]" not in shown
    assert "\x07" not in shown
    assert "\\x1b]0;owned\\x07red\\u202eevil[bold]not markup[/bold]" in shown


def test_a_page_has_a_header_without_markup(webward: Command, site: str) -> None:
    status, shown = _on_terminal(webward, "read", f"{site}/title")

    assert status == 0
    assert "red [blink]t[/blink]" in shown
    assert "\x1b[31m" not in shown
    assert f"{site}/title" in shown
    assert "200 text/html utf-8" in shown


def test_binary_needs_a_file(webward: Command, site: str) -> None:
    status, shown = _on_terminal(webward, "fetch", f"{site}/logo.png")

    assert status == 2
    assert "use -o FILE" in shown
    assert "\x89PNG" not in shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("a\r\nb\rc", "a\nb\\x0dc"),
        ("\x00\x1b\x7f\x9b", "\\x00\\x1b\\x7f\\x9b"),
        ("\u202e\u2066\u2028\u061c", "\\u202e\\u2066\\u2028\\u061c"),
        ("\ud800", "\\ud800"),
        ("日本 🙂 é", "日本 🙂 é"),
        ("a\u200bb\ufeff\U000e0041", "a\\u200bb\\ufeff\\U000e0041"),
        ("\U0001f469\u200d\U0001f680 \u0646\u200c\u0645", "\U0001f469\u200d\U0001f680 \u0646\u200c\u0645"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_one_line() -> None:
    assert one_line(" a\n\tb\x1b ") == "a b\\x1b"


async def test_what_a_search_found_has_no_markup(webward: Command) -> None:
    async with SearxngDouble() as double:
        double.find(
            {
                "title": "[blink]one[/blink]\x1b]0;owned\x07",
                "url": "https://one.test/[b]",
                "content": "[red]\u202e\x1b[31mx",
            },
            {"title": "two", "url": "https://two.test/"},
        )
        variables = {
            "WEBWARD_SEARCH_PROVIDER": "searxng",
            "WEBWARD_SEARCH_SEARXNG_BASE_URL": double.base_url,
            "WEBWARD_SEARCH_SEARXNG_UNSAFE_ALLOW_PRIVATE": "true",
        }
        status, shown = await asyncio.to_thread(_on_terminal, webward, "search", "tea", **variables)

    assert status == 0
    assert all(part in shown for part in ("1. [blink]one[/blink]", "https://one.test/[b]", "   [red]x", "2. two"))
    assert not any(part in shown for part in ("\x1b]", "\x07", "\u202e", "\x1b[31m"))
