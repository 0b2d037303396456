from __future__ import annotations

import turbohtml

from webward.content.blocks import Outline, body_of, count_blocks, measure


def measured(page: str) -> Outline:
    body = body_of(turbohtml.parse(page))
    assert body is not None
    return measure(body)


def chars(outline: Outline) -> dict[str, int]:
    return {tag: outline.chars_of(index) for index, tag in enumerate(outline.tags)}


def test_elements_are_in_document_order_with_their_ends() -> None:
    outline = measured("<div><p>a<b>b</b></p></div><ul><li>c</ul>")
    assert outline.tags == ["body", "div", "p", "b", "ul", "li"]
    assert outline.ends == [6, 4, 4, 4, 6, 6]
    assert [outline.index[element] for element in outline.elements] == [0, 1, 2, 3, 4, 5]


def test_text_counts_for_all_elements_around_it() -> None:
    outline = measured("ab<div>cde<p>fg<b>h</b>ij</p>\n <i> </i></div>klmn")
    assert chars(outline) == {"body": 14, "div": 8, "p": 5, "b": 1, "i": 0}


def test_marks_are_no_text() -> None:
    assert chars(measured("<p>|</p><b> » · «</b>")) == {"body": 0, "p": 0, "b": 0}


def test_links_are_measured_where_they_hold_text() -> None:
    outline = measured("<a href=/>one two</a><p>x<a><img></a><a>three<b>4</b></a></p>")
    assert outline.link_places == [1, 5]
    assert outline.link_chars == [0, 7, 13]
    assert outline.link_words == [0, 2, 3]


def test_a_link_in_a_link_is_read_once() -> None:
    body = body_of(turbohtml.parse("<a href=/>ab<table><tr><td><a href=/>cd</a></table></a>"))
    assert body is not None
    assert len(body.select("a a")) == 1
    assert measure(body).link_chars == [0, 4]


def test_outermost() -> None:
    outline = measured("<div><p>a<b>b</b></p></div><ul><li>c</ul>")
    assert outline.outermost([5, 3, 2, 5]) == [2, 5]
    assert outline.outermost([]) == []


def test_blocks() -> None:
    outline = measured("<div><p>a<b>b</b></p></div><ul><li>c</ul>")
    assert [outline.blocks_of(index) for index in range(6)] == [3, 2, 1, 0, 1, 1]
    assert count_blocks(outline.elements[0]) == 3
    assert count_blocks(outline.elements[1]) == 2
    assert count_blocks(turbohtml.Text("x")) == 0


def test_the_body_of_a_page_of_frames_is_its_root() -> None:
    root = body_of(turbohtml.parse("<frameset><frame src=x></frameset>"))
    assert root is not None
    assert root.tag == "html"
