from __future__ import annotations

import time

import pytest

from webward.content.feeds import MAX_ITEMS, MAX_SUMMARY_CHARS, render_feed

URL = "https://site.test/feeds/all.xml"


def rss(items: str, *, head: str = "<title>News</title>", version: str = "2.0", start: str = "") -> str:
    return f"{start}<rss version='{version}'><channel>{head}{items}</channel></rss>"


ATOM = """<?xml version="1.0"?><!-- <rss> --><feed xmlns="http://www.w3.org/2005/Atom">
<title type="html">A &lt;b&gt;title&lt;/b&gt;</title><subtitle>Sub</subtitle>
<entry><title>One</title><link rel="self" href="no"/><link rel="alternate" href="one"/>
<published>2024-01-31T10:00:00+02:00</published><summary>Short</summary></entry>
<entry><title>Two</title><link href="/two"/><updated>2024-02-01</updated>
<content type="html">&lt;p&gt;Long&lt;/p&gt;&lt;p&gt;text&lt;/p&gt;</content></entry></feed>"""

RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="x"><title>Old</title><description>D</description></channel>
<item rdf:about="https://a.test/1"><title>I</title>
<link>https://a.test/1</link><dc:date>2024-01-31</dc:date></item></rdf:RDF>"""

FEEDS = [
    (
        "atom",
        ATOM,
        (
            "# A title\n\nSub\n\n- [One](https://site.test/feeds/one), 2024-01-31T08:00:00Z\n  Short\n"
            "- [Two](https://site.test/two), 2024-02-01\n  Long text"
        ),
    ),
    ("rdf", RDF, "# Old\n\nD\n\n- [I](https://a.test/1), 2024-01-31"),
    (
        "rss",
        rss(
            "<item><title>A &amp; B</title><link>http://a.test/?x=1&amp;y=2</link>"
            "<pubDate>Mon, 03 Jan 2022 10:00:00 GMT</pubDate><description>D</description></item>"
        ),
        "# News\n\n- [A & B](http://a.test/?x=1&y=2), 2022-01-03T10:00:00Z\n  D",
    ),
    ("rss-old", rss("<item><title>x</title></item>", version="0.91"), "# News\n\n- x"),
    (
        "rss-broken",
        "<rss><channel><title>a &nbsp; b</title><item><title>x</title></item></channel></rss>",
        "# a b\n\n- x",
    ),
    ("declaration", rss("", start="\ufeff\n<?xml version='1.0'?><?xml-stylesheet href='a'?>\n"), "# News"),
    ("no-title", rss("", head=""), ""),
    (
        "markup-in-a-title",
        rss("<item><title><![CDATA[Use <i>the</i> <div> [x](y) *z*]]></title></item>"),
        "# News\n\n- Use the \\<div> \\[x\\](y) \\*z\\*",
    ),
    ("escaped-twice", rss("<item><title>AT&amp;amp;T</title></item>"), "# News\n\n- AT&T"),
    (
        "markup-in-a-summary",
        rss(
            "<item><title>x</title><description><![CDATA[<h2>H</h2><ul><li>a<li>b</ul><img src=x>"
            "<script>bad()</script><a href=javascript:x>c</a>]]></description></item>"
        ),
        "# News\n\n- x\n  H a b c",
    ),
    ("no-item-title", rss("<item><description>words</description></item>"), "# News\n\n- words"),
    (
        "link-alone",
        rss("<item><link>http://a.test/(x)</link></item>"),
        "# News\n\n- [http://a.test/(x)](http://a.test/%28x%29)",
    ),
    ("bad-link", rss("<item><title>x</title><link>javascript:alert(1)</link></item>"), "# News\n\n- x"),
    ("bad-date", rss("<item><title>x</title><pubDate>soon</pubDate></item>"), "# News\n\n- x"),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in FEEDS], ids=[row[0] for row in FEEDS])
def test_feed(text: str, expected: str) -> None:
    rendered = render_feed(text, url=URL)

    assert rendered is not None
    assert (rendered.text, rendered.truncated) == (expected, False)


NO_FEEDS = [
    "",
    "text",
    "<root/>",
    "<html><rss version='2.0'/></html>",
    "<?xml version='1.0'?><svg/>",
    "<feed/>",
    "<!-- <rss> ",
]


@pytest.mark.parametrize("text", NO_FEEDS)
def test_no_feed(text: str) -> None:
    assert render_feed(text, url=URL) is None


def test_bounds() -> None:
    item = f"<item><title>x</title><description>{'w ' * MAX_SUMMARY_CHARS}</description></item>"
    rendered = render_feed(rss(item * (MAX_ITEMS + 1)), url=URL)

    assert rendered is not None
    assert rendered.truncated
    assert rendered.text.count("- x") == MAX_ITEMS
    assert len(rendered.text) < MAX_ITEMS * (MAX_SUMMARY_CHARS + 10) + 20


def test_entities_are_neither_expanded_nor_fetched() -> None:
    entities = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 10))
    start = f"<!DOCTYPE x [<!ENTITY l0 'lol'>{entities}<!ENTITY f SYSTEM 'file:///etc/passwd'>]>"
    rendered = render_feed(rss("<item><title>&l9; &f;</title></item>", start=start), url=URL)

    assert rendered is not None
    assert rendered.text == "# News\n\n- \\&l9; \\&f;"


OPEN = "<p>" + "".join(f"<b a{n}>" for n in range(400)) + "<p>x" * 4_000
HOSTILE = [
    ("open-elements", "<rss version='2.0'><channel>" + "<item>" * 100_000),
    ("items", rss("<item><title>x</title></item>" * 100_000)),
    ("entities", rss("", start="<!DOCTYPE x [" + "<!ENTITY a 'b'>" * 100_000 + "]>")),
    ("attributes", "<rss version='2.0' " + " ".join(f"a{n}='b'" for n in range(100_000)) + "/>"),
    ("tags-in-a-title", rss("<item><title>" + "&lt;" * 300_000 + "</title></item>")),
    ("deep-summary", rss("<item><description>" + "&lt;div>" * 100_000 + "</description></item>")),
    ("comment", "<!--" * 300_000),
    ("open-emphases", rss(f"<item><title>x</title><description><![CDATA[{OPEN}]]></description></item>" * 100)),
    ("open-emphases-of-no-xml", f"<rss><channel>{OPEN * 10}"),
]


@pytest.mark.parametrize("text", [row[1] for row in HOSTILE], ids=[row[0] for row in HOSTILE])
def test_hostile_feeds_end_in_linear_time(text: str) -> None:
    started = time.perf_counter()
    render_feed(text, url=URL)

    assert time.perf_counter() - started < 10
