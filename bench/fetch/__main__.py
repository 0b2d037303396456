"""The fetch path against its floor and its peers, in a network namespace of its own: measures, and prints tables."""
# ruff: noqa: T201 - a benchmark prints

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench.fetch import case, certificate, corpus, version, world
from bench.fetch.benchmark import Benchmark
from bench.fetch.client import CLIENTS
from bench.fetch.nameserver import NameServer
from bench.fetch.origin import Origin
from bench.fetch.record import Record
from bench.fetch.table import profile, report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.fetch.case import Case


def main() -> int:
    """Enter the namespace, or work in it."""
    options = _options(sys.argv[1:])
    if options.tables:
        print(report(Record(options.output, again=True), _cases(options)))
        return 0
    if not options.inside:
        return world.enter("bench.fetch", sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        try:
            _run(options, Path(folder))
        except OSError as error:
            print(error, file=sys.stderr)
            return 2
    return 0


def _run(options: argparse.Namespace, folder: Path) -> None:
    if len(world.CORES) == 1:
        raise OSError("one core is not enough: servers and clients need one each")
    world.configure(folder)
    pages = corpus.load(options.corpus) if options.corpus else []
    made = certificate.make(folder, case.NAME, case.ADDRESS)
    NameServer({case.NAME: case.ADDRESS})
    with Origin(folder, made, pages):
        benchmark = Benchmark(
            runner=world.Runner(folder, made.authority),
            record=Record(options.output),
            cases=_cases(options),
            clients=tuple(CLIENTS[name] for name in options.clients),
            rounds=1 if options.quick else options.rounds,
            seconds=options.seconds,
            crawl4ai=options.crawl4ai,
        )
        tables = _profiled(benchmark) if options.profile else _measured(benchmark, len(pages))
    print(f"{version.told()}\n\n{tables}")


def _measured(benchmark: Benchmark, pages: int) -> str:
    benchmark.load()
    benchmark.memory()
    benchmark.deadlines()
    if pages:
        benchmark.pages(pages)
    return report(benchmark.record, benchmark.cases)


def _profiled(benchmark: Benchmark) -> str:
    return "\n\n".join(profile(title, values) for title, values in benchmark.profiles())


def _cases(options: argparse.Namespace) -> tuple[Case, ...]:
    return case.QUICK if options.quick else case.FULL


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.fetch", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round of the main cases")
    parser.add_argument("--profile", action="store_true", help="where the CPU time goes, instead of the benchmark")
    parser.add_argument("--tables", action="store_true", help="only print what the last run has measured so far")
    parser.add_argument("--rounds", type=int, default=3, help="of every case; peers run in every second one")
    parser.add_argument("--seconds", type=float, default=0.5, help="of one client on one case")
    parser.add_argument("--clients", nargs="+", choices=CLIENTS, default=[*CLIENTS], metavar="NAME", help="only these")
    parser.add_argument("--corpus", type=Path, help="folder with speed.txt and pages: fetch and read them, too")
    parser.add_argument("--crawl4ai", type=Path, default=Path("-"), help="a Python that has crawl4ai")
    parser.add_argument(
        "--output", type=Path, default=Path("bench-fetch.jsonl"), help="every run, a JSON object a line"
    )
    parser.add_argument(world.INSIDE, action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
