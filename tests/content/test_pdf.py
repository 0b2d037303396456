from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webward.content.pdf import is_pdf, pdf_text
from webward.errors import ContentUndecodable

if TYPE_CHECKING:
    from collections.abc import Sequence

HEAD = b"%PDF-1.4\n"


def make_pdf(pages: Sequence[str], title: str = "A title") -> bytes:
    """A small PDF file with a line of text on each page (ISO 32000-2)."""
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for index, text in enumerate(pages):
        content = f"BT /F1 12 Tf 20 200 Td ({text}) Tj ET"
        objects += [
            (
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents {5 + 2 * index} 0 R"
                " /Resources << /Font << /F1 3 0 R >> >> >>"
            ),
            f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        ]
    objects.append(f"<< /Title ({title}) >>")
    return _with_table(objects)


def _with_table(objects: Sequence[str]) -> bytes:
    file, offsets = HEAD, []
    for number, text in enumerate(objects, start=1):
        offsets.append(len(file))
        file += f"{number} 0 obj\n{text}\nendobj\n".encode()
    rows = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    table = f"xref\n0 {size}\n0000000000 65535 f \n{rows}trailer << /Size {size} /Root 1 0 R /Info {size - 1} 0 R >>\n"
    return file + f"{table}startxref\n{len(file)}\n%%EOF\n".encode()


def test_pages_are_read_in_order() -> None:
    read = pdf_text(make_pdf(["First page", "", "Third page"]))

    assert (read.text, read.title, read.truncated) == ("First page\n\nThird page", "A title", False)


def test_a_file_without_title_has_none() -> None:
    assert pdf_text(make_pdf(["x"], title="")).title is None


@pytest.mark.parametrize("body", [b"%PDF-1.4 and nothing else", make_pdf(["x"])[:200]], ids=["nothing", "cut"])
def test_a_broken_file_is_an_error(body: bytes) -> None:
    with pytest.raises(ContentUndecodable):
        pdf_text(body)


@pytest.mark.parametrize(
    ("body", "answer"),
    [(HEAD, True), (b"junk\n" + HEAD, True), (b" " * 2000 + HEAD, False), (b"<html>", False), (b"", False)],
)
def test_is_pdf(body: bytes, answer: bool) -> None:  # noqa: FBT001 - a table row
    assert is_pdf(body) is answer
