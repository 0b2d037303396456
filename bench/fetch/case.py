"""What is measured: one way to ask for one body, many at once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

NAME = "bench.example"
ADDRESS = "93.184.216.34"  # public to every judge; in the namespace it is this machine
KIB = 1024
SIZES = (1, 30, 300)  # KiB of the bodies that the origin serves


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One row of the matrix.

    Attributes:
        scheme: http or https.
        kept: Whether connections serve again; else every request has a new one.
        concurrency: Requests at once.
        kib: Of the body.
        named: Whether the URL holds a name; else it holds the address.
    """

    scheme: str
    kept: bool
    concurrency: int = 64
    kib: int = 30
    named: bool = True

    @property
    def host(self) -> str:
        """Of the URL."""
        return NAME if self.named else ADDRESS

    @property
    def url(self) -> str:
        """What is asked for."""
        return f"{self.scheme}://{self.host}/{self.kib}"

    @property
    def label(self) -> str:
        """As tables call it."""
        way = "kept" if self.kept else "fresh"
        return f"{self.scheme} {way}, {'name' if self.named else 'literal'}, {self.concurrency} at once, {self.kib} KB"


HTTP_KEPT = Case(scheme="http", kept=True, named=False)
HTTP_FRESH = Case(scheme="http", kept=False, named=False)
HTTPS_KEPT = Case(scheme="https", kept=True)
HTTPS_FRESH = Case(scheme="https", kept=False)

CORE = tuple(
    Case(scheme=scheme, kept=kept, named=named)
    for scheme, kept, named in product(("http", "https"), (True, False), (False, True))
)
SIZED = tuple(Case(scheme="http", kept=True, named=False, kib=kib) for kib in SIZES if kib != HTTP_KEPT.kib)
ALONE = tuple(
    Case(scheme=case.scheme, kept=case.kept, named=case.named, concurrency=1) for case in (HTTP_KEPT, HTTPS_FRESH)
)
CROWDED = tuple(
    Case(scheme=case.scheme, kept=case.kept, named=case.named, concurrency=512)
    for case in (HTTP_KEPT, HTTP_FRESH, HTTPS_KEPT, HTTPS_FRESH)
)

FULL = (*CORE, *SIZED, *ALONE, *CROWDED)
QUICK = (HTTP_KEPT, HTTP_FRESH, HTTPS_KEPT, HTTPS_FRESH, *CROWDED[:1])
PROFILED = (
    Case(scheme="http", kept=True, named=False, kib=1),
    HTTPS_FRESH,
    CROWDED[0],
)
