from __future__ import annotations

import hashlib

import pytest

from webward.config import ContentSettings, Settings
from webward.engine.read import ACCEPT
from webward.errors import DeadlineExceeded, InvalidInput, UnsupportedContent
from webward.testing import FrozenClock, LoopbackWeb

URL = "http://site.test/a/"
HTML = """<!doctype html><html lang="de"><head><title>The Shop</title>
<meta name="description" content="All things"></head>
<body><h1>Shop</h1><p>See <a href="../b">this</a>.</p></body></html>"""
DOCUMENT = "text/html; charset=utf-8"


async def test_a_document_becomes_markdown_with_absolute_links() -> None:
    async with LoopbackWeb() as web:
        web.page(URL, HTML)
        async with web.gateway(clock=FrozenClock()) as gateway:
            page = await gateway.read(URL)
    assert page.format == "markdown"
    assert "# Shop" in page.text
    assert "[this](http://site.test/b)" in page.text
    assert (page.title, page.metadata.description, page.metadata.language) == ("The Shop", "All things", "de")
    assert page.content_hash == hashlib.sha256(HTML.encode()).hexdigest()
    assert (page.start, page.next_start, page.truncated_text) == (0, None, False)
    assert page.total_chars == len(page.text)
    assert page.retrieved_at.isoformat() == "2026-01-01T00:00:00+00:00"


async def test_the_rendition_that_is_asked_for_is_given() -> None:
    async with LoopbackWeb() as web:
        web.page(URL, HTML)
        async with web.gateway() as gateway:
            markdown, text, html = [await gateway.read(URL, format=form) for form in ("markdown", "text", "html")]
    assert [page.format for page in (markdown, text, html)] == ["markdown", "text", "html"]
    assert "# Shop" not in text.text
    assert "Shop" in text.text
    assert "<h1>Shop</h1>" in html.text
    assert 'href="http://site.test/b"' in html.text
    assert len({page.content_hash for page in (markdown, text, html)}) == 1


async def test_links_are_resolved_against_the_last_hop() -> None:
    async with LoopbackWeb() as web:
        web.redirect("http://old.test/", URL)
        web.page(URL, HTML)
        async with web.gateway() as gateway:
            page = await gateway.read("http://old.test/")
    assert "(http://site.test/b)" in page.text
    assert (page.url, page.final_url, len(page.hops)) == ("http://old.test/", URL, 2)


@pytest.mark.parametrize(
    ("content_type", "body", "form"),
    [
        ("text/plain", "a <b> c", "text"),
        ("text/markdown", "# a", "markdown"),
        ("application/json", '{\n  "a": 1\n}', "json"),
        ("application/xml", "<a/>", "xml"),
        ("text/css", "a {}", "text"),
    ],
)
async def test_other_text_comes_as_it_is(content_type: str, body: str, form: str) -> None:
    async with LoopbackWeb() as web:
        web.page(URL, body, headers=[("Content-Type", content_type)])
        async with web.gateway() as gateway:
            page = await gateway.read(URL, format="html")
    assert (page.format, page.text, page.media_type) == (form, body, content_type)
    assert (page.title, page.metadata.description, page.metadata.language) == (None, None, None)


@pytest.mark.parametrize(
    ("content_type", "body", "named"),
    [
        ("image/png", b"\x89PNG\r\n\x1a\n", "image/png"),
        ("application/zip", b"PK\x03\x04", "application/zip"),
        (None, b"\x00\x01\x02\x03", "no declared media type"),
    ],
)
async def test_what_is_no_text_is_told_by_its_media_type(content_type: str | None, body: bytes, named: str) -> None:
    async with LoopbackWeb() as web:
        web.page(URL, body, headers=[("Content-Type", content_type)] if content_type else [])
        async with web.gateway() as gateway:
            with pytest.raises(UnsupportedContent, match=named) as caught:
                await gateway.read(URL)
    assert not caught.value.retryable


async def test_windows_make_up_the_whole() -> None:
    text = "".join(f"line {number}\n" for number in range(100))
    async with LoopbackWeb() as web:
        web.page(URL, text, headers=[("Content-Type", "text/plain")])
        async with web.gateway() as gateway:
            whole, start = "", 0
            while start is not None:
                page = await gateway.read(URL, start=start, max_chars=300)
                assert (page.start, page.total_chars) == (start, len(text))
                assert page.truncated_text
                whole, start = whole + page.text, page.next_start  # type: ignore[assignment]
    assert whole == text


async def test_a_page_of_any_status_is_read() -> None:
    async with LoopbackWeb() as web:
        web.page(URL, HTML, status=404)
        async with web.gateway() as gateway:
            page = await gateway.read(URL)
    assert (page.status, page.title) == (404, "The Shop")


async def test_a_cut_body_gives_what_there_is() -> None:
    async with LoopbackWeb() as web:
        web.page(URL, HTML + "<p>" + "x" * 9000)
        async with web.gateway() as gateway:
            page = await gateway.read(URL, max_bytes=len(HTML) + 100)
    assert page.truncated
    assert not page.truncated_text
    assert "# Shop" in page.text


async def test_a_reader_asks_for_what_it_can_read() -> None:
    async with LoopbackWeb() as web:
        web.page(URL, HTML)
        async with web.gateway() as gateway:
            await gateway.read(URL)
            await gateway.read(URL, headers={"accept": "text/html"})
        assert [request.headers.get_list("accept") for request in web.requests] == [(ACCEPT,), ("text/html",)]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"format": "pdf"}, "format"),
        ({"start": -1}, "start"),
        ({"start": "0"}, "start"),
        ({"max_chars": 0}, "max_chars"),
        ({"max_bytes": -1}, "max_bytes"),
        ({"timeout_ms": 0}, "timeout_ms"),
    ],
)
async def test_a_bad_option_is_named_before_anything_is_dialed(options: dict[str, object], named: str) -> None:
    async with LoopbackWeb() as web:
        web.page(URL, HTML)
        async with web.gateway() as gateway:
            with pytest.raises(InvalidInput, match=named):
                await gateway.read(URL, **options)  # type: ignore[arg-type]
        assert web.connections == []


async def test_bytes_that_are_here_are_rendered_like_a_page() -> None:
    async with LoopbackWeb() as web:
        web.page(URL, HTML)
        async with web.gateway() as gateway:
            page = await gateway.read(URL)
            rendered = await gateway.render(HTML.encode(), url=URL, media_type=DOCUMENT)
            guessed = await gateway.render(HTML.encode())
        assert len(web.connections) == 1
    assert (rendered.text, rendered.title, rendered.content_hash) == (page.text, page.title, page.content_hash)
    assert rendered.hops == ()
    assert (guessed.format, guessed.title) == ("markdown", "The Shop")


async def test_what_was_fetched_is_rendered_like_a_page() -> None:
    async with LoopbackWeb() as web:
        web.page(URL, HTML)
        async with web.gateway() as gateway:
            fetched = await gateway.fetch(URL)
            page, rendered = await gateway.read(URL), await gateway.render(fetched)
            with pytest.raises(InvalidInput):
                await gateway.render(fetched, url=URL)
            with pytest.raises(InvalidInput):
                await gateway.render(fetched, media_type="text/html")
    assert (rendered.reading, rendered.content_hash) == (page.reading, page.content_hash)
    assert rendered.timing == fetched.timing


@pytest.mark.parametrize("workers", [0, 1])
async def test_the_deadline_is_one_for_the_fetch_and_the_reading(workers: int) -> None:
    settings = Settings(content=ContentSettings(workers=workers))
    async with LoopbackWeb() as web:
        web.page(URL, "<p>x" * 1_000_000)
        async with web.gateway(settings) as gateway:
            with pytest.raises(DeadlineExceeded):
                await gateway.read(URL, timeout_ms=100, content_filter={"type": "bm25", "query": "tea"})
