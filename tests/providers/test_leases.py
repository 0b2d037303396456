"""A key that a host leases is acquired once a search, under the caller's effect id, and settled whatever happens."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.engine.sites import until

from webward import Gateway
from webward.errors import ProviderNotConfigured, ProviderUnauthorized, WebwardError
from webward.testing import BraveDouble, Close, OllamaDouble, Pause, ProviderDouble, Send
from webward.testing.doubles import KEY

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

Double = type[ProviderDouble]
SOON = [("Retry-After", "0")]
EFFECT = "turn-7/effect-2"


class Leases:
    """Implements `webward.ports.Credential`, and remembers."""

    def __init__(self, key: str = KEY) -> None:
        self.key = key
        self.acquired: list[str] = []
        self.settled: list[str] = []

    @asynccontextmanager
    async def __call__(self, effect_id: str, /) -> AsyncIterator[str]:
        self.acquired.append(effect_id)
        try:
            yield self.key
        finally:
            self.settled.append(effect_id)


def nothing(_double: ProviderDouble) -> None:
    """It finds its rows."""


def busy(double: ProviderDouble) -> None:
    double.fail(429, headers=SOON)
    double.fail(502, headers=SOON)


def failing(*statuses: int) -> Callable[[ProviderDouble], None]:
    def prepare(double: ProviderDouble) -> None:
        for status in statuses:
            double.fail(status, headers=SOON)

    return prepare


def no_json(double: ProviderDouble) -> None:
    double.reply(b"<html>")


def too_large(double: ProviderDouble) -> None:
    double.script(Send(b"HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n"))


def broken(double: ProviderDouble) -> None:
    double.script(Send(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"), Close())


def slow(double: ProviderDouble) -> None:
    double.script(Pause(60))


CASES: list[tuple[Callable[[ProviderDouble], None], str | None]] = [
    (nothing, None),
    (busy, None),
    (failing(429, 429, 429), "provider-failed"),
    (failing(401), "provider-unauthorized"),
    (failing(500), "provider-failed"),
    (no_json, "provider-failed"),
    (too_large, "provider-failed"),
    (broken, "provider-failed"),
    (slow, "deadline-exceeded"),
]


@pytest.mark.parametrize("kind", [OllamaDouble, BraveDouble])
@pytest.mark.parametrize(("prepare", "code"), CASES)
async def test_a_lease_is_settled(kind: Double, prepare: Callable[[ProviderDouble], None], code: str | None) -> None:
    leases = Leases()
    async with kind() as double, Gateway(double.settings(), credentials={double.name: leases}) as gateway:
        prepare(double)
        found = None
        try:
            await gateway.search("tea", effect_id=EFFECT, timeout_ms=500 if prepare is slow else None)
        except WebwardError as error:
            found = error.code
    assert found == code
    assert (leases.acquired, leases.settled) == ([EFFECT], [EFFECT])


async def test_a_lease_is_settled_when_the_search_is_cancelled() -> None:
    leases = Leases()
    async with OllamaDouble() as double, Gateway(double.settings(), credentials={"ollama": leases}) as gateway:
        slow(double)
        task = asyncio.create_task(gateway.search("tea", effect_id=EFFECT))
        await until(lambda: bool(double.requests))
        assert (leases.acquired, leases.settled) == ([EFFECT], [])
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert leases.settled == [EFFECT]


async def test_searches_at_once_lease_apart() -> None:
    leases = Leases()
    async with OllamaDouble() as double, Gateway(double.settings(), credentials={"ollama": leases}) as gateway:
        await asyncio.gather(*(gateway.search("tea", effect_id=f"{number}") for number in range(20)))
    assert sorted(leases.acquired) == sorted(leases.settled) == sorted(map(str, range(20)))


@pytest.mark.parametrize("kind", [OllamaDouble, BraveDouble])
async def test_a_lease_is_used_before_the_key_of_the_settings(kind: Double) -> None:
    async with kind() as double:
        settings = double.settings()
        double.key = "another-key-of-the-double"
        async with Gateway(settings, credentials={double.name: Leases(double.key)}) as gateway:
            assert gateway.can_search
            assert (await gateway.search("tea")).hits


async def test_what_a_lease_refuses_is_the_outcome() -> None:
    @asynccontextmanager
    async def refusing(_effect_id: str, /) -> AsyncIterator[str]:
        raise ProviderNotConfigured("no key is left for this turn")
        yield ""

    async with OllamaDouble() as double, Gateway(double.settings(), credentials={"ollama": refusing}) as gateway:
        with pytest.raises(ProviderNotConfigured, match="no key is left"):
            await gateway.search("tea")
    assert double.requests == []


@pytest.mark.parametrize("key", ["new\nline", "tab\x00", "schlüssel-\u20ac"], ids=repr)
async def test_a_key_that_cannot_be_sent_is_an_error_without_it(key: Any) -> None:
    async with OllamaDouble() as double, Gateway(double.settings(), credentials={"ollama": Leases(key)}) as gateway:
        with pytest.raises(WebwardError) as caught:
            await gateway.search("tea")
    assert caught.value.code == "provider-failed"
    assert key not in caught.value.message
    assert double.requests == []


async def test_an_empty_key_is_rejected_like_a_wrong_one() -> None:
    async with BraveDouble() as double, Gateway(double.settings(), credentials={"brave": Leases("")}) as gateway:
        with pytest.raises(ProviderUnauthorized):
            await gateway.search("tea")
