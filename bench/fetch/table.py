"""A record as tables in Markdown."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from bench.fetch.client import CLIENTS, FLOOR, WEBWARD
from bench.fetch.pages import READERS
from bench.fetch.record import NOT_RUN
from bench.fetch.target import targets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bench.fetch.case import Case
    from bench.fetch.client import Client
    from bench.fetch.record import Record

# Title, the value, how it is written.
LOAD_TABLES = (
    ("CPU time a request, µs", "cpu_us", "{:.0f}"),
    ("Requests a second", "per_second", "{:,.0f}"),
    ("Half are answered within, ms", "p50_ms", "{:.1f}"),
    ("99 of 100 are answered within, ms", "p99_ms", "{:.0f}"),
    ("Peak memory, MiB", "peak_mib", "{:.0f}"),
)
# What else is measured: of whom, in which kinds, and the values.
PARTS = {
    "memory": (tuple(CLIENTS), ("",), ("connections", "over_idle_mib")),
    "deadlines": (
        (WEBWARD,),
        ("http", "https"),
        ("fetches", "late_p50_ms", "late_p99_ms", "late_max_ms", "cpu_at_the_end_ms", "peak_mib"),
    ),
    "pages": (tuple(READERS), ("",), ("pages_per_cpu_second", "pages_per_second", "empty", "chars", "peak_mib")),
}


def report(record: Record, cases: Sequence[Case]) -> str:
    """All tables."""
    sections = (
        _targets(record),
        *(_load(record, cases, *words) for words in LOAD_TABLES),
        _ratios(record, cases),
        *(_part(record, part, *words) for part, words in PARTS.items()),
        _failures(record, cases),
    )
    return "\n\n".join(section for section in sections if section)


def profile(title: str, values: dict[str, Any]) -> str:
    """Where the CPU time of one case goes, in microseconds a request."""
    if "problem" in values:
        return f"## {title}\n\n{values['problem']}"
    cpu_us = values["cpu_us"]
    tables = [
        _table(
            kind,
            ("function", "share", "µs"),
            ((name, f"{share:.1%}", f"{share * cpu_us:.1f}") for name, share in found.items()),
        )
        for kind, found in values.items()
        if isinstance(found, dict)
    ]
    return "\n\n".join((f"## {title}", f"{cpu_us:.0f} µs a request, {values['looks']} looks", *tables))


def _targets(record: Record) -> str:
    rows = []
    for target in targets(record):
        limit = f"at {'least' if target.at_least else 'most'} {target.limit:g}"
        rows.append((target.name, _written(target.value), limit, target.verdict))
    return _table("Targets", ("", "measured", "target", "verdict"), rows)


def _load(record: Record, cases: Sequence[Case], title: str, value: str, form: str) -> str:
    return _matrix(record, cases, title, form, lambda who, what: record.median("load", who, what, value))


def _ratios(record: Record, cases: Sequence[Case]) -> str:
    title = "CPU time a request, over the floor's"
    return _matrix(record, cases, title, "{:.2f}", lambda who, what: record.ratio("load", who, FLOOR, what, "cpu_us"))


def _matrix(
    record: Record, cases: Sequence[Case], title: str, form: str, value: Callable[[str, str], float | None]
) -> str:
    """All clients on all cases."""

    def cell(client: Client, case: Case) -> str:
        if not client.does(case):
            return "keeps none" if client.only_fresh else "as webward"
        figure = value(client.name, case.label)
        failed = figure is None and record.problem("load", client.name, case.label) != NOT_RUN
        return "fails" if failed else _written(figure, form)

    clients = [client for client in CLIENTS.values() if _was_run(record, client, cases)]
    rows = [(case.label, *(cell(client, case) for client in clients)) for case in cases]
    return _table(title, ("", *(client.name for client in clients)), rows)


def _was_run(record: Record, client: Client, cases: Sequence[Case]) -> bool:
    return any(record.problem("load", client.name, case.label) != NOT_RUN for case in cases)


def _part(record: Record, part: str, who: Iterable[str], what: Sequence[str], values: Sequence[str]) -> str:
    measured = [(name, kind) for name, kind in product(who, what) if record.runs(part, name, kind)]
    rows = [
        (f"{name} {kind}".strip(), *(_written(record.median(part, name, kind, value), "{:,.1f}") for value in values))
        for name, kind in measured
    ]
    return _table(part.capitalize(), ("", *values), rows) if rows else ""


def _failures(record: Record, cases: Sequence[Case]) -> str:
    """Whatever failed every time, and why; what was not asked for is no failure."""
    asked = [("load", who, case.label) for who, case in product(CLIENTS, cases)]
    asked += [(part, name, kind) for part, (who, what, _) in PARTS.items() for name, kind in product(who, what)]
    found: dict[tuple[str, str], list[str]] = {}
    for part, who, what in asked:
        problem = record.problem(part, who, what) or NOT_RUN
        if problem != NOT_RUN:
            found.setdefault((who, problem), []).append(what or part)
    rows = [(who, "; ".join(places), problem) for (who, problem), places in found.items()]
    return _table("Failures", ("who", "where", "why"), rows) if rows else ""


def _written(value: float | None, form: str = "{:.2f}") -> str:
    return "" if value is None else form.format(value)


def _table(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return "\n".join((f"### {title}", "", _row(head), _row(("---", *["---:"] * (len(head) - 1))), *map(_row, rows)))


def _row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(str(cell).replace('|', '/') for cell in cells)} |"
