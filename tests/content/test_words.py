from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.content import words

COUNTS = [
    ("empty", "", 0),
    ("blank", " \n\t", 0),
    ("ascii", "one two  three\n", 3),
    ("accents", "naïve café", 2),
    ("hindi", "यह एक वाक्य है", 4),
    ("korean", "한국어 문장", 2),
    ("chinese", "今天天气很好", 3),
    ("odd-run", "今天天", 2),
    ("japanese", "東京へ行く", 3),
    ("thai", "ภาษาไทย", 2),
    ("mixed", "Python 今天很好 is", 4),
    ("punctuation-ends-a-run", "今天。天气。", 4),
]


@pytest.mark.parametrize(("text", "count"), [row[1:] for row in COUNTS], ids=[row[0] for row in COUNTS])
def test_count(text: str, count: int) -> None:
    assert words.count(text) == count


TERMS = [
    ("punctuation", "Python, packaging! (2.0-beta)", ["python", "packaging", "beta"]),
    ("single-characters", "a C 7 xy", ["xy"]),
    ("single-letter-of-another-script", "я он", ["я", "он"]),
    ("underscores", "snake_case", ["snake", "case"]),
    ("case", "ÄRGER", ["ärger"]),
    ("sharp-s", "Straße", ["strasse"]),
    ("full-width", "\uff30\uff39\uff34\uff28\uff2f\uff2e", ["python"]),
    ("combining-accent", "cafe\u0301", ["café"]),
    ("hindi-vowel-signs", "हिन्दी भाषा", ["हिन्दी", "भाषा"]),
    ("arabic-vowel-marks", "كِتَاب", ["كتاب"]),
    ("soft-hyphen", "pack\u00adaging é", ["packaging", "é"]),
    ("chinese-pairs", "北京大学", ["北京", "京大", "大学"]),
    ("one-ideograph", "猫", ["猫"]),
    ("thai-triples", "แมวดาว", ["แมว", "มวด", "วดา", "ดาว"]),
    ("between-scripts", "用Python写", ["用", "python", "写"]),
    ("kana", "テスト", ["テス", "スト"]),
]


@pytest.mark.parametrize(("text", "terms"), [row[1:] for row in TERMS], ids=[row[0] for row in TERMS])
def test_terms(text: str, terms: list[str]) -> None:
    assert words.terms(text) == terms


def test_terms_of_a_smaller_size() -> None:
    assert words.terms("黑猫", {1}) == ["黑猫", "黑", "猫"]


def test_larger_sizes_give_nothing_new() -> None:
    assert words.terms("黑猫睡", {2, 5}) == ["黑猫", "猫睡"]


@given(st.text())
def test_any_text_has_terms_in_lower_case(text: str) -> None:
    assert words.count(text) >= 0
    assert all(term == term.casefold() for term in words.terms(text))
