"""The candidates of an image's ``srcset`` (HTML standard, "parse a srcset attribute")."""

from __future__ import annotations

import re
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_CANDIDATES = 100
"""Of one image; honest sets have a dozen."""

# The descriptors of nearly all sets, where every second word is one.
_PLAIN = re.compile(r"(?:\d{1,6}(?:\.\d{1,6})?[wx], )*\d{1,6}(?:\.\d{1,6})?[wx],?")
_NUMBER = re.compile(r"[\d.]+")

# A descriptor (with the height that the standard reserves) and the comma behind it end a candidate, whose URL may hold
# commas of its own, but no blanks.
_DESCRIPTOR = re.compile(r"\s([\d.]{1,12})[wx](?:\s+\d{1,12}h)?\s*(?:,\s*|\Z)", re.IGNORECASE)
_NEXT = re.compile(r",\s+")
_BLANKS = " \t\r\n\f,"


def largest_first(source_sets: Iterable[str]) -> list[str]:
    """References of all candidates, the largest first, of equals in order."""
    candidates = [candidate for source_set in source_sets for candidate in _candidates(source_set)]
    candidates.sort(key=itemgetter(0), reverse=True)  # stable: of equals the first
    return [reference for _, reference in candidates]


def _candidates(source_set: str) -> Iterable[tuple[float, str]]:
    """Width or density, and reference."""
    words = source_set.split(maxsplit=2 * MAX_CANDIDATES)
    references, descriptors = words[::2], " ".join(words[1::2])
    if len(words) % 2 == 0 and _PLAIN.fullmatch(descriptors):
        joined = f" {' '.join(references)} "
        if ", " not in joined and " ," not in joined:
            return zip(map(float, _NUMBER.findall(descriptors)), references, strict=True)
    return _described(source_set)


def _described(source_set: str) -> Iterator[tuple[float, str]]:
    """As `_candidates`, of any set; without a descriptor the density is 1."""
    end = 0
    for found in islice(_DESCRIPTOR.finditer(source_set), MAX_CANDIDATES):
        *bare, reference = _references(source_set[end : found.start()]) or ("",)
        yield from ((1.0, one) for one in bare)
        if reference:
            yield _width(found[1]), reference
        end = found.end()
    yield from ((1.0, one) for one in _references(source_set[end:]))


def _references(text: str) -> list[str]:
    """The first word of each candidate of a list without known descriptors."""
    words = (one.strip(_BLANKS).split(maxsplit=1) for one in _NEXT.split(text, MAX_CANDIDATES)[:MAX_CANDIDATES])
    return [word[0] for word in words if word]


def _width(text: str) -> float:
    try:
        return float(text)
    except ValueError:  # "1.2.3"
        return 0.0
