"""Page-reading mode: what is asked for, what is rendered, and what is left as it is."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Any

import pytest
from tests.surfaces.iii.bench import URL

from webward.config import Settings
from webward.contracts.iii.configuration import DEFAULTS
from webward.contracts.iii.request import ACCEPT, BROWSER_USER_AGENT
from webward.surfaces.iii.fetch import WebFetch
from webward.surfaces.iii.serving import Serving

if TYPE_CHECKING:
    from tests.surfaces.iii.bench import Bench

HTML = [("Content-Type", "text/html; charset=utf-8")]
TEXT = [("Content-Type", "text/plain; charset=utf-8")]
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
SHOP = """<html><head><title>Tea shop</title><meta name=description content="teas of the world"></head><body>
<nav><a href="/home">Home</a> <a href="https://other.test/">Other</a></nav>
<article><h1>Green tea</h1><p>Green tea is made from leaves that were not fermented,
and drunk in many lands of the world.</p>
<img src="img/tea.png" alt="a cup"></article>
<footer><p>Imprint and terms</p></footer></body></html>"""
FILTER = {"type": "pruning"}


async def test_a_page_becomes_markdown(bench: Bench) -> None:
    page = "<h1>Hello</h1><p>There &amp; then <a href=/a>a</a>"
    bench.web.page(URL, page, headers=[("Content-Type", "Text/HTML;charset=utf-8")])
    envelope = await bench.fetch(format="markdown")
    assert envelope["body"] == f"# Hello\n\nThere & then [a]({URL}a)"
    assert (envelope["transformed"], envelope["content_type"]) == ("markdown", "text/html")
    assert (envelope["response_format"], envelope["bytes_truncated"]) == ("text", False)
    assert not {"links", "media", "filter_fell_back", "removed_invisible"} & set(envelope)


@pytest.mark.parametrize("media_type", ["text/html", "application/xhtml+xml"])
async def test_a_page_becomes_text(bench: Bench, media_type: str) -> None:
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title></head><body><h1>Hi</h1><script>x</script></body></html>'
    bench.web.page(URL, page, headers=[("Content-Type", media_type)])
    envelope = await bench.fetch(format="text")
    assert (envelope["body"], envelope["transformed"]) == ("Hi", "text")


async def test_html_alone_is_the_source(bench: Bench) -> None:
    source = "<h1>a\u200bb</h1><script>x()</script><p hidden>c"
    bench.web.page(URL, source, headers=HTML)
    envelope = await bench.fetch(format="html")
    assert envelope["body"] == source
    assert not {"transformed", "removed_invisible"} & set(envelope)


async def test_html_is_rendered_once_it_is_enriched(bench: Bench) -> None:
    bench.web.page(URL, f"{SHOP}<p>a\u200bb", headers=HTML)
    envelope = await bench.fetch(format="html", include_links=True)
    assert (envelope["transformed"], envelope["removed_invisible"]) == ("html", {"zero-width": 1})
    assert "<h1>Green tea</h1>" in envelope["body"]
    assert "a\u200bb" not in envelope["body"]


@pytest.mark.parametrize("form", ["markdown", "text", "html"])
async def test_it_is_asked_for_as_a_browser_would(bench: Bench, form: str) -> None:
    bench.web.page(URL)
    await bench.fetch(format=form)
    await bench.fetch(format=form, headers={"Accept": "a/b", "user-agent": "me/1"})
    first, second = (request.headers for request in bench.web.requests)
    assert (first["user-agent"], first["accept"]) == (BROWSER_USER_AGENT, ACCEPT[form])
    assert (second["user-agent"], second["accept"]) == ("me/1", "a/b")
    assert first["accept-language"] == second["accept-language"] == "en-US,en;q=0.9"


async def test_a_challenge_is_answered_under_the_honest_name(bench: Bench) -> None:
    bench.web.page(URL, "prove it", status=403, headers=[("cf-mitigated", "challenge"), *HTML])
    envelope = await bench.fetch(format="markdown")
    assert (envelope["status"], envelope["body"]) == (403, "prove it")
    names = [request.headers["user-agent"] for request in bench.web.requests]
    assert names == [BROWSER_USER_AGENT, DEFAULTS.user_agent]
    await bench.fetch(format="markdown", headers={"User-Agent": "me/1"})
    await bench.fetch()
    assert len(bench.web.requests) == 4


async def test_what_is_no_html_is_left_as_it_is(bench: Bench) -> None:
    for media_type, body in (
        ("application/json", '{"b":1,  "a":[2]}'),
        ("text/plain", "<h1>a</h1>  b\r\n"),
        ("text/markdown", "# a\n\n\n\nb"),
        ("text/csv", "a,b\n1,2"),
        ("application/xml", "<a><b/></a>"),
        ("text/css", "a{}"),
    ):
        bench.web.page(URL, body, headers=[("Content-Type", media_type)])
        envelope = await bench.fetch(format="markdown", include_links=True, content_filter=FILTER)
        assert (envelope["body"], envelope["content_type"]) == (body, media_type)
        assert not {"transformed", "links", "filter_fell_back", "removed_invisible"} & set(envelope)


async def test_a_page_without_a_media_type_is_left_as_it_is(bench: Bench) -> None:
    bench.web.page(URL, "<h1>a", headers=[])
    envelope = await bench.fetch(format="markdown")
    assert (envelope["body"], envelope["content_type"], "transformed" in envelope) == ("<h1>a", "", False)


async def test_what_is_declared_html_and_is_none_is_left_as_it_is(bench: Bench) -> None:
    bench.web.page(URL, PNG, headers=HTML)
    envelope = await bench.fetch(format="markdown")
    assert (envelope["ok"], "transformed" in envelope) == (True, False)


@pytest.mark.parametrize(("form", "body"), [("markdown", "ab"), ("text", "ab"), ("html", "a\u200bb")])
async def test_invisible_characters_go_from_plain_text_too(bench: Bench, form: str, body: str) -> None:
    bench.web.page(URL, "a\u200bb", headers=TEXT)
    envelope = await bench.fetch(format=form)
    assert envelope["body"] == body
    assert envelope.get("removed_invisible") == ({"zero-width": 1} if body == "ab" else None)


async def test_control_tokens_stay(bench: Bench) -> None:
    bench.web.page(URL, "<p>&lt;|im_start|&gt; [INST]", headers=HTML)
    assert (await bench.fetch(format="text"))["body"] == "<|im_start|> [INST]"


async def test_a_page_over_the_size_is_left_as_it_is(bench: Bench) -> None:
    bench.web.page(URL, SHOP, headers=HTML)
    await bench.configure(max_transform_bytes=len(SHOP.encode()) - 1)
    envelope = await bench.fetch(format="markdown", include_links=True, include_media=True, content_filter=FILTER)
    assert (envelope["body"], "transformed" in envelope) == (SHOP, False)
    assert envelope["links"]["internal"] == [{"href": f"{URL}home", "text": "Home"}]
    assert envelope["media"]["images"] == [{"src": f"{URL}img/tea.png", "alt": "a cup"}]
    assert "filter_fell_back" not in envelope
    await bench.configure(max_transform_bytes=len(SHOP.encode()))
    assert (await bench.fetch(format="markdown"))["transformed"] == "markdown"


async def test_a_page_that_was_cut_is_rendered_without_a_word_of_ours(bench: Bench) -> None:
    bench.web.page(URL, "<p>" + "word " * 1000, headers=HTML)
    envelope = await bench.fetch(format="markdown", max_bytes=22)
    assert (envelope["body"], envelope["bytes_truncated"]) == ("word word word word", True)
    assert envelope["transformed"] == "markdown"


async def test_a_rendition_that_grows_is_cut(bench: Bench) -> None:
    bench.web.page(URL, f"<base href='{URL}{'x' * 500}/'>" + "<a href=a>b</a> " * 20, headers=HTML)
    await bench.configure(max_response_bytes=3000)
    envelope = await bench.fetch(format="markdown")
    assert (len(envelope["body"]), envelope["bytes_truncated"], envelope["transformed"]) == (3000, True, "markdown")


async def test_a_page_has_a_smaller_default(bench: Bench) -> None:
    bench.web.page(URL, "x" * 300_000, headers=TEXT)
    assert len((await bench.fetch(format="text"))["body"]) == 262_144
    assert len((await bench.fetch(format="text", max_bytes=300_000))["body"]) == 300_000


@pytest.mark.parametrize("form", ["markdown", "text", "html"])
async def test_an_image_is_shown(bench: Bench, form: str) -> None:
    bench.web.page(URL, PNG, headers=[("Content-Type", "image/png")])
    shown = await bench.fetch(format=form)
    assert [part["type"] for part in shown["content"]] == ["image", "text"]
    assert b64decode(shown["content"][0]["data"]) == PNG
    assert (shown["details"]["ok"], shown["details"]["bytes"]) == (True, len(PNG))


@pytest.mark.parametrize(
    ("media_type", "body", "status"),
    [("image/svg+xml", b"<svg/>", 200), ("image/png", PNG, 404), ("image/png", b"<p>", 200), ("image/png", b"", 200)],
)
async def test_another_image_is_base64(bench: Bench, media_type: str, body: bytes, status: int) -> None:
    bench.web.page(URL, body, status=status, headers=[("Content-Type", media_type)])
    envelope = await bench.fetch(format="markdown")
    assert (envelope["response_format"], envelope["body"]) == ("base64", b64encode(body).decode())


async def test_an_image_in_raw_mode_is_no_page(bench: Bench) -> None:
    bench.web.page(URL, PNG, headers=[("Content-Type", "image/png")])
    assert "content_type" not in await bench.fetch(response_format="base64")


@pytest.mark.parametrize(
    ("wishes", "kept", "gone"),
    [
        ({}, ("Home", "Green tea", "Imprint"), ("Tea shop",)),
        ({"content_filter": FILTER}, ("Green tea is made",), ("Home", "Imprint")),
        ({"target_elements": ["article"], "excluded_tags": ["h1"]}, ("is made",), ("Home", "Imprint", "# Green")),
        ({"target_elements": ["article"]}, ("# Green tea", "is made"), ("Home", "Imprint")),
        ({"excluded_tags": ["nav", "footer"]}, ("Green tea",), ("Home", "Imprint")),
        ({"excluded_tags": ["article"], "target_elements": ["h1"]}, ("Home", "Imprint"), ("Green tea",)),
        ({"target_elements": [".none"]}, ("Home", "Green tea", "Imprint"), ()),
        (
            {"content_filter": {"type": "bm25", "query": "fermented leaves", "threshold": 0.1}},
            ("fermented",),
            ("Imprint",),
        ),
    ],
    ids=repr,
)
async def test_a_page_is_narrowed(
    bench: Bench, wishes: dict[str, Any], kept: tuple[str, ...], gone: tuple[str, ...]
) -> None:
    bench.web.page(URL, SHOP, headers=HTML)
    envelope = await bench.fetch(format="markdown", **wishes)
    assert envelope["transformed"] == "markdown"
    assert [part for part in kept if part not in envelope["body"]] == []
    assert [part for part in gone if part in envelope["body"]] == []
    assert not {"links", "media", "filter_fell_back"} & set(envelope)


async def test_links_and_media_are_those_of_the_whole_page(bench: Bench) -> None:
    bench.web.page(URL, SHOP, headers=HTML)
    envelope = await bench.fetch(format="text", include_links=True, include_media=True, content_filter=FILTER)
    assert envelope["links"] == {
        "internal": [{"href": f"{URL}home", "text": "Home"}],
        "external": [{"href": "https://other.test/", "text": "Other"}],
    }
    assert envelope["media"] == {"images": [{"src": f"{URL}img/tea.png", "alt": "a cup"}], "videos": [], "audios": []}
    assert "Home" not in envelope["body"]


async def test_a_filter_that_leaves_nothing_is_told(bench: Bench) -> None:
    bench.web.page(URL, SHOP, headers=HTML)
    strict = {"type": "pruning", "threshold": 1, "min_word_threshold": 50}
    envelope = await bench.fetch(format="markdown", content_filter=strict, excluded_tags=["footer"])
    assert envelope["filter_fell_back"] is True
    assert "Green tea" in envelope["body"]
    assert "Imprint" not in envelope["body"]


async def test_a_deep_page_is_rendered(bench: Bench) -> None:
    bench.web.page(URL, "<div>" * 300 + "<a href=/a>deep</a>", headers=HTML)
    envelope = await bench.fetch(format="text", include_links=True)
    assert (envelope["body"], len(envelope["links"]["internal"])) == ("deep", 1)


async def test_a_head_has_no_page(bench: Bench) -> None:
    bench.web.page(URL, headers=HTML)
    envelope = await bench.fetch(format="markdown", method="HEAD")
    assert (envelope["ok"], envelope["body"]) == (True, "")


async def test_a_page_is_read_in_a_process_of_its_own(bench: Bench) -> None:
    bench.web.page(URL, SHOP, headers=HTML)
    serving = Serving(Settings(), DEFAULTS, bench.web.gateway)
    try:
        envelope = await WebFetch(serving)({"url": URL, "format": "markdown"})
        async with serving.snapshot() as snapshot:
            assert snapshot.gateway.settings.content.workers >= 1
    finally:
        await serving.close()
    assert envelope["body"].startswith("[Home]")
