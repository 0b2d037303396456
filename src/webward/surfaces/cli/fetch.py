"""`webward fetch`: any HTTP request, one or a line each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from webward.contracts.page import encode, fetch_request, fetched_envelope
from webward.errors import InvalidInput
from webward.surfaces.cli import options, terminal
from webward.surfaces.cli.run import on_gateway, reporting

if TYPE_CHECKING:
    from webward.config import Settings
    from webward.contracts.page import Envelope
    from webward.engine.gateway import Gateway
    from webward.model import Fetched

ONE_REQUEST = ("method", "headers", "json_text", "data", "timeout_ms", "max_bytes", "no_follow", "output")


@click.command("fetch")
@click.argument("url", required=False)
@click.option(
    "-X",
    "--method",
    metavar="METHOD",
    help="GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS; by default GET, or POST with a body.",
)
@options.header_option
@click.option("--json", "json_text", metavar="TEXT|@FILE", help="Send JSON, as it is written.")
@click.option(
    "--data", metavar="TEXT|@FILE", help="Send text, or the bytes of a file; say what it is with -H 'Content-Type: …'."
)
@options.limit_options
@click.option("--no-follow", is_flag=True, help="Give a redirect itself as the answer.")
@options.policy_options
@options.envelope_option
@click.option("-o", "--output", metavar="FILE", help="Write the body, or the envelope, to a file.")
@click.option("--jsonl", "as_lines", is_flag=True, help="Read a JSON request a line, write an envelope a line.")
@click.option(
    "--concurrency", type=click.IntRange(1, 1024), default=8, show_default=True, help="Requests at once, with --jsonl."
)
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
            options.require_none_of(given, ONE_REQUEST, "--jsonl: each line says its own")
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

    async def session(gateway: Gateway) -> None:
        async def do(value: object) -> Envelope:
            request = fetch_request(value)
            return fetched_envelope(await gateway.fetch(request.url, **request.arguments()))

        await answer_lines(do, concurrency=concurrency)

    on_gateway(settings, session)


def _arguments(given: dict[str, Any]) -> dict[str, Any]:
    headers = options.parse_headers(given["headers"])
    body = _body(given)
    if given["json_text"] is not None and "content-type" not in {name.lower() for name, _ in headers}:
        headers.append(("Content-Type", "application/json"))
    return {
        "method": given["method"],
        "headers": headers,
        "body": body,
        "timeout_ms": given["timeout_ms"],
        "max_bytes": given["max_bytes"],
        "follow_redirects": not given["no_follow"],
    }


def _body(given: dict[str, Any]) -> bytes | None:
    """What is sent: JSON as it was written, once it is known to be some, or data as it is."""
    if given["json_text"] is not None and given["data"] is not None:
        raise InvalidInput("give --json or --data, not both")
    if given["data"] is not None:
        return _bytes_of(given["data"], "--data")
    if given["json_text"] is None:
        return None
    text = _bytes_of(given["json_text"], "--json")
    try:
        msgspec.json.decode(text)  # RFC 8259: no NaN
    except (ValueError, RecursionError) as error:  # MsgspecError is a ValueError
        raise InvalidInput(f"--json is no JSON: {error}") from None
    return text


def _bytes_of(text: str, option: str) -> bytes:
    if not text.startswith("@"):
        return text.encode(errors="surrogateescape")
    try:
        return Path(text[1:]).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InvalidInput(f"{option}: cannot read {text[1:]}: {reason}") from None


def _show(fetched: Fetched, *, output: str | None, as_envelope: bool) -> None:
    shown = encode(fetched_envelope(fetched)) + b"\n" if as_envelope else fetched.body
    if output is not None:
        _save(shown, output)
    elif as_envelope or not terminal.is_terminal():
        terminal.write_bytes(shown)
    elif fetched.text is not None:
        terminal.write_text(fetched.text)
    else:
        media_type = fetched.media_type or "no declared media type"
        raise InvalidInput(f"the body ({media_type}, {len(fetched.body)} bytes) is not for a terminal; use -o FILE")
    if not as_envelope:
        terminal.tell(fetched)


def _save(content: bytes, output: str) -> None:
    try:
        Path(output).write_bytes(content)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InvalidInput(f"cannot write {output}: {reason}") from None
