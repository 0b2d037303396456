"""`webward search`: asks a search provider, and lists what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from webward.config import load_settings
from webward.contracts.page import encode, search_envelope
from webward.contracts.plain import INDENT, hits_text
from webward.model import DEFAULT_RESULTS
from webward.surfaces.cli import terminal
from webward.surfaces.cli.run import on_gateway, reporting

if TYPE_CHECKING:
    from webward.model import SearchResponse


@click.command("search")
@click.argument("query")
@click.option("-n", "--max-results", type=int, default=DEFAULT_RESULTS, show_default=True, metavar="N", help="1 to 10.")
@click.option("--provider", metavar="NAME", help="ollama, searxng or brave; by default the one that is set.")
@click.option(
    "--allow-domain",
    "allowed_domains",
    metavar="HOST",
    multiple=True,
    help="Only hits of HOST and below it; may be repeated.",
)
@click.option(
    "--block-domain",
    "blocked_domains",
    metavar="HOST",
    multiple=True,
    help="No hits of HOST and below it; may be repeated.",
)
@click.option("--after", "published_after", metavar="DAY", help="First day of publication, as 2026-01-31.")
@click.option("--before", "published_before", metavar="DAY", help="Last day of publication.")
@click.option("--timeout-ms", type=int, metavar="N", help="One deadline over everything, in milliseconds.")
@click.option(
    "--json", "--envelope", "as_envelope", is_flag=True, help="Print one JSON object instead, for failures too."
)
@click.pass_obj
def command(config_path: str | None, /, query: str, *, as_envelope: bool, **given: Any) -> None:  # noqa: ANN401 - click hands over options
    """Search the web and list what was found.

    Needs a provider: set `search.provider` and what docs/search.md says of it, or their environment variables, such
    as WEBWARD_SEARCH_PROVIDER.
    """
    with reporting(as_envelope=as_envelope):
        response = on_gateway(load_settings(config_path), lambda gateway: gateway.search(query, **given))
        _show(response, as_envelope=as_envelope)


def _show(response: SearchResponse, *, as_envelope: bool) -> None:
    if as_envelope:
        terminal.write_bytes(encode(search_envelope(response)) + b"\n")
        return
    if terminal.is_terminal():
        _dress(response)
    else:
        terminal.write_text(hits_text(response))
    if not response.hits:
        terminal.note("nothing was found")
    for word in response.notes:
        terminal.note(f"note: {word}")


def _dress(response: SearchResponse) -> None:
    from rich.console import Console  # noqa: PLC0415 - only where a terminal is dressed
    from rich.padding import Padding  # noqa: PLC0415 - likewise
    from rich.text import Text  # noqa: PLC0415 - likewise

    console = Console(highlight=False)
    for number, hit in enumerate(response.hits, start=1):
        url = terminal.one_line(hit.url)
        console.print(Text(f"{number}. {terminal.one_line(hit.title) or url}", style="bold"))
        console.print(Padding(Text(url, style="dim", overflow="fold"), (0, 0, 0, len(INDENT))))
        if hit.snippet:
            console.print(Padding(Text(terminal.one_line(hit.snippet)), (0, 0, 0, len(INDENT))))
        console.print()
