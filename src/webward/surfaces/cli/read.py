"""`webward read`: a page for a reader."""

from __future__ import annotations

import asyncio
import mimetypes
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webward.contracts.page import encode, page_envelope, read_request
from webward.contracts.plain import lists_text
from webward.errors import InvalidInput
from webward.surfaces.cli import options, terminal
from webward.surfaces.cli.run import on_gateway, reporting

if TYPE_CHECKING:
    from webward.config import Settings
    from webward.contracts.page import Envelope
    from webward.engine.gateway import Gateway
    from webward.model import Page

OF_REQUESTS = ("headers", "timeout_ms", "max_bytes")
OF_FILTERS = ("query", "threshold", "min_words")
ONE_REQUEST = (*OF_REQUESTS, "start", "max_chars", "select", "exclude", "filter_type", "links", "media", "base_url")
FORMATS = ("markdown", "text", "html")
_FILE = re.compile(r"\./|\.\./|/(?!/)|[A-Za-z]:[\\/](?!/)|-$|\.\\")  # no URL begins so


@click.command("read")
@click.argument("source", metavar="URL|FILE|-", required=False)
@click.option("--format", "rendition", type=click.Choice(FORMATS), default="markdown", show_default=True)
@click.option("--start", type=int, default=0, metavar="N", help="First character of the window.")
@click.option("--max-chars", type=int, metavar="N", help="Length of the window in characters.")
@click.option("--select", "select", multiple=True, metavar="CSS", help="Render only what matches; may be repeated.")
@click.option("--exclude", multiple=True, metavar="CSS", help="Drop what matches; may be repeated.")
@click.option("--filter", "filter_type", type=click.Choice(("pruning", "bm25")), help="Narrow the page to its content.")
@click.option("--query", metavar="WORDS", help="What bm25 looks for; by default what the page says of itself.")
@click.option("--threshold", type=float, metavar="X", help="Least score of what a filter keeps.")
@click.option("--threshold-type", type=click.Choice(("fixed", "dynamic")), default="fixed", show_default=True)
@click.option("--min-words", type=int, metavar="N", help="Drop blocks with fewer words (pruning).")
@click.option("--links", "links", is_flag=True, help="List the links, internal and external.")
@click.option("--media", is_flag=True, help="List images, videos and audios.")
@click.option("--report", "report", is_flag=True, help="Say what was removed.")
@click.option("--no-sanitize", is_flag=True, help="Keep invisible characters and control tokens.")
@click.option("--base-url", metavar="URL", help="Where a file came from: its links are resolved against it.")
@options.header_option
@options.limit_options
@options.policy_options
@options.envelope_option
@click.option("--jsonl", "as_lines", is_flag=True, help="Read a JSON request a line, write an envelope a line.")
@click.option("--allow-files", is_flag=True, help="With --jsonl: let `html_path` name files.")
@click.option(
    "--concurrency", type=click.IntRange(1, 1024), default=8, show_default=True, help="Requests at once, with --jsonl."
)
@click.pass_obj
def command(config_path: str | None, /, source: str | None, **given: Any) -> None:  # noqa: ANN401 - click hands over options
    """Read a page and print it as Markdown, text or HTML.

    An argument is a file only if it begins with ./, / or a drive letter; - is standard input. With --jsonl each line of
    standard input holds `id`, `url`, and any option of the Python API; `task` is short for a format or a filter.
    """
    with reporting(as_envelope=given["as_envelope"]):
        settings = options.settings_of(config_path, given["policy"], given["allow_cidr"])
        if given["as_lines"]:
            options.require_none_of(given, ONE_REQUEST, "--jsonl: each line says its own")
            _lines(settings, source, given)
            return
        if source is None:
            raise InvalidInput("give a URL or a file, or --jsonl for requests on standard input")
        page = on_gateway(settings, lambda gateway: _read(gateway, source, given))
        _show(page, as_envelope=given["as_envelope"], report=given["report"])


async def _read(gateway: Gateway, source: str, given: dict[str, Any]) -> Page:
    if given["filter_type"] is None:
        options.require_none_of(given, OF_FILTERS, "a whole page; give --filter")
    wanted = _wanted(given)
    if _FILE.match(source):
        options.require_none_of(given, OF_REQUESTS, "a file, which is not requested")
        content = _content(source)
        return await gateway.render(content, url=given["base_url"], media_type=_kind(source, content), **wanted)
    return await gateway.read(
        source,
        headers=options.parse_headers(given["headers"]),
        timeout_ms=given["timeout_ms"],
        max_bytes=given["max_bytes"],
        **wanted,
    )


def _wanted(given: dict[str, Any]) -> dict[str, Any]:
    content_filter = {
        "type": given["filter_type"],
        "query": given["query"],
        "threshold": given["threshold"],
        "threshold_type": given["threshold_type"],
        "min_word_threshold": given["min_words"],
    }
    return {
        "format": given["rendition"],
        "start": given["start"],
        "max_chars": given["max_chars"],
        "target_elements": given["select"],
        "excluded_tags": given["exclude"],
        "content_filter": content_filter if given["filter_type"] else None,
        "include_links": given["links"],
        "include_media": given["media"],
        "sanitize": not given["no_sanitize"],
    }


def _lines(settings: Settings, source: str | None, given: dict[str, Any]) -> None:
    from webward.surfaces.cli.jsonl import answer_lines  # noqa: PLC0415 - for this option only

    if source is not None:
        raise InvalidInput("with --jsonl the URLs come on standard input")

    async def session(gateway: Gateway) -> None:
        async def do(value: object) -> Envelope:
            request = read_request(value)
            if request.html_path is None:
                return page_envelope(
                    await gateway.read(request.url, **request.request_arguments(), **request.options())
                )
            if not given["allow_files"]:
                raise InvalidInput("html_path reads a file of this machine, which --allow-files must allow")
            content = await asyncio.to_thread(_regular, request.html_path)
            return page_envelope(await gateway.render(content, url=request.url, **request.options()))

        await answer_lines(do, concurrency=given["concurrency"])

    on_gateway(settings, session)


def _regular(path: str) -> bytes:
    """The content of a regular file: a device may never end, and - is where the requests come from."""
    if not Path(path).is_file():
        raise InvalidInput("html_path must name a regular file that is there")
    return _content(path)


def _content(source: str) -> bytes:
    if source == "-":
        if sys.stdin is None:
            raise InvalidInput("standard input is closed")
        return sys.stdin.buffer.read()
    try:
        return Path(source).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InvalidInput(f"cannot read {source}: {reason}") from None


def _kind(source: str, content: bytes) -> str | None:
    """The media type by the file's ending; what has none and begins with a tag is taken for HTML, any tag at all."""
    known = mimetypes.guess_type(source)[0]
    start = content.lstrip()[:5].lower()
    return "text/html" if known is None and start.startswith(b"<") and start != b"<?xml" else known


def _show(page: Page, *, as_envelope: bool, report: bool) -> None:
    if as_envelope:
        terminal.write_bytes(encode(page_envelope(page)) + b"\n")
        return
    image = page.reading.image
    if image is not None:
        facts = f"{image.media_type}, {image.width} x {image.height} pixels, {len(image.data)} bytes"
        raise InvalidInput(f"the page is an image ({facts}); use fetch -o FILE, or --envelope")
    if terminal.is_terminal():
        _head(page)
    terminal.write_text(page.text)
    lists = lists_text(page.reading)
    if lists:
        terminal.write_text(f"\n{lists}")
    _tell(page, report=report)


def _tell(page: Page, *, report: bool) -> None:
    if page.next_start is not None:
        terminal.note(f"{page.total_chars - page.next_start} characters follow; go on with --start {page.next_start}")
    terminal.tell(page)
    outcome = page.reading.filter
    if outcome is not None and outcome.fell_back:
        terminal.note(f"the {outcome.type} filter left nothing, so this is the whole page")
    if report:
        cleaning = page.reading.report
        for rule, count in (*cleaning.removed.items(), *cleaning.invisible_chars.items()):
            terminal.note(f"removed {count} x {rule}")
        if cleaning.revealed_hidden:
            terminal.note("kept what is hidden, since it is most of the page")


def _head(page: Page) -> None:
    from rich.console import Console  # noqa: PLC0415 - only where a terminal is dressed
    from rich.text import Text  # noqa: PLC0415 - likewise

    console = Console(highlight=False)
    status = str(page.status) if page.hops else ""
    facts = f"{status} {page.media_type or ''} {page.charset or ''} {page.total_chars} characters"
    console.print(Text(terminal.one_line(page.title or page.final_url), style="bold"))
    if page.hops:
        console.print(Text(terminal.one_line(page.final_url), style="dim"))
    console.print(Text(terminal.one_line(facts), style="dim"))
    console.print()
