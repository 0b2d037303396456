"""The examples of docs/search are settings that load and Python that runs."""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from webward import Gateway, SearchResponse
from webward.config import settings_from_mapping
from webward.testing import OllamaDouble

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS / "search.md", *sorted((DOCS / "search").glob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


PYTHON = blocks(DOCS / "search.md", "python")


async def run(code: str, **names: Any) -> dict[str, Any]:
    """Run an example, and give what it leaves behind."""
    body = textwrap.indent(code, "    ") + "\n    return locals()"
    exec(compile(f"async def example():\n{body}", "search.md", "exec"), names)  # noqa: S102 - our own example
    left: dict[str, Any] = await names["example"]()
    return left


@pytest.mark.parametrize(
    "text", [text for page in PAGES for text in blocks(page, "toml")], ids=lambda text: text.split("\n")[1]
)
def test_settings_load_and_choose_a_provider(text: str) -> None:
    provider = settings_from_mapping(tomllib.loads(text)).search.provider
    assert provider is not None
    assert provider in text


def test_each_provider_has_its_page_and_each_page_an_example() -> None:
    assert [page.stem for page in PAGES] == ["search", "brave", "ollama", "searxng"]
    assert all("webward search" in page.read_text(encoding="utf-8") for page in PAGES)
    assert len(PYTHON) == 3


async def test_the_first_example_prints_hits(capsys: pytest.CaptureFixture[str]) -> None:
    async with OllamaDouble() as double:
        double.find({"title": "Tea", "url": "https://tea.example.org/", "content": "Green."})
        await run(PYTHON[0], Gateway=lambda: Gateway(double.settings()))
    assert capsys.readouterr().out == "Tea https://tea.example.org/ Green.\n"


async def test_the_example_of_a_lease_settles_it() -> None:
    class Vault:
        settled: tuple[Any, ...] = ()

        async def acquire(self, *about: str) -> SimpleNamespace:
            return SimpleNamespace(key=double.key, about=about)

        async def settle(self, lease: SimpleNamespace) -> None:
            self.settled = (*self.settled, lease.about)

    vault = Vault()
    async with OllamaDouble() as double:
        left = await run(
            PYTHON[1],
            asynccontextmanager=asynccontextmanager,
            AsyncIterator=AsyncIterator,
            vault=vault,
            Gateway=partial(Gateway, double.settings()),
        )
    assert isinstance(left["response"], SearchResponse)
    assert vault.settled == (("ollama", "turn-7/effect-2"),)


async def test_the_example_of_a_test_finds_tea() -> None:
    left = await run(PYTHON[2], OllamaDouble=OllamaDouble, Gateway=Gateway)
    assert [hit.title for hit in left["response"].hits] == ["Tea"]
