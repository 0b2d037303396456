"""Settings: what they are (`values`), and how a file and the environment become them (`load`)."""

from webward.config.load import (
    CONFIG_VARIABLE,
    checked_settings,
    load_settings,
    settings_from_mapping,
    settings_schema,
    settings_toml,
)
from webward.config.values import EgressPolicy, Limits, NetworkSettings, ReadOptions, Rendition, Settings

__all__ = [
    "CONFIG_VARIABLE",
    "EgressPolicy",
    "Limits",
    "NetworkSettings",
    "ReadOptions",
    "Rendition",
    "Settings",
    "checked_settings",
    "load_settings",
    "settings_from_mapping",
    "settings_schema",
    "settings_toml",
]
