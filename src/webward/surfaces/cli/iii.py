"""`webward iii`: the worker `web` for an iii engine."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from typing import TYPE_CHECKING

import click
from ada_url import URL

from webward.config import load_settings
from webward.contracts.iii.configuration import DEFAULTS, NAME, decode_configuration, kept
from webward.contracts.iii.functions import manifest
from webward.errors import InvalidConfiguration, InvalidInput
from webward.surfaces.cli import exit_codes
from webward.surfaces.cli.run import reporting
from webward.surfaces.cli.terminal import note, write_text

if TYPE_CHECKING:
    from webward.contracts.iii.configuration import WebConfiguration
    from webward.surfaces.iii.worker import WebWorker

ENGINE_URL = "ws://127.0.0.1:49134"
MAX_SEED_BYTES = 1024 * 1024


@click.command("iii")
@click.option(
    "--url",
    metavar="URL",
    envvar="III_URL",
    default=ENGINE_URL,
    show_default=True,
    show_envvar=True,
    help="Of the engine, ws:// or wss://.",
)
@click.option(
    "--config", "seed_path", metavar="FILE", help="What to store in the configuration worker when nothing is (YAML)."
)
@click.option(
    "--config-name",
    metavar="ID",
    envvar="III_CONFIG_NAME",
    default=NAME,
    show_default=True,
    show_envvar=True,
    help="Of the entry in the configuration worker.",
)
@click.option(
    "--manifest", "shows_manifest", is_flag=True, help="Print name, version and default configuration, and exit."
)
@click.pass_obj
def command(
    config_path: str | None, /, url: str, seed_path: str | None, config_name: str, *, shows_manifest: bool
) -> None:
    """Serve web::fetch to an iii engine until it is told to stop.

    The engine may come later, and go and come back. A SIGTERM or SIGINT ends it after the calls under way.
    """
    with reporting():
        if shows_manifest:
            write_text(json.dumps(manifest(), indent=2))
            return
        settings = load_settings(config_path)
        if not url.startswith(("ws://", "wss://")) or not URL.can_parse(url):
            raise InvalidInput("--url must be ws://host:port or wss://host:port of an iii engine")
        _require_sdk()
        from webward.surfaces.iii.worker import WebWorker  # noqa: PLC0415 - needs the SDK

        async def session() -> bool:
            seed = _seed(seed_path)
            return await _until_signaled(WebWorker(settings, url=url, entry=config_name, seed=seed, warn=note))

        if not asyncio.run(session()):
            os._exit(exit_codes.OK)  # a thread of the SDK still waits for an engine that does not answer


async def _until_signaled(worker: WebWorker) -> bool:
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        before = signal.getsignal(number)

        def ask_to_stop(_number: int, _frame: object, *, number: int = number, before: object = before) -> None:
            signal.signal(number, before)  # type: ignore[arg-type] # so that a second one ends it at once
            loop.call_soon_threadsafe(stop.set)

        signal.signal(number, ask_to_stop)
    return await worker.run(stop)


def _require_sdk() -> None:
    try:
        import iii  # noqa: F401, PLC0415 - an extra
        import yaml  # noqa: F401, PLC0415 - of the same
    except ImportError:
        raise InvalidConfiguration("serving an iii engine needs the extra iii: pip install 'webward[iii]'") from None


def _seed(path: str | None) -> WebConfiguration:
    """The configuration of a file; one that cannot be used is told and passed over, but for a ban on loopback."""
    if path is None:
        return DEFAULTS
    value: object = None
    try:
        value = _read_yaml(path)
        return decode_configuration(value)
    except InvalidConfiguration as error:
        note(f"--config {path} is passed over: {error.message}")
        return kept(value, DEFAULTS)


def _read_yaml(path: str) -> object:
    import yaml  # noqa: PLC0415 - an extra

    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as elsewhere in the command line
            data = file.read(MAX_SEED_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InvalidConfiguration(f"it cannot be read: {error}") from None
    if len(data) > MAX_SEED_BYTES:
        raise InvalidConfiguration(f"it is longer than {MAX_SEED_BYTES} bytes")
    try:
        return yaml.safe_load(data)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InvalidConfiguration(f"it is no YAML: {error}") from None
