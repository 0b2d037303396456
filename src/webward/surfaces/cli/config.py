"""`webward config`: the settings in force, and what a settings file may hold."""

from __future__ import annotations

import json

import click

from webward.config import load_settings, settings_schema, settings_toml
from webward.surfaces.cli.run import reporting
from webward.surfaces.cli.terminal import write_text


@click.group("config")
def command() -> None:
    """Show the settings, or what they may be."""


@command.command("show")
@click.pass_obj
def show(config_path: str | None, /) -> None:
    """Print the settings in force as TOML; passwords are masked."""
    with reporting():
        write_text(settings_toml(load_settings(config_path)))


@command.command("schema")
def schema() -> None:
    """Print the JSON Schema of a settings file."""
    write_text(json.dumps(settings_schema(), indent=2))
