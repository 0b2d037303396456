"""The chat tools: which are offered, to whom how often, and which model answers in `webward chat`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ada_url import URL
from msgspec import Meta, Struct
from msgspec.structs import force_setattr, replace

from webward.config.search import ApiKey, is_api_key
from webward.errors import InvalidConfiguration

if TYPE_CHECKING:
    from collections.abc import Mapping

OPENAI = "https://api.openai.com/v1"
USUAL_VARIABLE = "OPENAI_API_KEY"  # where the vendor's own clients look for a key; it goes to the vendor alone
LOCAL_SERVER = "http://localhost:11434/v1"  # Ollama's own default

UTC = "UTC"

Calls = Annotated[int, Meta(ge=0, le=1_000_000)]


class ModelSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """The language model that answers: of any server that speaks OpenAI's Chat Completions.

    Attributes:
        name: What the server calls the model.
        base_url: Of the server, up to and with ``/v1``.
        api_key: The key; never shown.
        api_key_env: Name of the environment variable that holds the key, when ``api-key`` is not set; while the base
            URL is that of OpenAI, ``OPENAI_API_KEY``.
        seconds: Of one answer of the model.
        sees_images: Whether it takes images, so that those of a page are shown to it.
    """

    name: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
    base_url: str = LOCAL_SERVER
    api_key: ApiKey | None = None
    api_key_env: Annotated[str, Meta(min_length=1, max_length=256)] | None = None
    seconds: Annotated[float, Meta(gt=0, le=3600)] = 120.0
    sees_images: bool = False

    def __post_init__(self) -> None:
        url = self.base_url.rstrip("/")
        force_setattr(self, "base_url", url)
        if not url.startswith(("http://", "https://")) or not URL.can_parse(url) or "?" in url or "#" in url:
            setting = "chat.model.base-url"
            problem = "must be http:// or https:// with host and path, as in http://localhost:11434/v1"
            raise InvalidConfiguration(f"{setting} {problem}", setting=setting)

    def __repr__(self) -> str:
        key = "set" if self.api_key else None  # nothing of a key is ever printed
        return f"ModelSettings(name={self.name!r}, base_url={self.base_url!r}, api_key={key})"


class ChatSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """The tools `fetch_url` and `web_search` of a chat bot.

    Attributes:
        enable_url_reading: Whether ``fetch_url`` is offered.
        url_max_bytes: Of a page, after content decoding; what comes after is cut.
        url_max_chars: Of the text that a model is given, in characters.
        url_max_images: Images of a page that are kept; 0 keeps none.
        url_daily_per_user: Calls of ``fetch_url`` that one user has a day; 0 allows none.
        url_timeout_seconds: Of one call: the page and its images together.
        url_day_timezone: IANA name of the time zone in which the day of a limit begins.
        url_main_content: Whether a page is pruned to its main content first.
        enable_web_search: Whether ``web_search`` is offered, where a search provider is configured.
        search_daily_per_user: Calls of ``web_search`` that one user has a day; 0 allows none.
    """

    enable_url_reading: bool = False
    url_max_bytes: Annotated[int, Meta(ge=1, le=50 * 1024 * 1024)] = 2_000_000
    url_max_chars: Annotated[int, Meta(ge=1, le=10_000_000)] = 6000
    url_max_images: Annotated[int, Meta(ge=0, le=16)] = 2
    url_daily_per_user: Calls = 20
    url_timeout_seconds: Annotated[float, Meta(gt=0, le=3600)] = 20.0
    url_day_timezone: str = UTC
    url_main_content: bool = False
    enable_web_search: bool = False
    search_daily_per_user: Calls = 20
    model: ModelSettings = ModelSettings()

    def __post_init__(self) -> None:
        if self.url_day_timezone != UTC and not _is_time_zone(self.url_day_timezone):
            setting = "chat.url-day-timezone"
            problem = f"{self.url_day_timezone!r} is no time zone, as UTC and Europe/Berlin are"
            raise InvalidConfiguration(f"{setting}: {problem}", setting=setting)


def with_model_key(chat: ChatSettings, environ: Mapping[str, str]) -> ChatSettings:
    """The settings with the key that an environment variable holds.

    Raises:
        InvalidConfiguration: What ``api-key-env`` names holds no key.
    """
    model = chat.model
    usual = USUAL_VARIABLE if model.base_url == OPENAI else ""
    key = environ.get(model.api_key_env or usual, "").strip()
    if not key or model.api_key is not None:
        return chat
    if is_api_key(key):
        return replace(chat, model=replace(model, api_key=key))
    if model.api_key_env is None:
        return chat
    setting = "chat.model.api-key-env"
    problem = f"{model.api_key_env} holds no key, but spaces or what is not ASCII"
    raise InvalidConfiguration(f"{setting}: {problem}", setting=setting)


def _is_time_zone(name: str) -> bool:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # noqa: PLC0415 - importing it takes 8 ms, and UTC needs none

    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # ValueError: a path; OSError: a folder of zones
        return False
    return True
