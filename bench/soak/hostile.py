"""Servers of many kinds behind one address, by path and by port; and names of many kinds."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import logging
import ssl
import threading
from typing import TYPE_CHECKING

import brotli  # type: ignore[import-untyped]

from bench.fetch.nameserver import SILENT
from bench.fetch.origin import document
from webward.testing import Close, Pause, Reset, Send
from webward.testing.script import play, response

if TYPE_CHECKING:
    from pathlib import Path

    from webward.testing import Step

HOST = "soak.example"
ADDRESS = "93.184.216.34"
HTTP, HTTPS, MUTE_TLS, BROKEN_TLS, CLOSED = 80, 443, 8443, 8444, 8081
ZONE = {HOST: ADDRESS, "silent.example": SILENT, "private.example": "10.0.0.5", "unreachable.example": "93.184.216.250"}

HEAD_BYTES = 64 * 1024  # of a request
LONG_SECONDS = 60.0  # longer than any deadline here
BOMB = bytes(64 * 1024 * 1024)
HTML = ("Content-Type", "text/html; charset=utf-8")
PAGE = document(30 * 1024)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
GOOD = response(PAGE, status=200, headers=[HTML])


def _coded(body: bytes, coding: str) -> tuple[Step, ...]:
    return response(body, status=200, headers=[HTML, ("Content-Encoding", coding)])


def _redirect(location: str) -> tuple[Step, ...]:
    return response(b"", status=302, headers=[("Location", location)])


SCRIPTS: dict[str, tuple[Step, ...]] = {
    "good": GOOD,
    "coded": _coded(gzip.compress(PAGE), "gzip"),
    "missing": response(b"no such page", status=404, headers=[HTML]),
    "moved": _redirect("/good"),
    "drip": (Send(HEAD + b"Content-Length: 100000\r\n\r\n"), Send(b"a", times=1000, every_seconds=0.1)),
    "drip-head": (Send(HEAD), Send(b"X", times=1000, every_seconds=0.1)),
    "silence": (Pause(LONG_SECONDS),),
    "close": (Close(),),
    "reset": (Reset(),),
    "reset-in-body": (Send(HEAD + b"Content-Length: 100000\r\n\r\n" + PAGE), Reset()),
    "endless-head": (Send(HEAD), Send(b"X-Filler: " + b"a" * 8000 + b"\r\n", times=1000)),
    "endless-interim": (Send(b"HTTP/1.1 103 Early Hints\r\n\r\n", times=1000),),
    "endless-body": (Send(HEAD + b"\r\n"), Send(b"a" * HEAD_BYTES, times=1000), Close()),
    "bomb-gzip": _coded(gzip.compress(BOMB), "gzip"),
    "bomb-brotli": _coded(brotli.compress(BOMB, quality=5), "br"),
    "broken-coding": _coded(gzip.compress(PAGE)[: len(PAGE) // 50], "gzip"),
    "loop": _redirect("/loop"),
    "to-private": _redirect("http://private.example/"),
    "to-tls": _redirect(f"https://{HOST}/good"),
    "short": (Send(HEAD + b"Content-Length: 100000\r\n\r\n" + PAGE), Close()),
    "long": (Send(HEAD + b"Content-Length: 100\r\n\r\n" + PAGE),),
    "two-answers": (*GOOD, *GOOD),
    "bad-chunk": (Send(HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n"), Pause(LONG_SECONDS)),
    "small-chunks": (Send(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 20_000 + b"0\r\n\r\n"),),
    "garbage": (Send(bytes(range(256)) * 100),),
}
GOOD_PATHS = ("good", "coded", "missing", "moved")

GOOD_URLS = tuple(f"{scheme}://{HOST}/{path}" for scheme in ("http", "https") for path in GOOD_PATHS)
HOSTILE_URLS = (
    *(f"{scheme}://{HOST}/{path}" for scheme in ("http", "https") for path in SCRIPTS if path not in GOOD_PATHS),
    *(f"https://{HOST}:{port}/good" for port in (MUTE_TLS, BROKEN_TLS, HTTP, CLOSED)),
    f"https://{ADDRESS}/good",  # the certificate is for the name
    *(f"http://{name}/" for name in (*ZONE, "missing.example") if name != HOST),
)


def serve(certificate: Path) -> None:
    """Serve in a thread from now on."""
    ready = threading.Event()
    threading.Thread(target=lambda: asyncio.run(_serve(certificate, ready)), daemon=True).start()
    ready.wait()


async def _serve(certificate: Path, ready: threading.Event) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    logging.getLogger("asyncio").disabled = True  # what clients break off is no news
    for port, tls, serve_one in (
        (HTTP, None, _answers),
        (HTTPS, context, _answers),
        (MUTE_TLS, None, _nothing),
        (BROKEN_TLS, None, _garbage),
    ):
        await asyncio.start_server(serve_one, ADDRESS, port, ssl=tls, limit=HEAD_BYTES)
    ready.set()
    await asyncio.Event().wait()


async def _answers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError, asyncio.IncompleteReadError), contextlib.closing(writer):
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split(b" ", 2)[1].decode("latin-1").removeprefix("/")
            if not await play(SCRIPTS[path], writer):
                return


async def _nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError), contextlib.closing(writer):
        await reader.read()


async def _garbage(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError), contextlib.closing(writer):
        await reader.read(HEAD_BYTES)
        await play((Send(b"no TLS"), Reset()), writer)
