from __future__ import annotations

import pytest

from webward.config import Rendition
from webward.content import document, render
from webward.content.clean import clean
from webward.content.taming import MAX_BREAKS, MAX_REOPENED, tame

MANY = MAX_BREAKS * 4


def _markdown(text: str) -> str:
    return render.render(document.parse(text, url="https://a.test/"), Rendition.MARKDOWN)


@pytest.mark.parametrize(
    "between",
    ["\n", "<span> </span>", "<x-y> </x-y>", "&#32;", "&nbsp;", "<!-- x -->", "\ue0f1", "\ue0f1\ue0f1 "],
    ids=repr,
)
def test_thousands_of_breaks_with_nothing_between_are_read(between: str) -> None:
    text = _markdown("<p>first" + f"<br>{between}" * MANY + "last")

    assert text.startswith("first")
    assert text.endswith("last")


def test_what_stands_between_breaks_stays() -> None:
    lines = [f"line {number}" for number in range(MANY)]
    images = '<br><img src="/a.png" alt="pic">' * 3

    text = _markdown("<p>" + "<br>".join(lines) + "<br>" * MANY + images + "end")

    assert all(f"{line}\n" in text or f"{line}  \n" in text for line in lines[:-1])
    assert text.count("![pic](https://a.test/a.png)") == 3


def test_a_page_keeps_its_breaks() -> None:
    assert _markdown("<pre>a<br><br><br><br>b</pre>").count("\n") >= 4


@pytest.mark.parametrize("tag", ["html", "body", "HTML", "bOdy"])
def test_roots_by_the_thousand_are_one(tag: str) -> None:
    text = "".join(f"<{tag} a{number}=b>word{number} " for number in range(20_000))

    tamed = tame(text)

    assert tamed.lower().count(f"<{tag.lower()}") == 1
    assert "word19999" in _markdown(text)


@pytest.mark.parametrize(
    "text", ["<html><body><p>x", "<p>&lt;html " * 1000, "", "<htmlx>" * 100], ids=lambda text: text[:8]
)
def test_other_pages_are_not_touched(text: str) -> None:
    assert tame(text) is text


def test_an_honest_long_poem_is_read_whole() -> None:
    text = _markdown("line of a poem<br>\n" * (MAX_BREAKS * 8))

    assert text.count("line of a poem") == MAX_BREAKS * 8


OPEN = [
    ("bare", "<b><b><b><i><i><i><u><u><u>"),
    ("told-apart", "".join(f"<b a{number}=1>" for number in range(400))),
    ("capitals", "".join(f"<FONT a{number}>" for number in range(400))),
    ("slashes", "".join(f"<em/a{number}/>" for number in range(400))),
    ("closed-in-a-comment", "".join(f"<b a{number}><!--</b>-->" for number in range(400))),
    ("closed-in-a-value", "".join(f"<b a{number}='</b>'>x" for number in range(400))),
    ("closed-behind-a-quote", "".join(f"""<b " a{number}="></b>">""" for number in range(400))),
    ("closed-behind-another-blank", "".join(f"<b x=q\x0by=\"a{number} b='c\"></b>'>" for number in range(400))),
    ("closed-around", "".join(f"<i><b a{number}></i>" for number in range(400))),
    ("closed-by-another", "".join(f"<b a{number}>x</i>" for number in range(400))),
    ("in-a-link", "<a href=x>" + "".join(f"<b a{number}>" for number in range(400))),
]


@pytest.mark.parametrize("emphases", [row[1] for row in OPEN], ids=[row[0] for row in OPEN])
def test_emphases_left_open_do_not_multiply_a_page(emphases: str) -> None:
    page = f"<p>{emphases}" + "<p>x" * 20_000

    tree = document.parse(page, url="https://a.test/").tree

    assert len(tree.select("*")) < MAX_REOPENED
    assert len(tree.select("p")) == 20_001


def test_hidden_text_is_found_among_emphases_left_open() -> None:
    page = "<p>" + "<b a=1><i b=2>" * 200 + "<b style='display:none'>hidden <p></b>" + "<p>shown" * 20_000
    read = document.parse(page, url="https://a.test/")

    clean(read)

    assert "hidden" not in read.tree.text
    assert "shown" in read.tree.text


CLOSED = [
    "<p><b>x</b> and <i class=y>z</i>",
    "<p><b>x <a href='/a?b=1'>y</a> z</b>",
    "<p><em>a <strong>b</strong> <br/> c</em>",
    '<i class="icon"><svg viewBox="0 0 1 1"><use href="#a"/></svg></i>',
    "<p><code>a &lt; b</code>",
]


@pytest.mark.parametrize("part", CLOSED)
def test_emphases_that_are_closed_stay_on_the_longest_page(part: str) -> None:
    page = part * 50_000

    assert tame(page) is page


def test_emphases_of_a_short_page_stay() -> None:
    page = "<p><b>a<p>b" * 100

    assert tame(page) is page
