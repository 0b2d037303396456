"""Runs a command's work on a gateway, and turns what goes wrong into a message or an envelope and an exit status."""

from __future__ import annotations

import asyncio
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from webward.engine.gateway import Gateway
from webward.errors import WebwardError
from webward.surfaces.cli import exit_codes
from webward.surfaces.cli.terminal import discard_output, has_output, note, write_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from webward.config import Settings

Outcome = TypeVar("Outcome")


def on_gateway(settings: Settings, work: Callable[[Gateway], Coroutine[Any, Any, Outcome]]) -> Outcome:
    """Open a gateway, do the work, close the gateway."""

    async def session() -> Outcome:
        async with Gateway(settings) as gateway:
            return await work(gateway)

    return asyncio.run(session())


@contextmanager
def reporting(*, as_envelope: bool = False) -> Iterator[None]:
    """Report errors of what runs here, and exit with their status."""
    try:
        yield
    except WebwardError as error:
        report(error, as_envelope=as_envelope)
        sys.exit(exit_codes.EXIT_STATUS[error.code])
    except KeyboardInterrupt:
        sys.exit(exit_codes.INTERRUPTED)
    except BrokenPipeError:  # whoever read our output has had enough
        discard_output()
        sys.exit(exit_codes.INTERNAL)
    except Exception as error:  # noqa: BLE001 - the top handler: a fault of webward's own must not look like a result
        report(internal(error), as_envelope=as_envelope)
        sys.exit(exit_codes.INTERNAL)


def report(error: WebwardError, *, as_envelope: bool) -> None:
    """Tell about an error, on standard output as an envelope or on standard error in words."""
    if as_envelope and has_output():
        from webward.contracts.page import encode, failure_envelope  # noqa: PLC0415 - start time

        write_bytes(encode(failure_envelope(error)) + b"\n")
        return
    note(f"{error.code}: {error.message}")
    if error.setting and error.setting not in error.message:
        note(f"the setting {error.setting} decides this")


def internal(error: Exception) -> WebwardError:
    """The error of a fault that nobody foresaw."""
    return WebwardError(f"a fault of webward itself ({type(error).__name__}: {error}); please report it")
