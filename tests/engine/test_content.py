"""What each kind of body is read as, with the steps in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.content.test_pdf import make_pdf

from webward.config import ContentFilter, ReadOptions
from webward.content.media import kind_of, parse_media_type
from webward.engine.content import ContentJob, read_content
from webward.errors import InvalidInput, UnsupportedContent

if TYPE_CHECKING:
    from collections.abc import Callable

    from webward.model import Reading

URL = "https://shop.test/a/"
GIF = b"GIF89a\x03\x00\x02\x00\x00\x00\x00;"
PAGE = """<html lang=de><title>Shop</title><meta name=description content=Things>
<nav><a href=/home>Home</a> <a href=/all>All</a></nav>
<article><h1>Tea</h1><p>Green tea is made from leaves that were not fermented,
and it is drunk in many countries of the world.
<p>Black tea is made from leaves that were, and keeps its taste for years
when it is stored in a dry and cool place. <img src=/tea.png alt="a cup"><a href="https://other.test/">more</a></article><footer>Imprint</footer>"""


def _job(body: str | bytes, media_type: str | None, options: ReadOptions) -> ContentJob:
    raw = body.encode() if isinstance(body, str) else body
    kind = kind_of(parse_media_type(media_type or ""), raw)
    return ContentJob(
        kind=kind,
        media_type=media_type,
        url=URL,
        text=body if isinstance(body, str) else None,
        body=raw if isinstance(body, bytes) else b"",
        options=options,
    )


def _read(body: str | bytes, media_type: str | None, **options: Any) -> Reading:
    return read_content(_job(body, media_type, ReadOptions(**options)))


@pytest.mark.parametrize(
    ("body", "media_type", "form", "part"),
    [
        ("<h1>Hi</h1>", "text/html", "markdown", "# Hi"),
        ("# Hi\n", "text/markdown", "markdown", "# Hi"),
        ('{"b":1,"a":[2]}', "application/json", "json", '{\n  "b": 1'),
        ("a < b", "text/plain", "text", "a < b"),
        ("<a><b/></a>", "application/xml", "xml", "<a><b/></a>"),
        ("<rss><channel><title>News</title><item><title>Rain</title><link>/r</link></item></channel></rss>",
         "application/rss+xml", "markdown", "[Rain](https://shop.test/r)"),
        ("name,price\ntea,3\n", "text/csv", "markdown", "| tea | 3 |"),
        ("name\tprice\ntea\t3\n", "text/tab-separated-values", "markdown", "| tea | 3 |"),
        (make_pdf(["A page"]), "application/pdf", "text", "A page"),
        (make_pdf(["A page"]), "application/octet-stream", "text", "A page"),
    ],
    ids=lambda value: value if isinstance(value, str) and "/" in value and len(value) < 30 else "",
)  # fmt: skip
def test_renditions(body: str | bytes, media_type: str, form: str, part: str) -> None:
    reading = _read(body, media_type)

    assert reading.format == form
    assert part in (reading.text or "")


def test_an_image_comes_as_an_image() -> None:
    image = _read(GIF, "image/gif").image

    assert image is not None
    assert (image.media_type, image.width, image.height, image.data) == ("image/gif", 3, 2, GIF)


def test_an_image_is_what_its_bytes_say() -> None:
    image = _read(GIF, "image/png").image

    assert image is not None
    assert image.media_type == "image/gif"


@pytest.mark.parametrize("media_type", ["application/zip", "image/png", "application/octet-stream"])
def test_what_has_no_rendition_is_named(media_type: str) -> None:
    with pytest.raises(UnsupportedContent, match=media_type):
        _read(b"PK\x03\x04\xff", media_type)


def test_a_page_says_what_it_is() -> None:
    metadata = _read(PAGE, "text/html").metadata

    assert (metadata.title, metadata.description, metadata.language) == ("Shop", "Things", "de")


def test_links_and_media_come_when_asked_for_whatever_a_filter_drops() -> None:
    without = _read(PAGE, "text/html")
    reading = _read(
        PAGE, "text/html", include_links=True, include_media=True, excluded_tags=("nav",), target_elements=("h1",)
    )

    assert (without.links, without.media) == (None, None)
    assert reading.text == "# Tea"
    assert reading.links is not None
    assert reading.media is not None
    assert [link.href for link in reading.links.internal] == ["https://shop.test/home", "https://shop.test/all"]
    assert [link.href for link in reading.links.external] == ["https://other.test/"]
    assert [(image.src, image.alt) for image in reading.media.images] == [("https://shop.test/tea.png", "a cup")]


def test_a_bad_selector_is_an_error_that_names_it() -> None:
    with pytest.raises(InvalidInput, match=r"p\["):
        _read(PAGE, "text/html", excluded_tags=("p[",))


@pytest.mark.parametrize(
    ("sanitize", "text"), [(True, "\u2039|x|\u203a tea"), ("invisible", "<|x|> tea"), (False, "<|x|> t\u200bea\u2060")]
)
def test_what_is_sanitized_is_chosen(sanitize: Any, text: str) -> None:
    reading = _read("<|x|> t\u200bea\u2060", "text/plain", sanitize=sanitize)
    assert reading.text == text
    dropped = {"zero-width": 2} if sanitize else {}
    assert {rule: count for rule, count in reading.report.invisible_chars.items() if rule == "zero-width"} == dropped


def test_pruning_keeps_the_article() -> None:
    reading = _read(PAGE, "text/html", content_filter=ContentFilter(type="pruning"))

    assert "Green tea" in (reading.text or "")
    assert "Home" not in (reading.text or "")
    assert reading.filter is not None
    assert (reading.filter.type, reading.filter.fell_back) == ("pruning", False)
    assert reading.filter.kept_blocks > 0


def test_bm25_keeps_what_matches() -> None:
    chosen = ContentFilter(type="bm25", query="fermented green", threshold=0.1)

    text = _read(PAGE, "text/html", content_filter=chosen).text or ""

    assert "Green tea" in text
    assert "Black tea" not in text


def test_a_filter_that_leaves_nothing_falls_back() -> None:
    reading = _read("<p>short", "text/html", content_filter=ContentFilter(type="pruning", min_word_threshold=50))

    assert reading.text == "short"
    assert reading.filter is not None
    assert reading.filter.fell_back


def test_invisible_characters_go_unless_they_are_wanted() -> None:
    page = "<p>a\u200bb\U000e0041 <|im_start|>"

    clean = _read(page, "text/html")
    raw = _read(page, "text/html", sanitize=False)

    assert "\u200b" not in (clean.text or "")
    assert clean.report.invisible_chars
    assert "\u200b" in (raw.text or "")
    assert raw.report.invisible_chars == {}


def test_what_was_removed_is_reported() -> None:
    report = _read("<p>a<script>b</script><p hidden>c</p>text and more text", "text/html").report

    assert sum(report.removed.values()) == 2
    assert not report.revealed_hidden


def test_a_curtain_over_the_page_is_lifted() -> None:
    reading = _read("<div style='display:none'>" + "<p>all the words of the page" * 20 + "</div>x", "text/html")

    assert "all the words" in (reading.text or "")
    assert reading.report.revealed_hidden


@pytest.mark.parametrize(
    ("page", "needs"),
    [
        ("<div id=root></div><script src=app.js></script>", True),
        ("<p>words</p>", False),
        ("<script src=app.js></script>" + "<p>many words of text " * 40, False),
    ],
    ids=["empty", "no script", "words"],
)
def test_a_page_that_only_scripts_fill_says_so(page: str, needs: bool) -> None:  # noqa: FBT001 - a table row
    assert _read(page, "text/html").needs_javascript is needs


def test_a_window_is_part_of_the_whole() -> None:
    whole = _read(PAGE, "text/html")
    part = _read(PAGE, "text/html", start=5, max_chars=20)

    assert part.text == (whole.text or "")[5:25]
    assert (part.start, part.next_start, part.truncated_text) == (5, 25, True)
    assert part.total_chars == whole.total_chars
    assert 0 < part.token_estimate < whole.token_estimate


class _GivenUp(Exception):
    """Raised where work is given up."""


def _give_up_at(step: int, asked: list[int]) -> Callable[[], None]:
    def checkpoint() -> None:
        asked.append(len(asked))
        if len(asked) == step:
            raise _GivenUp

    return checkpoint


@pytest.mark.parametrize(
    ("body", "media_type", "least"),
    [(PAGE, "text/html", 6), ("a", "text/plain", 1), (make_pdf(["One", "Two", "Three"]), "application/pdf", 4)],
    ids=["html", "text", "pdf"],
)
def test_work_can_be_given_up_after_each_step(body: str | bytes, media_type: str, least: int) -> None:
    options = ReadOptions(target_elements=("article",), content_filter=ContentFilter(type="pruning"))
    job = _job(body, media_type, options)
    steps: list[int] = []
    assert read_content(job, _give_up_at(0, steps)) == read_content(job)
    assert len(steps) >= least

    for step in range(1, len(steps) + 1):
        asked: list[int] = []
        with pytest.raises(_GivenUp):
            read_content(job, _give_up_at(step, asked))
        assert len(asked) == step
