from __future__ import annotations

import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, BinaryIO, ClassVar

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECONDS = 30  # of one command; it takes a fraction of one, on a busy machine too


@dataclass(frozen=True)
class Ran:
    status: int
    out: bytes
    err: str


class Command:
    """The real command, in a process of its own with an empty home."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def environment(self, **variables: str) -> dict[str, str]:
        foreign = ("WEBWARD_", "XDG_", "PYTHONUNBUFFERED", "OLLAMA_", "BRAVE_")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        return {**kept, "HOME": str(self.home), **variables}

    def __call__(self, *arguments: str | bytes, stdin: bytes = b"", **variables: str) -> Ran:
        ran = subprocess.run(
            [sys.executable, "-m", "webward", *arguments],
            input=stdin,
            capture_output=True,
            check=False,
            timeout=SECONDS,
            cwd=self.home,
            env=self.environment(**variables),
        )
        return Ran(ran.returncode, ran.stdout, ran.stderr.decode())

    def into(self, output: BinaryIO, *arguments: str, stdin: bytes = b"") -> Ran:
        """The command with its standard output led elsewhere."""
        ran = subprocess.run(
            [sys.executable, "-m", "webward", *arguments],
            input=stdin,
            stdout=output,
            stderr=subprocess.PIPE,
            check=False,
            timeout=SECONDS,
            env=self.environment(),
        )
        return Ran(ran.returncode, b"", ran.stderr.decode())

    def closed(self, *arguments: str, stream: str = "<&-") -> Ran:
        """The command with its standard input closed, or another stream, as a shell writes it."""
        ran = subprocess.run(
            ["sh", "-c", f'exec "$@" {stream}', "sh", sys.executable, "-m", "webward", *arguments],  # noqa: S607 - any shell
            capture_output=True,
            check=False,
            timeout=SECONDS,
            env=self.environment(),
        )
        return Ran(ran.returncode, ran.stdout, ran.stderr.decode())

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """The command left running, with pipes."""
        return subprocess.Popen(
            [sys.executable, "-m", "webward", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.home,
            env=self.environment(),
        )

    def development(self, name: str, *arguments: str, stdin: bytes = b"") -> Ran:
        """A command that may reach loopback."""
        return self(name, *arguments, "--policy", "development", stdin=stdin)


class Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    pages: ClassVar[dict[str, tuple[int, str, bytes]]] = {
        "/": (200, "text/html; charset=utf-8", "<title>Café</title><h1>Menu</h1><p><a href='/x'>tea</a>".encode()),
        "/missing": (404, "text/plain", b"gone\n"),
        "/logo.png": (200, "image/png", b"\x89PNG\r\n\x1a\n\0\xff"),
        "/escape": (200, "text/plain", "\x1b]0;owned\x07red\u202eevil[bold]not markup[/bold]\n".encode()),
        "/title": (200, "text/html", b"<title>\x1b[31mred [blink]t[/blink]</title>text"),
    }

    def do_GET(self) -> None:
        if self.path == "/away":
            self._answer(302, "text/plain", b"", location="http://169.254.169.254/")
        elif self.path == "/home":
            self._answer(302, "text/plain", b"see /", location="/")
        else:
            self._answer(*self.pages[self.path])

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self._answer(200, "text/plain", f"{self.command} {self.headers['content-type']} ".encode() + body)

    def do_PUT(self) -> None:
        self.do_POST()

    def log_message(self, *arguments: object) -> None:
        """The tests' output is not for the server's log."""

    def _answer(self, status: int, media_type: str, body: bytes, location: str | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Seen", self.headers.get("x-sent", ""))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def webward(tmp_path: Path) -> Command:
    return Command(tmp_path)


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Where a small site is served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
