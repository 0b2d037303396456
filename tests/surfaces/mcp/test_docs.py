"""docs/mcp.md says what the code does: its snippets start the command, its tables are the tools and the options."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest

from webward.config import load_settings
from webward.contracts.tools import BODY_BYTES, WINDOW_CHARS, SendInput
from webward.surfaces.cli.app import app
from webward.surfaces.cli.mcp import TOOLS, command
from webward.surfaces.mcp.results import IMAGE_BYTES
from webward.surfaces.mcp.server import HEARTBEAT_SECONDS
from webward.surfaces.tools import CALLS_AT_ONCE, CHECK_URL, FETCH, READ_PAGE, SEND, WEB_SEARCH

PAGE = (Path(__file__).parents[3] / "docs" / "mcp.md").read_text(encoding="utf-8")
UVX = ["--from", "webward[mcp]", "webward"]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def servers() -> list[dict[str, Any]]:
    """The settings of webward in each snippet."""
    found = [json.loads(block) for block in blocks("json")] + [tomllib.loads(block) for block in blocks("toml")]
    (line,) = re.findall(r"^    claude mcp add webward -- (.+)$", PAGE, re.MULTILINE)
    program, *arguments = shlex.split(line)
    return [next(iter(settings.values()))["webward"] for settings in found] + [{"command": program, "args": arguments}]


def test_every_host_has_a_snippet() -> None:
    assert len(servers()) == 5


@pytest.mark.parametrize("server", servers(), ids=lambda server: " ".join(server["args"]))
def test_a_snippet_starts_the_command(server: dict[str, Any]) -> None:
    program = ["uvx", *UVX] if server["command"] == "uvx" else ["webward"]
    words = [server["command"], *server["args"]]
    assert words[: len(program)] == program
    name, *options = words[len(program) :]
    context = app.make_context("webward", [name])
    assert app.get_command(context, name) is command
    command.make_context(name, options, parent=context)  # a parent's: what help is called is kept


def test_the_settings_of_a_snippet_choose_a_provider() -> None:
    (environ,) = [server["env"] for server in servers() if "env" in server]
    search = load_settings(environ=environ).search
    assert (search.provider, search.brave.api_key is not None) == ("brave", True)


def test_the_tools_and_their_arguments() -> None:
    rows = {
        name: re.findall(r"`([a-z_]+)`", cell)
        for name, cell in re.findall(r"^\| `([a-z_]+)` \| (`url`[^|]*|`query`[^|]*) \|", PAGE, re.MULTILINE)
    }
    fetch = [*FETCH.input_type.__struct_fields__, *SendInput.__struct_fields__]
    assert {name: sorted(arguments) for name, arguments in rows.items()} == {
        "read_page": sorted(READ_PAGE.input_type.__struct_fields__),
        "fetch": sorted(set(fetch)),
        "web_search": sorted(WEB_SEARCH.input_type.__struct_fields__),
        "check_url": sorted(CHECK_URL.input_type.__struct_fields__),
    }
    assert {READ_PAGE.name, FETCH.name, SEND.name, WEB_SEARCH.name, CHECK_URL.name} == set(TOOLS) == set(rows)


def test_the_options() -> None:
    written = set(re.findall(r"`(--[a-z-]+)(?: NAME)?`", PAGE.partition("## Options")[2].partition("## The tools")[0]))
    assert written == {name for option in command.params if isinstance(option, click.Option) for name in option.opts}


@pytest.mark.parametrize(
    "words",
    [
        f"windows of {WINDOW_CHARS:,} characters",
        f"at most {BODY_BYTES // 1024} KiB",
        f"An image up to {IMAGE_BYTES // 1024} KiB",
        f"every {HEARTBEAT_SECONDS:g} seconds",
        f"{CALLS_AT_ONCE} calls run at once",
    ],
)
def test_the_figures(words: str) -> None:
    assert words in " ".join(PAGE.split())
