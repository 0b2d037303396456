from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from webward.testing import BraveDouble, OllamaDouble, ProviderDouble, SearxngDouble

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Command, Ran

Double = type[ProviderDouble]
LIST = """1. First
   https://first.example/
   The first page.

2. Second
   https://second.example/a?b=c
   The second page.
"""


async def run(webward: Command, double: ProviderDouble, *arguments: str, **variables: str) -> Ran:
    """The command, set to a double through the environment alone."""
    section = f"WEBWARD_SEARCH_{double.name.upper()}"
    settings = {
        "WEBWARD_SEARCH_PROVIDER": double.name,
        f"{section}_BASE_URL": double.base_url,
        f"{section}_UNSAFE_ALLOW_PRIVATE": "true",
        **({f"{section}_API_KEY": double.key} if double.key else {}),
        **variables,
    }
    return await asyncio.to_thread(webward, "search", *arguments, **settings)  # type: ignore[arg-type] # variables


@pytest.mark.parametrize("kind", [OllamaDouble, SearxngDouble, BraveDouble])
async def test_a_list(webward: Command, kind: Double) -> None:
    async with kind() as double:
        ran = await run(webward, double, "green tea", "-n", "2")
    assert (ran.status, ran.out.decode(), ran.err) == (0, LIST, "")


async def test_one_json_object(webward: Command) -> None:
    async with BraveDouble() as double:
        for option in ("--json", "--envelope"):
            ran = await run(webward, double, "green tea", "-n", "1", option)
            assert (ran.status, ran.err) == (0, "")
            assert json.loads(ran.out) == {
                "ok": True,
                "query": "green tea",
                "provider": "brave",
                "results": [{"title": "First", "url": "https://first.example/", "snippet": "The first page."}],
                "notes": [],
            }


async def test_filters_and_their_notes(webward: Command) -> None:
    async with SearxngDouble() as double:
        options = ("--allow-domain", "example", "--block-domain", "first.example", "--block-domain", "third.example")
        ran = await run(webward, double, "tea", *options, "--after", "2026-01-01", "--before", "2026-02-01")
    assert ran.out.decode().startswith("1. Second\n")
    assert b"2." not in ran.out
    assert ran.err.splitlines() == ["webward: note: domains-filtered", "webward: note: dates-ignored"]


async def test_nothing_was_found(webward: Command) -> None:
    async with OllamaDouble() as double:
        double.find()
        ran = await run(webward, double, "tea")
    assert (ran.status, ran.out, ran.err) == (0, b"", "webward: nothing was found\n")


async def test_a_hit_without_title_or_snippet(webward: Command) -> None:
    async with OllamaDouble() as double:
        double.find({"url": "https://a.example/"})
        ran = await run(webward, double, "tea")
    assert ran.out == b"1. https://a.example/\n   https://a.example/\n"


async def test_another_provider_for_once(webward: Command) -> None:
    async with SearxngDouble() as double:
        ran = await run(webward, double, "tea", "--provider", "searxng", WEBWARD_SEARCH_PROVIDER="brave")
    assert ran.status == 0


@pytest.mark.parametrize(
    ("arguments", "variables", "part"),
    [
        ((), {}, "set search.provider (WEBWARD_SEARCH_PROVIDER) to ollama, searxng or brave"),
        ((), {"WEBWARD_SEARCH_PROVIDER": "ollama"}, "WEBWARD_SEARCH_OLLAMA_API_KEY or OLLAMA_API_KEY"),
        (("--provider", "brave"), {"OLLAMA_API_KEY": "x"}, "WEBWARD_SEARCH_BRAVE_API_KEY or BRAVE_API_KEY"),
        (("--provider", "searxng"), {}, "WEBWARD_SEARCH_SEARXNG_BASE_URL"),
    ],
)
def test_what_is_lacking_is_told(
    webward: Command, arguments: tuple[str, ...], variables: dict[str, str], part: str
) -> None:
    ran = webward("search", "tea", *arguments, stdin=b"", **variables)
    assert (ran.status, ran.out) == (7, b"")
    assert part in ran.err
    assert "docs/search.md" in ran.err


@pytest.mark.parametrize(("status", "code"), [(401, "provider-unauthorized"), (500, "provider-failed")])
async def test_errors_of_the_provider(webward: Command, status: int, code: str) -> None:
    async with OllamaDouble(key="sk-hunter2-0123456789") as double:
        for _ in range(2):
            double.fail(status, "the key sk-hunter2-0123456789 is bad")
        ran = await run(webward, double, "tea")
        envelope = await run(webward, double, "tea", "--json")
    assert (ran.status, ran.out, envelope.status) == (7, b"", 7)
    assert f"{code}: ollama: " in ran.err
    assert json.loads(envelope.out)["error"]["code"] == code
    assert "hunter2" not in f"{ran} {envelope}"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["tea", "-n", "0"], "max_results"),
        (["tea", "-n", "11"], "max_results"),
        (["tea", "-n", "few"], "few"),
        ([""], "query"),
        (["x" * 401], "query"),
        (["tea", "--provider", "google"], "ollama, searxng or brave"),
        (["tea", "--after", "yesterday"], "published_after"),
        (["tea", "--allow-domain", "https://a.example"], "allowed_domains"),
        (["tea", "--timeout-ms", "0"], "timeout_ms"),
        (["tea", "--unknown"], "--unknown"),
        ([], "QUERY"),
    ],
)
def test_bad_options_are_named_and_json_is_kept(webward: Command, arguments: list[str], part: str) -> None:
    plain, envelope = webward("search", *arguments), webward("search", *arguments, "--json")
    assert (plain.status, envelope.status) == (2, 2)
    assert part in plain.err
    assert json.loads(envelope.out)["error"]["code"] == "invalid-input"
    assert part in json.loads(envelope.out)["error"]["message"]


def test_the_key_is_not_in_the_settings_that_are_shown(webward: Command) -> None:
    ran = webward("config", "show", OLLAMA_API_KEY="sk-hunter2", WEBWARD_SEARCH_BRAVE_API_KEY="sk-hunter2")
    assert ran.out.decode().count('api-key = "********"') == 2
    assert "hunter2" not in f"{ran}"
