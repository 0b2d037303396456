from __future__ import annotations

import pytest

from webward.content.document import MAX_DESCRIPTION_CHARS, MAX_TITLE_CHARS, parse

URL = "https://site.test/a/b?q#f"


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
    ("surrogate", "<base href='/\ud800/'>", URL),
]


@pytest.mark.parametrize(("head", "base_url"), [row[1:] for row in BASES], ids=[row[0] for row in BASES])
def test_base_url(head: str, base_url: str) -> None:
    assert parse(head, url=URL).base_url == base_url


def test_base_without_a_web_address() -> None:
    document = parse("<base href=/x/><a href=y>y</a>", url="page.html")

    assert document.base_url == "page.html"


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


def test_nothing_is_removed() -> None:
    page = '<script>a</script><p hidden="">b</p><!-- c --><a href="x" title="d">e</a>'

    assert parse(f"<body>{page}", url=URL).tree.serialize() == f"<html><head></head><body>{page}</body></html>"


def test_fallbacks_in_the_head_do_not_end_it() -> None:
    tree = parse("<head><noscript><img src=x></noscript><link rel=canonical href=y></head>", url=URL).tree

    assert tree.select_one("head link") is not None
