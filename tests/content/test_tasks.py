from __future__ import annotations

import pytest

from webward.config import Rendition
from webward.content.clean import clean
from webward.content.document import parse
from webward.content.render import render

BOX = "<input type=checkbox"
ROWS = [
    ("done", f"{BOX} checked> a", "- [x] a"),
    ("to-do", f"{BOX} disabled>a", "- [ ] a"),
    ("in-a-paragraph", f"<p>{BOX} disabled checked> a</p>", "- [x] a"),
    ("in-a-label", f"<label>{BOX} readonly> a</label>", "- [ ] a"),
    ("two-in-an-item", f"{BOX} checked disabled>{BOX} disabled> a", "- [x] a"),
    ("behind-words", f"a {BOX} disabled>", "- [ ] a"),
    ("named", f"<label>{BOX} class=task-list-item-checkbox id=b> a</label>", "- [ ] a"),
    ("fold-of-a-menu", f"{BOX} id=b><label for=b>a</label>", "- a"),
    ("filter", f"<label>{BOX} name=color> a</label>", "- a"),
    ("radio", "<input type=radio disabled> a", "- a"),
    ("text", "<input disabled value=b> a", "- a"),
]


def read(page: str, rendition: Rendition) -> str:
    document = parse(page, url="https://site.test/")
    clean(document)
    return render(document, rendition)


@pytest.mark.parametrize(("item", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
@pytest.mark.parametrize("rendition", [Rendition.MARKDOWN, Rendition.TEXT])
def test_boxes_of_tasks(item: str, expected: str, rendition: Rendition) -> None:
    assert read(f"<ul><li>{item}</ul>", rendition) == expected


def test_a_box_outside_a_list_is_a_control() -> None:
    assert read(f"<p>{BOX} disabled> a", Rendition.MARKDOWN) == "a"
