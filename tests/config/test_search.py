from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from webward.config import (
    BraveSettings,
    OllamaSettings,
    SearchSettings,
    SearxngSettings,
    Settings,
    load_settings,
    settings_from_mapping,
    settings_schema,
    settings_toml,
)
from webward.errors import InvalidConfiguration

if TYPE_CHECKING:
    from pathlib import Path

KEY = "sk-hunter2-0123456789"
NOWHERE = {"XDG_CONFIG_HOME": "/nonexistent", "APPDATA": "/nonexistent"}
FILE = f"""
[search]
provider = "searxng"
max-results = 7

[search.ollama]
api-key = "{KEY}"

[search.searxng]
base-url = "http://searxng:8080/"
unsafe-allow-private = true
"""


def loaded(text: str = "", folder: Path | None = None, **variables: str) -> SearchSettings:
    path = None
    if folder is not None:
        path = str(folder / "webward.toml")
        (folder / "webward.toml").write_text(text, encoding="utf-8")
    return load_settings(path, environ={**NOWHERE, **variables}).search


# --- where they come from


def test_sections_within_the_section(tmp_path: Path) -> None:
    search = loaded(FILE, tmp_path)
    assert (search.provider, search.max_results) == ("searxng", 7)
    assert search.ollama == OllamaSettings(api_key=KEY)
    assert search.searxng == SearxngSettings(base_url="http://searxng:8080", unsafe_allow_private=True)
    assert search.brave == BraveSettings()


def test_the_environment_beats_the_file_key_by_key(tmp_path: Path) -> None:
    search = loaded(
        FILE,
        tmp_path,
        WEBWARD_SEARCH_MAX_RESULTS="3",
        WEBWARD_SEARCH_OLLAMA_UNSAFE_ALLOW_PRIVATE="true",
        WEBWARD_SEARCH_SEARXNG_BASE_URL="https://searx.example/sub/",
        WEBWARD_SEARCH_BRAVE_API_KEY="other",
    )
    assert (search.provider, search.max_results) == ("searxng", 3)
    assert search.ollama == OllamaSettings(api_key=KEY, unsafe_allow_private=True)
    assert search.searxng == SearxngSettings(base_url="https://searx.example/sub", unsafe_allow_private=True)
    assert search.brave == BraveSettings(api_key="other")


def test_an_override_beats_both(tmp_path: Path) -> None:
    (tmp_path / "webward.toml").write_text(FILE, encoding="utf-8")
    search = load_settings(
        str(tmp_path / "webward.toml"),
        environ={**NOWHERE, "WEBWARD_SEARCH_SEARXNG_BASE_URL": "https://other.example"},
        overrides={"search": {"searxng": {"base-url": "https://last.example"}}},
    ).search
    assert search.searxng == SearxngSettings(base_url="https://last.example", unsafe_allow_private=True)
    assert search.max_results == 7


@pytest.mark.parametrize(
    ("mapping", "setting", "nearest"),
    [
        ({"search": {"olama": {}}}, "search.olama", "search.ollama"),
        ({"search": {"providor": "x"}}, "search.providor", "search.provider"),
        ({"search": {"ollama": {"api-kye": KEY}}}, "search.ollama.api-kye", "search.ollama.api-key"),
        ({"search": {"searxng": {"url": "x"}}}, "search.searxng.url", "search.searxng.base-url"),
        ({"search": {"brave": {"apikey": KEY}}}, "search.brave.apikey", "search.brave.api-key"),
        ({"ollama": {"api-key": KEY}}, "ollama", "search.ollama"),
        ({"serch": {}}, "serch", "search"),
    ],
)
def test_an_unknown_key_is_told_the_nearest(mapping: dict[str, Any], setting: str, nearest: str) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        settings_from_mapping(mapping)
    assert caught.value.setting == setting
    assert f"did you mean {nearest!r}?" in caught.value.message
    assert KEY not in f"{caught.value} {caught.value!r}"


def test_an_unknown_variable_is_told_the_nearest() -> None:
    with pytest.raises(InvalidConfiguration, match="did you mean 'WEBWARD_SEARCH_OLLAMA_API_KEY'") as caught:
        loaded(WEBWARD_OLLAMA_API_KEY=KEY)
    assert KEY not in f"{caught.value} {caught.value!r}"


@pytest.mark.parametrize("value", [3, KEY, [], None])
def test_a_section_within_has_keys(value: Any) -> None:
    with pytest.raises(InvalidConfiguration, match=r"search\.brave must be a section.*\[search\.brave\]") as caught:
        settings_from_mapping({"search": {"brave": value}})
    assert (caught.value.setting, KEY in f"{caught.value!r}") == ("search.brave", False)


def test_a_section_that_has_none_is_told_before_it_is_merged(tmp_path: Path) -> None:
    with pytest.raises(InvalidConfiguration, match=r"search\.brave must be a section"):
        loaded("[search]\nbrave = 3\n", tmp_path, WEBWARD_SEARCH_BRAVE_API_KEY=KEY)


# --- keys


@pytest.mark.parametrize(
    ("variables", "ollama", "brave"),
    [
        ({"OLLAMA_API_KEY": KEY}, KEY, None),
        ({"BRAVE_API_KEY": f" {KEY}\n"}, None, KEY),
        ({"OLLAMA_API_KEY": "", "BRAVE_API_KEY": " "}, None, None),
        ({"OLLAMA_API_KEY": "not a key", "BRAVE_API_KEY": "schlüssel"}, None, None),
        ({"OLLAMA_API_KEY": "usual", "WEBWARD_SEARCH_OLLAMA_API_KEY": KEY}, KEY, None),
        ({"OLLAMA_API_KEY": "usual", "WEBWARD_SEARCH_OLLAMA_API_KEY_ENV": "MINE", "MINE": KEY}, KEY, None),
        ({"OLLAMA_API_KEY": "usual", "WEBWARD_SEARCH_OLLAMA_API_KEY_ENV": "MINE"}, None, None),
        ({"OLLAMA_API_KEY": KEY, "WEBWARD_SEARCH_OLLAMA_BASE_URL": "https://daemon.example"}, None, None),
        ({"OLLAMA_API_KEY": KEY, "WEBWARD_SEARCH_OLLAMA_BASE_URL": "https://ollama.com/"}, KEY, None),
        (
            {
                "WEBWARD_SEARCH_BRAVE_BASE_URL": "https://proxy.example",
                "WEBWARD_SEARCH_BRAVE_API_KEY_ENV": "MINE",
                "MINE": KEY,
                "BRAVE_API_KEY": "usual",
            },
            None,
            KEY,
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else None,
)
def test_where_keys_are_found(variables: dict[str, str], ollama: str | None, brave: str | None) -> None:
    search = load_settings(environ={**NOWHERE, **variables}).search
    assert (search.ollama.api_key, search.brave.api_key) == (ollama, brave)


@pytest.mark.parametrize("key", ["", "a b", "schlüssel", "a\nb", "x" * 4097, 3, ["x"]], ids=lambda key: repr(key)[:20])
def test_a_bad_key_is_not_repeated(key: Any) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        settings_from_mapping({"search": {"brave": {"api-key": key}}})
    assert caught.value.setting == "search.brave.api-key"
    assert not str(key) or str(key) not in caught.value.message
    assert "regex" not in caught.value.message


def test_a_variable_that_holds_no_key_is_told_in_words() -> None:
    with pytest.raises(InvalidConfiguration, match=r"^WEBWARD_SEARCH_BRAVE_API_KEY: Expected a key"):
        load_settings(environ={**NOWHERE, "WEBWARD_SEARCH_BRAVE_API_KEY": ""})


@pytest.mark.parametrize("text", ["sk hunter2", "schlüssel", "k" * 4097], ids=lambda text: text[:10])
def test_a_named_variable_that_holds_no_key_is_told_without_it(text: str) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        load_settings(environ={**NOWHERE, "WEBWARD_SEARCH_BRAVE_API_KEY_ENV": "MINE", "MINE": text})
    assert caught.value.setting == "search.brave.api-key-env"
    assert "MINE" in caught.value.message
    assert text not in caught.value.message


def test_keys_are_never_printed() -> None:
    settings = settings_from_mapping({"search": {"ollama": {"api-key": KEY}, "brave": {"api-key": KEY}}})
    for value in (settings, settings.search, settings.search.ollama, settings.search.brave):
        assert KEY not in f"{value} {value!r}"
    assert "api_key=set" in repr(settings.search.ollama)
    assert "api_key=None" in repr(OllamaSettings())


def test_keys_are_masked_where_settings_are_shown(tmp_path: Path) -> None:
    text = settings_toml(Settings(search=loaded(FILE, tmp_path, BRAVE_API_KEY=KEY)))
    shown = tomllib.loads(text)["search"]
    assert KEY not in text
    assert (shown["ollama"]["api-key"], shown["brave"]["api-key"]) == ("********", "********")
    assert shown["searxng"]["base-url"] == "http://searxng:8080"
    assert "api-key" not in tomllib.loads(settings_toml(Settings()))["search"]["ollama"]


def test_toml_gives_the_settings_that_it_shows(tmp_path: Path) -> None:
    settings = Settings(search=replace(loaded(FILE, tmp_path), ollama=OllamaSettings(api_key_env="MINE")))
    assert settings_from_mapping(tomllib.loads(settings_toml(settings))) == settings


# --- base URLs

SECTIONS = {"ollama": OllamaSettings, "brave": BraveSettings, "searxng": SearxngSettings}


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("https://s.example", "https://s.example"),
        ("https://s.example/", "https://s.example"),
        ("https://s.example/sub/", "https://s.example/sub"),
        ("https://S.example:443/x", "https://s.example/x"),
        ("https://s.example:8443", "https://s.example:8443"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("https://[::1]:8443/", "https://[::1]:8443"),
        ("https://10.1", "https://10.0.0.1"),
    ],
)
def test_base_urls_have_no_slash_at_the_end(section: str, text: str, stored: str) -> None:
    search = settings_from_mapping({"search": {section: {"base-url": text}}}).search
    assert getattr(search, section).base_url == stored


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "s.example",
            "//s.example",
            "ftp://s.example",
            "HTTPS://s.example",
            "https://",
            "https://a b",
            "https://a..b",
        ),
        *(
            f"https://{KEY}@s.example",
            f"https://u:{KEY}@s.example",
            f"https://s.example?key={KEY}",
            f"https://s.example/#{KEY}",
        ),
        *("https://s.example?", "https://s.example#", " https://s.example", 3),
    ],
)
def test_a_bad_base_url_is_not_repeated(section: str, text: Any) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        settings_from_mapping({"search": {section: {"base-url": text}}})
    assert caught.value.setting == f"search.{section}.base-url"
    assert KEY not in f"{caught.value} {caught.value!r}"
    if isinstance(text, int):
        with pytest.raises(InvalidConfiguration):
            SECTIONS[section](base_url=text)


@pytest.mark.parametrize("section", ["ollama", "brave"])
def test_a_key_is_not_sent_in_the_clear(section: str) -> None:
    with pytest.raises(InvalidConfiguration, match="in the clear") as caught:
        settings_from_mapping({"search": {section: {"base-url": "http://s.example"}}})
    assert caught.value.setting == f"search.{section}.base-url"
    assert f"search.{section}.unsafe-allow-private" in caught.value.message
    private = {"base-url": "http://s.example", "unsafe-allow-private": True}
    assert getattr(settings_from_mapping({"search": {section: private}}).search, section).unsafe_allow_private


def test_a_schema_names_every_key() -> None:
    definitions = json.loads(json.dumps(settings_schema()))["$defs"]
    assert set(definitions["SearchSettings"]["properties"]) == {"provider", "max-results", "ollama", "searxng", "brave"}
    assert set(definitions["BraveSettings"]["properties"]) == {
        "base-url",
        "api-key",
        "api-key-env",
        "unsafe-allow-private",
    }
