"""Options that several commands share, and the settings that come of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from webward.config import PRESETS, load_settings
from webward.errors import InvalidHeader, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webward.config import Settings

Command = TypeVar("Command", bound=Callable[..., Any])


def policy_options(command: Command) -> Command:
    """Add ``--policy`` and ``--unsafe-allow-cidr``."""
    for option in (
        click.option(
            "--unsafe-allow-cidr",
            "allow_cidr",
            metavar="CIDR",
            multiple=True,
            help="Open one more network whose class is refused, such as 10.0.0.0/8; may be repeated.",
        ),
        click.option("--policy", type=click.Choice(list(PRESETS)), help="Preset of the egress policy to start from."),
    ):
        command = option(command)
    return command


def limit_options(command: Command) -> Command:
    """Add ``--timeout-ms`` and ``--max-bytes``."""
    for option in (
        click.option(
            "--max-bytes", type=int, metavar="N", help="Cut the decoded body after N bytes (default 5 MiB, at most 50)."
        ),
        click.option(
            "--timeout-ms",
            type=int,
            metavar="N",
            help="One deadline over everything, in milliseconds (default 30000, at most 120000).",
        ),
    ):
        command = option(command)
    return command


header_option = click.option(
    "-H",
    "--header",
    "headers",
    metavar="'NAME: VALUE'",
    multiple=True,
    help="Send a request header; may be repeated.",
)
envelope_option = click.option(
    "--envelope", "as_envelope", is_flag=True, help="Print one JSON object instead, for failures too."
)


def settings_of(
    config_path: str | None, policy: str | None, allow_cidr: tuple[str, ...], **sections: Mapping[str, object]
) -> Settings:
    """The settings of file and environment with what the command line says.

    Raises:
        InvalidConfiguration: A setting is unknown or bad.
    """
    egress: dict[str, object] = {}
    if policy:
        egress["preset"] = policy
    if allow_cidr:
        egress["unsafe-allow-cidr"] = list(allow_cidr)
    return load_settings(config_path, overrides={"egress": egress, **sections})


def require_none_of(given: Mapping[str, Any], names: tuple[str, ...], why: str) -> None:
    """See that options which would have no effect are not given.

    Raises:
        InvalidInput: One of them is.
    """
    for name in names:
        if given[name]:
            shown = name.removesuffix("_text").replace("_", "-")
            raise InvalidInput(f"--{shown} does not go with {why}")


def parse_headers(lines: tuple[str, ...]) -> list[tuple[str, str]]:
    """The headers of ``-H`` options.

    Raises:
        InvalidHeader: There is no colon.
    """
    headers = []
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon:
            raise InvalidHeader(f"the header {line[:40]!r} has no colon; write it as 'Name: value'")
        headers.append((name, value))
    return headers
