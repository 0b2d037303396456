from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.content.document import parse
from webward.content.prune import prune
from webward.model import FilterOutcome

SENTENCE = "A paragraph of sixteen words says here what the whole of this article is all about."
LONG = f"{SENTENCE} " * 12


def pruned(
    page: str, *, threshold: float = 0.48, threshold_type: str = "fixed", min_words: int | None = None
) -> tuple[str, FilterOutcome]:
    document = parse(page, url="https://site.test/")
    outcome = prune(document, threshold=threshold, threshold_type=threshold_type, min_word_threshold=min_words)
    return " ".join(document.tree.stripped_strings), outcome


ARTICLE = f"""<nav><a href=/>Home</a></nav>
<article><h1>Title</h1><p>{SENTENCE}</p><img src=x.png alt=picture></article><footer><p>Imprint</footer>"""


def test_the_article_stays_and_its_surroundings_go() -> None:
    document = parse(ARTICLE, url="https://site.test/")
    outcome = prune(document, threshold=0.48, threshold_type="fixed", min_word_threshold=None)
    assert " ".join(document.tree.stripped_strings) == f"Title {SENTENCE}"
    assert document.tree.select_one("article > img") is not None
    assert outcome == FilterOutcome(type="pruning", kept_blocks=3, dropped_blocks=3, fell_back=False)


LINKS = "".join(f"<a href=/{number}>Link {number}</a> " for number in range(12))
MENU = "".join(f"<li><a href=/{number}>Link {number}</a>" for number in range(12))

DROPPED = [
    ("nav", "<nav>Go on</nav>"),
    ("footer", "<footer>Go on</footer>"),
    ("aside", "<aside>Go on</aside>"),
    ("site-header", "<header>Go on</header>"),
    ("nested-nav-and-footer", "<div><div><nav>Go on</nav></div><footer>Go on</footer></div>"),
    ("heading-in-footer", "<footer><h2>Go on</h2></footer>"),
    ("role", "<div role=navigation>Go on</div>"),
    ("role-in-capitals", "<div role=' Banner'>Go on</div>"),
    ("dialog", "<div role=dialog>Go on</div>"),
    ("class", "<div class='top site-footer'>Go on</div>"),
    ("class-in-capitals", "<div class=Site_Footer>Go on</div>"),
    ("variant-of-a-class", "<div class='md:sidebar/2'>Go on</div>"),
    ("id", "<div id=cookie-notice>Go on</div>"),
    ("paragraph-with-a-class", "<p class=copyright>Go on</p>"),
    ("form", "<form><p>Go on</p></form>"),
    ("link-heavy-div", f"<div>{LINKS}</div>"),
    ("menu", f"<div><ul>{MENU}</ul></div>"),
]


@pytest.mark.parametrize("part", [row[1] for row in DROPPED], ids=[row[0] for row in DROPPED])
def test_what_surrounds_content_goes(part: str) -> None:
    text, outcome = pruned(f"<h1>Title</h1><p>{LONG}</p>{part}<p>{SENTENCE}</p>")
    assert text == f"Title {LONG.strip()} {SENTENCE}"
    assert not outcome.fell_back


KEPT = [
    ("short-paragraph", "<p>Go on</p>", "Go on"),
    ("heading", "<h3>Go on</h3>", "Go on"),
    ("headline-link", "<h2><a href=/x>Go on</a></h2>", "Go on"),
    ("class-that-only-begins-alike", "<div class=mw-heading>Go <span class=loading>on</span></div>", "Go on"),
    ("role-of-content", "<div role=note>Go on</div>", "Go on"),
    ("condition-in-a-class", "<p class=print:hidden>Go on</p>", "Go on"),
    ("class-of-a-heading", "<h2 class=banner-nav>Go on</h2>", "Go on"),
    ("class-of-a-cell", "<table><tr><td class=menu>Go<td>on</table>", "Go on"),
    ("class-within-a-line", "<p>Go <b class=ad>on</b></p>", "Go on"),
    ("header-with-a-heading", "<header><h2>Go on</h2><p>now</p></header>", "Go on now"),
    ("text-in-the-body", "Go on", "Go on"),
    ("comment-of-a-forum", "<div class='comment author header'>Go on</div>", "Go on"),
    ("short-lines", "<div>Go</div><div>on</div>", "Go on"),
    ("list-with-a-link", "<ul><li>Eggs<li>Milk<li><a href=/ham>Ham</a></ul>", "Eggs Milk Ham"),
    ("list-in-a-cell", "<table><tr><td><ul><li>10:00 AM</ul></table>", "10:00 AM"),
    ("table-with-links", "<table><tr><td><a href=/1>One</a><td>eins</table>", "One eins"),
    ("byline", "<div class=by><a href=/bob>Bob</a></div><p>Go on</p>", "Bob Go on"),
    ("emphasis-and-link", "<p>Go <a href=/x>far</a> <strong>on</strong></p>", "Go far on"),
    ("headlines", "<ul>" + "<li><a href=/>A headline of more than six words is content</a>" * 2 + "</ul>",
     "A headline of more than six words is content A headline of more than six words is content"),
    ("chinese-headlines", "<ul>" + "<li><a href=/>这是一条很长的新闻标题内容</a>" * 2 + "</ul>",
     "这是一条很长的新闻标题内容 这是一条很长的新闻标题内容"),
]  # fmt: skip


@pytest.mark.parametrize(("part", "text"), [row[1:] for row in KEPT], ids=[row[0] for row in KEPT])
def test_what_belongs_to_content_stays(part: str, text: str) -> None:
    assert pruned(f"<nav>menu</nav><p>{LONG}</p>{part}<p>{SENTENCE}</p>")[0] == f"{LONG.strip()} {text} {SENTENCE}"


@pytest.mark.parametrize("threshold_type", ["fixed", "dynamic"])
@pytest.mark.parametrize("min_words", [None, 5])
def test_code_stays_whole(threshold_type: str, min_words: int | None) -> None:
    code = "<pre><span>FROM</span><span> </span><span class=nav>golang</span> <div class=menu>AS b</div></pre>"
    document = parse(f"<p>{LONG}</p>{code}", url="https://site.test/")
    prune(document, threshold=0.48, threshold_type=threshold_type, min_word_threshold=min_words)
    assert [block.inner_html for block in document.tree.select("pre")] == [
        '<span>FROM</span><span> </span><span class="nav">golang</span> <div class="menu">AS b</div>'
    ]


def test_a_large_part_is_content_whatever_it_is_called() -> None:
    assert pruned(f"<div class=sidebar>{SENTENCE}</div><p>{SENTENCE}</p>")[0] == f"{SENTENCE} {SENTENCE}"
    assert pruned(f"<form>{SENTENCE}</form><p>{SENTENCE}</p>")[0] == f"{SENTENCE} {SENTENCE}"
    assert pruned("<nav>Menu</nav>")[0] == "Menu"
    assert pruned(f"<header>{LONG}</header><p>{SENTENCE}</p>")[0] == f"{LONG.strip()} {SENTENCE}"


SMALL = [
    ("links", "<div>" + "<a href=/>Link one</a> " * 7 + "</div>"),
    ("named", "<div class=related>What you might want to read next</div>"),
    ("form", "<form><p>What you might want to tell us</p></form>"),
    ("several", "<header>Site</header><nav>Menu</nav><div class=sidebar>Beside</div><footer>End</footer>"),
]


@pytest.mark.parametrize("part", [row[1] for row in SMALL], ids=[row[0] for row in SMALL])
def test_what_surrounds_a_page_of_few_words_goes(part: str) -> None:
    assert pruned(f"<div><h1>Title</h1><p>{SENTENCE}</p>{part}</div>")[0] == f"Title {SENTENCE}"


def test_on_a_long_page_a_fifth_is_content_whatever_it_is_called() -> None:
    page = f"<p>{SENTENCE * 12}</p><div class=sidebar>{SENTENCE * 4}</div>"
    assert pruned(page)[0].count(SENTENCE) == 16
    assert pruned(f"{page}<p>{SENTENCE * 5}</p>")[0].count(SENTENCE) == 17


def test_a_page_of_links_is_read_for_them() -> None:
    assert pruned(f"<p>Index</p><div><ul>{MENU}</ul></div>")[0].count("Link") == 12


THRESHOLDS = [
    ("zero", 0, "fixed", "Nav Named Lead Main"),
    ("landmarks-just-pass", 0.25, "fixed", "Nav Named Lead Main"),
    ("landmarks-fail", 0.26, "fixed", "Named Lead Main"),
    ("names-and-outside-just-pass", 0.4, "fixed", "Named Lead Main"),
    ("default", 0.48, "fixed", "Main"),
    ("highest", 1, "fixed", "Main"),
    ("eased-for-a-div", 0.42, "dynamic", "Named Lead Main"),
]


@pytest.mark.parametrize(
    ("threshold", "threshold_type", "text"), [row[1:] for row in THRESHOLDS], ids=[row[0] for row in THRESHOLDS]
)
def test_thresholds(threshold: float, threshold_type: str, text: str) -> None:
    page = f"<nav>Nav</nav><div class=sidebar>Named</div><p>Lead</p><main>Main {LONG}</main>"
    found = pruned(page, threshold=threshold, threshold_type=threshold_type)[0]
    assert found.replace(LONG.strip(), "").split() == text.split()


LINK_SHARES = [("fixed", 0.48, 87, False), ("fixed", 0.48, 83, True), ("dynamic", 0.48, 87, True)]


@pytest.mark.parametrize(("threshold_type", "threshold", "percent", "stays"), LINK_SHARES)
def test_share_of_text_in_links(threshold_type: str, threshold: float, percent: int, stays: bool) -> None:  # noqa: FBT001 # a table's row
    box = f"<section><a href=/1>{'a' * (percent - 40)}</a><a href=/2>{'b' * 40}</a>{'c' * (100 - percent)}</section>"
    text, _ = pruned(f"<p>{LONG}</p>{box}", threshold=threshold, threshold_type=threshold_type)
    assert ("ccc" in text) is stays


MIN_WORDS = [
    ("short-paragraph", "<p>Go on</p>", ""),
    ("short-line", "<div>Go <b>on</b></div>", ""),
    ("short-list", "<ul><li>Go<li>on</ul>", ""),
    ("short-table", "<table><tr><td>Go<td>on</table>", ""),
    ("list-as-a-whole", "<ul>" + "<li>Go on" * 10 + "</ul>", "Go on " * 10),
    ("heading", "<h2>Go on</h2>", "Go on"),
    ("link-in-a-paragraph", f"<p><a href=/>Go</a> <b>on</b> {SENTENCE}</p>", f"Go on {SENTENCE}"),
    ("chinese", "<p>一二三四五六七八九十一二三四五六七八九十</p>", "一二三四五六七八九十一二三四五六七八九十"),
    ("short-chinese", "<p>一二三四五六七八</p>", ""),
]


@pytest.mark.parametrize(("part", "text"), [row[1:] for row in MIN_WORDS], ids=[row[0] for row in MIN_WORDS])
@pytest.mark.parametrize("wrapper", ["div", "section"])
def test_fewest_words(wrapper: str, part: str, text: str) -> None:
    found = pruned(f"<nav>Menu</nav><p>{LONG}</p><{wrapper}>{part}</{wrapper}>", min_words=10)[0]
    assert found.removeprefix(LONG.strip()).split() == text.split()


FALL_BACKS = [
    ("short-article", ARTICLE, 50),
    ("surroundings-only", "<header>Top</header><nav>Menu</nav><footer>End</footer>", None),
    ("marks-remain", "<nav>Menu</nav> | <footer>End</footer>", None),
    ("no-words", "<img src=x>", None),
    ("empty", "", None),
    ("frames", "<frameset><frame src=x></frameset>", None),
]


@pytest.mark.parametrize(("page", "min_words"), [row[1:] for row in FALL_BACKS], ids=[row[0] for row in FALL_BACKS])
def test_a_page_of_which_nothing_would_be_left_stays(page: str, min_words: int | None) -> None:
    document = parse(page, url="https://site.test/")
    before = document.tree.serialize()
    outcome = prune(document, threshold=0.9, threshold_type="fixed", min_word_threshold=min_words)
    assert document.tree.serialize() == before
    assert outcome.fell_back
    assert outcome.dropped_blocks == 0


def test_a_page_without_elements() -> None:
    document = parse("x", url="https://site.test/")
    document.tree.remove("html")
    assert prune(document, threshold=0.48, threshold_type="fixed", min_word_threshold=None) == FilterOutcome(
        type="pruning", kept_blocks=0, dropped_blocks=0, fell_back=True
    )


HOSTILE = [
    ("deep", "<div>w <a href=x>l</a>" * 10_000),
    ("deep-landmarks", "<header class=nav>w" * 10_000),
    ("deep-tables", "<table><tr><td>w" * 2_000),
    ("unclosed", "<p>w" * 50_000),
    ("flat", "w " * 2_500_000),
    ("mains", "<main>w</main>" * 10_000),
    ("articles", "<article>w" * 10_000),
    ("titles", "<h1>w</h1>" * 10_000 + f"<main>{LONG * 100}</main>"),
    ("long-class", f"<div class='{'nav-' * 500_000}'>w"),
]


@pytest.mark.parametrize("page", [row[1] for row in HOSTILE], ids=[row[0] for row in HOSTILE])
@pytest.mark.parametrize("min_words", [None, 1])
def test_hostile_pages(page: str, min_words: int | None) -> None:
    assert "w" in pruned(page, min_words=min_words)[0]


TAGS = st.sampled_from(["nav", "div", "p", "ul", "li", "h1", "main", "article", "table", "td", "a", "pre", "form", "b"])
PAGES = st.lists(st.tuples(TAGS, st.sampled_from(["", "word", " two words ", "|"]), st.booleans()), max_size=20)


@given(PAGES, st.floats(0, 1), st.sampled_from(["fixed", "dynamic"]), st.integers(0, 5))
def test_some_words_are_always_left(
    parts: list[tuple[str, str, bool]], threshold: float, threshold_type: str, min_words: int
) -> None:
    page = "".join(f"<{tag}>{text}" + f"</{tag}>" * closed for tag, text, closed in parts)
    text, outcome = pruned(page, threshold=threshold, threshold_type=threshold_type, min_words=min_words)
    assert ("word" in text) is ("word" in page)
    assert min(outcome.kept_blocks, outcome.dropped_blocks) >= 0
