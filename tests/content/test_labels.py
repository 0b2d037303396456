from __future__ import annotations

import codecs

import pytest
import turbohtml.detect  # noqa: F401  # registers the codecs asked for below

from webward.content.labels import ENCODING_BY_LABEL, ENCODINGS, UTF_16, encoding_for

LABELS = [
    ("utf8", "utf-8"),
    ("UTF-8", "utf-8"),
    ("unicode11utf8", "utf-8"),
    (" \t\n\f\rutf-8 \t\n\f\r", "utf-8"),
    ("ascii", "windows-1252"),
    ("us-ascii", "windows-1252"),
    ("iso-8859-1", "windows-1252"),
    ("Latin1", "windows-1252"),
    ("iso-8859-9", "windows-1254"),
    ("iso-8859-11", "windows-874"),
    ("tis-620", "windows-874"),
    ("gb2312", "gbk"),
    ("GB18030", "gb18030"),
    ("ks_c_5601-1987", "euc-kr"),
    ("windows-949", "euc-kr"),
    ("big5-hkscs", "big5"),
    ("sjis", "shift_jis"),
    ("windows-31j", "shift_jis"),
    ("csiso2022jp", "iso-2022-jp"),
    ("koi8-ru", "koi8-u"),
    ("866", "ibm866"),
    ("visual", "iso-8859-8"),
    ("logical", "iso-8859-8-i"),
    ("x-mac-roman", "macintosh"),
    ("x-mac-ukrainian", "x-mac-cyrillic"),
    ("utf-16", "utf-16le"),
    ("ucs-2", "utf-16le"),
    ("unicodefffe", "utf-16be"),
    ("iso-2022-kr", "replacement"),
    ("hz-gb-2312", "replacement"),
    ("x-user-defined", "x-user-defined"),
]

NO_LABELS = [
    "",
    "hex",
    "rot13",
    "base64",
    "zlib",
    "utf-7",
    "utf-32",
    "utf_8_sig",
    "cp037",
    "idna",
    "punycode",
    "unicode_escape",
    "raw_unicode_escape",
    "utf 8",
    "\x0butf-8",
    "\xa0utf-8",
    "\u212aoi8-r",
    "utf-8\0",
]

# How many labels the standard's table gives each encoding that has more than one.
COUNTS = {
    "utf-8": 6,
    "ibm866": 4,
    "iso-8859-2": 9,
    "iso-8859-6": 14,
    "iso-8859-7": 12,
    "iso-8859-8": 11,
    "iso-8859-15": 6,
    "windows-1252": 17,
    "windows-1254": 12,
    "gbk": 9,
    "shift_jis": 8,
    "euc-kr": 10,
    "replacement": 6,
    "utf-16le": 7,
    "utf-16be": 2,
}


@pytest.mark.parametrize(("label", "encoding"), LABELS, ids=[repr(label) for label, _ in LABELS])
def test_label_names_its_encoding(label: str, encoding: str) -> None:
    assert encoding_for(label) == encoding


@pytest.mark.parametrize("label", NO_LABELS, ids=repr)
def test_other_names_are_no_labels(label: str) -> None:
    assert encoding_for(label) is None


def test_table_is_whole() -> None:
    assert len(ENCODING_BY_LABEL) == 228
    assert len(ENCODINGS) == 40
    assert {name: list(ENCODING_BY_LABEL.values()).count(name) for name in COUNTS} == COUNTS


def test_every_encoding_is_its_own_label() -> None:
    assert all(encoding_for(name) == name for name in ENCODINGS)
    assert UTF_16 <= ENCODINGS


@pytest.mark.parametrize("encoding", sorted(ENCODINGS))
def test_every_encoding_has_a_decoder_that_never_raises(encoding: str) -> None:
    text = codecs.decode(bytes(range(256)), f"whatwg-{encoding}")

    assert isinstance(text, str)
