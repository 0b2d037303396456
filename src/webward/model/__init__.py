"""Frozen values that cross layers, each named as the field names it.

A string becomes a `Target` (core.url), a judged `Target` a `Route` (core.egress), a `Route` a `Fetched` (engine.fetch),
a `Fetched` a `Page` (engine.read). Each is made in that one place, so that no check can be skipped.
They are structs rather than dataclasses: defined and made several times faster, at every start and on every hop.
"""

from webward.model.exchange import Answer, Fetched, Headers, Hop, Note, PhaseTimes, Request, ResponseHead, Timing
from webward.model.images import CachedImage, Preview
from webward.model.page import (
    CleaningReport,
    FilterOutcome,
    Image,
    Link,
    Links,
    Media,
    Metadata,
    Page,
    PageImage,
    Reading,
)
from webward.model.quota import Decision, Resource
from webward.model.route import (
    DEFAULT_PORTS,
    Address,
    AddressClass,
    Checked,
    Credentials,
    JudgedAddress,
    Route,
    Target,
    Verdict,
)
from webward.model.search import (
    DEFAULT_RESULTS,
    MAX_HIT_URL_CHARS,
    MAX_QUERY_CHARS,
    MAX_RESULTS,
    MAX_SNIPPET_CHARS,
    MAX_TITLE_CHARS,
    Execution,
    Hit,
    SearchAbilities,
    SearchRequest,
    SearchResponse,
)

__all__ = [
    "DEFAULT_PORTS",
    "DEFAULT_RESULTS",
    "MAX_HIT_URL_CHARS",
    "MAX_QUERY_CHARS",
    "MAX_RESULTS",
    "MAX_SNIPPET_CHARS",
    "MAX_TITLE_CHARS",
    "Address",
    "AddressClass",
    "Answer",
    "CachedImage",
    "Checked",
    "CleaningReport",
    "Credentials",
    "Decision",
    "Execution",
    "Fetched",
    "FilterOutcome",
    "Headers",
    "Hit",
    "Hop",
    "Image",
    "JudgedAddress",
    "Link",
    "Links",
    "Media",
    "Metadata",
    "Note",
    "Page",
    "PageImage",
    "PhaseTimes",
    "Preview",
    "Reading",
    "Request",
    "Resource",
    "ResponseHead",
    "Route",
    "SearchAbilities",
    "SearchRequest",
    "SearchResponse",
    "Target",
    "Timing",
    "Verdict",
]
