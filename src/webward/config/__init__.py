"""Settings: what they are (`egress`, `reading`, `values`), and how a file and the environment become them (`load`)."""

from webward.config.egress import EgressPolicy, EgressSection
from webward.config.load import (
    CONFIG_VARIABLE,
    PRESETS,
    checked_settings,
    load_settings,
    settings_from_mapping,
    settings_schema,
    settings_toml,
)
from webward.config.reading import ContentFilter, ReadKeywords, ReadOptions, Rendition
from webward.config.search import BraveSettings, OllamaSettings, SearchSettings, SearxngSettings
from webward.config.values import ContentSettings, Limits, NetworkSettings, Settings

__all__ = [
    "CONFIG_VARIABLE",
    "PRESETS",
    "BraveSettings",
    "ContentFilter",
    "ContentSettings",
    "EgressPolicy",
    "EgressSection",
    "Limits",
    "NetworkSettings",
    "OllamaSettings",
    "ReadKeywords",
    "ReadOptions",
    "Rendition",
    "SearchSettings",
    "SearxngSettings",
    "Settings",
    "checked_settings",
    "load_settings",
    "settings_from_mapping",
    "settings_schema",
    "settings_toml",
]
