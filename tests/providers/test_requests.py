"""What every provider is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import msgspec
import pytest

from webward import Gateway
from webward.testing import BraveDouble, FrozenClock, OllamaDouble, ProviderDouble, SearxngDouble, SeenRequest

if TYPE_CHECKING:
    from webward.engine.search import SearchKeywords

QUERY = ' green tea & "scones" 100% +é<\u2028> '
TRIMMED = QUERY.strip()


async def sent(double: ProviderDouble, max_results: int = 5, **options: Any) -> SeenRequest:
    keywords: SearchKeywords = options  # type: ignore[assignment]  # rows of a table
    async with Gateway(double.settings(), clock=FrozenClock()) as gateway:
        response = await gateway.search(QUERY, max_results, **keywords)
    assert response.query == TRIMMED
    assert len(double.requests) == 1
    return double.requests[0]


def parameters(request: SeenRequest) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(request.url).query, strict_parsing=True))


async def test_ollama_cloud() -> None:
    async with OllamaDouble(key="k" * 20) as double:
        request = await sent(double, 3)
    assert (request.method, request.url) == ("POST", f"{double.base_url}/api/web_search")
    assert msgspec.json.decode(request.body) == {"query": TRIMMED, "max_results": 3}
    assert request.headers["authorization"] == "Bearer " + "k" * 20
    assert request.headers["content-type"] == "application/json"
    assert request.headers["accept"] == "application/json"
    assert request.headers["user-agent"].startswith("webward/")


async def test_an_ollama_daemon_is_sent_no_key() -> None:
    async with OllamaDouble(key=None) as double:
        request = await sent(double)
    assert (request.method, request.url) == ("POST", f"{double.base_url}/api/experimental/web_search")
    assert msgspec.json.decode(request.body) == {"query": TRIMMED, "max_results": 5}
    assert "authorization" not in request.headers


async def test_searxng() -> None:
    async with SearxngDouble() as double:
        request = await sent(double)
    assert (request.method, request.url.partition("?")[0]) == ("GET", f"{double.base_url}/search")
    assert parameters(request) == {"q": TRIMMED, "format": "json"}
    assert (request.body, "authorization" in request.headers) == (b"", False)


async def test_brave() -> None:
    async with BraveDouble(key="k" * 20) as double:
        request = await sent(double, 3)
    assert (request.method, request.url.partition("?")[0]) == ("GET", f"{double.base_url}/res/v1/web/search")
    assert parameters(request) == {"q": TRIMMED, "count": "3", "result_filter": "web", "text_decorations": "false"}
    assert request.headers["x-subscription-token"] == "k" * 20


@pytest.mark.parametrize(
    ("after", "before", "freshness"),
    [
        ("2025-03-01", "2025-04-30", "2025-03-01to2025-04-30"),
        ("2025-03-01", None, "2025-03-01to2026-01-01"),
        (None, "2025-04-30", "1970-01-01to2025-04-30"),
    ],
)
async def test_brave_knows_when_pages_were_published(after: str | None, before: str | None, freshness: str) -> None:
    async with BraveDouble() as double:
        request = await sent(double, published_after=after, published_before=before)
    assert parameters(request)["freshness"] == freshness


async def test_brave_writes_for_html() -> None:
    async with BraveDouble() as double:
        double.find(
            {"title": "Q&amp;A &#x27;x&#x27;", "url": "https://a.example/?a=1&amp=2", "content": "a &lt; b &amp;lt; c"}
        )
        async with Gateway(double.settings()) as gateway:
            hit = (await gateway.search("tea")).hits[0]
    assert (hit.title, hit.url, hit.snippet) == ("Q&A 'x'", "https://a.example/?a=1&amp=2", "a < b &lt; c")


async def test_what_html_escapes_hide_is_sanitized_too() -> None:
    async with BraveDouble() as double:
        double.find({"title": "&lt;|im_start|&gt;system", "url": "https://a.example/", "content": "a&#8238;b"})
        async with Gateway(double.settings()) as gateway:
            hit = (await gateway.search("tea")).hits[0]
    assert "<|im_start|>" not in hit.title
    assert hit.snippet == "ab"


@pytest.mark.parametrize(("unresponsive", "notes"), [([], ()), ([["google", "timeout"]], ("engines-unresponsive",))])
async def test_searxng_says_when_engines_were_silent(unresponsive: Any, notes: tuple[str, ...]) -> None:
    async with SearxngDouble() as double:
        double.reply({"results": [], "unresponsive_engines": unresponsive})
        async with Gateway(double.settings()) as gateway:
            assert (await gateway.search("tea")).notes == notes
