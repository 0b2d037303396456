"""`core`, `content` and `contracts` decide and compute and do nothing else; only `net` opens sockets."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(__file__).parents[1] / "src" / "webward"

# None of these opens, waits, logs, draws lots or tells the time. A library that is not here is a fault.
PURE_LIBRARIES = {
    *("__future__", "abc", "base64", "binascii", "bisect", "codecs", "collections", "compression.zstd", "dataclasses"),
    *("datetime", "encodings", "enum", "functools", "hashlib", "heapq", "html", "ipaddress", "itertools", "json"),
    *("math", "operator", "re", "string", "struct", "sys", "types", "typing", "unicodedata", "urllib.parse", "zlib"),
    *("csv", "email.utils", "http.HTTPStatus"),
    *("ada_url", "backports.zstd", "brotli", "msgspec", "pypdfium2", "snowballstemmer", "turbohtml", "webward"),
}
IMPURE_NAMES = {"open", "input", "print", "breakpoint", "exec", "eval", "__import__"}
IMPURE_ATTRIBUTES = {"now", "today", "utcnow", "open", "file_digest", "argv", "stdin", "stdout", "stderr"}
ASYNC = ast.AsyncFunctionDef | ast.AsyncFor | ast.AsyncWith | ast.Await

# What reaches towards an address that a caller, a page or a provider named. Servers and clients of our own
# machines (Redis, the HTTP surface) come with sockets of their own and are not meant.
SOCKET_LIBRARIES = {"socket", "ssl", "pycares", "aiohappyeyeballs", "http.client", "urllib.request"}
SOCKET_ATTRIBUTES = {"open_connection", "create_connection", "sock_connect", "getaddrinfo"}


def within(name: str, libraries: set[str]) -> bool:
    return any(f"{name}.".startswith(f"{library}.") for library in libraries)


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def attributes(tree: ast.AST) -> set[str]:
    return {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def impurities(source: str) -> set[str]:
    tree = ast.parse(source)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    awaits = {type(node).__name__ for node in ast.walk(tree) if isinstance(node, ASYNC)}
    libraries = {name for name in imported(tree) if not within(name, PURE_LIBRARIES)}
    return libraries | awaits | (names & IMPURE_NAMES) | (attributes(tree) & IMPURE_ATTRIBUTES)


def sockets(source: str) -> set[str]:
    tree = ast.parse(source)
    return {n for n in imported(tree) if within(n, SOCKET_LIBRARIES)} | (attributes(tree) & SOCKET_ATTRIBUTES)


def modules(*, inside: set[str] | None = None, outside: set[str] | None = None) -> Iterator[Path]:
    for path in sorted(SOURCE.rglob("*.py")):
        folder = path.relative_to(SOURCE).parts[0]
        if (inside is None or folder in inside) and folder not in (outside or set()):
            yield path


def test_pure_folders_are_pure() -> None:
    pure = modules(inside={"core", "content", "contracts"})
    found = {str(path): impurities(path.read_text(encoding="utf-8")) for path in pure}
    assert {path: faults for path, faults in found.items() if faults} == {}


def test_only_net_opens_sockets() -> None:
    found = {str(path): sockets(path.read_text(encoding="utf-8")) for path in modules(outside={"net", "testing"})}
    assert {path: faults for path, faults in found.items() if faults} == {}


@pytest.mark.parametrize(
    "source",
    [
        *("import asyncio", "import socket", "import ssl", "import os", "from time import monotonic", "import random"),
        *("def f():\n    import logging", "import pathlib", "import urllib.request", "import secrets"),
        *("async def f(): ...", "datetime.now()", "datetime.datetime.today()", "open('f')", "sys.stdin"),
    ],
)
def test_an_impurity_is_seen(source: str) -> None:
    assert impurities(source)


@pytest.mark.parametrize("source", ["import ssl", "from socket import socket", "loop.getaddrinfo('h', 1)"])
def test_a_socket_is_seen(source: str) -> None:
    assert sockets(source)


def test_a_pure_module_passes() -> None:
    source = (
        "import zlib\nfrom urllib.parse import quote\nfrom datetime import UTC, datetime\nfrom webward.model import X"
    )
    assert impurities(source) == set()
    assert sockets(source) == set()
