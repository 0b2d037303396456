"""Every import inside webward runs along an arrow that is listed here."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(__file__).parents[1] / "src"

VOCABULARY = {"errors", "model", "config", "ports", "_version"}
BELOW_SURFACES = {"vocabulary", "engine", "engine.gateway", "contracts", "bulk", "surfaces.tools"}

# What each place may import besides itself. What is not listed is a fault, and so is a place that is not listed.
ARROWS = {
    "vocabulary": set[str](),
    "core": {"vocabulary"},
    "content": {"vocabulary"},
    "net": {"core", "vocabulary"},
    "store": {"core", "vocabulary"},
    "providers": {"core", "vocabulary"},
    "engine": {"core", "content", "vocabulary"},
    "engine.gateway": {"engine", "core", "content", "net", "store", "providers", "vocabulary"},
    "contracts": {"core", "vocabulary"},
    "bulk": {"engine", "engine.gateway", "core", "content", "vocabulary"},
    "surfaces": set[str](),
    "surfaces.*": BELOW_SURFACES,
    "surfaces.cli": BELOW_SURFACES | {"surfaces.*"},
    "surfaces.cli.demo": BELOW_SURFACES | {"surfaces.cli", "testing"},
    "testing": {"*"},
    "webward": {"vocabulary", "engine.gateway", "surfaces.sync"},
    "text": {"content"},  # re-exports for users, as webward itself
    "chat": {"vocabulary", "contracts", "surfaces.chat"},  # the same, for bots in Python
    "frockbot": {"contracts", "surfaces.frockbot"},  # the same, for hosts that mount the FrockBot tools
    "webward.__main__": {"surfaces.cli"},
}


def place(module: str) -> str:
    """Where a module stands in the house: a key of `ARROWS`, or the name of a surface."""
    _, first, second, third = [*module.split("."), "", "", ""][:4]
    if first in VOCABULARY:
        return "vocabulary"
    if first == "engine" and second in {"gateway", "parts"}:  # the composition root, and who uses it
        return "engine.gateway"
    if (first, second) == ("surfaces", "cli") and third.startswith("demo"):
        return "surfaces.cli.demo"
    if first == "surfaces" and second:
        return f"surfaces.{second}"
    return {"": "webward", "__main__": "webward.__main__"}.get(first, first)


def imports(module: str, tree: ast.AST, *, package: bool) -> Iterator[str]:
    """Every name that is imported, also under TYPE_CHECKING, inside functions and through `import_module`."""
    parts = module.split(".")
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = parts[: len(parts) - node.level + package] if node.level else []
            yield from (".".join([*start, *filter(None, [node.module]), alias.name]) for alias in node.names)
        elif isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func) and node.args:
            yield ast.unparse(node.args[0]).strip("'\"")


def may_import(origin: str, target: str) -> bool:
    arrows = ARROWS.get(origin, ARROWS["surfaces.*"])
    wanted = {target, "*"} | ({"surfaces.*"} if target.startswith("surfaces.") else set())
    return origin == target or bool(arrows & wanted)


def faults(module: str, source: str, *, package: bool = False) -> list[str]:
    origin = place(module)
    if origin not in ARROWS and not origin.startswith("surfaces."):
        return [f"{module}: no such place in the house"]
    ours = [name for name in imports(module, ast.parse(source), package=package) if name.split(".")[0] == "webward"]
    return [f"{module} imports {name}" for name in ours if not may_import(origin, place(name))]


def re_exports(node: ast.stmt) -> bool:
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING" and all(map(re_exports, node.body))
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]) == "__all__"
    return isinstance(node, ast.ImportFrom) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def test_every_import_runs_along_an_arrow() -> None:
    found: list[str] = []
    for path in sorted(SOURCE.rglob("*.py")):
        module = ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
        found += faults(module, path.read_text(encoding="utf-8"), package=path.stem == "__init__")
    assert found == []


def test_the_package_only_re_exports() -> None:
    body = ast.parse((SOURCE / "webward" / "__init__.py").read_text(encoding="utf-8")).body
    assert [ast.unparse(node) for node in body if not re_exports(node)] == []


@pytest.mark.parametrize("source", ["def fetch(): ...", "x = 1", "import os", "if x:\n    from a import b"])
def test_code_in_the_package_is_seen(source: str) -> None:
    assert not all(map(re_exports, ast.parse(source).body))


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("webward.model", "if TYPE_CHECKING:\n    from webward.core import url"),
        ("webward.core.url", "from webward.content import charset"),
        ("webward.core.url", "from webward import __version__"),
        ("webward.content.media", "def f():\n    from webward.core.url import parse"),
        ("webward.net.pool", "from webward.engine import fetch"),
        ("webward.net.pool", "from ..store import quota"),
        ("webward.engine.fetch", "import webward.net.dialer"),
        ("webward.engine.fetch", "from webward import net"),
        ("webward.engine.fetch", "from webward.engine.gateway import Gateway"),
        ("webward.engine.search", "from webward.providers import Providers"),
        ("webward.providers.brave", "from webward.content.sanitize import scrub"),
        ("webward.providers.client", "from webward.net.transport import HttpTransport"),
        ("webward.surfaces.cli.search", "from webward.providers import Providers"),
        ("webward.contracts.page", "from webward.engine.gateway import Gateway"),
        ("webward.store.quota", "from webward.net.clock import SystemClock"),
        ("webward.store.images", "from webward.content.images import image_size"),
        ("webward.engine.images", "from webward.store import SqliteImageCache"),
        ("webward.surfaces.chat", "from webward.store import SqliteQuota"),
        ("webward.surfaces.sync", "from webward.core.url import parse"),
        ("webward.surfaces.sync", "from webward.surfaces.cli import main"),
        ("webward.surfaces.mcp", "from webward.surfaces import sync"),
        ("webward.surfaces.cli.fetch", "from webward.net import dialer"),
        ("webward.surfaces.cli.fetch", "importlib.import_module('webward.testing')"),
        ("webward.surfaces.sync", "from webward.testing import LoopbackWeb"),
        ("webward.helpers", "import json"),
    ],
)
def test_a_wrong_arrow_is_seen(module: str, source: str) -> None:
    assert faults(module, source) != []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("webward.net.http1", "import ssl\nfrom . import dialer\nfrom ..core import decoding"),
        ("webward.engine.gateway", "from webward.net import transport"),
        ("webward.engine.parts", "from webward.providers import Providers"),
        ("webward.engine.parts", "from webward.store import SqliteQuota"),
        ("webward.store.quota", "from webward.model import Resource"),
        ("webward.contracts.page", "from webward.core import address"),
        ("webward.surfaces.mcp", "from webward.surfaces import tools"),
        ("webward.surfaces.cli.serve", "from webward.surfaces.http import app"),
        ("webward.surfaces.cli.demo", "from webward.testing import LoopbackWeb"),
    ],
)
def test_a_right_arrow_passes(module: str, source: str) -> None:
    assert faults(module, source) == []
