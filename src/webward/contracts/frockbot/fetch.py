"""The tool ``web_fetch``: its input, the rules of its answer, and the JSON that it gives.

The input is decoded, then the URL is classified, then the engine takes every hop, head and body under the rules here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from webward.config import AnswerRules, EgressPolicy, Settings
from webward.contracts.frockbot.classifier import BLANKS, HTTPS_PORTS, MAX_URL_CHARS
from webward.contracts.frockbot.codes import refusal_of
from webward.contracts.frockbot.results import ToolResult, failure, success
from webward.contracts.inputs import decoded
from webward.errors import InvalidUrl

if TYPE_CHECKING:
    from collections.abc import Collection

    from webward.contracts.frockbot.codes import Refusal
    from webward.errors import WebwardError
    from webward.model import Page

MAX_BODY_BYTES = 1024 * 1024
MIN_BODY_BYTES = 1024
MAX_TEXT_BYTES = 32 * 1024  # of UTF-8
_MAX_WORDS = MAX_TEXT_BYTES // 2  # as many fill a text: each has a blank behind it
MAX_REDIRECTS = 3
DEADLINE_SECONDS = 15.0  # of everything: waiting for a turn, all hops, reading

MEDIA_TYPES = ("text/html", "text/plain", "text/markdown", "application/json", "application/xhtml+xml")
RULES = AnswerRules(
    url_chars=MAX_URL_CHARS, success=True, media_types=MEDIA_TYPES, declared_length=True, text=True, whole=True
)
HEADERS: Mapping[str, str] = {
    "Accept": "text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.9,text/plain;q=0.8,application/json;q=0.8",
    "Accept-Language": "en",
}


class FetchInput(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a model says to ``web_fetch``."""

    url: Annotated[
        str,
        Meta(
            description="An absolute https URL of a public page.",
            extra_json_schema={"minLength": 1, "maxLength": MAX_URL_CHARS},  # counted after trimming, so not by msgspec
        ),
    ]
    max_bytes: Annotated[
        int,
        Meta(
            ge=MIN_BODY_BYTES,
            le=MAX_BODY_BYTES,
            description="Of the body; a longer one is refused if it says so, and cut otherwise.",
        ),
    ] = MAX_BODY_BYTES
    format: Annotated[
        Literal["text", "markdown"], Meta(description="Plain text, or Markdown with headings, links and tables.")
    ] = "text"


def decode_input(value: object) -> FetchInput:
    """The input of a call.

    Raises:
        InvalidInput: A key is unknown, missing, of the wrong type or out of its range.
        InvalidUrl: The URL is blank or too long.
    """
    given = decoded(value, FetchInput)
    url = given.url.strip(BLANKS)
    if not 1 <= len(url) <= MAX_URL_CHARS:
        raise InvalidUrl(f"the URL is blank, or longer than {MAX_URL_CHARS} characters")
    return replace(given, url=url)


def strict_settings(settings: Settings, *, ports: Collection[int] = HTTPS_PORTS) -> Settings:
    """An operator's settings under the contract: https on the given ports, public addresses, three hops.

    What the operator refuses stays refused; what they opened with ``unsafe-allow`` is closed here.
    """
    given = settings.egress
    egress = replace(
        EgressPolicy.strict(),
        ports=frozenset(ports),
        only_hosts=given.only_hosts,
        only_cidr=given.only_cidr,
        deny_hosts=given.deny_hosts,
        deny_cidr=given.deny_cidr,
        nat64_prefixes=given.nat64_prefixes,
    )
    limits = replace(settings.limits, redirects=min(settings.limits.redirects, MAX_REDIRECTS))
    return replace(settings, egress=egress, limits=limits)


def is_strict(settings: Settings) -> bool:
    """Whether a gateway with these settings keeps the contract on every hop."""
    return settings == strict_settings(settings, ports=settings.egress.ports or ())


def fetched(page: Page) -> ToolResult:
    """The result of a page that was read."""
    text, is_cut = bounded_text(page.text)
    return success(
        {
            "url": page.url,
            "finalUrl": page.final_url,
            "status": page.status,
            "contentType": page.media_type,
            "bytes": page.body_bytes,
            "truncated": page.truncated or page.truncated_text or is_cut,
            "text": text,
        }
    )


def refused(value: object, error: WebwardError) -> ToolResult:
    """The result of a fetch that failed; ``url`` is what the caller wrote, and no reading of it."""
    return refused_as(value, refusal_of(error))


def refused_as(value: object, refusal: Refusal) -> ToolResult:
    """The result of a refusal."""
    return failure({"url": _asked(value), "error": refusal.code, "message": refusal.message})


def bounded_text(text: str) -> tuple[str, bool]:
    """A text with single blanks inside its lines, cut to what is given; and whether it was cut.

    Line ends stay, and so do blanks at the ends of a line: they are indentation, or Markdown's hard break.
    """
    lines: list[str] = []
    chars = 0
    for line in text.split("\n"):
        lines.append(_folded(line))
        chars += len(lines[-1])
        if chars > MAX_TEXT_BYTES:  # no character has less than a byte, so that the rest cannot fit
            break
    folded = "\n".join(lines)
    kept = folded.encode()[:MAX_TEXT_BYTES].decode(errors="ignore")
    return kept, len(kept) < len(folded)


def _folded(line: str) -> str:
    words = line.split(None, _MAX_WORDS)
    if len(words) <= 1:
        return line
    indentation, ending = line[: len(line) - len(line.lstrip())], line[len(line.rstrip()) :]
    return indentation + " ".join(words) + ending


def _asked(value: object) -> str:
    """The URL as the caller wrote it, as far as it did; an endless one is not sent back whole."""
    url = value.get("url") if isinstance(value, Mapping) else None
    return url.strip(BLANKS)[:MAX_URL_CHARS] if isinstance(url, str) else ""
