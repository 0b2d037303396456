from __future__ import annotations

import pytest

from webward.config import Rendition
from webward.content.document import parse
from webward.content.render import render
from webward.content.tables import MAX_FILLED_CELLS, MAX_LEVELS

GRIDS = [
    ("headed", "<tr><th>a<th>b<tr><td>1<td>2", ["| a | b |", "| --- | --- |", "| 1 | 2 |"]),
    ("headerless", "<tr><td>a<td>b<tr><td>1<td>2", ["| a | b |", "| --- | --- |", "| 1 | 2 |"]),
    ("caption", "<caption>Cap<tr><th>a<th>b<tr><td>1<td>2", ["Cap", "", "| a | b |", "| --- | --- |", "| 1 | 2 |"]),
    ("unclosed-cells", "<tr><th>a<th>b<tr><td>1<td>2<p>3", ["| a | b |", "| --- | --- |", "| 1 | 2 3 |"]),
    ("short-row", "<tr><th>a<th>b<th>c<tr><td>1<td>2", ["| a | b | c |", "| --- | --- | --- |", "| 1 | 2 |  |"]),
    (
        "colspan",
        "<tr><th>a<th>b<th>c<tr><td colspan=3>all<tr><td>1<td colspan=2>2<tr><td>3<td>4<td>5",
        ["| a | b | c |", "| --- | --- | --- |", "| all |  |  |", "| 1 | 2 |  |", "| 3 | 4 | 5 |"],
    ),
    (
        "rowspan",
        "<tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3<tr><td>4<td rowspan=2>5<tr><td>6",
        ["| a | b |", "| --- | --- |", "| 1 | 2 |", "|  | 3 |", "| 4 | 5 |", "| 6 |  |"],
    ),
    (
        "both-spans",
        "<tr><th>a<th>b<th>c<tr><td colspan=2 rowspan=2>1<td>2<tr><td>3",
        ["| a | b | c |", "| --- | --- | --- |", "| 1 |  | 2 |", "|  |  | 3 |"],
    ),
    (
        "bad-span",
        "<tr><th colspan=x>a<th rowspan=0>b<tr><td colspan='-1'>1<td>2",
        ["| a | b |", "| --- | --- |", "| 1 | 2 |"],
    ),
    ("paragraphs", "<tr><th>a<th>b<tr><td><p>x</p><p>y</p><td>z<br>q", ["| a | b |", "| --- | --- |", "| x y | z q |"]),
    ("list", "<tr><th>a<th>b<tr><td>x<ul><li>y<li>z</ul>q<td>1", ["| a | b |", "| --- | --- |", "| x * y * z q | 1 |"]),
    ("pipes", "<tr><th>a<th>b<tr><td>x|y<td><code>p|q</code>", ["| a | b |", "| --- | --- |", r"| x\|y | `p\|q` |"]),
    (
        "code-of-a-line",
        "<tr><th>a<th>b<tr><td>x<pre><code class=language-py>y = [1|2]\n</code></pre><td><pre>z</pre>",
        ["| a | b |", "| --- | --- |", r"| x `y = [1\|2]` | `z` |"],
    ),
    (
        "head-behind",
        "<tfoot><tr><td>5<td>6</tfoot><tbody><tr><td>1<td>2</tbody><thead><tr><th>a<th>b</thead><tr><td>3<td>4",
        ["| a | b |", "| --- | --- |", "| 1 | 2 |", "| 3 | 4 |", "| 5 | 6 |"],
    ),
    ("empty-corner", "<tr><th><th>a<tr><th>b<td>1", ["|  | a |", "| --- | --- |", "| b | 1 |"]),
    (
        "images",
        "<tr><th>a<th>b<tr><td><img src=/i alt='x|y'><td>1",
        ["| a | b |", "| --- | --- |", r"| ![x\|y](https://site.test/i) | 1 |"],
    ),
    ("blocks", "<tr><th>a<th>b<tr><td>x<div>y</div>z<td><p>1", ["| a | b |", "| --- | --- |", "| x y z | 1 |"]),
    ("low-heading", "<tr><td><h4>a</h4><td>b<tr><td>1<td>2", ["| a | b |", "| --- | --- |", "| 1 | 2 |"]),
    (
        "table-in-a-headed-cell",
        "<tr><th>a<th>b<tr><td>x<table><tr><td>y<td>z</table><td>1",
        ["| a | b |", "| --- | --- |", "| x y z | 1 |"],
    ),
]
LAYOUTS = [
    ("presentation", "<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>"),
    ("one-cell", "<table><tr><td>a<p>b</p><p>c</p><p>d</table>"),
    ("one-row", "<table><tr><td>a<td>b<td>c<td>d</table>"),
    ("one-column", "<table><tr><td>a<tr><td>b<tr><td>c<tr><td>d</table>"),
    ("nested", "<table><tr><td>a<td><table><tr><td>b<td><table><tr><td>c</table></table><tr><td>d<td></table>"),
]


def markdown(page: str) -> str:
    return render(parse(page, url="https://site.test/"), Rendition.MARKDOWN)


@pytest.mark.parametrize(("rows", "expected"), [row[1:] for row in GRIDS], ids=[row[0] for row in GRIDS])
def test_grids(rows: str, expected: list[str]) -> None:
    assert markdown(f"<table>{rows}</table>").splitlines() == expected


def test_a_row_is_a_line_in_plain_text() -> None:
    page = "<table><tr><th>a<th>b<tr><td>x<p>y</p>z<br>q<td><div>1</div></table>"

    text = render(parse(page, url="https://site.test/"), Rendition.TEXT)

    assert [line.split() for line in text.split("\n\n")] == [["a", "b"], ["x", "y", "z", "q", "1"]]


@pytest.mark.parametrize("page", [row[1] for row in LAYOUTS], ids=[row[0] for row in LAYOUTS])
def test_what_lays_a_page_out_is_unwrapped(page: str) -> None:
    assert markdown(page) == "a\n\nb\n\nc\n\nd"


def test_a_layout_keeps_headings_code_and_lists() -> None:
    page = "<table><tr><td><h1>Title</h1><p>text<td><pre>x = 1</pre><ul><li>item</ul><tr><td>e<td>f</table>"

    assert markdown(page) == "# Title\n\ntext\n\n```\nx = 1\n```\n\n- item\n\ne\n\nf"


def test_code_of_lines_makes_a_layout() -> None:
    assert markdown("<table><tr><th>a<th>b<tr><td><pre>c\nd</pre><td>e</table>") == "a\n\nb\n\n```\nc\nd\n```\n\ne"


def test_prose_in_columns_is_a_layout() -> None:
    prose = "word " * 500

    assert "|" not in markdown(f"<table><tr><td>{prose}<td>b<tr><td>c<td>d</table>")
    assert "|" in markdown(f"<table><tr><th>a<th>b<tr><td>{prose}<td>d</table>")


def test_a_grid_within_a_layout_stays_one() -> None:
    page = "<table><tr><td>left<td><table><tr><th>a<th>b<tr><td>1<td>2</table></table>"

    assert markdown(page) == "left\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_a_grid_within_layouts_stays_one_up_to_a_depth() -> None:
    grid = "<table><tr><th>a<th>b<tr><td>1<td>2</table>"

    assert "| 1 | 2 |" in markdown("<table><tr><td>" * (MAX_LEVELS - 1) + grid)
    assert markdown("<table><tr><td>" * MAX_LEVELS + grid) == "a\n\nb\n\n1\n\n2"


def test_a_caption_within_a_cell_is_no_head() -> None:
    inner = "<table><caption>c</caption><tr><td>1<td>2<tr><td>3<td>4</table>"

    assert "| 1 | 2 |" in markdown(f"<table><tr><td>a<td>{inner}<tr><td>b<td>d</table>")


def test_spans_are_bounded() -> None:
    text = markdown("<table>" + "<tr><td colspan=1000 rowspan=65534>a<td>b" * 500 + "</table>")

    assert "<table" not in text
    assert text.count("a") == text.count("b") == 500


def test_padding_is_bounded() -> None:
    text = markdown("<table><tr>" + "<td>a" * 1_000 + "<tr><td>b<td>c" * 500 + "</table>")

    assert text.count("|") < MAX_FILLED_CELLS
    assert text.count("c") == 500


def test_a_table_of_spans_is_linear() -> None:
    page = "<table><th>x" + "<tr><td rowspan=50 colspan=50>a<td>b</tr>" * 4_000 + "</table>"

    text = render(parse(page, url="https://a.test/"), Rendition.MARKDOWN)

    assert text.count("| a |") + text.count("a") >= 4_000
    assert len(text) < 10 * len(page)
