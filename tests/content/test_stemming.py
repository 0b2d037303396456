from __future__ import annotations

import pytest

from webward.content.stemming import MAX_WORD_CHARS, beginning, stemmer_for

PAIRS = [
    ("english", "en", "filters", "filtering"),
    ("region", "en-GB", "filters", "filter"),
    ("case", "EN", "filters", "filter"),
    ("german", "de-AT", "häuser", "häusern"),
    ("french", "fr", "continuer", "continué"),
    ("russian", "ru", "книги", "книгами"),
    ("bokmål", "nb", "bilene", "bilen"),
]


@pytest.mark.parametrize(("language", "one", "other"), [row[1:] for row in PAIRS], ids=[row[0] for row in PAIRS])
def test_forms_of_a_word_have_one_stem(language: str, one: str, other: str) -> None:
    stem = stemmer_for(language).stem
    assert stem(one) == stem(other)


@pytest.mark.parametrize("language", [None, "", "zh", "tlh", "english", "-en"])
def test_unknown_languages_are_not_stemmed(language: str | None) -> None:
    assert stemmer_for(language).stem("filters") == "filters"


def test_what_is_too_long_is_no_word() -> None:
    word = "a" * MAX_WORD_CHARS + "s"
    assert stemmer_for("en").stem(word) == word


def test_arabic_stems_begin_otherwise_than_words() -> None:
    arabic = stemmer_for("ar")
    assert arabic.strips_beginnings
    assert arabic.stem("الكتاب") == arabic.stem("كتاب")
    assert not stemmer_for("en").strips_beginnings


BEGINNINGS = [("packaging", "pa"), ("x", "x"), ("ärzte", "ar"), ("a\u0308rzte", "a"), ("книги", "кн"), ("猫", "猫")]


@pytest.mark.parametrize(("word", "start"), BEGINNINGS)
def test_beginnings(word: str, start: str) -> None:
    assert beginning(word) == start
