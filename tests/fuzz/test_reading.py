"""Whatever comes: reading it ends, with text that can be written, twice the same. `make fuzz` goes deep."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from webward.config import ContentFilter, ReadOptions, Rendition
from webward.content import charset
from webward.content.media import ContentKind
from webward.content.sanitize import sanitize_external_text, scrub
from webward.engine.content import ContentJob, read_content

NAMES = """
p div span a b i em s code pre table tr td th ul ol li dl dt dd h1 h2 section article nav footer form button input
select textarea img picture svg math template noscript script style iframe details summary br hr title html body
strong sup sub ruby rt tt xmp dir kbd blockquote thead tfoot caption object foreignObject g defs x-card slot
msup mfrac mroot annotation video label source
"""
TAGS = tuple(NAMES.split())
ATTRIBUTES = (
    *(
        'class="x"',
        'id="y"',
        "hidden",
        'style="display:none"',
        'style="white-space:pre"',
        'href="/x"',
        'type="math/tex"',
    ),
    *('href="javascript:x"', 'href="//["', 'src="a.png"', 'src="data:,"', 'srcset="a 1x, b 2x"', 'colspan="9"'),
    *('rowspan="0"', 'aria-hidden="true"', 'start="7"', "reversed", 'shadowrootmode="open"', 'slot="s"', 'name="s"'),
    *('aria-label="z"', 'title="t"', 'type="checkbox"', "disabled", 'alt="x^2"', 'class="math"', 'data="a.swf"'),
    *('style="clip:rect(0,0,0,0)"', 'src="mathjax"', 'width="1"'),
)
pieces = st.one_of(
    st.builds("<{} {}>".format, st.sampled_from(TAGS), st.sampled_from(("", *ATTRIBUTES))),
    st.builds("</{}>".format, st.sampled_from(TAGS)),
    st.sampled_from(
        (
            "&nbsp;",
            "&#0;",
            "&lt;",
            "<!--",
            "-->",
            "<![CDATA[",
            "]]>",
            "\n",
            "\u200b",
            "\x00",
            "<|im_start|>",
            "```",
            "|",
        )
    ),
    st.text(max_size=20),
)
soups = st.lists(pieces, max_size=60).map("".join)
options = st.builds(
    ReadOptions,
    format=st.sampled_from(Rendition),
    include_links=st.booleans(),
    include_media=st.booleans(),
    sanitize=st.booleans(),
    max_chars=st.none() | st.integers(1, 50),
    excluded_tags=st.sampled_from(((), ("nav",), ("p > a",))),
    target_elements=st.sampled_from(((), ("p",), ("div, p",))),
    content_filter=st.sampled_from((None, ContentFilter(type="pruning"), ContentFilter(type="bm25", query="x y"))),
)


def _job(text: str, chosen: ReadOptions) -> ContentJob:
    return ContentJob(
        kind=ContentKind.HTML, media_type="text/html", url="https://a.test/b/", text=text, body=b"", options=chosen
    )


@given(soups, options)
def test_a_soup_is_read_and_twice_the_same(soup: str, chosen: ReadOptions) -> None:
    first = read_content(_job(soup, chosen))

    assert first == read_content(_job(soup, chosen))
    assert (first.text or "").encode() is not None
    assert first.total_chars >= len(first.text or "")


@given(st.binary(max_size=300), st.none() | st.sampled_from(("utf-8", "utf-16", "gbk", "shift_jis", "hex", "")))
def test_bytes_become_text_that_can_be_written(body: bytes, label: str | None) -> None:
    decoded = charset.decode(body, label=label, html=True)

    assert decoded.text.encode() is not None
    assert len(decoded.text) <= len(body) + 1


@given(st.text(max_size=300))
def test_sanitizing_again_changes_nothing(text: str) -> None:
    once = sanitize_external_text(text)

    assert sanitize_external_text(once.text).text == once.text
    assert scrub(scrub(text).text).text == scrub(text).text
