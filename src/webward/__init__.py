"""webward reads the public web for AI agents: only judged addresses are dialed, and pages come as people see them."""

from webward._version import __version__
from webward.config import (
    ContentFilter,
    ContentSettings,
    EgressPolicy,
    Limits,
    NetworkSettings,
    Rendition,
    SearchSettings,
    Settings,
    load_settings,
)
from webward.engine.gateway import Gateway
from webward.model import Checked, Fetched, Headers, Hit, Hop, Page, SearchResponse, Timing, Verdict
from webward.surfaces.sync import check, fetch, read, search

__all__ = [
    "Checked",
    "ContentFilter",
    "ContentSettings",
    "EgressPolicy",
    "Fetched",
    "Gateway",
    "Headers",
    "Hit",
    "Hop",
    "Limits",
    "NetworkSettings",
    "Page",
    "Rendition",
    "SearchResponse",
    "SearchSettings",
    "Settings",
    "Timing",
    "Verdict",
    "__version__",
    "check",
    "fetch",
    "load_settings",
    "read",
    "search",
]
