from __future__ import annotations

import pytest

from webward.content.document import parse

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


def test_nothing_is_removed() -> None:
    page = '<script>a</script><p hidden="">b</p><!-- c --><a href="x" title="d">e</a>'

    assert parse(f"<body>{page}", url=URL).tree.serialize() == f"<html><head></head><body>{page}</body></html>"


def test_fallbacks_in_the_head_do_not_end_it() -> None:
    tree = parse("<head><noscript><img src=x></noscript><link rel=canonical href=y></head>", url=URL).tree

    assert tree.select_one("head link") is not None
