"""The command line: `webward fetch`, `read`, `search`, `check`, `config` and `demo`."""

from __future__ import annotations


def main() -> None:
    """Run the command line and exit."""
    from webward.surfaces.cli.app import run  # noqa: PLC0415 - importing this package must not cost what click costs

    run()
