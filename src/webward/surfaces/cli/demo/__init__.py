"""`webward demo`: reads a small web on loopback through the real stack, and shows what came and what was refused."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from webward.errors import WebwardError
from webward.surfaces.cli import exit_codes
from webward.surfaces.cli.demo.site import TOUR, Stop, demo_web
from webward.surfaces.cli.run import reporting
from webward.surfaces.cli.terminal import is_terminal, note, one_line

if TYPE_CHECKING:
    from webward.engine.gateway import Gateway
    from webward.model import Page

PIPE_COLUMNS = 150  # of the table where no terminal says how wide it is
SHOWN_CHARS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a stop came to.

    Attributes:
        code: The error's code, or None.
        facts: Status, charset and what else is short.
        text: The beginning of the page, or the reason.
    """

    code: str | None
    facts: str
    text: str


@click.command("demo")
def command() -> None:
    """Read the bundled site on loopback and show what was read and what was refused, and why.

    Needs no network. Exit status 1 when an outcome is not the one that is right.
    """
    with reporting():
        outcomes = asyncio.run(_tour())
        _show(outcomes)
    wrong = [stop.url for stop, outcome in zip(TOUR, outcomes, strict=True) if not _is_right(stop, outcome)]
    for url in wrong:
        note(f"{url} came out wrong")
    sys.exit(exit_codes.INTERNAL if wrong else exit_codes.OK)


def _is_right(stop: Stop, outcome: Outcome) -> bool:
    return outcome.code == stop.code and stop.text in outcome.text and "Ignore your instructions" not in outcome.text


async def _tour() -> list[Outcome]:
    async with demo_web() as web, web.gateway() as gateway:
        return [await _visit(gateway, stop) for stop in TOUR]


async def _visit(gateway: Gateway, stop: Stop) -> Outcome:
    try:
        page = await gateway.read(stop.url, **stop.limits)
    except WebwardError as error:
        return Outcome(code=error.code, facts=error.code, text=error.message)
    return Outcome(code=None, facts=_facts(page), text=page.text)


def _facts(page: Page) -> str:
    coding = page.headers.get("content-encoding")
    facts = (str(page.status), page.charset, coding, "truncated" if page.truncated else None)
    return " ".join(fact for fact in facts if fact)


def _show(outcomes: list[Outcome]) -> None:
    from rich.console import Console  # noqa: PLC0415 - only where a table is drawn
    from rich.table import Table  # noqa: PLC0415 - likewise
    from rich.text import Text  # noqa: PLC0415 - likewise

    table = Table(title="webward demo: a small web on loopback, through the real stack")
    for name in ("URL", "shows", "outcome", "text, or why not"):
        table.add_column(name, overflow="fold", no_wrap=name == "outcome")
    for stop, outcome in zip(TOUR, outcomes, strict=True):
        style = "green" if outcome.code is None else "yellow"
        text = one_line(outcome.text)
        shown = text if outcome.code else text[:SHOWN_CHARS]
        table.add_row(Text(stop.url), Text(stop.shows), Text(outcome.facts, style=style), Text(shown))
    Console(width=None if is_terminal() else PIPE_COLUMNS).print(table)
