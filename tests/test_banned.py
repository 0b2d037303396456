"""Short cuts that are not taken: `ipaddress` predicates, broad handlers, hidden settings, mocks and sleeps."""

from __future__ import annotations

import ast
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "webward"

# They disagree with the IANA registries, differently in each Python release; the tables of core.address decide.
PREDICATES = {name for kind in (IPv4Address, IPv6Address) for name in dir(kind) if name.startswith("is_")}
BROAD = {"", "Exception", "BaseException", "builtins.Exception", "builtins.BaseException"}
SLEEPS = {"time.sleep", "asyncio.sleep", "anyio.sleep"}
MOCKS = {"unittest.mock", "mock", "pytest_mock"}
ENVIRONMENT = {"os.environ", "os.environb", "os.getenv"}


def predicates(source: str) -> list[str]:
    return [
        node.attr for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute) if node.attr in PREDICATES
    ]


def broad_handlers(source: str) -> list[str]:
    """Handlers of everything that do not end in a bare `raise`, and `suppress` of everything."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ExceptHandler) and not (isinstance(node.body[-1], ast.Raise) and not node.body[-1].exc):
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            found += [f"except in line {node.lineno}" for kind in kinds if (ast.unparse(kind) if kind else "") in BROAD]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "suppress":
            found += [f"suppress in line {node.lineno}" for kind in node.args if ast.unparse(kind) in BROAD]
    return found


def names(source: str) -> Iterator[str]:
    """Every dotted name that is imported or used."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names))
        elif isinstance(node, ast.Attribute):
            yield ast.unparse(node)
        elif isinstance(node, ast.arg):
            yield node.arg


def environment(source: str) -> list[str]:
    return [name for name in names(source) if name in ENVIRONMENT]


def mocks_and_sleeps(source: str) -> list[str]:
    return [name for name in names(source) if name in SLEEPS | MOCKS | {"monkeypatch", "mocker"}]


def found(folder: Path, check: Callable[[str], list[str]], *, but: str = "-") -> dict[str, list[str]]:
    paths = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*.py"))}
    faults = {name: check(path.read_text(encoding="utf-8")) for name, path in paths.items() if not name.startswith(but)}
    return {name: faults[name] for name in faults if faults[name]}


def test_core_uses_no_predicates_of_ipaddress() -> None:
    assert found(SOURCE / "core", predicates) == {}


def test_broad_handlers_are_in_surfaces_alone() -> None:
    assert found(SOURCE, broad_handlers, but="surfaces/") == {}


def test_the_environment_is_read_in_config_alone() -> None:
    assert found(SOURCE, environment, but="config") == {}


def test_tests_neither_mock_nor_sleep() -> None:
    assert found(ROOT / "tests", mocks_and_sleeps) == {}


@pytest.mark.parametrize(
    ("check", "source"),
    [
        (predicates, "address.is_global"),
        (predicates, "if ip_address(text).is_private or x.is_site_local: pass"),
        (broad_handlers, "try: f()\nexcept: pass"),
        (broad_handlers, "try: f()\nexcept Exception as e: raise E from e"),
        (broad_handlers, "try: f()\nexcept (OSError, BaseException): pass"),
        (broad_handlers, "try: f()\nexcept* Exception: pass"),
        (broad_handlers, "with contextlib.suppress(Exception): f()"),
        (environment, "import os\nos.environ.get('HTTP_PROXY')"),
        (environment, "from os import getenv"),
        (mocks_and_sleeps, "from unittest import mock"),
        (mocks_and_sleeps, "from unittest.mock import patch"),
        (mocks_and_sleeps, "async def test(): await asyncio.sleep(0)"),
        (mocks_and_sleeps, "from time import sleep"),
        (mocks_and_sleeps, "def test(monkeypatch): ..."),
    ],
)
def test_a_short_cut_is_seen(check: Callable[[str], list[str]], source: str) -> None:
    assert check(source)


@pytest.mark.parametrize(
    "source",
    [
        "try: f()\nexcept Exception:\n    close()\n    raise",
        "try: f()\nexcept OSError: pass",
        "with suppress(OSError): f()",
        "import time\nimport os\ntime.monotonic()\nos.path\nevent.wait()",
    ],
)
def test_what_is_allowed_passes(source: str) -> None:
    assert [
        fault for check in (predicates, broad_handlers, environment, mocks_and_sleeps) for fault in check(source)
    ] == []
