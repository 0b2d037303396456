from __future__ import annotations

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.content.references import MAX_URL_CHARS, References, absolute, host_of, without_userinfo

BASE = "https://site.test/a/b"

REFERENCES = [
    ("x", "https://site.test/a/x"),
    ("/x?y#z", "https://site.test/x?y#z"),
    ("", "https://site.test/a/b"),
    ("//other.test", "https://other.test/"),
    ("HTTP://Other.test:80/%7e", "http://other.test/%7e"),
    (" https://other.test/x\n", "https://other.test/x"),
    ("https://other.test/\u200b<s>", "https://other.test/%E2%80%8B%3Cs%3E"),
    ("/./x/../y", "https://site.test/y"),
    ("https://other.test/x/../y", "https://other.test/y"),
    ("/x'y\\z|?'", "https://site.test/x'y/z|?%27"),
    ("https://other.test", "https://other.test/"),
    ("https://other.test:443/x", "https://other.test/x"),
    ("/[INST]?[x]#[y]", "https://site.test/%5BINST%5D?%5Bx%5D#%5By%5D"),
    ("http://[::1]:8080/[a]", "http://[::1]:8080/%5Ba%5D"),
    ("javascript:alert(1)", None),
    ("data:image/png;base64,AA", None),
    ("mailto:a@b.test", None),
    ("file:///etc/passwd", None),
    ("//[", None),
    ("http://a b/", None),
    ("/" + "x" * MAX_URL_CHARS, None),
]


@pytest.mark.parametrize(("reference", "expected"), REFERENCES, ids=[ascii(row[0])[:30] for row in REFERENCES])
def test_web_address(reference: str, expected: str | None) -> None:
    assert References(BASE).web_address(reference) == expected


URL = "https://site.test/a/b?q#f"
LINKS = [
    ("x", "https://site.test/a/x"),
    ("/x", "https://site.test/x"),
    ("?r", "https://site.test/a/b?r"),
    ("#g", "https://site.test/a/b?q#g"),
    ("", "https://site.test/a/b?q"),
    ("../x", "https://site.test/x"),
    ("x/./y", "https://site.test/a/x/y"),
    ("/x/../y", "https://site.test/y"),
    ("/x/.hidden", "https://site.test/x/.hidden"),
    ("//other.test/x", "https://other.test/x"),
    ("//other.test", "https://other.test/"),
    ("//Other.test/x", "https://other.test/x"),
    ("//127.1/x", "https://127.0.0.1/x"),
    ("//0x7f.0.0.0x1/x", "https://127.0.0.1/x"),
    ("//other.test/x/../y", "https://other.test/y"),
    ("///x", "https://x/"),
    ("#g h", "https://site.test/a/b?q#g%20h"),
    ("##", "https://site.test/a/b?q##"),
    ("\\\\other.test\\x", "https://other.test/x"),
    ("/x y", "https://site.test/x%20y"),
    ("/ü", "https://site.test/%C3%BC"),
    (" x\n", "https://site.test/a/x"),
    ("x?a=b&c=d;e#f", "https://site.test/a/x?a=b&c=d;e#f"),
    ("x:y", "x:y"),
    ("x/y:z", "https://site.test/a/x/y:z"),
    ("mailto:a@b.test", "mailto:a@b.test"),
    ("https://Other.test/x", "https://other.test/x"),
    ("//[", None),
    ("http:x", "http://x/"),
]


@pytest.mark.parametrize(("reference", "expected"), LINKS, ids=[ascii(row[0]) for row in LINKS])
def test_absolute(reference: str, expected: str | None) -> None:
    references = References(URL)

    assert [references.absolute(reference) for _ in range(2)] == [expected, expected]
    assert absolute(reference, base_url=URL) == expected


@pytest.mark.parametrize(("base_url", "expected"), [
    ("page.html", None), ("", None), ("/a/b", None), ("about:blank", None), ("file:///a/b", "file:///a/x"),
    ("https://Site.test/a/./../b/", "https://site.test/b/x"),
    ("https://Site.test/a", "https://Site.test/x"),
    ("https://site.test", "https://site.test/x"),
    ("https://u:p@site.test:8080/a", "https://site.test:8080/x"),
])  # fmt: skip
def test_bases(base_url: str, expected: str | None) -> None:
    assert References(base_url).absolute("x") == expected
    assert References(base_url).absolute("http://a.test/") == "http://a.test/"


HOSTS = [
    ("https://site.test/x", "site.test"),
    ("http://site.test:8080/", "site.test"),
    ("http://u:p@site.test/@x", "site.test"),
    ("http://site.test:80@evil.test/", "evil.test"),
    ("http://[::1]:8080/", "[::1]"),
]


@pytest.mark.parametrize(("url", "host"), HOSTS, ids=[row[0] for row in HOSTS])
def test_host_of(url: str, host: str) -> None:
    assert host_of(url) == host


@given(
    st.text(alphabet="ab./?#:@%2e&'|\\\\\" [é", max_size=12),
    st.sampled_from(["", "/", "https://o.test/", "https://o.test"]),
)
def test_short_cuts_give_what_the_parser_gives(rest: str, start: str) -> None:
    found = References(BASE).absolute(start + rest)

    if found is not None:
        assert found == without_userinfo(ada_url.join_url(BASE, start + rest)).replace("[", "%5B")
