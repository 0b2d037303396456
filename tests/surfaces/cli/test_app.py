from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webward import __version__
from webward.surfaces.cli.app import COMMANDS

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Command


def test_the_version(webward: Command) -> None:
    assert webward("--version").out.decode() == f"webward {__version__}\n"


def test_help_lists_every_command(webward: Command) -> None:
    ran = webward("--help")

    assert ran.status == 0
    assert all(f"\n  {name} " in ran.out.decode() for name in COMMANDS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help(webward: Command, name: str) -> None:
    ran = webward(name, "--help")

    assert ran.status == 0
    assert f"Usage: webward {name}" in ran.out.decode()


def test_an_unknown_command_is_an_input_error(webward: Command) -> None:
    ran = webward("fetsch")

    assert ran.status == 2
    assert "fetsch" in ran.err
