from __future__ import annotations

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.content.references import MAX_URL_CHARS, absolute, host_of, without_userinfo

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
def test_absolute(reference: str, expected: str | None) -> None:
    assert absolute(reference, base_url=BASE) == expected


def test_other_schemes_when_asked() -> None:
    assert absolute("mailto:a@b.test", base_url=BASE, schemes=("mailto:",)) == "mailto:a@b.test"
    assert absolute("x", base_url=BASE, schemes=("mailto:",)) is None


def test_a_base_that_is_no_url_resolves_absolute_references_only() -> None:
    assert absolute("http://a.test/", base_url="page.html") == "http://a.test/"
    assert absolute("x", base_url="page.html") is None


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
    found = absolute(start + rest, base_url=BASE)

    if found is not None:
        assert found == without_userinfo(ada_url.join_url(BASE, start + rest)).replace("[", "%5B")
