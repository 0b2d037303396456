from __future__ import annotations

import pytest

from webward.content.document import parse
from webward.content.metadata import (
    MAX_BARE_WORDS,
    MAX_DESCRIPTION_CHARS,
    MAX_FRAME_WORDS,
    MAX_TITLE_CHARS,
    content_signal,
    fallback_query,
    keywords,
    needs_javascript,
    read_metadata,
)

URL = "https://site.test/a/b"
LD = "<script type=application/ld+json>"
ARTICLE = (
    LD + '{"@type": "Article", "headline": "LD", "description": "LD text", "datePublished": "2024-05-06", '
    '"dateModified": "2024-05-07", "author": {"name": "Ann"}, "publisher": {"name": "Paper"}, "image": "/ld.png", '
    '"inLanguage": "fr"}</script>'
)

FIELDS = [
    ("title", "<title> A\n b </title><meta property=og:title content=C>", "title", "A b"),
    ("title-of-a-drawing", "<svg><title>No</title></svg><title>Yes</title>", "title", "Yes"),
    ("title-empty", "<title> </title><meta property=og:title content=C>", "title", "C"),
    ("title-twitter", "<meta name=twitter:title content=C>", "title", "C"),
    ("title-json-ld", ARTICLE, "title", "LD"),
    ("title-of-the-text", "<title> </title><h2>No</h2><h1>The <b>head</b></h1><h1>No</h1>", "title", "The head"),
    ("title-none", "<p>x", "title", None),
    ("title-long", f"<title>{'x ' * 5_000}</title>", "title", ("x " * MAX_TITLE_CHARS)[:MAX_TITLE_CHARS].rstrip()),
    ("title-with-invisible", "<title>a\u200bb\u202e &lt;|im_start|></title>", "title", "ab \u2039|im_start|\u203a"),
    ("description", "<meta name=Description content=' a\n b '>", "description", "a b"),
    ("description-first", "<meta name=description content=a><meta name=description content=b>", "description", "a"),
    (
        "description-og",
        "<meta name=description content=' '><meta property=og:description content=c>",
        "description",
        "c",
    ),
    ("description-json-ld", ARTICLE, "description", "LD text"),
    ("description-long", f"<meta name=description content={'x' * 9_000}>", "description", "x" * MAX_DESCRIPTION_CHARS),
    ("language", "<html lang=de_AT>", "language", "de-AT"),
    ("language-bad", "<html lang='not a tag'><meta property=og:locale content=en_US>", "language", "en-US"),
    ("language-header", "<meta http-equiv=Content-Language content=nl>", "language", "nl"),
    ("language-json-ld", ARTICLE, "language", "fr"),
    ("site", "<meta property=og:site_name content=Site>", "site_name", "Site"),
    ("site-application", "<meta name=application-name content=App>", "site_name", "App"),
    ("site-json-ld", ARTICLE, "site_name", "Paper"),
    ("author", "<meta name=author content=Ann><meta name=author content=Bob>", "author", "Ann, Bob"),
    (
        "author-profile",
        "<meta property=article:author content=https://f.test/ann><meta name=dc.creator content=Bo>",
        "author",
        "Bo",
    ),
    ("author-json-ld", ARTICLE, "author", "Ann"),
    (
        "published",
        "<meta property=article:published_time content=2024-01-31T10:00:00+01:00>",
        "published",
        "2024-01-31T09:00:00Z",
    ),
    ("published-item", "<meta itemprop=datePublished content=2024-01-31>", "published", "2024-01-31"),
    (
        "published-nonsense",
        "<meta name=date content=0000-00-00><meta name=dc.date.issued content=2024>",
        "published",
        None,
    ),
    ("published-json-ld", ARTICLE, "published", "2024-05-06"),
    (
        "published-marked",
        "<time datetime=2020-01-01>x</time><time pubdate datetime=2024-01-31>y</time>",
        "published",
        "2024-01-31",
    ),
    ("published-unmarked", "<time datetime=2020-01-01>x</time>", "published", None),
    ("modified", "<meta property=og:updated_time content=2024-01-31>", "modified", "2024-01-31"),
    ("modified-json-ld", ARTICLE, "modified", "2024-05-07"),
    ("canonical", "<link rel='Canonical' href='../c?x#y'>", "canonical_url", "https://site.test/c?x#y"),
    (
        "canonical-base",
        "<base href=https://o.test/x/><link rel=canonical href=c>",
        "canonical_url",
        "https://o.test/x/c",
    ),
    (
        "canonical-script",
        "<link rel=canonical href=javascript:x><meta property=og:url content=/u>",
        "canonical_url",
        "https://site.test/u",
    ),
    ("canonical-empty", "<link rel=canonical href=' '>", "canonical_url", None),
    ("image", "<meta property=og:image content=/i.png>", "image_url", "https://site.test/i.png"),
    (
        "image-data",
        "<meta property=og:image content=data:x><meta name=twitter:image content=t.png>",
        "image_url",
        "https://site.test/a/t.png",
    ),
    ("image-link", "<link rel=image_src href=/l.png>", "image_url", "https://site.test/l.png"),
    ("image-json-ld", ARTICLE, "image_url", "https://site.test/ld.png"),
    ("json-ld-broken", LD + "{oops</script><meta name=author content=Ann>", "author", "Ann"),
    (
        "canonical-after-many",
        "<link rel=stylesheet href=x>" * 200 + "<link rel=canonical href=/c>",
        "canonical_url",
        "https://site.test/c",
    ),
    ("meta-without-name", "<meta content=x><meta name=description>", "description", None),
]


@pytest.mark.parametrize(("page", "field", "expected"), [row[1:] for row in FIELDS], ids=[row[0] for row in FIELDS])
def test_fields(page: str, field: str, expected: str | None) -> None:
    assert getattr(read_metadata(parse(page, url=URL)), field) == expected


def test_keywords() -> None:
    assert keywords(parse("<meta name=Keywords content=' a,\n b '>", url=URL)) == "a, b"
    assert keywords(parse("", url=URL)) == ""


QUERIES = [
    (
        "all",
        "<title>T</title><meta name=keywords content=k><meta name=description content=d><h1>H <b>x</b></h1><h1>2</h1>",
        "T d k H x",
    ),
    ("each-once", "<title>T</title><h1>T</h1>", "T"),
    ("none", "<p>x", ""),
]


@pytest.mark.parametrize(("page", "expected"), [row[1:] for row in QUERIES], ids=[row[0] for row in QUERIES])
def test_fallback_query(page: str, expected: str) -> None:
    assert fallback_query(parse(page, url=URL)) == expected


SCRIPT = "<script src=/app.js></script>"
FRAMES = [
    ("bare", SCRIPT, MAX_BARE_WORDS, True),
    ("bare-without-scripts", "<p>x", 0, False),
    ("bare-with-data", LD + "{}</script>", 0, False),
    ("some-words", SCRIPT + "<p>x", MAX_BARE_WORDS + 1, False),
    ("empty-container", SCRIPT + "<div id=root></div>", MAX_FRAME_WORDS, True),
    ("full-container", SCRIPT + "<div id=root><p>x</div>", MAX_FRAME_WORDS, False),
    ("notice", SCRIPT + "<noscript>Please enable JavaScript.</noscript>", MAX_FRAME_WORDS, True),
    ("other-notice", SCRIPT + "<noscript><img src=pixel></noscript>", MAX_FRAME_WORDS, False),
    ("module", "<script type=module>import '/x'</script>", 0, True),
    ("article", SCRIPT + "<div id=root></div>", MAX_FRAME_WORDS + 1, False),
]


@pytest.mark.parametrize(("page", "words", "expected"), [row[1:] for row in FRAMES], ids=[row[0] for row in FRAMES])
def test_needs_javascript(page: str, *, words: int, expected: bool) -> None:
    assert needs_javascript(parse(page, url=URL), shown_words=words) is expected


SIGNALS = [
    ("search=yes, ai-train=no", {"search": True, "ai-train": False}),
    ("AI-Input = NO", {"ai-input": False}),
    ("ai-train=yes, ai-train=no, ai-train=yes", {"ai-train": False}),
    ("search=maybe, other=yes, x", None),
    ("search=maybe, ai-input=yes", {"ai-input": True}),
    ("", None),
    (None, None),
]


@pytest.mark.parametrize(("value", "expected"), SIGNALS, ids=[str(row[0]) for row in SIGNALS])
def test_content_signal(value: str | None, expected: dict[str, bool] | None) -> None:
    assert content_signal(value) == expected


HOSTILE = [
    ("metas", "<meta name=description content=x>" * 50_000),
    ("contents", "<meta name=description content='" + " " * 2_000_000 + "'>"),
    ("attributes", "<meta " + " ".join(f"a{number}=b" for number in range(20_000)) + " name=author content=x>"),
    ("titles", "<title>" + "x " * 1_000_000),
    ("blocks", (LD + "[]</script>") * 20_000),
]


@pytest.mark.parametrize("page", [row[1] for row in HOSTILE], ids=[row[0] for row in HOSTILE])
def test_hostile_pages_are_read(page: str) -> None:
    metadata = read_metadata(parse(page, url=URL))

    assert len(metadata.title or "") <= MAX_TITLE_CHARS


PLAIN = [
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


@pytest.mark.parametrize(("page", "expected"), [row[1:] for row in PLAIN], ids=[row[0] for row in PLAIN])
def test_what_plain_pages_say(page: str, expected: tuple[str | None, str | None, str | None]) -> None:
    found = read_metadata(parse(page, url="https://a.test/"))

    assert (found.title, found.description, found.language) == expected
