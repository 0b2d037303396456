"""The command group; a command's module is imported when the command is run."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from webward._version import __version__
from webward.errors import InvalidInput
from webward.surfaces.cli import exit_codes
from webward.surfaces.cli.run import report

COMMANDS = {
    "chat": "webward.surfaces.cli.chat",
    "check": "webward.surfaces.cli.check",
    "config": "webward.surfaces.cli.config",
    "demo": "webward.surfaces.cli.demo",
    "fetch": "webward.surfaces.cli.fetch",
    "frockbot": "webward.surfaces.cli.frockbot",
    "iii": "webward.surfaces.cli.iii",
    "mcp": "webward.surfaces.cli.mcp",
    "read": "webward.surfaces.cli.read",
    "search": "webward.surfaces.cli.search",
}


class LazyGroup(click.Group):
    """A group whose commands are found by name: each module has one, called ``command``."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """All names, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The command of a name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[cmd_name]).command
        return command


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
@click.option(
    "--config",
    "config_path",
    metavar="FILE",
    help="Settings (TOML); else WEBWARD_CONFIG or your config folder.",
)
@click.pass_context
def app(context: click.Context, config_path: str | None) -> None:
    """Read the public web for AI agents: nothing but a judged address is ever dialed.

    Exit status: 0 ok, 1 internal, 2 input or configuration, 3 refused, 4 limit, 5 network, 6 content,
    7 search provider or model.
    """
    context.obj = config_path


def run() -> None:
    """Run a command and exit; what click finds wrong with the words is reported like any other bad input."""
    try:
        app(prog_name="webward", standalone_mode=False)
    except click.exceptions.Exit as ended:
        sys.exit(ended.exit_code)
    except click.exceptions.Abort:
        sys.exit(exit_codes.INTERRUPTED)
    except click.ClickException as error:
        message = error.format_message()
        if "--config" in message:
            message += " --config goes before the command."
        report(InvalidInput(message), as_envelope=_wants_envelope(error))
        sys.exit(exit_codes.INPUT)


def _wants_envelope(error: click.ClickException) -> bool:
    context = error.ctx if isinstance(error, click.UsageError) else None
    is_search = context is not None and context.info_name == "search"  # elsewhere --json is what is sent
    return "--envelope" in sys.argv or (is_search and "--json" in sys.argv)
