"""`webward frockbot`: the FrockBot tools as a child process, and what a host is told of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from webward.config import load_settings
from webward.contracts.frockbot.fetch import strict_settings
from webward.contracts.frockbot.tools import Admission, manifest
from webward.engine.gateway import Gateway
from webward.surfaces.cli.lines import answer_lines
from webward.surfaces.cli.run import on_gateway, reporting
from webward.surfaces.cli.terminal import write_text
from webward.surfaces.frockbot.host import LineHost
from webward.surfaces.frockbot.tools import mounted

if TYPE_CHECKING:
    from webward.config import Settings

LINES_AT_ONCE = 4096  # read ahead of their answers, so that a cancel is seen behind many calls

PROTOCOL = """\b
A call:    {"id": "1", "tool": "web_fetch", "input": {"url": "https://example.com/"}}
A cancel:  {"cancel": "1"}
An answer: {"id": "1", "content": "JSON text", "isError": false}
"""

enable_option = click.option(
    "--enable",
    "enabled",
    metavar="NAME",
    multiple=True,
    help="An enabled package or capability, such as web and web-fetch; may be repeated. Without one all are.",
)


@click.group("frockbot")
def command() -> None:
    """Serve the tools of the FrockBot package "web" to a host in any language."""


@command.command("serve", epilog=PROTOCOL)
@enable_option
@click.pass_obj
def serve(config_path: str | None, /, enabled: tuple[str, ...]) -> None:
    """Answer calls of the tools, a JSON object a line, until standard input ends.

    Only https on its default port is fetched, from public addresses. Answers come as they are ready.
    """
    with reporting():
        settings = _settings(config_path)

        async def session(gateway: Gateway) -> None:
            host = LineHost(mounted(gateway, enabled=enabled or None))
            await answer_lines(host.answer, at_once=LINES_AT_ONCE)

        on_gateway(settings, session)


@command.command("manifest")
@enable_option
@click.option(
    "--turn-type", "turn_types", metavar="NAME", multiple=True, help="Admit these turns only; may be repeated."
)
@click.pass_obj
def show_manifest(config_path: str | None, /, enabled: tuple[str, ...], turn_types: tuple[str, ...]) -> None:
    """Print the manifest of the package as JSON: capabilities, admission, tools with their schemas."""
    with reporting():
        admission = Admission(turn_types=turn_types or "all")
        tools = mounted(Gateway(_settings(config_path)), enabled=enabled or None, admission=admission)
        write_text(json.dumps(manifest(tool.definition for tool in tools), indent=2))


def _settings(config_path: str | None) -> Settings:
    """The operator's settings under the contract; pages are read apart, so that a slow one holds up no other call."""
    settings = strict_settings(load_settings(config_path))
    return replace(settings, content=replace(settings.content, workers=max(1, settings.content.workers)))
