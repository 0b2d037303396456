"""The text of a PDF file, page by page, with bounds; needs the extra ``pdf``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webward.errors import ContentUndecodable, UnsupportedContent

if TYPE_CHECKING:
    from collections.abc import Callable

    import pypdfium2  # type: ignore[import-untyped]  # it has no stubs

MEDIA_TYPE = "application/pdf"
SIGNATURE = b"%PDF-"
SIGNATURE_BYTES = 1024  # readers have always taken a file whose signature comes a little later
MAX_PAGES = 1_000
MAX_CHARS = 4_000_000  # of all pages; about the text of a dozen books
PAGE_BREAK = "\n\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfText:
    """The text of a file, and its title.

    Attributes:
        text: Of all pages, parted by blank lines.
        title: From the file's own description.
        truncated: Whether there were more pages or characters than are read.
    """

    text: str
    title: str | None
    truncated: bool


def is_pdf(body: bytes) -> bool:
    """Whether the bytes begin as a PDF file does (ISO 32000-2 section 7.5.2)."""
    return SIGNATURE in body[:SIGNATURE_BYTES]


def pdf_text(body: bytes, checkpoint: Callable[[], None] = lambda: None) -> PdfText:
    """The text of a PDF file.

    Args:
        body: The file.
        checkpoint: Called after each page; what it raises ends the work.

    Raises:
        UnsupportedContent: The extra is not installed.
        ContentUndecodable: The file is broken, or asks for a password.
    """
    try:
        import pypdfium2  # noqa: PLC0415 - an extra
    except ImportError:
        message = "reading PDF files needs the extra pdf: pip install 'webward[pdf]'"
        raise UnsupportedContent(message) from None
    try:
        file = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        raise ContentUndecodable(f"the PDF file cannot be read: {error}") from None
    try:
        return _read(file, checkpoint)
    except pypdfium2.PdfiumError as error:
        raise ContentUndecodable(f"a page of the PDF file cannot be read: {error}") from None
    finally:
        file.close()


def _read(file: pypdfium2.PdfDocument, checkpoint: Callable[[], None]) -> PdfText:
    count = min(len(file), MAX_PAGES)
    pages: list[str] = []
    room = MAX_CHARS
    for index in range(count):
        text = _page_text(file, index)[:room]
        room -= len(text)
        pages.append(text.strip())
        checkpoint()
        if room <= 0:
            break
    title = file.get_metadata_value("Title").strip()
    return PdfText(
        text=PAGE_BREAK.join(page for page in pages if page),
        title=title or None,
        truncated=room <= 0 or len(file) > count,
    )


def _page_text(file: pypdfium2.PdfDocument, index: int) -> str:
    page = file[index]
    try:
        text_page = page.get_textpage()
        try:
            return str(text_page.get_text_bounded()).replace("\r\n", "\n")
        finally:
            text_page.close()
    finally:
        page.close()
