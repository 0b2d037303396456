from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.content.bm25 import keep_matching
from webward.content.document import parse
from webward.model import FilterOutcome


def kept(
    page: str, query: str | None, *, threshold: float = 1.0, fallback_query: str = "", language: str | None = None
) -> tuple[list[str], FilterOutcome]:
    document = parse(page, url="https://site.test/")
    outcome = keep_matching(
        document, query=query, threshold=threshold, fallback_query=fallback_query, language=language
    )
    return list(document.tree.stripped_strings), outcome


FILLER = "".join(f"<p>Other matter number {number} of no interest</p>" for number in range(12))

CASES = [
    ("paragraphs", "<p>About rust</p><p>About wine</p><p>More rust</p>", "rust", ["About rust", "More rust"]),
    ("page-order", "<p>wine</p><p>x</p><p>rust rust</p>", "rust wine", ["wine", "rust rust"]),
    ("case-and-punctuation", "<p>(Rust!)</p>", "“RUST”?", ["(Rust!)"]),
    ("one-of-two", "<p>About rust</p><p>About wine</p>", "rust", ["About rust"]),
    ("in-all-of-two", "<p>rust one</p><p>rust two</p>", "rust", ["rust one", "rust two"]),
    ("block-and-not-its-ancestor", "<div>rust outside<p>rust inside</p><p>wine</p></div>", "inside", ["rust inside"]),
    ("ancestor-and-not-its-block", "<div>rust outside<p>wine inside</p></div>", "outside", ["rust outside"]),
    ("both", "<div>rust outside<p>rust inside</p></div>", "rust", ["rust outside", "rust inside"]),
    ("text-in-the-body", "rust<p>wine</p>", "rust", ["rust"]),
    ("words-end-at-tags", "<p><b>python</b><i>packaging</i></p>", "python, packaging!", ["python", "packaging"]),
    ("tags-within-a-word", "<p><b>P</b>ython is old</p>", "python", ["P", "ython is old"]),
    ("list-item", "<ul><li>red wine<li>rust</ul>", "rust", ["rust"]),
    ("item-around-items", "<ul><li>drinks<ul><li>red wine<li>tea</ul></ul>", "tea", ["tea"]),
    ("table-as-a-whole", "<table><tr><th>k<th>v<tr><td>rust<td>1</table>", "rust", ["k", "v", "rust", "1"]),
    ("layout-table", "<table><tr><td><h2>Top</h2><td>rust<td>wine</table>", "rust", ["Top", "rust"]),
    ("code-as-a-whole", "<pre><div>let rust</div><div>= 1</div></pre>", "rust", ["let rust", "= 1"]),
    ("chinese", "<p>北京大学在海淀</p><p>上海交通</p>", "大学", ["北京大学在海淀"]),
    ("one-ideograph", "<p>黑猫在睡觉</p><p>上海交通</p>", "猫", ["黑猫在睡觉"]),
    ("japanese", "<p>東京へ行く</p><p>テストです</p>", "テスト", ["テストです"]),
    ("thai", "<p>แมวกินปลา</p><p>ฝนตกหนัก</p>", "แมว", ["แมวกินปลา"]),
    ("address-of-a-link", "<p>rust</p><p>see <a href=/rust>this</a> for more words</p>", "rust", ["rust"]),
    ("navigation", "<nav><p>rust</p></nav><footer>rust</footer><p>rust</p>", "rust", ["rust"]),
    ("links", "<p><a href=/>rust</a> <a href=/>wine</a></p><p>of rust</p>", "rust", ["of rust"]),
    ("headline-link", "<h2><a href=/>rust</a></h2>", "rust", ["rust"]),
    ("headline-of-many-words", "<p><a href=/>how one might write a web server in rust</a></p>", "rust",
     ["how one might write a web server in rust"]),
]  # fmt: skip


@pytest.mark.parametrize(("page", "query", "strings"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_what_matches_stays(page: str, query: str, strings: list[str]) -> None:
    assert kept(page + FILLER, query)[0] == strings


def test_few_blocks_are_enough() -> None:
    assert kept("<p>python one</p><p>other words</p>", "python")[0] == ["python one"]


def test_six_chinese_paragraphs() -> None:
    page = "".join(
        f"<p>{text}</p>" for text in ("今天天气很好", "我们去公园", "他在看书", "猫在睡觉", "吃米饭", "喝绿茶")
    )
    assert kept(page, "公园")[0] == ["我们去公园"]


HEADINGS = """<h1>Guide</h1><p>intro</p><h2>Wine</h2><p>red</p><h3>Old</h3><p>dusty</p><h2>Rust</h2><h3>Safe</h3>
<p>borrow</p><h3>Fast</h3><p>zero cost</p><dl><dt>crate<dd>unit of code<dt>trait<dd>behavior</dl>"""

ABOVE = [
    ("path", "borrow", ["Guide", "Rust", "Safe", "borrow"]),
    ("not-a-heading-beside", "zero", ["Guide", "Rust", "Fast", "zero cost"]),
    ("a-heading-that-matches", "wine", ["Guide", "Wine"]),
    ("term-of-a-definition", "behavior", ["Guide", "Rust", "Fast", "trait", "behavior"]),
    ("under-the-first", "intro", ["Guide", "intro"]),
]


@pytest.mark.parametrize(("query", "strings"), [row[1:] for row in ABOVE], ids=[row[0] for row in ABOVE])
def test_headings_above_what_matches_stay(query: str, strings: list[str]) -> None:
    assert kept(HEADINGS, query)[0] == strings


def test_headings_of_navigation_stand_above_nothing() -> None:
    assert kept("<nav><h2>Menu</h2></nav><p>rust</p><p>wine</p>", "rust")[0] == ["rust"]


def test_images_and_cells_of_kept_blocks_stay() -> None:
    page = "<p>rust <img src=a></p><p><img src=b></p><img src=c><table><tr><td></td><td>rust</table><p>wine</p>"
    document = parse(page, url="https://site.test/")
    keep_matching(document, query="rust", threshold=0.5, fallback_query="", language=None)
    assert [image.attr("src") for image in document.tree.select("img")] == ["a"]
    assert len(document.tree.select("td")) == 2


UMLAUTS = [("ärzte", "arzt"), ("häuser", "haus"), ("haus", "häuser")]


@pytest.mark.parametrize(("word", "query"), UMLAUTS)
def test_stems_without_accents(word: str, query: str) -> None:
    assert kept(f"<p>{word}</p>{FILLER}", query, language="de")[0] == [word]


LANGUAGES = [("en", True), ("en-US", True), ("de", False), (None, False), ("zh", False)]


@pytest.mark.parametrize(("language", "found"), LANGUAGES)
def test_stems_by_language(language: str | None, found: bool) -> None:  # noqa: FBT001 # a table's row
    text, outcome = kept(f"<p>filtering</p>{FILLER}", "filters", language=language)
    assert outcome.fell_back is not found
    assert (text == ["filtering"]) is found


def test_arabic_stems() -> None:
    assert kept("<p>قرأت الكتاب</p><p>شربت الماء</p>", "كتاب", language="ar")[0] == ["قرأت الكتاب"]


@pytest.mark.parametrize("query", [None, "", "  "])
def test_the_fallback_query(query: str | None) -> None:
    assert kept(f"<p>rust</p>{FILLER}", query, fallback_query="Rust")[0] == ["rust"]


@pytest.mark.parametrize("query", [None, "", "?!", "a"])
def test_without_terms_the_page_stays(query: str | None) -> None:
    text, outcome = kept("<nav>a</nav><p>b</p>", query)
    assert text == ["a", "b"]
    assert outcome == FilterOutcome(type="bm25", kept_blocks=2, dropped_blocks=0, fell_back=False)


FALL_BACKS = [
    ("no-match", "<p>wine</p>", 1.0),
    ("too-weak", "<p>rust</p>" + FILLER, 100.0),
    ("navigation-only", "<nav>rust</nav>", 0.0),
    ("empty", "", 0.0),
    ("frames", "<frameset><frame src=x></frameset>", 0.0),
]


@pytest.mark.parametrize(("page", "threshold"), [row[1:] for row in FALL_BACKS], ids=[row[0] for row in FALL_BACKS])
def test_when_nothing_matches_the_page_stays(page: str, threshold: float) -> None:
    document = parse(page, url="https://site.test/")
    before = document.tree.serialize()
    outcome = keep_matching(document, query="rust", threshold=threshold, fallback_query="", language=None)
    assert document.tree.serialize() == before
    assert outcome.fell_back
    assert outcome.dropped_blocks == 0


def test_a_page_without_elements() -> None:
    document = parse("rust", url="https://site.test/")
    document.tree.remove("html")
    assert keep_matching(document, query="rust", threshold=1, fallback_query="", language=None) == FilterOutcome(
        type="bm25", kept_blocks=0, dropped_blocks=0, fell_back=True
    )


def test_a_word_of_most_blocks_is_not_enough() -> None:
    page = "".join(f"<p>the matter {number}</p>" for number in range(10, 40)) + "<p>the rust</p>"
    assert kept(page, "the rust")[0] == ["the rust"]


def test_counts() -> None:
    _, outcome = kept(f"<h1>Top</h1><p>rust</p>{FILLER}", "rust")
    assert outcome == FilterOutcome(type="bm25", kept_blocks=2, dropped_blocks=12, fell_back=False)


HOSTILE = [
    ("deep", "<div>w <a href=x>l</a>" * 400 + "</div>" * 400),
    ("deep-lines", "<b>w" * 10_000),
    ("deep-tables", "<table><tr><td>w" * 2_000),
    ("unclosed", "<p>w" * 50_000),
    ("flat", "w " * 2_500_000),
    ("different-words", " ".join(f"w{number}ing" for number in range(100_000))),
    ("headings", "".join(f"<h{number % 6 + 1}>w</h{number % 6 + 1}>" for number in range(20_000))),
    ("long-word", "w" * 1_000_000),
    ("spaceless", "文" * 500_000),
]


@pytest.mark.parametrize("page", [row[1] for row in HOSTILE], ids=[row[0] for row in HOSTILE])
def test_hostile_pages(page: str) -> None:
    text, outcome = kept(f"{page}<p>w rust</p>", "rust 文文 w7ing", threshold=0.1, language="en")
    assert any("rust" in piece for piece in text)
    assert not outcome.fell_back


TAGS = st.sampled_from(["nav", "div", "p", "ul", "li", "h1", "h3", "table", "td", "a", "pre", "b", "dt"])
PAGES = st.lists(st.tuples(TAGS, st.sampled_from(["", "rust", " red wine ", "|"]), st.booleans()), max_size=20)


@given(PAGES, st.floats(0, 3))
def test_either_a_match_is_left_or_the_page(parts: list[tuple[str, str, bool]], threshold: float) -> None:
    page = "".join(f"<{tag}>{text}" + f"</{tag}>" * closed for tag, text, closed in parts)
    whole = list(parse(page, url="https://site.test/").tree.stripped_strings)
    text, outcome = kept(page, "rust", threshold=threshold)
    assert text == whole if outcome.fell_back else "rust" in "".join(text)
    remaining = iter(whole)
    assert all(piece in remaining for piece in text)
