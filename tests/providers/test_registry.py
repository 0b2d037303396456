"""What each provider lacks until it can be asked."""

from __future__ import annotations

from typing import Any

import pytest

from webward import Gateway, SearchSettings, Settings
from webward.config import BraveSettings, OllamaSettings, SearxngSettings
from webward.errors import InvalidInput, ProviderNotConfigured
from webward.providers.client import fixed_key

KEY = "key-of-the-test"
DAEMON = OllamaSettings(base_url="http://127.0.0.1:11434", unsafe_allow_private=True)


@pytest.mark.parametrize(
    ("search", "setting", "words"),
    [
        (
            SearchSettings(),
            "search.provider",
            ["WEBWARD_SEARCH_PROVIDER", "ollama, searxng or brave", "docs/search.md"],
        ),
        (
            SearchSettings(provider="ollama"),
            "search.ollama.api-key",
            ["WEBWARD_SEARCH_OLLAMA_API_KEY or OLLAMA_API_KEY", "docs/search.md"],
        ),
        (
            SearchSettings(provider="brave"),
            "search.brave.api-key",
            ["WEBWARD_SEARCH_BRAVE_API_KEY or BRAVE_API_KEY", "docs/search.md"],
        ),
        (
            SearchSettings(provider="brave", brave=BraveSettings(base_url="https://proxy.example")),
            "search.brave.api-key",
            ["(environment: WEBWARD_SEARCH_BRAVE_API_KEY)"],
        ),
        (
            SearchSettings(provider="searxng"),
            "search.searxng.base-url",
            ["WEBWARD_SEARCH_SEARXNG_BASE_URL", "docs/search.md"],
        ),
    ],
    ids=repr,
)
async def test_the_error_says_what_to_set(search: SearchSettings, setting: str, words: list[str]) -> None:
    async with Gateway(Settings(search=search)) as gateway:
        assert not gateway.can_search
        with pytest.raises(ProviderNotConfigured) as caught:
            await gateway.search("tea")
    assert caught.value.setting == setting
    assert all(word in caught.value.message for word in (setting, *words))


async def test_credentials_are_for_providers_that_take_a_key() -> None:
    async with Gateway(Settings(), credentials={"olama": fixed_key(KEY)}) as gateway:
        with pytest.raises(InvalidInput, match="ollama and brave, not for olama"):
            await gateway.search("tea")


@pytest.mark.parametrize(
    ("search", "parts"),
    [
        (SearchSettings(provider="ollama", ollama=OllamaSettings(api_key=KEY)), {}),
        (SearchSettings(provider="ollama", ollama=DAEMON), {}),
        (SearchSettings(provider="ollama"), {"credentials": {"ollama": fixed_key(KEY)}}),
        (SearchSettings(provider="brave", brave=BraveSettings(api_key=KEY)), {}),
        (SearchSettings(provider="brave"), {"credentials": {"brave": fixed_key(KEY)}}),
        (SearchSettings(provider="searxng", searxng=SearxngSettings(base_url="https://s.example")), {}),
    ],
)
async def test_who_can_be_asked(search: SearchSettings, parts: dict[str, Any]) -> None:
    async with Gateway(Settings(search=search), **parts) as gateway:
        assert gateway.can_search
