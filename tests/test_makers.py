"""str -> Target -> Route -> Fetched -> Page: each value is made in one place, so that no check can be skipped."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "webward"

# The one place of each value: a module, or a folder.
MAKERS = {
    "Target": "core/url.py",
    "Route": "core/egress.py",
    "Fetched": "engine/fetch.py",
    "Page": "engine/read.py",
    "Checked": "engine/",
}
COPIERS = {"replace", "__replace__", "copy.replace", "dataclasses.replace"}


def called(node: ast.Call) -> str:
    return ast.unparse(node.func).split(".")[-1]


def faults(path: str, source: str) -> list[str]:
    """Calls of a maker, renamed imports of one, and changed copies, outside its place."""
    foreign = {name for name, place in MAKERS.items() if not path.startswith(place)}
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and called(node) in foreign:
            found.append(f"{path}:{node.lineno} makes a {called(node)}")
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in COPIERS and copied(node) in foreign:
            found.append(f"{path}:{node.lineno} makes a changed {copied(node)}")
        elif isinstance(node, ast.ImportFrom):
            renamed = [alias.name for alias in node.names if alias.asname not in {None, alias.name}]
            found += [f"{path}:{node.lineno} renames {name}" for name in renamed if name in foreign]
    return found


def copied(node: ast.Call) -> str:
    """What `replace` changes, told by the name of the variable: `target`, `hop.route`."""
    return ast.unparse(node.args[0]).split(".")[-1].capitalize() if node.args else ""


def test_values_are_made_in_their_place() -> None:
    found: list[str] = []
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        found += [] if name.startswith("testing/") else faults(name, path.read_text(encoding="utf-8"))
    assert found == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("engine/fetch.py", "target = Target(url=url)"),
        ("core/redirect.py", "return model.Target(url=url)"),
        ("net/dialer.py", "Route(target=target, addresses=(), policy=policy)"),
        ("net/dialer.py", "route = replace(route, addresses=more)"),
        ("net/dialer.py", "route = dataclasses.replace(hop.route, addresses=more)"),
        ("engine/read.py", "Fetched(body=b'')"),
        ("surfaces/sync.py", "Checked(url='')"),
        ("contracts/page.py", "from webward.model import Page as Result"),
    ],
)
def test_a_foreign_maker_is_seen(path: str, source: str) -> None:
    assert faults(path, source)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("core/url.py", "Target(url=url)"),
        ("core/egress.py", "Route(target=target, addresses=judged, policy=policy)"),
        ("engine/check.py", "Checked(url=url)"),
        ("surfaces/sync.py", "text.replace('a', 'b')\nroute: Route = given\nfrom webward.model import Target"),
    ],
)
def test_a_right_maker_passes(path: str, source: str) -> None:
    assert faults(path, source) == []
