from __future__ import annotations

from base64 import b64decode
from typing import Any

import pytest
from tests.contracts.iii.answers import URL, answer, request

from webward.contracts.iii.configuration import DEFAULTS
from webward.contracts.iii.response import (
    MAX_JSON_LEVELS,
    failure_envelope,
    image_envelope,
    is_html,
    is_image,
    page_envelope,
    raw_envelope,
)
from webward.errors import TooManyRedirects
from webward.model import CleaningReport, FilterOutcome, Headers, Image, Link, Links, Media, Reading

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20
SHOWN = {
    "image/jpeg": b"\xff\xd8\xff\xe0",
    "image/png": PNG,
    "image/gif": b"GIF87a..",
    "image/webp": b"RIFF\0\0\0\0WEBPVP8 ",
}


def test_an_answer_in_full() -> None:
    fetched = answer(b"hi", status=404, headers=Headers((("X-A", "1"),)), text="hi")
    assert raw_envelope(request(), fetched) == {
        "ok": True,
        "status": 404,
        "status_text": "Not Found",
        "headers": {"x-a": "1"},
        "body": "hi",
        "response_format": "text",
        "bytes_truncated": False,
    }


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (200, "OK"),
        (204, "No Content"),
        (413, "Content Too Large"),
        (422, "Unprocessable Content"),
        (599, ""),
        (299, ""),
    ],
)
def test_the_words_of_a_status_are_the_registrys(status: int, words: str) -> None:
    assert raw_envelope(request(), answer(status=status))["status_text"] == words


def test_headers_are_lower_case_and_joined() -> None:
    fields = (
        ("Set-Cookie", "a=1"),
        ("SET-COOKIE", "b=2"),
        ("X-Name", "caf\xe9"),
        ("X-Tab", "a\tb"),
        ("X-Bell", "a\x07"),
    )
    envelope = raw_envelope(request(), answer(headers=Headers(fields)))
    assert envelope["headers"] == {"set-cookie": "a=1, b=2", "x-name": "", "x-tab": "a\tb", "x-bell": ""}


@pytest.mark.parametrize(
    ("form", "body", "text", "given"),
    [
        ("text", b"hi", "hi", "hi"),
        ("text", b"\x93hi\x94", "\u201chi\u201d", "\u201chi\u201d"),
        ("text", b"\0\xff", None, "\0\ufffd"),
        ("base64", b"hi", "hi", "aGk="),
        ("base64", b"", None, ""),
        ("json", b"hi", "hi", "hi"),
    ],
)
def test_a_body_is_text_or_base64(form: str, body: bytes, text: str | None, given: str) -> None:
    envelope = raw_envelope(request(response_format=form), answer(body, text=text))
    assert (envelope["body"], envelope["response_format"]) == (given, form)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("null", None),
        ('{"a":[1,2.5,"x",true]}', {"a": [1, 2.5, "x", True]}),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("[" * MAX_JSON_LEVELS + "]" * MAX_JSON_LEVELS, None),
        ("[" + "[]," * 500 + "1]", None),
    ],
)
def test_json_is_parsed(body: str, value: Any) -> None:
    envelope = raw_envelope(request(response_format="json"), answer(body.encode(), text=body))
    assert "json" in envelope
    assert "parse_error" not in envelope
    assert envelope["body"] == body
    if value is not None:
        assert envelope["json"] == value


@pytest.mark.parametrize(
    "body",
    [
        *("", "{", "NaN", "[Infinity]", "1e999", "{'a': 1}", '"\\ud800"', "\ufeff1 2"),
        "[" * (MAX_JSON_LEVELS + 1) + "]" * (MAX_JSON_LEVELS + 1),
        '{"a":' * 200 + "1" + "}" * 200,
        "[" * 100_000,
        "[" * 100_000 + "]" * 100_000,
    ],
)
def test_what_is_no_json_is_told(body: str) -> None:
    envelope = raw_envelope(request(response_format="json"), answer(body.encode(), text=body))
    assert envelope["parse_error"]
    assert "json" not in envelope
    assert envelope["body"] == body


def test_a_body_that_was_cut_is_no_json() -> None:
    envelope = raw_envelope(request(response_format="json"), answer(b"[1]", text="[1]", truncated=True))
    assert "cut" in envelope["parse_error"]
    assert envelope["bytes_truncated"] is True
    assert "json" not in envelope


@pytest.mark.parametrize("form", ["text", "base64"])
def test_nothing_else_is_parsed(form: str) -> None:
    assert not {"json", "parse_error"} & set(raw_envelope(request(response_format=form), answer(b"[1]", text="[1]")))


@pytest.mark.parametrize(
    ("asked", "via", "chain"),
    [
        ("HTTPS://Site.test", (), None),
        ("HTTPS://Site.test", ("https://site.test/",), ["HTTPS://Site.test"]),
        ("HTTPS://Site.test", ("https://site.test/", "https://b.test/"), ["HTTPS://Site.test", "https://b.test/"]),
        ("https://me:secret@site.test/", ("https://site.test/",), ["https://site.test/"]),
    ],
)
def test_the_chain_holds_what_redirected(asked: str, via: tuple[str, ...], chain: list[str] | None) -> None:
    call = request(url=asked)
    assert raw_envelope(call, answer(via=via)).get("redirect_chain") == chain
    assert page_envelope(call, answer(via=via), body="").get("redirect_chain") == chain
    png = answer(PNG, via=via, media_type="image/png")
    assert image_envelope(call, png)["details"].get("redirect_chain") == chain


@pytest.mark.parametrize("media_type", SHOWN)
def test_an_image_is_shown(media_type: str) -> None:
    body = SHOWN[media_type]
    shown = image_envelope(request(format="markdown"), answer(body, media_type=media_type, status=201))
    image, line = shown["content"]
    assert (image["type"], image["mime"], b64decode(image["data"])) == ("image", media_type, body)
    assert line == {"type": "text", "text": f"Image fetched ({media_type}, {len(body)} bytes)"}
    assert shown["details"] == {
        "ok": True,
        "status": 201,
        "status_text": "Created",
        "content_type": media_type,
        "bytes": len(body),
    }
    assert set(shown) == {"content", "details"}


@pytest.mark.parametrize(
    ("media_type", "body", "changes"),
    [
        ("image/svg+xml", b"<svg/>", {}),
        ("image/png", PNG, {"status": 404}),
        ("image/png", PNG, {"truncated": True}),
        ("image/png", b"", {}),
        ("image/png", b"<html>", {}),
        ("image/png", SHOWN["image/gif"], {}),
        ("image/avif", PNG, {}),
    ],
)
def test_other_images_are_base64(media_type: str, body: bytes, changes: dict[str, Any]) -> None:
    envelope = image_envelope(request(format="text"), answer(body, media_type=media_type, **changes))
    assert (envelope["ok"], envelope["response_format"], envelope["content_type"]) == (True, "base64", media_type)
    assert b64decode(envelope["body"]) == body
    assert "transformed" not in envelope


@pytest.mark.parametrize(
    ("media_type", "html", "image"),
    [
        ("text/html", True, False),
        ("application/xhtml+xml", True, False),
        ("text/plain", False, False),
        ("image/png", False, True),
        ("image/svg+xml", False, True),
        (None, False, False),
    ],
)
def test_what_an_answer_is_declared_to_be(media_type: str | None, html: bool, image: bool) -> None:  # noqa: FBT001 - rows
    fetched = answer(b"<html>", media_type=media_type)
    assert (is_html(fetched), is_image(fetched)) == (html, image)


READING = Reading(
    format="markdown",
    text="# Hi",
    links=Links(internal=(Link(href=URL, text="a"),), external=(Link(href="mailto:a@b", text="b", title="t"),)),
    media=Media(images=(Image(src=URL, alt="c"), Image(src=URL)), videos=(URL,), audios=()),
    filter=FilterOutcome(type="pruning", kept_blocks=0, dropped_blocks=2, fell_back=True),
    report=CleaningReport(removed={"scripts": 1}, invisible_chars={"zero-width": 3}),
)


def test_a_page_in_full() -> None:
    envelope = page_envelope(
        request(format="markdown"),
        answer(media_type="text/html"),
        body="# Hi",
        invisible=READING.report.invisible_chars,
        read=READING,
        is_rendered=True,
    )
    assert envelope == {
        "ok": True,
        "status": 200,
        "status_text": "OK",
        "headers": {},
        "body": "# Hi",
        "response_format": "text",
        "bytes_truncated": False,
        "content_type": "text/html",
        "transformed": "markdown",
        "links": {
            "internal": [{"href": URL, "text": "a"}],
            "external": [{"href": "mailto:a@b", "text": "b", "title": "t"}],
        },
        "media": {"images": [{"src": URL, "alt": "c"}, {"src": URL}], "videos": [{"src": URL}], "audios": []},
        "filter_fell_back": True,
        "removed_invisible": {"zero-width": 3},
    }


def test_what_was_not_asked_for_is_not_there() -> None:
    plain = Reading(
        format="text", text="hi", filter=FilterOutcome(type="bm25", kept_blocks=1, dropped_blocks=0, fell_back=False)
    )
    envelope = page_envelope(request(format="text"), answer(), body="hi", read=plain, is_rendered=True)
    assert envelope["transformed"] == "text"
    assert envelope["content_type"] == ""
    assert not {"links", "media", "filter_fell_back", "removed_invisible", "redirect_chain"} & set(envelope)


def test_a_page_that_was_not_rendered_keeps_its_lists() -> None:
    envelope = page_envelope(request(format="markdown"), answer(), body="<h1>Hi", read=READING)
    assert {"links", "media"} <= set(envelope)
    assert not {"transformed", "filter_fell_back", "removed_invisible"} & set(envelope)


def test_a_failure_in_full() -> None:
    envelope = failure_envelope(TooManyRedirects("the chain"), DEFAULTS)
    assert (set(envelope), envelope["ok"], envelope["error"]) == (
        {"ok", "error", "message"},
        False,
        "too_many_redirects",
    )
    assert type(envelope["error"]) is str
