"""`webward fetch`: any HTTP request, one or a line each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webward.contracts.page import encode, fetched_envelope
from webward.errors import InvalidInput
from webward.surfaces.cli import options, terminal
from webward.surfaces.cli.run import on_gateway, reporting

if TYPE_CHECKING:
    from webward.config import Settings
    from webward.model import Fetched

FIRST_ERROR_STATUS = 400


@click.command("fetch")
@click.argument("url", required=False)
@click.option("-X", "--method", metavar="METHOD", help="GET, or POST when there is a body, unless given.")
@options.header_option
@click.option("--json", "json_text", metavar="TEXT|@FILE", help="Send JSON.")
@click.option("--data", metavar="TEXT|@FILE", help="Send text, or the bytes of a file.")
@options.limit_options
@click.option("--no-follow", is_flag=True, help="Give a redirect itself as the answer.")
@options.policy_options
@options.envelope_option
@click.option("-o", "--output", metavar="FILE", help="Write the body to a file.")
@click.option("--jsonl", "as_lines", is_flag=True, help="Read a JSON request a line, write an envelope a line.")
@click.option("--concurrency", type=click.IntRange(1, 1024), default=8, show_default=True, help="With --jsonl.")
@click.pass_obj
def command(config_path: str | None, /, url: str | None, **given: Any) -> None:  # noqa: ANN401 - click hands over options
    """Make an HTTP request and print the body.

    An HTTP error status is an answer, not a failure. With --jsonl each line of standard input holds `id`, `url`, and
    any of `method`, `headers`, `json`, `body`, `timeout_ms`, `max_bytes`, `follow_redirects`; answers carry the `id`
    and come in the order in which they are ready.
    """
    with reporting(as_envelope=given["as_envelope"]):
        settings = options.settings_of(config_path, given["policy"], given["allow_cidr"])
        if given["as_lines"]:
            _lines(settings, url, given["concurrency"])
            return
        if url is None:
            raise InvalidInput("give a URL, or --jsonl for requests on standard input")
        arguments = _arguments(given)
        fetched = on_gateway(settings, lambda gateway: gateway.fetch(url, **arguments))
        _show(fetched, output=given["output"], as_envelope=given["as_envelope"])


def _lines(settings: Settings, url: str | None, concurrency: int) -> None:
    from webward.surfaces.cli.jsonl import answer_lines  # noqa: PLC0415 - for this option only

    if url is not None:
        raise InvalidInput("with --jsonl the URLs come on standard input")
    on_gateway(settings, lambda gateway: answer_lines(gateway, concurrency=concurrency))


def _arguments(given: dict[str, Any]) -> dict[str, Any]:
    return {
        "method": given["method"],
        "headers": options.parse_headers(given["headers"]),
        "json": _json(given["json_text"]),
        "body": _bytes_of(given["data"], "--data") if given["data"] is not None else None,
        "timeout_ms": given["timeout_ms"],
        "max_bytes": given["max_bytes"],
        "follow_redirects": not given["no_follow"],
    }


def _json(text: str | None) -> object:
    if text is None:
        return None
    try:
        return json.loads(_bytes_of(text, "--json"))
    except ValueError as error:
        raise InvalidInput(f"--json is no JSON: {error}") from None


def _bytes_of(text: str, option: str) -> bytes:
    if not text.startswith("@"):
        return text.encode(errors="surrogateescape")
    try:
        return Path(text[1:]).read_bytes()
    except OSError as error:
        raise InvalidInput(f"{option}: cannot read {text[1:]}: {error.strerror}") from None


def _show(fetched: Fetched, *, output: str | None, as_envelope: bool) -> None:
    if as_envelope:
        terminal.write_bytes(encode(fetched_envelope(fetched)) + b"\n")
        return
    if output is not None:
        _save(fetched.body, output)
    elif not terminal.is_terminal():
        terminal.write_bytes(fetched.body)
    elif fetched.text is not None:
        terminal.write_text(fetched.text)
    else:
        shown = fetched.media_type or "no declared media type"
        raise InvalidInput(f"the body ({shown}, {len(fetched.body)} bytes) is not for a terminal; use -o FILE")
    _tell(fetched)


def _save(body: bytes, output: str) -> None:
    try:
        Path(output).write_bytes(body)
    except OSError as error:
        raise InvalidInput(f"cannot write {output}: {error.strerror}") from None


def _tell(fetched: Fetched) -> None:
    if fetched.status >= FIRST_ERROR_STATUS:
        terminal.note(f"status {fetched.status} {fetched.reason}")
    if fetched.truncated:
        terminal.note("the body was cut short")
    for word in fetched.notes:
        terminal.note(f"note: {word}")
