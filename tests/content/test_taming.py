from __future__ import annotations

import pytest

from webward.config import Rendition
from webward.content import document, render
from webward.content.taming import MAX_BREAKS, without_many_roots

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

    tamed = without_many_roots(text)

    assert tamed.lower().count(f"<{tag.lower()}") == 1
    assert "word19999" in _markdown(text)


@pytest.mark.parametrize(
    "text", ["<html><body><p>x", "<p>&lt;html " * 1000, "", "<htmlx>" * 100], ids=lambda text: text[:8]
)
def test_other_pages_are_not_touched(text: str) -> None:
    assert without_many_roots(text) is text


def test_an_honest_long_poem_is_read_whole() -> None:
    text = _markdown("line of a poem<br>\n" * (MAX_BREAKS * 8))

    assert text.count("line of a poem") == MAX_BREAKS * 8
