"""What a word is: how many a text holds, and which terms a search compares.

Scripts that are written without spaces have no words to see: runs of them are counted by their length, and compared by
the short pieces they are made of.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# Han, kana, bopomofo.
_IDEOGRAPHS = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u312f"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
# Thai, Lao, Burmese, Khmer: letters with the vowels and tones around them.
_SYLLABLES = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109f\u1780-\u17d3\uaa60-\uaa7f"
# Signs that are part of a word though they are no letters: accents, and the vowels of the scripts of India.
_SIGNS = "\u0300-\u036f\u0900-\u0963\u0966-\u096f\u0971-\u0df3"

IDEOGRAPHS_PER_WORD = 2
SYLLABLES_PER_WORD = 4
"""About how many characters make a word, for counting."""

_IDEOGRAPHS_PER_TERM = 2
_SYLLABLES_PER_TERM = 3
"""How many characters make a piece that is compared: enough to tell words apart, and no more than a short word has."""

_SPACELESS = re.compile(f"([{_IDEOGRAPHS}]+)|([{_SYLLABLES}]+)")
_TERM = re.compile(
    f"(?P<ideographs>[{_IDEOGRAPHS}]+)|(?P<syllables>[{_SYLLABLES}]+)"
    f"|(?P<word>(?:[{_SIGNS}]|[^\\W_{_IDEOGRAPHS}{_SYLLABLES}])+)"
)
_ASCII_TERM = re.compile("[a-z0-9]{2,}")
_UNWRITTEN = re.compile(
    "[\u00ad\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670\u200b-\u200f]"
)
"""What a writer may leave out: soft hyphens, the points and vowel marks of Hebrew and Arabic, invisible joiners."""

find_word = re.compile(r"[^\W_]").search
"""Finds the first letter or digit of a text."""


def count(text: str) -> int:
    """How many words a text holds: what stands between white space, and the length of runs without spaces."""
    if text.isascii():
        return len(text.split())
    runs = _SPACELESS.findall(text)
    if not runs:
        return len(text.split())
    spaceless = sum(
        -(-len(ideographs) // IDEOGRAPHS_PER_WORD) - (-len(syllables) // SYLLABLES_PER_WORD)
        for ideographs, syllables in runs
    )
    return spaceless + len(_SPACELESS.sub(" ", text).split())


def terms(text: str, sizes: Iterable[int] = ()) -> list[str]:
    """The terms of a text in order, in lower case and without punctuation; single ASCII characters are none.

    A run without spaces gives all its pieces of two (Han, kana) or three characters (Thai, Lao, Burmese, Khmer); a
    shorter one is a piece itself.

    Args:
        text: The text.
        sizes: Further sizes of pieces, so that a query shorter than a piece can be found.
    """
    if text.isascii():
        return _ASCII_TERM.findall(text.lower())
    found: list[str] = []
    folded = _UNWRITTEN.sub("", unicodedata.normalize("NFKC", text).casefold())
    for match in _TERM.finditer(folded):
        run = match.group()
        if match.lastgroup != "word":
            usual = _IDEOGRAPHS_PER_TERM if match.lastgroup == "ideographs" else _SYLLABLES_PER_TERM
            found += _pieces(run, min(usual, len(run)))
            for size in sizes:
                if size < usual:
                    found += _pieces(run, size)
        elif len(run) > 1 or not run.isascii():
            found.append(run)
    return found


def _pieces(run: str, size: int) -> list[str]:
    return [run[start : start + size] for start in range(len(run) - size + 1)]
