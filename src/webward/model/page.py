"""Values of what a reader is given."""

from __future__ import annotations

from msgspec import Struct

from webward.model.exchange import Answer


class Link(Struct, frozen=True, kw_only=True):
    """A link of a page.

    Attributes:
        href: Absolute.
        text: What is shown for it, on one line.
        title: Its title attribute.
    """

    href: str
    text: str
    title: str | None = None


class Links(Struct, frozen=True, kw_only=True):
    """The links of a page in order, each target once; internal ones lead to the page's own host."""

    internal: tuple[Link, ...] = ()
    external: tuple[Link, ...] = ()


class Image(Struct, frozen=True, kw_only=True):
    """An image of a page.

    Attributes:
        src: Absolute; the largest candidate.
        alt: Its alternative text.
        width: In CSS pixels, as declared.
        height: In CSS pixels, as declared.
        in_content: Whether it stands in the content of the page rather than in what surrounds it.
    """

    src: str
    alt: str | None = None
    width: int | None = None
    height: int | None = None
    in_content: bool = False


class Media(Struct, frozen=True, kw_only=True):
    """Images, and absolute URLs of videos and audios, of a page in order."""

    images: tuple[Image, ...] = ()
    videos: tuple[str, ...] = ()
    audios: tuple[str, ...] = ()


class Metadata(Struct, frozen=True, kw_only=True):
    """What a document says about itself; each is None when it does not say.

    Attributes:
        title: Of the document.
        description: Of the document.
        language: BCP 47 tag.
        site_name: Of the site.
        author: One or more names.
        published: Instant or date, RFC 3339.
        modified: Instant or date, RFC 3339.
        canonical_url: Absolute.
        image_url: Absolute.
    """

    title: str | None = None
    description: str | None = None
    language: str | None = None
    site_name: str | None = None
    author: str | None = None
    published: str | None = None
    modified: str | None = None
    canonical_url: str | None = None
    image_url: str | None = None


class CleaningReport(Struct, frozen=True, kw_only=True):
    """What was removed before a reader saw it.

    Attributes:
        removed: Elements by rule.
        invisible_chars: Characters by rule.
        revealed_hidden: Whether hidden content was kept because it is most of the page.
    """

    removed: dict[str, int]
    invisible_chars: dict[str, int]
    revealed_hidden: bool = False


class FilterOutcome(Struct, frozen=True, kw_only=True):
    """What a content filter did.

    Attributes:
        type: The filter that ran.
        kept_blocks: Blocks that are left.
        dropped_blocks: Blocks that went.
        fell_back: Whether nothing was left, so that the whole page is given.
    """

    type: str
    kept_blocks: int
    dropped_blocks: int
    fell_back: bool


class PageImage(Struct, frozen=True, kw_only=True):
    """An image that was read in place of a text; its bytes are those of the magic bytes' media type."""

    media_type: str
    data: bytes
    width: int
    height: int


class ProminentImage(Struct, frozen=True, kw_only=True):
    """An image that stands for a page, with its bytes.

    Attributes:
        src: Where it was asked for.
        alt: Its alternative text, sanitized.
        image: What came.
    """

    src: str
    alt: str | None
    image: PageImage


class ProminentImages(Struct, frozen=True, kw_only=True):
    """The prominent images of a page that could be got.

    Attributes:
        images: The most prominent first, no two with the same bytes.
        failed: How many were asked for in vain.
    """

    images: tuple[ProminentImage, ...]
    failed: int


class Reading(Struct, frozen=True, kw_only=True):
    """What content work makes of a body.

    Attributes:
        format: The rendition given: ``markdown``, ``text``, ``html``, ``json``, ``xml`` or ``image``.
        text: The window of the rendition that was asked for; None for an image.
        image: The image, when the body is one.
        total_chars: Characters (code points) of the whole rendition.
        start: Where the window begins.
        next_start: Where the next window begins, or None at the end.
        truncated_text: Whether the window cut the text, or the rendition itself is bounded and left something out.
        token_estimate: Of the window, for planning; models count in their own ways.
        metadata: What the document says about itself.
        links: When they were asked for.
        media: When they were asked for.
        filter: When a content filter ran.
        report: What was removed.
        needs_javascript: Whether the page shows next to no text and loads scripts.
    """

    format: str
    text: str | None = None
    image: PageImage | None = None
    total_chars: int = 0
    start: int = 0
    next_start: int | None = None
    truncated_text: bool = False
    token_estimate: int = 0
    metadata: Metadata = Metadata()
    links: Links | None = None
    media: Media | None = None
    filter: FilterOutcome | None = None
    report: CleaningReport = CleaningReport(removed={}, invisible_chars={})
    needs_javascript: bool = False


class Page(Answer, frozen=True, kw_only=True):
    """What `read` returns: an answer, and what was made of its body.

    Attributes:
        reading: All that content work gave; its most used fields are here, too.
        content_hash: SHA-256 of the decoded body, in hex; equal for all windows of one snapshot.
        content_signal: What the site allows to be done with the page, when it says so (Content-Signal header).
    """

    reading: Reading
    content_hash: str
    content_signal: dict[str, bool] | None = None

    @property
    def format(self) -> str:
        """The rendition given."""
        return self.reading.format

    @property
    def text(self) -> str:
        """The window of the rendition that was asked for; empty for an image."""
        return self.reading.text or ""

    @property
    def metadata(self) -> Metadata:
        """What the document says about itself."""
        return self.reading.metadata

    @property
    def start(self) -> int:
        """Where the window begins."""
        return self.reading.start

    @property
    def truncated_text(self) -> bool:
        """Whether the window cut the text."""
        return self.reading.truncated_text

    @property
    def total_chars(self) -> int:
        """Characters of the whole rendition."""
        return self.reading.total_chars

    @property
    def next_start(self) -> int | None:
        """Where the next window begins, or None at the end."""
        return self.reading.next_start

    @property
    def title(self) -> str | None:
        """Of the document, if it has one."""
        return self.reading.metadata.title
