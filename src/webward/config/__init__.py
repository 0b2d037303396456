"""Settings: what they are (`answers`, `egress`, `reading`, `values`), and what files and environment say (`load`)."""

from webward.config.answers import AnswerRules
from webward.config.chat import ChatSettings, ModelSettings
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
from webward.config.store import ImageCacheSettings, StoreSettings
from webward.config.values import ContentSettings, Limits, NetworkSettings, Settings

__all__ = [
    "CONFIG_VARIABLE",
    "PRESETS",
    "AnswerRules",
    "BraveSettings",
    "ChatSettings",
    "ContentFilter",
    "ContentSettings",
    "EgressPolicy",
    "EgressSection",
    "ImageCacheSettings",
    "Limits",
    "ModelSettings",
    "NetworkSettings",
    "OllamaSettings",
    "ReadKeywords",
    "ReadOptions",
    "Rendition",
    "SearchSettings",
    "SearxngSettings",
    "Settings",
    "StoreSettings",
    "checked_settings",
    "load_settings",
    "settings_from_mapping",
    "settings_schema",
    "settings_toml",
]
