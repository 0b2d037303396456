from __future__ import annotations

import codecs
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.content.charset import REPLACEMENT, SAMPLE_BYTES, decode
from webward.content.labels import ENCODINGS

TEXTS = tomllib.loads(Path(__file__).with_name("paragraphs.toml").read_text("utf-8"))

RUSSIAN = TEXTS["russian"]


class Case(NamedTuple):
    """A page in a charset, with what is said about it."""

    name: str
    text: str
    codec: str
    meta: str = ""
    label: str | None = None
    mark: bytes = b""

    def body(self) -> bytes:
        text = TEXTS[self.text]
        items = "".join(f"<li id=n{number}><a href='/n/{number}'>more</a> {text}</li>\n" for number in range(5))
        page = (
            f"<!doctype html>\n<html><head>{self.meta}<title>{text[:16]}</title></head>\n<body><ul>{items}</ul></body>"
        )
        return self.mark + page.encode(self.codec)


def http_equiv(charset: str) -> str:
    return f'<meta http-equiv="Content-Type" content="text/html; charset={charset}">'


CASES = [
    Case("gb18030", "chinese", "gb18030"),
    Case("gb18030-meta", "chinese", "gb18030", meta="<meta charset=gb18030>"),
    Case("gb18030-label", "chinese", "gb18030", label="gb18030"),
    Case("gbk", "chinese", "gbk"),
    Case("big5", "traditional", "big5"),
    Case("shift_jis", "japanese", "shift_jis"),
    Case("shift_jis-meta", "japanese", "shift_jis", meta='<meta charset="shift_jis">'),
    Case("shift_jis-label", "japanese", "shift_jis", label="Shift_JIS"),
    Case("euc-jp", "japanese", "euc_jp"),
    Case("iso-2022-jp", "japanese", "iso2022_jp"),
    Case("euc-kr", "korean", "euc_kr"),
    Case("euc-kr-meta", "korean", "euc_kr", meta="<meta charset='euc-kr'>"),
    Case("euc-kr-label", "korean", "euc_kr", label="euc-kr"),
    Case("windows-1251", "russian", "cp1251"),
    Case("windows-1251-meta", "russian", "cp1251", meta="<META CHARSET = windows-1251>"),
    Case("windows-1251-label", "russian", "cp1251", label="windows-1251"),
    Case("koi8-r", "russian", "koi8_r"),
    Case("iso-8859-5", "russian", "iso8859_5"),
    Case("windows-1252", "french", "cp1252"),
    Case("iso-8859-1", "german", "latin-1"),
    Case("windows-1253", "greek", "cp1253"),
    Case("windows-1255", "hebrew", "cp1255"),
    Case("windows-1256", "arabic", "cp1256"),
    Case("windows-1254", "turkish", "cp1254"),
    Case("windows-1250", "polish", "cp1250"),
    Case("iso-8859-2", "polish", "iso8859_2"),
    Case("windows-874", "thai", "cp874"),
    Case("utf-8-russian", "russian", "utf-8"),
    Case("utf-8-chinese", "chinese", "utf-8"),
    Case("gbk-declared-gb2312", "chinese", "gbk", meta="<meta charset=gb2312>"),
    Case("windows-1252-declared-iso-8859-1", "english", "cp1252", meta="<meta charset=iso-8859-1>"),
    Case("utf-16le-mark", "russian", "utf-16-le", mark=codecs.BOM_UTF16_LE),
    Case("utf-16be-mark", "chinese", "utf-16-be", mark=codecs.BOM_UTF16_BE),
    Case("utf-8-mark-beats-meta", "french", "utf-8", meta="<meta charset=gbk>", mark=codecs.BOM_UTF8),
    Case("utf-8-mislabeled-by-meta", "french", "utf-8", meta="<meta charset=iso-8859-1>"),
    Case("utf-8-mislabeled-by-label", "russian", "utf-8", label="iso-8859-1"),
    Case("windows-1251-mislabeled-utf-8", "russian", "cp1251", meta="<meta charset=utf-8>"),
    Case("windows-1252-mislabeled-utf-8", "french", "cp1252", label="utf-8"),
    Case("meta-utf-16-on-utf-8", "french", "utf-8", meta="<meta charset=utf-16>"),
    Case("late-meta", "russian", "cp1251", meta=f"<style>{'p{}' * 500}</style><meta charset=windows-1251>"),
    Case("http-equiv", "korean", "euc_kr", meta=http_equiv("euc-kr")),
    Case("label-beats-meta", "russian", "cp1251", meta="<meta charset=utf-8>", label="windows-1251"),
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_pages_read_right(case: Case) -> None:
    decoded = decode(case.body(), label=case.label, html=True)

    assert case.body().decode(case.codec).removeprefix("\ufeff") == decoded.text
    assert not decoded.replaced


def test_utf_8_with_one_bad_byte() -> None:
    body = Case("", "french", "utf-8").body()

    decoded = decode(body[:300] + b"\xe9" + body[300:], label=None, html=True)

    assert decoded.text.replace(REPLACEMENT, "") == body.decode()
    assert (decoded.charset, decoded.guessed, decoded.replaced) == ("utf-8", True, True)


def test_utf_8_cut_in_a_character() -> None:
    body = RUSSIAN.encode() + "я".encode()[:1]
    with pytest.raises(UnicodeDecodeError, match="unexpected end of data"):
        body.decode()

    decoded = decode(body, label="iso-8859-1", html=True)

    assert decoded.text == body[:-1].decode() + REPLACEMENT
    assert (decoded.charset, decoded.guessed, decoded.replaced) == ("utf-8", True, True)


FLAGS = [
    ("ascii-keeps-no-label", b"plain", "windows-1252", "utf-8", False),
    ("mark", codecs.BOM_UTF16_BE + RUSSIAN.encode("utf-16-be"), "utf-8", "utf-16be", False),
    ("alias", TEXTS["german"].encode("latin-1"), "iso-8859-1", "windows-1252", False),
    ("label", RUSSIAN.encode("koi8_r"), " KOI8 ", "koi8-r", False),
    ("detected", RUSSIAN.encode("cp1251"), None, "windows-1251", True),
    ("escapes", TEXTS["japanese"].encode("iso2022_jp"), None, "iso-2022-jp", True),
    ("escapes-labeled", TEXTS["japanese"].encode("iso2022_jp"), "iso-2022-jp", "iso-2022-jp", False),
    ("escapes-mislabeled", TEXTS["japanese"].encode("iso2022_jp"), "utf-8", "iso-2022-jp", True),
]


@pytest.mark.parametrize(
    ("body", "label", "charset", "guessed"), [row[1:] for row in FLAGS], ids=[row[0] for row in FLAGS]
)
def test_what_settled_the_charset(body: bytes, label: str | None, charset: str, guessed: bool) -> None:  # noqa: FBT001 - a table row
    decoded = decode(body, label=label, html=False)

    assert (decoded.charset, decoded.guessed) == (charset, guessed)


HOSTILE = [
    ("empty", b"", None, "", "utf-8"),
    ("one-letter", b"a", None, "a", "utf-8"),
    ("one-high-byte", b"\xff", None, "ÿ", "windows-1252"),
    ("half-a-mark", b"\xef\xbb", "iso-8859-1", "ï»", "windows-1252"),
    ("mark-alone", codecs.BOM_UTF8, None, "", "utf-8"),
    ("mark-inside-stays", b"a\xef\xbb\xbfb", None, "a\ufeffb", "utf-8"),
    ("utf-32-mark-is-utf-16", codecs.BOM_UTF32_LE + b"a\0\0\0", None, "\0a\0", "utf-16le"),
    ("odd-utf-16", codecs.BOM_UTF16_LE + b"a\0b", None, f"a{REPLACEMENT}", "utf-16le"),
    ("hex-is-no-label", b"3c736372697074", "hex", "3c736372697074", "utf-8"),
    ("rot13-is-no-label", b"uryyb", "rot13", "uryyb", "utf-8"),
    ("utf-7-is-no-label", b"+ADw-script+AD4-", "utf-7", "+ADw-script+AD4-", "utf-8"),
    ("broken-label", b"caf\xe9", "\x00\ud800,;", "café", "windows-1252"),
    ("utf-16-label-on-ascii", b"<p>plain</p>", "utf-16", "<p>plain</p>", "utf-8"),
    ("utf-16-label-on-bytes", b"caf\xe9 cr\xe8me", "utf-16le", "café crème", "windows-1252"),
    ("x-user-defined", b"caf\xe9 cr\xe8me", "x-user-defined", "café crème", "windows-1252"),
    ("replacement-label-on-ascii", b"~{VPND~}", "hz-gb-2312", "~{VPND~}", "utf-8"),
    ("replacement-label-on-bytes", b"caf\xe9 cr\xe8me", "iso-2022-cn", "café crème", "windows-1252"),
    ("terminal-colors", b"\x1b[31mred\x1b[0m", None, "\x1b[31mred\x1b[0m", "utf-8"),
    ("terminal-reset", b"\x1b(B\x1b[mdone\n" * 3, None, "\x1b(B\x1b[mdone\n" * 3, "utf-8"),
    ("terminal-reset-alone", b"\x1b(Bdone", None, "\x1b(Bdone", "utf-8"),
    (
        "escape-among-utf-8",
        b"\x1b$B%F\x1b(B" + b"a" * 900 + b"\xc3\xa9",
        None,
        "\x1b$B%F\x1b(B" + "a" * 900 + "é",
        "utf-8",
    ),
    ("escape-in-utf-8", "\x1b$B é".encode(), None, "\x1b$B é", "utf-8"),
]


@pytest.mark.parametrize(
    ("body", "label", "text", "charset"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE]
)
def test_odd_bodies_and_labels(body: bytes, label: str | None, text: str, charset: str) -> None:
    decoded = decode(body, label=label, html=True)

    assert (decoded.text, decoded.charset) == (text, charset)


def test_iso_2022_kr_is_not_decoded() -> None:
    body = b"\x1b$)C\x0eGQ1[\x0f plain"

    assert decode(body, label="iso-2022-kr", html=True).text == body.decode("ascii")


@pytest.mark.parametrize("label", ["utf-16", "utf-16le"])
def test_utf_16_without_a_mark_heeds_the_label(label: str) -> None:
    decoded = decode("<p>plain, é</p>".encode("utf-16-le"), label=label, html=True)

    assert (decoded.text, decoded.charset, decoded.guessed) == ("<p>plain, é</p>", "utf-16le", False)


@pytest.mark.parametrize("mark", [codecs.BOM_UTF8, b""])
def test_a_replacement_character_of_the_page_is_no_damage(mark: bytes) -> None:
    decoded = decode(mark + f"seen {REPLACEMENT} here".encode(), label=None, html=True)

    assert decoded.text == f"seen {REPLACEMENT} here"
    assert not decoded.replaced


# A label that would be believed: every byte of koi8-r is a character.
DECLARATIONS = [
    ("meta-only-in-html", b"<meta charset=koi8-r>", False, False),
    ("meta", b"<meta charset=koi8-r>", True, True),
    ("commented-out", b"<!-- <meta charset=koi8-r> -->", True, False),
    ("open-comment", b"<!-- <meta charset=koi8-r>", True, False),
    ("other-element", b"<metal charset=koi8-r>", True, False),
    ("in-a-description", b'<meta name=description content="charset=koi8-r">', True, False),
    ("other-attribute", b"<meta data-charset=koi8-r>", True, False),
    ("beyond-the-prescan", b" " * 5000 + b"<meta charset=koi8-r>", True, False),
    ("first-label-unknown", b"<meta charset=none><meta charset=koi8-r>", True, True),
    ("xml-declaration", b"<?xml version='1.0' encoding='koi8-r'?>", False, True),
    ("xml-declaration-not-first", b"x<?xml version='1.0' encoding='koi8-r'?>", False, False),
]


@pytest.mark.parametrize(
    ("head", "html", "believed"), [row[1:] for row in DECLARATIONS], ids=[row[0] for row in DECLARATIONS]
)
def test_labels_inside_the_body(head: bytes, html: bool, believed: bool) -> None:  # noqa: FBT001 - a table row
    decoded = decode(head + TEXTS["german"].encode("latin-1"), label=None, html=html)

    assert (decoded.charset == "koi8-r") is believed


def test_a_label_is_dropped_when_the_text_reads_badly_by_it() -> None:
    body = RUSSIAN.encode("cp1251")

    assert decode(body, label="euc-kr", html=False).text == RUSSIAN


def test_detector_does_not_obey_a_refuted_meta() -> None:
    body = b"<meta charset=big5><p>" + RUSSIAN.encode("cp1251")

    assert decode(body, label=None, html=True).charset == "windows-1251"


@pytest.mark.parametrize(("text", "codec"), [("japanese", "euc_jp"), ("korean", "euc_kr"), ("traditional", "big5")])
@pytest.mark.parametrize("lost", [1, 3])
def test_body_cut_in_a_character_is_still_detected(text: str, codec: str, lost: int) -> None:
    whole = ("x\n" + TEXTS[text] + "\n") * 3 + TEXTS[text][:20]
    body = whole.encode(codec)[:-lost]

    assert decode(body, label=None, html=False).text.startswith(whole[:-21])


def test_last_word_alone_is_evidence_enough() -> None:
    word = max(RUSSIAN.split(), key=len)

    assert decode(b"news: " + word.encode("cp1251"), label=None, html=False).text == f"news: {word}"


def test_detector_sees_text_far_inside_a_long_body() -> None:
    body = b"/* code */\n" * (SAMPLE_BYTES // 5) + (RUSSIAN + "\n").encode("cp1251") * 4

    assert decode(body, label=None, html=False).text.endswith(RUSSIAN + "\n")


def test_sample_boundary_in_a_long_body_does_not_mislead() -> None:
    text = (TEXTS["japanese"] + "\n") * 600
    body = text.encode("euc_jp")

    assert len(body) > SAMPLE_BYTES
    assert decode(body, label=None, html=False).text == text


@given(st.binary(max_size=300), st.sampled_from([None, "", "hex", *sorted(ENCODINGS)]), st.booleans())
def test_any_bytes_become_text(body: bytes, label: str | None, html: bool) -> None:  # noqa: FBT001 - drawn by hypothesis
    decoded = decode(body, label=label, html=html)

    assert decoded.charset in ENCODINGS - {"replacement", "x-user-defined"}
    assert REPLACEMENT not in decoded.text or decoded.replaced or REPLACEMENT.encode() in body
    decoded.text.encode()  # raises if a lone surrogate came through


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x1b")))
def test_utf_8_is_kept_whatever_the_label(text: str) -> None:
    body = text.encode()
    expected = text.removeprefix("\ufeff")

    assert decode(body, label="shift_jis", html=False).text == expected
