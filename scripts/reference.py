"""Writes what is made from the code. `make docs` runs it, a test checks.

docs/reference.md has settings, error codes and command line; deploy/iii what is told of the iii worker.
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import click

from webward import errors
from webward.config.load import keys_of, section_kinds, variable_of
from webward.contracts.iii.guide import example_configuration, guide
from webward.surfaces.cli.app import app
from webward.surfaces.cli.exit_codes import EXIT_STATUS

ROOT = Path(__file__).parent.parent
_ATTRIBUTE = re.compile(r"^ {4}(\w+): (.+(?:\n {8,}.+)*)", re.MULTILINE)


def reference() -> str:
    """The whole page."""
    head = ["# Reference", "", "Made from the code by `make docs`.", ""]
    return "\n".join([*head, *_settings(), *_codes(), *_commands()])


def _table(*columns: str) -> list[str]:
    return ["", f"| {' | '.join(columns)} |", f"|{' --- |' * len(columns)}"]


def _settings() -> list[str]:
    lines = ["## Settings", ""]
    lines.append(
        "Each heading is a section of the settings file. The environment variable beats the file; lists in it are"
    )
    lines.append("separated by commas, and yes and no are `true` and `false`.")
    for section, kind in section_kinds().items():
        about = _about(kind)
        lines += ["", f"### `[{section}]`", *_table("key", "default", "environment", "meaning")]
        for key, field in keys_of(kind).items():
            meaning = _markdown(about[field.name])
            default = _default(field.name, field.default)
            lines.append(f"| `{key}` | {default} | `{variable_of(section, key)}` | {meaning} |")
    return [*lines, ""]


def _about(kind: type) -> dict[str, str]:
    """What the docstrings of a class and its bases say of its fields."""
    bases = [base for base in reversed(kind.__mro__) if base.__doc__]
    return {name: text for base in bases for name, text in _ATTRIBUTE.findall(inspect.getdoc(base) or "")}


def _default(name: str, value: object) -> str:
    if name == "resolver":
        return "`dns` on Linux, else `system`"
    if name == "user_agent":
        return "`webward/VERSION (+project page)`"
    if value is None or value in ((), frozenset()):
        return "not set"
    if isinstance(value, frozenset):
        return ", ".join(f"`{item}`" for item in sorted(value))
    return f"`{str(value).lower()}`"


def _markdown(text: str) -> str:
    return " ".join(text.split()).replace("``", "`")


def _codes() -> list[str]:
    lines = ["## Error codes", *_table("code", "class", "exit status", "retryable", "meaning")]
    for kind in _tree(errors.WebwardError):
        if "code" in vars(kind):
            meaning = _markdown((inspect.getdoc(kind) or "").partition("\n")[0])
            retryable = "yes" if kind.retryable else "no"
            lines.append(f"| `{kind.code}` | `{kind.__name__}` | {EXIT_STATUS[kind.code]} | {retryable} | {meaning} |")
    return [*lines, ""]


def _tree(kind: type[errors.WebwardError]) -> list[type[errors.WebwardError]]:
    return [kind, *(below for child in kind.__subclasses__() for below in _tree(child))]


def _commands() -> list[str]:
    context = click.Context(app, info_name="webward", terminal_width=100, **app.context_settings)
    lines = ["## Command line", "", "```", app.get_help(context), "```"]
    return [*lines, *_below(app, context), ""]


def _below(group: click.Group, context: click.Context) -> list[str]:
    """The help of each command of a group, and of theirs."""
    lines = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None:
            inner = click.Context(command, info_name=name, parent=context)
            lines += ["", "```", command.get_help(inner), "```"]
            lines += _below(command, inner) if isinstance(command, click.Group) else []
    return lines


WRITTEN = {
    "docs/reference.md": reference,
    "deploy/iii/config.yaml.example": example_configuration,
    "deploy/iii/skills/index.md": guide,
}

if __name__ == "__main__":
    for name, text in WRITTEN.items():
        (ROOT / name).write_text(text(), encoding="utf-8")
        sys.stdout.write(f"{name} is up to date\n")
