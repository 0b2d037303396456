from __future__ import annotations

from typing import Any

import pytest

from webward.config import (
    Settings,
    StoreSettings,
    checked_settings,
    load_settings,
    settings_from_mapping,
    settings_toml,
)
from webward.errors import InvalidConfiguration

NOWHERE = dict.fromkeys(("XDG_CONFIG_HOME", "XDG_STATE_HOME", "APPDATA", "LOCALAPPDATA"), "/nonexistent")
SECRET = "s" * 32

BAD = [
    ("folder", "", ">= 1"),
    ("folder", "a\0b", "NUL"),
    ("folder", 1, "got `int`"),
    ("secret", "s" * 31, "32 or more printable ASCII characters without spaces"),
    ("secret", "s" * 4097, "32 or more printable ASCII characters without spaces"),
    ("secret", "s" * 32 + " ", "32 or more printable ASCII characters without spaces"),
    ("secret", "s" * 32 + "\n", "32 or more printable ASCII characters without spaces"),
    ("secret", "\u00e9" * 32, "32 or more printable ASCII characters without spaces"),
    ("wait-seconds", 0, "> 0"),
    ("wait-seconds", 61, "<= 60"),
    ("wait-seconds", True, "got `bool`"),
]
BAD_IMAGES = [
    ("image-bytes", 0, ">= 1"),
    ("image-bytes", 100_000_001, "<= 100000000"),
    ("image-pixels", 0, ">= 1"),
    ("channel-images", 0, ">= 1"),
    ("channel-images", 1001, "<= 1000"),
    ("channel-bytes", 4_999_999, "store.images.image-bytes is above store.images.channel-bytes"),
    ("total-bytes", 24_999_999, "store.images.channel-bytes is above store.images.total-bytes"),
    ("age-seconds", 0, ">= 1"),
    ("age-seconds", 1.5, "got `float`"),
]


def test_the_defaults() -> None:
    store = Settings().store
    assert (store.folder, store.secret, store.wait_seconds) == (None, None, 2.0)
    images = store.images
    assert (images.image_bytes, images.image_pixels, images.channel_images) == (5_000_000, 25_000_000, 20)
    assert (images.channel_bytes, images.total_bytes, images.age_seconds) == (25_000_000, 500_000_000, 604_800)


@pytest.mark.parametrize(("key", "value", "problem"), BAD)
def test_a_bad_value_is_named(key: str, value: Any, problem: str) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        settings_from_mapping({"store": {key: value}})
    assert caught.value.setting == f"store.{key}"
    assert problem in caught.value.message


@pytest.mark.parametrize(("key", "value", "problem"), BAD_IMAGES)
def test_a_bad_bound_is_named(key: str, value: Any, problem: str) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        settings_from_mapping({"store": {"images": {key: value}}})
    assert caught.value.setting == f"store.images.{key}"
    assert problem in caught.value.message


def test_settings_made_in_python_are_checked() -> None:
    with pytest.raises(InvalidConfiguration, match="32 or more"):
        checked_settings(Settings(store=StoreSettings(secret="short")))  # noqa: S106 - a bad one


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({}, "/nonexistent/webward"),
        ({"XDG_STATE_HOME": ""}, "~/.local/state/webward"),
        ({"WEBWARD_STORE_FOLDER": "/srv/store"}, "/srv/store"),
    ],
)
@pytest.mark.skipif("sys.platform != 'linux'", reason="the folder is another one elsewhere")
def test_the_folder_is_the_users_own_for_state(environ: dict[str, str], folder: str) -> None:
    loaded = load_settings(environ={**NOWHERE, **environ}).store.folder
    assert loaded is not None
    assert loaded.endswith(folder.removeprefix("~"))
    assert loaded.startswith("/")


def test_the_secret_has_a_variable_without_a_section() -> None:
    assert load_settings(environ={**NOWHERE, "WEBWARD_SECRET": SECRET}).store.secret == SECRET


def test_a_bad_secret_is_not_repeated() -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        load_settings(environ={**NOWHERE, "WEBWARD_SECRET": "hunter2"})
    assert caught.value.setting == "WEBWARD_SECRET"
    assert "hunter2" not in str(caught.value)


def test_the_secret_is_never_shown() -> None:
    settings = Settings(store=StoreSettings(folder="/srv", secret=SECRET))
    assert SECRET not in repr(settings) + repr(settings.store) + settings_toml(settings)
    assert 'secret = "********"' in settings_toml(settings)
