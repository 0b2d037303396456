from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.config import Rendition
from webward.content.document import MAX_DESCRIPTION_CHARS, MAX_TITLE_CHARS, parse
from webward.content.render import render

URL = "https://site.test/a/b?q#f"


def text_of(page: str) -> str:
    return " ".join(parse(page, url=URL).tree.text.split())


BASES = [
    ("none", "", URL),
    ("relative", "<base href=../c/>", "https://site.test/c/"),
    ("absolute", "<base href=http://other.test/x>", "http://other.test/x"),
    ("protocol-relative", "<base href=//other.test>", "https://other.test/"),
    ("first-wins", "<base href=/1/><base href=/2/>", "https://site.test/1/"),
    ("first-with-an-address", "<base target=_top><base href=/2/>", "https://site.test/2/"),
    ("in-the-body", "<body><base href=/1/>", "https://site.test/1/"),
    ("blanks", "<base href=' /1/\n'>", "https://site.test/1/"),
    ("backslashes", "<base href='\\\\other.test\\x'>", "https://other.test/x"),
    ("empty", "<base href>", "https://site.test/a/b?q"),
    ("script", "<base href=javascript:alert(1)>", URL),
    ("data", "<base href=data:text/html,x>", URL),
    ("file", "<base href=file:///etc/>", URL),
    ("bad", "<base href='http://[bad/'>", URL),
    ("surrogate", "<base href='/\ud800/'>", "https://site.test/%EF%BF%BD/"),
]


@pytest.mark.parametrize(("head", "base_url"), [row[1:] for row in BASES], ids=[row[0] for row in BASES])
def test_base_url(head: str, base_url: str) -> None:
    assert parse(head, url=URL).base_url == base_url


def test_base_without_a_web_address() -> None:
    document = parse("<base href=/x/><a href=y>y</a>", url="page.html")

    assert document.base_url == "page.html"


LINKS = [
    ("<a href=x>", "https://site.test/a/x"),
    ("<a href=/x>", "https://site.test/x"),
    ("<a href='?r'>", "https://site.test/a/b?r"),
    ("<a href=//other.test/x>", "https://other.test/x"),
    ("<a href=mailto:a@b.test>", "mailto:a@b.test"),
    ("<base href=http://cdn.test/r/><a href=f.pdf>", "http://cdn.test/r/f.pdf"),
]


@pytest.mark.parametrize(("page", "href"), LINKS, ids=[row[0] for row in LINKS])
def test_links_are_absolute(page: str, href: str) -> None:
    link = parse(page, url=URL).tree.select_one("a")

    assert link is not None
    assert link.attr("href") == href


@pytest.mark.parametrize("bad", ["//[", "http://[", "https://x.test:port/", "\ud800", "http://a\u2100b/"], ids=ascii)
def test_a_bad_link_costs_only_itself(bad: str) -> None:
    tree = parse(f"<a href='1'>a</a><a href='{bad}'>b</a><a href='2'>c</a>", url=URL).tree

    assert [link.attr("href") for link in tree.select("a")][::2] == ["https://site.test/a/1", "https://site.test/a/2"]


METADATA = [
    ("title", "<title> A\n\t page </title>", ("A page", None, None)),
    ("no-title", "<p>x", (None, None, None)),
    ("blank-title", "<title> \n </title>", (None, None, None)),
    ("title-of-a-drawing", "<svg><title>drawing</title></svg><title>page</title>", ("page", None, None)),
    ("title-is-text", "<title>a <b>b</b> &amp; c</title>", ("a <b>b</b> & c", None, None)),
    ("description", "<meta name=Description content=' a  b '>", (None, "a b", None)),
    ("og-description", "<meta property=og:description content=og>", (None, "og", None)),
    (
        "own-description-first",
        "<meta property=og:description content=og><meta name=description content=own>",
        (None, "own", None),
    ),
    (
        "blank-description",
        "<meta property=og:description content=og><meta name=description content=' '>",
        (None, "og", None),
    ),
    (
        "after-noscript",
        "<head><noscript><img></noscript><title>t</title><meta name=description content=d>",
        ("t", "d", None),
    ),
    ("language", "<html lang=de-AT>", (None, None, "de-AT")),
    ("language-underscore", "<html lang=' en_US '>", (None, None, "en-US")),
    ("language-blank", "<html lang=''>", (None, None, None)),
    ("language-prose", "<html lang='ignore all rules'>", (None, None, None)),
    ("language-long", f"<html lang={'-'.join(['abcdefgh'] * 5)}>", (None, None, None)),
    ("language-trailing-newline", "<html lang='en&#10;'>", (None, None, "en")),
    ("long-title", f"<title>{'t' * 9000}</title>", ("t" * MAX_TITLE_CHARS, None, None)),
    (
        "long-description",
        f"<meta name=description content='{'d' * 90_000}'>",
        (None, "d" * MAX_DESCRIPTION_CHARS, None),
    ),
]


@pytest.mark.parametrize(("page", "expected"), [row[1:] for row in METADATA], ids=[row[0] for row in METADATA])
def test_metadata(page: str, expected: tuple[str | None, str | None, str | None]) -> None:
    document = parse(page, url=URL)

    assert (document.title, document.description, document.language) == expected


UNSEEN = [
    "<script>no</script>",
    "<style>no</style>",
    "<template><p>no</p></template>",
    "<noscript><p>no</p></noscript>",
    "<noembed>no</noembed>",
    "<noframes>no</noframes>",
    "<iframe>no</iframe>",
    "<object>no</object>",
    "<embed src=no>",
    "<!-- no -->",
    "<svg><script>no</script></svg>",
    "<p hidden>no</p>",
    "<p hidden=hidden><b>no</b></p>",
    "<p style='display:none'>no</p>",
    "<p style='color:red; DISPLAY : None ;'>no</p>",
    "<p style='display:/**/none'>no</p>",
    "<p style='display:none!important;display:block'>no</p>",
    "<p style='display:block;display:none'>no</p>",
    "<div style='display:none'><p style='display:none'>no</p><p>no</p></div>",
]
SEEN = [
    "<p hidden=until-found>no</p>",
    "<p style='display:block'>no</p>",
    "<p style='display:none;display:block'>no</p>",
    "<p style='display:none;display:block!important'>no</p>",
    "<p style='color:none'>no</p>",
    "<p style='--display:none'>no</p>",
    "<p style='/* display:none */'>no</p>",
    "<p data-hidden class=hidden>no</p>",
    "<body hidden>no",
    "<body style='display:none'>no",
]


@pytest.mark.parametrize("page", UNSEEN)
def test_what_nobody_sees_is_gone(page: str) -> None:
    document = parse(f"<p>before</p>{page}<p>after</p>", url=URL)

    assert document.tree.text == "beforeafter"
    assert "no" not in document.tree.serialize()


@pytest.mark.parametrize("page", SEEN)
def test_look_alikes_stay(page: str) -> None:
    assert text_of(page) == "no"


HOSTILE = {
    "empty": ("", ""),
    "nul": ("<p>a\0b</p>", "ab"),
    "surrogate": ("<p title='\udfff'>a\ud800b</p>", "a\ufffdb"),
    "nested-div": ("<div>" * 10_000 + "end", "end"),
    "nested-bold": ("<b>" * 10_000 + "end", "end"),
    "nested-links": ("<a href=x>" * 20_000 + "end", "end"),
    "nested-lists": ("<ul><li>" * 2_000 + "end", "end"),
    "nested-quotes": ("<blockquote>" * 2_000 + "end", "end"),
    "nested-tables": ("<table><tr><td>" * 2_000 + "end", "end"),
    "nested-hidden": ("<div hidden>" * 10_000 + "</div>" * 10_000 + "end", "end"),
    "nested-not-displayed": ("<div style='display:none'>" * 10_000 + "</div>" * 10_000 + "end", "end"),
    "nested-templates": ("<template>" * 5_000 + "</template>" * 5_000 + "end", "end"),
    "unclosed-paragraphs": ("<p>x" * 50_000 + " end", "end"),
    "attributes": ("<p " + " ".join(f"a{number}=1" for number in range(20_000)) + ">end", "end"),
    "comments": ("<!-- x -->" * 100_000 + "end", "end"),
    "long-attribute": (f"<p title='{'x' * 5_000_000}'>end", "end"),
    "long-style": (f"<p style='{'display:none;/*' * 100_000}*/'>end", ""),
    "open-tag": ("end<a href='" + "x" * 1_000_000, "end"),
    "flat": ("word " * 1_000_000 + "end", "end"),
}


@pytest.mark.parametrize(("page", "ending"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_pages_are_read(page: str, ending: str) -> None:
    document = parse(page, url=URL)
    renditions = {rendition: render(document, rendition) for rendition in Rendition}

    assert text_of(page).endswith(ending)
    assert ending in renditions[Rendition.TEXT]
    assert all(rendition.isascii() or rendition.encode() for rendition in renditions.values())


TAGS = [
    "<p>",
    "</p>",
    "<a href='//['>",
    "<a href=x>",
    "<b>",
    "</b>",
    "<table>",
    "<td>",
    "<!--",
    "-->",
    "<base href=/y/>",
    "<div hidden>",
    "</div>",
]


@given(st.lists(st.sampled_from(TAGS) | st.text(max_size=5)))
def test_any_text_is_parsed_and_rendered(pieces: list[str]) -> None:
    document = parse("".join(pieces), url=URL)

    for rendition in Rendition:
        render(document, rendition).encode()
