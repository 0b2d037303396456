"""`webward read`: a page for a reader."""

from __future__ import annotations

import mimetypes
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webward.contracts.page import encode, page_envelope
from webward.errors import InvalidInput
from webward.surfaces.cli import options, terminal
from webward.surfaces.cli.run import on_gateway, reporting

if TYPE_CHECKING:
    from webward.model import Page

FORMATS = ("markdown", "text", "html")
_FILE = re.compile(r"\./|\.\./|/(?!/)|[A-Za-z]:[\\/](?!/)|-$|\.\\")  # no URL begins so


@click.command("read")
@click.argument("source", metavar="URL|FILE|-")
@click.option("--format", "rendition", type=click.Choice(FORMATS), default="markdown", show_default=True)
@click.option("--start", type=int, default=0, metavar="N", help="First character of the window.")
@click.option("--max-chars", type=int, metavar="N", help="Length of the window in characters.")
@click.option("--base-url", metavar="URL", help="Where a file came from: its links are resolved against it.")
@options.header_option
@options.limit_options
@options.policy_options
@options.envelope_option
@click.pass_obj
def command(config_path: str | None, /, source: str, **given: Any) -> None:  # noqa: ANN401 - click hands over options
    """Read a page and print it as Markdown, text or HTML.

    An argument is a file only if it begins with ./, / or a drive letter; - is standard input.
    """
    window = {"format": given["rendition"], "start": given["start"], "max_chars": given["max_chars"]}
    with reporting(as_envelope=given["as_envelope"]):
        settings = options.settings_of(config_path, given["policy"], given["allow_cidr"])
        if _FILE.match(source):
            content = _content(source)
            kind = mimetypes.guess_type(source)[0]
            page = on_gateway(
                settings, lambda gateway: gateway.render(content, url=given["base_url"], media_type=kind, **window)
            )
        else:
            request = {
                "headers": options.parse_headers(given["headers"]),
                "timeout_ms": given["timeout_ms"],
                "max_bytes": given["max_bytes"],
            }
            page = on_gateway(settings, lambda gateway: gateway.read(source, **window, **request))
        _show(page, as_envelope=given["as_envelope"])


def _content(source: str) -> bytes:
    if source == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(source).read_bytes()
    except OSError as error:
        raise InvalidInput(f"cannot read {source}: {error.strerror}") from None


def _show(page: Page, *, as_envelope: bool) -> None:
    if as_envelope:
        terminal.write_bytes(encode(page_envelope(page)) + b"\n")
        return
    if terminal.is_terminal():
        _head(page)
    terminal.write_text(page.text)
    if page.next_start is not None:
        terminal.note(f"{page.total_chars - page.next_start} characters follow; go on with --start {page.next_start}")
    if page.truncated:
        terminal.note("the body was cut short")


def _head(page: Page) -> None:
    from rich.console import Console  # noqa: PLC0415 - only where a terminal is dressed
    from rich.text import Text  # noqa: PLC0415 - likewise

    console = Console(highlight=False)
    facts = f"{page.status} {page.media_type or ''} {page.charset or ''} {page.total_chars} characters"
    console.print(Text(terminal.one_line(page.title or page.final_url), style="bold"))
    console.print(Text(terminal.one_line(page.final_url), style="dim"))
    console.print(Text(terminal.one_line(facts), style="dim"))
    console.print()
