"""Web search: which provider is asked, and how each is reached."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, TypeVar

from ada_url import URL
from msgspec import Meta, Struct
from msgspec.structs import force_setattr, replace

from webward.config.egress import HOST
from webward.errors import InvalidConfiguration
from webward.model import MAX_RESULTS

if TYPE_CHECKING:
    from collections.abc import Mapping

OLLAMA_CLOUD = "https://ollama.com"
BRAVE_SEARCH = "https://api.search.brave.com"

# Where the vendors' own clients look for a key. It goes to the vendor and never to another base URL.
USUAL_VARIABLES = {OLLAMA_CLOUD: "OLLAMA_API_KEY", BRAVE_SEARCH: "BRAVE_API_KEY"}

_KEY = r"^[\x21-\x7e]{1,4096}\Z"
ApiKey = Annotated[str, Meta(pattern=_KEY, description="a key: printable ASCII without spaces, and not empty")]


def is_api_key(text: str) -> bool:
    """Whether a text can be a key."""
    return re.match(_KEY, text) is not None


def _base_url(text: object, setting: str) -> str:
    """A base URL in its normal form, without a slash at its end."""
    if isinstance(text, str) and text.startswith(("http://", "https://")) and URL.can_parse(text):
        url = URL(text)
        is_host = url.hostname.startswith("[") or HOST.fullmatch(url.hostname) is not None
        if is_host and not (url.username or url.password or "?" in text or "#" in text):
            return url.href.rstrip("/")
    problem = "must be http:// or https:// and a host, without user name, query and fragment"
    raise InvalidConfiguration(f"{setting} {problem}", setting=setting)


class KeyedProvider(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """A provider that takes a key.

    Attributes:
        api_key: The key; never shown.
        api_key_env: Name of the environment variable that holds the key, when ``api-key`` is not set.
        unsafe_allow_private: Whether the base URL may lead to addresses that are not public, and use plain http.
    """

    section: ClassVar[str]
    base_url: str
    api_key: ApiKey | None = None
    api_key_env: Annotated[str, Meta(min_length=1, max_length=256)] | None = None
    unsafe_allow_private: bool = False

    def __post_init__(self) -> None:
        setting = f"search.{self.section}.base-url"
        force_setattr(self, "base_url", _base_url(self.base_url, setting))
        if not self.base_url.startswith("https:") and not self.unsafe_allow_private:
            opens = f"search.{self.section}.unsafe-allow-private"
            problem = f"must be https://, since the key would be sent in the clear ({opens} allows it)"
            raise InvalidConfiguration(f"{setting} {problem}", setting=setting)

    def __repr__(self) -> str:
        key = "set" if self.api_key else None  # nothing of a key is ever printed
        return f"{type(self).__name__}(base_url={self.base_url!r}, api_key={key})"


Keyed = TypeVar("Keyed", bound=KeyedProvider)


class OllamaSettings(KeyedProvider, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """Ollama Cloud, or an Ollama daemon.

    Attributes:
        base_url: Of Ollama Cloud, or of a daemon, which needs no key.
        api_key_env: Name of the environment variable that holds the key, when ``api-key`` is not set; while the base
            URL is the default, ``OLLAMA_API_KEY``.
    """

    section = "ollama"
    base_url: str = OLLAMA_CLOUD


class BraveSettings(KeyedProvider, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """Brave Search.

    Attributes:
        base_url: Of the API.
        api_key_env: Name of the environment variable that holds the key, when ``api-key`` is not set; while the base
            URL is the default, ``BRAVE_API_KEY``.
    """

    section = "brave"
    base_url: str = BRAVE_SEARCH


class SearxngSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """A SearXNG instance.

    Attributes:
        base_url: Of the instance, whose settings must list ``json`` among ``search.formats``.
        unsafe_allow_private: Whether the base URL may lead to addresses that are not public.
    """

    base_url: str | None = None
    unsafe_allow_private: bool = False

    def __post_init__(self) -> None:
        if self.base_url is not None:
            force_setattr(self, "base_url", _base_url(self.base_url, "search.searxng.base-url"))


class SearchSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """Web search.

    Attributes:
        provider: Who is asked unless a caller says otherwise: ``ollama``, ``searxng`` or ``brave``.
        max_results: The most that a caller gets; one who asks for more is told.
    """

    provider: Literal["ollama", "searxng", "brave"] | None = None
    max_results: Annotated[int, Meta(ge=1, le=MAX_RESULTS)] = MAX_RESULTS
    ollama: OllamaSettings = OllamaSettings()
    searxng: SearxngSettings = SearxngSettings()
    brave: BraveSettings = BraveSettings()


def with_keys(search: SearchSettings, environ: Mapping[str, str]) -> SearchSettings:
    """The settings with the keys that environment variables hold.

    Raises:
        InvalidConfiguration: What an ``api-key-env`` names holds no key.
    """
    return replace(search, ollama=_with_key(search.ollama, environ), brave=_with_key(search.brave, environ))


def _with_key(provider: Keyed, environ: Mapping[str, str]) -> Keyed:
    named = provider.api_key_env
    key = environ.get(named or USUAL_VARIABLES.get(provider.base_url, ""), "").strip()
    if not key or provider.api_key is not None:
        return provider
    if is_api_key(key):
        return replace(provider, api_key=key)
    if named is None:  # the vendor's variable is there for others, too, and must not stop what needs no key
        return provider
    setting = f"search.{provider.section}.api-key-env"
    raise InvalidConfiguration(f"{setting}: {named} holds no key, but spaces or what is not ASCII", setting=setting)
