"""`webward check`: what the policy says about a URL, rule by rule; nothing is requested."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from webward.contracts.plain import verdicts_text
from webward.surfaces.cli import exit_codes, options, terminal
from webward.surfaces.cli.run import on_gateway, reporting

if TYPE_CHECKING:
    from webward.model import Checked


@click.command("check")
@click.argument("url")
@options.policy_options
@click.option("--show-addresses", is_flag=True, help="Show what the name resolves to; not for untrusted eyes.")
@options.envelope_option
@click.pass_obj
def command(config_path: str | None, /, url: str, **given: Any) -> None:  # noqa: ANN401 - click hands over options
    """Judge a URL: the verdict of each rule, its name resolved and its addresses judged, nothing requested."""
    with reporting(as_envelope=given["as_envelope"]):
        settings = options.settings_of(config_path, given["policy"], given["allow_cidr"])
        checked = on_gateway(settings, lambda gateway: gateway.check(url))
        _show(checked, show_addresses=given["show_addresses"], as_envelope=given["as_envelope"])
        if not checked.allowed:
            code = checked.verdicts[-1].code or "internal"
            sys.exit(exit_codes.EXIT_STATUS[code])


def _show(checked: Checked, *, show_addresses: bool, as_envelope: bool) -> None:
    if as_envelope:
        from webward.contracts.page import checked_envelope, encode  # noqa: PLC0415 - start time

        terminal.write_bytes(encode(checked_envelope(checked, show_addresses=show_addresses)) + b"\n")
        return
    lines = [verdicts_text(checked)]
    if show_addresses:
        lines += [f"  {address}" for address in checked.addresses]
    terminal.write_text("\n".join(lines))
