"""The stems of words by the language of a page, so that a search for "filter" finds "filters" (Snowball)."""

from __future__ import annotations

import unicodedata
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_ALGORITHM_BY_LANGUAGE = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
"""By the primary subtag of BCP 47."""


_STRIPS_BEGINNINGS = frozenset({"arabic", "indonesian"})

_BEGINNING_CHARS = 2
"""Few words share it with a term of the query, so that few are stemmed; stemming is the dearest part of a search."""

MAX_WORD_CHARS = 50
"""Longer words are addresses and keys, and some rules take long on them."""


@dataclass(frozen=True, slots=True)
class Stemmer:
    """How words of a language are brought to their stems.

    Attributes:
        algorithm: The rules; None leaves words as they are.
        strips_beginnings: Whether a stem may begin otherwise than its word.
    """

    algorithm: Callable[[str], str] | None
    _: KW_ONLY
    strips_beginnings: bool

    def stem(self, word: str) -> str:
        """The stem of a word in lower case."""
        return word if self.algorithm is None or len(word) > MAX_WORD_CHARS else self.algorithm(word)


def stemmer_for(language: str | None) -> Stemmer:
    """The stemmer of a language (BCP 47); where it is not known or has no rules, words are their own stems."""
    name = _ALGORITHM_BY_LANGUAGE.get((language or "").partition("-")[0].lower())
    if name is None:
        return Stemmer(None, strips_beginnings=False)
    # Imported here as it loads the rules of all languages, which takes longer than reading many pages.
    import snowballstemmer  # type: ignore[import-untyped] # noqa: PLC0415 - for bm25 only

    return Stemmer(snowballstemmer.stemmer(name).stemWord, strips_beginnings=name in _STRIPS_BEGINNINGS)


def beginning(word: str) -> str:
    """What a word has in common with its stem, where the rules strip endings only; some put vowels without accents."""
    if word.isascii():
        return word[:_BEGINNING_CHARS]
    decomposed = unicodedata.normalize("NFD", word[:_BEGINNING_CHARS])
    return "".join(character for character in decomposed if not unicodedata.combining(character))
