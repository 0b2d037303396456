"""What a call of a tool gives: text for the model, what else it should know, and the envelope for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from webward.contracts.page import (
    Envelope,
    checked_envelope,
    failure_envelope,
    fetched_envelope,
    page_envelope,
    search_envelope,
)
from webward.contracts.plain import hits_text, lists_text, verdicts_text
from webward.errors import (
    ContentError,
    CredentialsRefused,
    DeadlineExceeded,
    InvalidConfiguration,
    InvalidInput,
    LimitExceeded,
    NameNotFound,
    Overloaded,
    ProviderError,
    Refused,
    StoreUnavailable,
    TransportError,
    WebwardError,
)
from webward.model import Note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webward.model import Answer, Checked, Fetched, Page, PageImage, SearchResponse

FIRST_ERROR_STATUS = 400
CLAMPED = frozenset((Note.DEADLINE_CLAMPED, Note.MAX_BYTES_CLAMPED))  # wishes that a caller should know were cut down

# What a model should do about an error; the nearest class in the tree speaks for those below it.
ADVICE: Mapping[type[WebwardError], str] = {
    WebwardError: "This is no fault of the call; another try may help, and the operator should know.",
    InvalidInput: "Correct the argument and call again.",
    InvalidConfiguration: "Only the operator can change this.",
    Refused: "Do not try this again, and do not look for a way around it; use another source.",
    CredentialsRefused: "Leave user name and password out of the URL.",
    LimitExceeded: "Ask for less, or use another source.",
    DeadlineExceeded: "Try again once with a larger timeout_ms, or use another source.",
    Overloaded: "Wait a moment and try again.",
    TransportError: "The site cannot be read this way at present; use another source.",
    NameNotFound: "Check how the host is spelled.",
    ContentError: "There is no text to be had here; use another source.",
    StoreUnavailable: "Nothing was done, since it could not be counted; another try may help.",
    ProviderError: "Go on without this search, and say so.",
}


class Outcome(Struct, frozen=True, kw_only=True):
    """What a call gave.

    Attributes:
        text: The content itself, in nobody's words but the page's or the provider's.
        notes: What to know beside it, in our words; may be several lines.
        image: In place of a text.
        unread: Where content is that no text was made of, and of which media type.
        envelope: The whole result as contracts/page.md has it.
        is_error: Whether the call failed.
    """

    text: str = ""
    notes: str = ""
    image: PageImage | None = None
    unread: tuple[str, str | None] | None = None
    envelope: Envelope
    is_error: bool = False


def read_outcome(page: Page) -> Outcome:
    """The outcome of ``read_page``."""
    notes = [*_page_notes(page), *filter(None, [lists_text(page.reading)])]
    if not page.text and page.reading.image is None:
        notes.insert(0, "There is no text here.")
    return Outcome(text=page.text, notes="\n".join(notes), image=page.reading.image, envelope=page_envelope(page))


def fetch_outcome(fetched: Fetched) -> Outcome:
    """The outcome of ``fetch``; a body that is no text is told of and not given."""
    facts = f"Status {fetched.status}, {fetched.media_type or 'no media type'}, {fetched.body_bytes} bytes."
    notes = [facts, *_answer_notes(fetched)]
    if not fetched.body:
        notes += [f"{name}: {fetched.headers[name]}" for name in fetched.headers]
    is_unread = fetched.text is None and bool(fetched.body)
    if is_unread:
        notes.append("The body is no text and is not given; read_page reads images and PDF files.")
    return Outcome(
        text=fetched.text or "",
        notes="\n".join(notes),
        unread=(fetched.final_url, fetched.media_type) if is_unread else None,
        envelope=fetched_envelope(fetched),
    )


def search_outcome(response: SearchResponse) -> Outcome:
    """The outcome of ``web_search``."""
    notes = [] if response.hits else ["Nothing was found."]
    notes += [f"Note: {word}." for word in response.notes]
    return Outcome(text=hits_text(response), notes="\n".join(notes), envelope=search_envelope(response))


def check_outcome(checked: Checked) -> Outcome:
    """The outcome of ``check_url``: a refusal is its answer and no failure. Addresses are never told."""
    return Outcome(text=verdicts_text(checked), envelope=checked_envelope(checked, show_addresses=False))


def failed(error: WebwardError) -> Outcome:
    """The outcome of a call that failed: code and message as they are everywhere, then what to do."""
    envelope = failure_envelope(error)
    lines = [f"{error.code}: {error.message}", advice(error)]
    if error.retry_after_seconds is not None:
        lines.append(f"Not before {error.retry_after_seconds:g} seconds have passed.")
    if error.setting is not None and error.setting not in error.message:
        lines.append(f"The setting {error.setting} decides this.")
    return Outcome(text=_writable("\n".join(lines)), envelope=_told(envelope), is_error=True)


def advice(error: WebwardError) -> str:
    """What to do about an error; where a redirect led is no argument of the caller's."""
    if isinstance(error, InvalidInput) and error.hop:
        return ADVICE[TransportError]
    return next(ADVICE[kind] for kind in type(error).__mro__ if kind in ADVICE)


def _page_notes(page: Page) -> Iterator[str]:
    if page.status >= FIRST_ERROR_STATUS:
        yield f"The server answered with status {page.status}."
    yield from _answer_notes(page)
    reading = page.reading
    if reading.image is not None:
        image = reading.image
        yield f"{image.media_type}, {image.width} x {image.height} pixels, {len(image.data)} bytes."
    if reading.next_start is not None:
        left = reading.total_chars - reading.next_start
        yield f"{left} more characters follow; go on with start={reading.next_start}."
    if reading.filter is not None and reading.filter.fell_back:
        yield f"The {reading.filter.type} filter left nothing, so this is the whole page."
    if reading.needs_javascript:
        yield "The page shows next to no text without running its scripts."


def _answer_notes(answer: Answer) -> Iterator[str]:
    for word in filter(CLAMPED.__contains__, answer.notes):
        yield f"Note: {word}."
    if answer.final_url != answer.url:
        yield f"Redirected to {answer.final_url}"
    if answer.truncated:
        yield f"The body was cut after {answer.body_bytes} bytes (max_bytes), or ended before its declared length."


def _told(envelope: Envelope) -> Envelope:
    error = envelope["error"]
    return {**envelope, "error": {**error, "message": _writable(error["message"])}}


def _writable(text: str) -> str:
    """A text without lone surrogates, which a message may repeat from an argument and no encoding can write."""
    return text.encode(errors="backslashreplace").decode()
