from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.content.media import ContentKind, MediaType, is_textual, kind_of, parse_media_type

HTML = "text/html"

FIELDS = [
    ("text/html", HTML, None),
    ("TEXT/HTML; Charset=UTF-8", HTML, "UTF-8"),
    ("text/html;charset=gbk;charset=utf-8", HTML, "gbk"),
    (" \t\r\ntext/html \t", HTML, None),
    ("text/html ;charset=gbk", HTML, "gbk"),
    ("text/html;  charset=gbk  ", HTML, "gbk"),
    ("text/html; charset =gbk", HTML, None),
    ("text/html; charset= gbk", HTML, " gbk"),
    ('text/html; charset="gbk"', HTML, "gbk"),
    ('text/html; charset="g\\bk"', HTML, "gbk"),
    ('text/html; charset="gbk', HTML, "gbk"),
    ('text/html; charset="gbk\\', HTML, "gbk\\"),
    ('text/html; charset="gbk"tail; a=b', HTML, "gbk"),
    ('text/html; charset="a;b"', HTML, "a;b"),
    ('text/html; charset=""', HTML, ""),
    ("text/html; charset='gbk'", HTML, "'gbk'"),
    ("text/html; charset=", HTML, None),
    ("text/html; charset", HTML, None),
    ("text/html; =gbk", HTML, None),
    ("text/html; ch arset=x; charset=gbk", HTML, "gbk"),
    ("text/html; charset; charset=gbk", HTML, "gbk"),
    ("text/html; charset=\u0100; charset=gbk", HTML, "gbk"),
    ("text/html; boundary=x;;; charset=gbk;", HTML, "gbk"),
    ("application/vnd.api+json; version=1", "application/vnd.api+json", None),
    # A field sent twice: the last valid member counts, and the charset lives on with the same essence.
    ("text/plain, text/html", HTML, None),
    ("text/html; charset=gbk, text/html", HTML, "gbk"),
    ("text/html; charset=gbk, text/html; charset=big5", HTML, "big5"),
    ("text/html; charset=gbk, text/plain", "text/plain", None),
    ("text/html; charset=gbk, text/plain, text/html", HTML, None),
    ("text/html, */*", HTML, None),
    ("text/html, broken", HTML, None),
    ("text/html, ", HTML, None),
    ('text/html; x=",text/plain"; charset=gbk', HTML, "gbk"),
    ('text/html; x="\\",text/plain', HTML, None),
]


@pytest.mark.parametrize(("value", "essence", "charset"), FIELDS, ids=[repr(row[0]) for row in FIELDS])
def test_field_is_parsed(value: str, essence: str, charset: str | None) -> None:
    assert parse_media_type(value) == MediaType(essence, charset=charset)


@pytest.mark.parametrize(
    "value",
    [
        "",
        " ",
        "text",
        "/",
        "text/",
        "/html",
        "te xt/html",
        "text/ht ml",
        "text /html",
        "text/html/x",
        "*/*",
        "é/x",
        ",",
        ";",
    ],
)
def test_field_without_a_media_type(value: str) -> None:
    assert parse_media_type(value) is None


@given(st.text(alphabet='a/;=", \\*\t\xe9'))
def test_any_field_is_parsed_or_refused(value: str) -> None:
    parsed = parse_media_type(value)

    assert parsed is None or parsed.essence.count("/") == 1


def test_long_hostile_field_ends() -> None:
    assert parse_media_type("text/html" + ";a=" * 20_000 + '\\"' * 20_000) == MediaType(HTML)


DECLARED = [
    ("text/html", ContentKind.HTML),
    ("application/xhtml+xml", ContentKind.HTML),
    ("text/markdown", ContentKind.MARKDOWN),
    ("application/json", ContentKind.JSON),
    ("application/ld+json", ContentKind.JSON),
    ("application/problem+json", ContentKind.JSON),
    ("application/xml", ContentKind.XML),
    ("text/xml", ContentKind.XML),
    ("application/rss+xml", ContentKind.XML),
    ("image/svg+xml", ContentKind.XML),
    ("text/plain", ContentKind.TEXT),
    ("text/csv", ContentKind.TEXT),
    ("text/whatever", ContentKind.TEXT),
    ("application/javascript", ContentKind.TEXT),
    ("application/ecmascript", ContentKind.TEXT),
    ("application/x-www-form-urlencoded", ContentKind.TEXT),
    ("application/yaml", ContentKind.TEXT),
    ("application/openapi+yaml", ContentKind.TEXT),
    ("application/toml", ContentKind.TEXT),
    ("application/x-ndjson", ContentKind.TEXT),
    ("application/graphql", ContentKind.TEXT),
    ("application/sql", ContentKind.TEXT),
    ("application/x-sh", ContentKind.TEXT),
    ("image/png", ContentKind.IMAGE),
    ("image/avif", ContentKind.IMAGE),
    ("application/octet-stream", ContentKind.BINARY),
    ("application/pdf", ContentKind.BINARY),
    ("application/zip", ContentKind.BINARY),
    ("application/jsonx", ContentKind.BINARY),
    ("audio/mpeg", ContentKind.BINARY),
    ("font/woff2", ContentKind.BINARY),
]


@pytest.mark.parametrize(("essence", "kind"), DECLARED, ids=[row[0] for row in DECLARED])
def test_declared_type_is_obeyed(essence: str, kind: ContentKind) -> None:
    assert kind_of(MediaType(essence), b"<html>plain") is kind


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF"
WEBP = b"RIFF\x24\0\0\0WEBPVP8 "
PDF = b"%PDF-1.7\n"
ZIP = b"PK\x03\x04\x14\0"
GZIP = b"\x1f\x8b\x08\0"

BODIES = [
    ("empty", b"", ContentKind.TEXT),
    ("text", b"just words", ContentKind.TEXT),
    ("json-is-text", b'{"a": 1}', ContentKind.TEXT),
    ("doctype", b"<!DocType HTML>", ContentKind.HTML),
    ("doctype-public", b"<!doctype html PUBLIC ''>", ContentKind.HTML),
    ("blanks-before", b" \t\n\r\f<html lang=en>", ContentKind.HTML),
    ("comment", b"<!-- x --><p>", ContentKind.HTML),
    ("bold", b"<b>x</b>", ContentKind.HTML),
    ("tag-not-closed", b"<b", ContentKind.TEXT),
    ("other-tag", b"<bold>x", ContentKind.TEXT),
    ("newline-after-name", b"<html\n>", ContentKind.TEXT),
    ("html-after-mark", codecs.BOM_UTF8 + b"<html>", ContentKind.HTML),
    ("html-later", b"see <html>", ContentKind.TEXT),
    ("xml", b" <?xml version='1.0'?><a/>", ContentKind.XML),
    ("xml-upper-case", b"<?XML version='1.0'?>", ContentKind.TEXT),
    ("png", PNG, ContentKind.IMAGE),
    ("png-broken", b"\x89PNG\n\x1a\n", ContentKind.BINARY),
    ("jpeg", JPEG, ContentKind.IMAGE),
    ("gif", b"GIF89a\x01\0", ContentKind.IMAGE),
    ("webp", WEBP, ContentKind.IMAGE),
    ("riff-but-wave", b"RIFF\x24\0\0\0WAVEfmt ", ContentKind.BINARY),
    ("pdf", PDF, ContentKind.BINARY),
    ("zip", ZIP, ContentKind.BINARY),
    ("gzip", GZIP, ContentKind.BINARY),
    ("utf-16-mark", codecs.BOM_UTF16_LE + b"a\0", ContentKind.TEXT),
    ("utf-16-without-mark", b"a\0b\0", ContentKind.BINARY),
    ("escape", b"\x1b[31mred", ContentKind.TEXT),
    ("form-feed", b"page\x0c", ContentKind.TEXT),
    ("bell", b"ring\x07", ContentKind.BINARY),
    ("vertical-tab", b"a\x0bb", ContentKind.BINARY),
    ("binary-at-the-edge", b"a" * 1444 + b"\0", ContentKind.BINARY),
    ("binary-behind-the-edge", b"a" * 1445 + b"\0", ContentKind.TEXT),
    ("high-bytes", bytes(range(0x80, 0x100)), ContentKind.TEXT),
    ("delete", b"\x7f", ContentKind.TEXT),
]


@pytest.mark.parametrize(("body", "kind"), [row[1:] for row in BODIES], ids=[row[0] for row in BODIES])
@pytest.mark.parametrize("declared", [None, MediaType("application/unknown"), MediaType("unknown/unknown")], ids=str)
def test_undeclared_body_is_sniffed(declared: MediaType | None, body: bytes, kind: ContentKind) -> None:
    assert kind_of(declared, body) is kind


CONTRADICTED = [
    ("html-with-nul", "text/html", b"<p>a\0b", ContentKind.HTML),
    ("html-that-is-png", "text/html", PNG, ContentKind.IMAGE),
    ("html-that-is-pdf", "text/html", PDF, ContentKind.BINARY),
    ("html-that-is-zip", "text/html", ZIP, ContentKind.BINARY),
    ("html-that-is-gzip", "application/xhtml+xml", GZIP, ContentKind.BINARY),
    ("text-with-nul", "text/plain", b"a\0b", ContentKind.TEXT),
    ("text-with-nul-and-no-utf-8", "text/plain", b"a\0b\xff", ContentKind.BINARY),
    ("text-that-is-png", "text/plain", PNG, ContentKind.BINARY),
    ("text-never-becomes-html", "text/plain", b"<html>", ContentKind.TEXT),
    ("text-with-escape", "text/plain", b"\x1b[0m", ContentKind.TEXT),
    ("json-with-bell", "application/json", b'"\x07"', ContentKind.JSON),
    ("xml-with-mark", "text/xml", codecs.BOM_UTF16_BE + b"\0<", ContentKind.XML),
    ("image-that-is-html", "image/png", b"<html>", ContentKind.IMAGE),
    ("unknown-that-is-text", "application/x-thing", b"words", ContentKind.BINARY),
]


@pytest.mark.parametrize(
    ("essence", "body", "kind"), [row[1:] for row in CONTRADICTED], ids=[row[0] for row in CONTRADICTED]
)
def test_bytes_correct_what_cannot_be_true(essence: str, body: bytes, kind: ContentKind) -> None:
    assert kind_of(MediaType(essence), body) is kind


@pytest.mark.parametrize(("charset", "kind"), [("utf-16", ContentKind.JSON), ("utf-8", ContentKind.BINARY)])
def test_utf_16_without_a_mark_is_text_by_its_label(charset: str, kind: ContentKind) -> None:
    assert kind_of(MediaType("application/json", charset=charset), '"é"'.encode("utf-16-le")) is kind


def test_textual_kinds() -> None:
    assert {kind for kind in ContentKind if not is_textual(kind)} == {ContentKind.IMAGE, ContentKind.BINARY}
