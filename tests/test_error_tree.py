"""The drawing in `webward.errors` is the class tree, codes are unique, and every surface maps every code."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from webward import errors

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SOURCE = Path(__file__).parents[1] / "src" / "webward"

# Where each surface keeps its table of codes. None: it raises the errors as they are, or only serves the others.
SURFACE_TABLES: Mapping[str, str | None] = {
    "cli": "webward.surfaces.cli.exit_codes:EXIT_STATUS",
    "chat": "webward.contracts.chat.refusals:SENTENCES",
    "frockbot": "webward.contracts.frockbot.codes:FETCH_REFUSALS",
    "iii": "webward.contracts.iii.codes:ERROR_CODES",
    "mcp": None,
    "sync": None,
    "tools": None,
}
EXIT_STATUS_OF_GROUP = {
    errors.WebwardError: 1,
    errors.InvalidInput: 2,
    errors.Refused: 3,
    errors.LimitExceeded: 4,
    errors.TransportError: 5,
    errors.ContentError: 6,
    errors.ProviderError: 7,
    errors.StoreUnavailable: 5,
}


def walk(kind: type[errors.WebwardError], level: int = 0) -> Iterator[tuple[int, type[errors.WebwardError]]]:
    yield level, kind
    for child in kind.__subclasses__():
        yield from walk(child, level + 1)


def tree(root: type[errors.WebwardError]) -> list[str]:
    """The class tree as the docstring draws it, with single spaces before the codes."""
    return [f"{'  ' * level}{kind.__name__} {vars(kind).get('code', '')}".rstrip() for level, kind in walk(root)]


def drawing(docstring: str) -> list[str]:
    lines = docstring.split("\n\n")[1].splitlines()
    indents = [len(line) - len(line.lstrip()) for line in lines]
    return [" " * indent + " ".join(line.split()) for indent, line in zip(indents, lines, strict=True)]


def codes() -> list[str]:
    return [kind.code for _, kind in walk(errors.WebwardError) if "code" in vars(kind)]


def table_faults(table: Mapping[str, object], wanted: list[str]) -> list[str]:
    missing = [f"not mapped: {code}" for code in wanted if code not in table]
    return missing + [f"no such code: {code}" for code in table if code not in wanted]


def test_the_drawing_is_the_tree() -> None:
    assert drawing(inspect.getdoc(errors) or "") == tree(errors.WebwardError)


def test_codes_are_unique() -> None:
    assert sorted(codes()) == sorted(set(codes()))


def test_every_error_is_defined_in_errors() -> None:
    names = {kind.__name__ for _, kind in walk(errors.WebwardError)}
    elsewhere = [
        f"{path.name}: {node.name}"
        for path in sorted(SOURCE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and path.name != "errors.py"
        if {ast.unparse(base).split(".")[-1] for base in node.bases} & names
    ]
    assert elsewhere == []


def test_every_surface_is_known() -> None:
    modules = (SOURCE / "surfaces").glob("[a-z]*")
    assert {path.stem for path in modules if path.is_dir() or path.suffix == ".py"} <= set(SURFACE_TABLES)


@pytest.mark.parametrize("address", [address for address in SURFACE_TABLES.values() if address])
def test_a_surface_maps_every_code(address: str) -> None:
    module, name = address.split(":")
    assert table_faults(getattr(importlib.import_module(module), name), codes()) == []


def test_exit_status_follows_the_group() -> None:
    status = importlib.import_module("webward.surfaces.cli.exit_codes").EXIT_STATUS
    for _, kind in walk(errors.WebwardError):
        if "code" in vars(kind):
            group = next(parent for parent in kind.__mro__ if parent in EXIT_STATUS_OF_GROUP)
            assert (kind.code, status[kind.code]) == (kind.code, EXIT_STATUS_OF_GROUP[group])


def test_a_wrong_drawing_is_seen() -> None:
    text = inspect.getdoc(errors) or ""
    for wrong in (text.replace("  NameNotFound", "NameNotFound"), text.replace("tls-failed", "tls-broken", 1)):
        assert drawing(wrong) != tree(errors.WebwardError)


@pytest.mark.parametrize("table", [{"a": 1}, {"a": 1, "b": 2, "c": 3}], ids=["missing", "no such code"])
def test_a_wrong_table_is_seen(table: Mapping[str, object]) -> None:
    assert table_faults(table, ["a", "b"])
