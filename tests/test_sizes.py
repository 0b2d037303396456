"""Code stays small: functions, modules, nesting; and values stay frozen."""

from __future__ import annotations

import ast
import statistics
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = sorted((ROOT / "src").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))

FUNCTION_LINES = 60
MODULE_LINES = 400
TEST_MODULE_LINES = 600
NESTING_LEVELS = 4
MEDIAN_LINES = 8
NINETIETH_PERCENTILE_LINES = 30

Function = ast.FunctionDef | ast.AsyncFunctionDef
BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def functions(source: str) -> list[Function]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, Function)]


def length(function: Function) -> int:
    """Lines from `def` to the end, without the docstring."""
    lines = (function.end_lineno or 0) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        lines -= (first.end_lineno or 0) - first.lineno + 1
    return lines


def nesting(node: ast.AST) -> int:
    """Blocks within blocks; an `elif` stands beside its `if`, and a function within begins again."""
    inner = [child for child in ast.iter_child_nodes(node) if not isinstance(child, SCOPES)]
    return max((nesting(child) + counts(node, child) for child in inner), default=0)


def counts(parent: ast.AST, child: ast.AST) -> bool:
    is_elif = isinstance(parent, ast.If) and isinstance(child, ast.If) and parent.orelse == [child]
    return isinstance(child, BLOCKS) and not is_elif


def size_faults(source: str, module_lines: int) -> list[str]:
    lines = source.count("\n")
    faults = [f"{lines} lines"] if lines > module_lines else []
    for function in functions(source):
        if length(function) > FUNCTION_LINES:
            faults.append(f"{function.name}: {length(function)} lines")
        if nesting(function) > NESTING_LEVELS:
            faults.append(f"{function.name}: nested {nesting(function)} deep")
    return faults


def thawed(source: str) -> list[str]:
    """Names of dataclasses and msgspec structs that are not frozen."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            makers = [ast.unparse(maker) for maker in node.decorator_list if "dataclass" in ast.unparse(maker)]
            struct = [ast.unparse(node)] if {"Struct", "msgspec.Struct"} & set(map(ast.unparse, node.bases)) else []
            names += [node.name for text in makers + struct if "frozen=True" not in text]
    return names


@pytest.mark.parametrize("path", [*SOURCE, *TESTS], ids=lambda path: str(path.relative_to(ROOT)))
def test_module_is_small(path: Path) -> None:
    module_lines = TEST_MODULE_LINES if path in TESTS else MODULE_LINES
    assert size_faults(path.read_text(encoding="utf-8"), module_lines) == []


def test_most_functions_are_short() -> None:
    lengths = [length(function) for path in SOURCE for function in functions(path.read_text(encoding="utf-8"))]
    assert statistics.median(lengths) <= MEDIAN_LINES
    assert statistics.quantiles(lengths, n=10)[-1] <= NINETIETH_PERCENTILE_LINES


def test_values_are_frozen() -> None:
    assert {str(path): names for path in SOURCE if (names := thawed(path.read_text(encoding="utf-8")))} == {}


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n" + "    x = 1\n" * 60,
        "x = 1\n" * 401,
        "def f():\n for a in b:\n  if a:\n   with a:\n    while a:\n     if a: pass\n",
        "def f():\n if a: pass\n else:\n  for b in c:\n   for d in e:\n    try: g()\n    finally:\n     if a: pass\n",
    ],
    ids=["long function", "long module", "deep nesting", "deep in else"],
)
def test_what_is_too_big_is_seen(source: str) -> None:
    assert size_faults(source, MODULE_LINES)


@pytest.mark.parametrize(
    "source",
    [
        'def f():\n    """' + "One.\n" * 90 + '    """\n' + "    x = 1\n" * 59,
        "def f():\n if a: pass\n elif b: pass\n elif c: pass\n elif d: pass\n elif e: pass\n",
        "x = 1\n" * 400,
    ],
    ids=["long docstring", "many elifs", "just fits"],
)
def test_what_fits_passes(source: str) -> None:
    assert size_faults(source, MODULE_LINES) == []


@pytest.mark.parametrize(
    "head", ["@dataclass\nclass A", "@dataclasses.dataclass(slots=True)\nclass A", "class A(Struct)"]
)
def test_a_thawed_value_is_seen(head: str) -> None:
    assert thawed(f"{head}:\n    x: int") == ["A"]


@pytest.mark.parametrize(
    "head", ["@dataclass(frozen=True)\nclass A", "class A(msgspec.Struct, frozen=True)", "class A"]
)
def test_a_frozen_value_passes(head: str) -> None:
    assert thawed(f"{head}:\n    x: int") == []
