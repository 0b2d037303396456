from __future__ import annotations

import pytest

from webward import EgressPolicy, Gateway, Hit, Settings
from webward.errors import InvalidInput, NameNotFound, ProviderFailed, ProviderUnauthorized
from webward.model import Execution, SearchAbilities, SearchRequest
from webward.testing import BraveDouble, FakeProvider, OllamaDouble, ProviderDouble, SearxngDouble, Send

Double = type[ProviderDouble]
DOUBLES: list[Double] = [OllamaDouble, SearxngDouble, BraveDouble]
ROW = {"title": "T", "url": "https://t.example/", "content": "C"}
HIT = Hit(title="T", url="https://t.example/", snippet="C")


@pytest.mark.parametrize("kind", DOUBLES)
async def test_a_double_finds_its_rows(kind: Double) -> None:
    async with kind() as double, Gateway(double.settings()) as gateway:
        assert len((await gateway.search("tea", 2)).hits) == 2
        double.find(ROW)
        assert (await gateway.search("tea")).hits == (HIT,)
    assert len(double.requests) == 2


@pytest.mark.parametrize("kind", DOUBLES)
async def test_what_it_is_told_is_done_once_in_order(kind: Double) -> None:
    async with kind() as double, Gateway(double.settings(max_results=2)) as gateway:
        double.fail(500, "tired")
        double.script(Send(b"HTTP/1.1 404 Gone\r\nContent-Length: 0\r\n\r\n"))
        for part in ("500", "404"):
            with pytest.raises(ProviderFailed, match=part):
                await gateway.search("tea")
        assert len((await gateway.search("tea")).hits) == 2


@pytest.mark.parametrize("kind", DOUBLES)
async def test_another_path_is_not_found(kind: Double) -> None:
    async with kind() as double, Gateway(Settings(egress=EgressPolicy.development())) as gateway:
        fetched = await gateway.fetch(f"{double.base_url}/other", json={})
    assert fetched.status == 404


@pytest.mark.parametrize("kind", [OllamaDouble, BraveDouble])
async def test_another_key_is_rejected(kind: Double) -> None:
    async with kind(key="right-key-of-the-double") as double:
        settings = double.settings()
        double.key = "wrong"
        async with Gateway(settings) as gateway:
            with pytest.raises(ProviderUnauthorized):
                await gateway.search("tea")


def test_a_double_must_be_open() -> None:
    with pytest.raises(InvalidInput, match="async with"):
        OllamaDouble().settings()


REQUEST = SearchRequest(query="tea", max_results=1)
EXECUTION = Execution(effect_id="e", deadline=0)


async def test_a_fake_provider_gives_its_answers_in_order_and_the_last_one_stays() -> None:
    provider = FakeProvider([HIT, HIT], NameNotFound("gone"), [HIT], name="mine", abilities=SearchAbilities(dates=True))
    assert (await provider.search(REQUEST, EXECUTION)).hits == (HIT, HIT)
    with pytest.raises(NameNotFound):
        await provider.search(REQUEST, EXECUTION)
    for _ in range(2):
        assert (await provider.search(REQUEST, EXECUTION)).hits == (HIT,)
    assert provider.requests == [REQUEST] * 4
    assert provider.executions == [EXECUTION] * 4
    assert (provider.name, provider.abilities.dates) == ("mine", True)


async def test_a_fake_provider_without_answers_finds_nothing() -> None:
    assert (await FakeProvider().search(REQUEST, EXECUTION)).hits == ()
