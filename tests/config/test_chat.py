from __future__ import annotations

from typing import Any

import pytest

from webward.config import ChatSettings, ModelSettings, Settings, load_settings, settings_from_mapping, settings_toml
from webward.errors import InvalidConfiguration

KEY = "sk-of-a-test-91c2"
OPENAI = "https://api.openai.com/v1"


def test_the_defaults_are_those_of_the_contract() -> None:
    chat = Settings().chat
    assert (chat.enable_url_reading, chat.enable_web_search, chat.url_main_content) == (False, False, False)
    assert (chat.url_max_bytes, chat.url_max_chars, chat.url_max_images) == (2_000_000, 6000, 2)
    assert (chat.url_daily_per_user, chat.search_daily_per_user) == (20, 20)
    assert (chat.url_timeout_seconds, chat.url_day_timezone) == (20, "UTC")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("enable-url-reading", 1),
        ("url-max-bytes", 0),
        ("url-max-chars", 0),
        ("url-max-images", -1),
        ("url-max-images", 17),
        ("url-daily-per-user", -1),
        ("url-timeout-seconds", 0),
        ("url-max-byte", 5),
    ],
)
def test_a_bad_value_is_told(key: str, value: object) -> None:
    with pytest.raises(InvalidConfiguration, match=f"chat.{key}"):
        settings_from_mapping({"chat": {key: value}})


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../etc/passwd", "Europe", "UTC\0", "/UTC"])
def test_what_is_no_time_zone_is_told(zone: str) -> None:
    with pytest.raises(InvalidConfiguration, match=r"chat\.url-day-timezone"):
        ChatSettings(url_day_timezone=zone)


def test_a_time_zone_is_taken() -> None:
    assert ChatSettings(url_day_timezone="Europe/Berlin").url_day_timezone == "Europe/Berlin"


@pytest.mark.parametrize(
    "url", ["", "localhost:11434/v1", "ftp://a/v1", "https://", "https://a/v1?x=1", "https://a/#x"]
)
def test_what_is_no_base_url_is_told(url: str) -> None:
    with pytest.raises(InvalidConfiguration, match=r"chat\.model\.base-url"):
        ModelSettings(base_url=url)


@pytest.mark.parametrize(
    ("model", "environ", "key"),
    [
        ({"base-url": OPENAI}, {"OPENAI_API_KEY": KEY}, KEY),
        ({"base-url": f"{OPENAI}/"}, {"OPENAI_API_KEY": f" {KEY}\n"}, KEY),
        ({}, {"OPENAI_API_KEY": KEY}, None),  # which is not for another server
        ({"base-url": "https://other.example/v1"}, {"OPENAI_API_KEY": KEY}, None),
        ({"api-key-env": "MY_KEY"}, {"MY_KEY": KEY}, KEY),
        ({"api-key-env": "MY_KEY"}, {}, None),
        ({"api-key-env": "MY_KEY", "api-key": "mine"}, {"MY_KEY": KEY}, "mine"),
        ({"base-url": OPENAI}, {"OPENAI_API_KEY": "two words"}, None),
    ],
)
def test_where_the_key_comes_from(model: dict[str, Any], environ: dict[str, str], key: str | None) -> None:
    settings = load_settings(environ={**environ, "HOME": "/nowhere"}, overrides={"chat": {"model": model}})
    assert settings.chat.model.api_key == key
    assert KEY not in repr(settings.chat)
    assert KEY not in settings_toml(settings)


def test_a_named_variable_without_a_key_is_told() -> None:
    with pytest.raises(InvalidConfiguration, match=r"chat\.model\.api-key-env"):
        load_settings(
            environ={"MY_KEY": "two words", "HOME": "/nowhere"},
            overrides={"chat": {"model": {"api-key-env": "MY_KEY"}}},
        )


def test_variables() -> None:
    environ = {"WEBWARD_CHAT_URL_MAX_BYTES": "70", "WEBWARD_CHAT_MODEL_NAME": "m", "HOME": "/nowhere"}
    chat = load_settings(environ=environ).chat
    assert (chat.url_max_bytes, chat.model.name) == (70, "m")
