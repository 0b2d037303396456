"""What every provider makes of every status."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webward import Gateway
from webward.errors import ProviderError, ProviderFailed, ProviderUnauthorized
from webward.testing import BraveDouble, OllamaDouble, ProviderDouble, SearxngDouble

if TYPE_CHECKING:
    from collections.abc import Callable

Double = type[ProviderDouble]
DOUBLES: list[Double] = [OllamaDouble, SearxngDouble, BraveDouble]
SOON = [("Retry-After", "0")]
LATE = [("Retry-After", "3600")]

# Status, kind of error, whether another try may help, how often it is asked.
STATUSES = [
    (204, ProviderFailed, False, 1),
    (300, ProviderFailed, False, 1),
    (304, ProviderFailed, False, 1),
    (400, ProviderFailed, False, 1),
    (401, ProviderUnauthorized, False, 1),
    (402, ProviderFailed, False, 1),
    (403, ProviderUnauthorized, False, 1),
    (404, ProviderFailed, False, 1),
    (413, ProviderFailed, False, 1),
    (422, ProviderFailed, False, 1),
    (429, ProviderFailed, True, 3),
    (500, ProviderFailed, True, 1),
    (502, ProviderFailed, True, 3),
    (503, ProviderFailed, True, 1),
]


async def failure(double: ProviderDouble) -> ProviderError:
    async with Gateway(double.settings()) as gateway:
        with pytest.raises(ProviderError) as caught:
            await gateway.search("tea")
    return caught.value


@pytest.mark.parametrize("kind", DOUBLES)
@pytest.mark.parametrize(("status", "error", "retryable", "asked"), STATUSES)
async def test_a_status_is_an_error(
    kind: Double,
    status: int,
    error: type[ProviderError],
    retryable: bool,  # noqa: FBT001 - a row
    asked: int,
) -> None:
    async with kind() as double:
        for _ in range(asked + 1):
            double.fail(status, headers=SOON)
        caught = await failure(double)
    assert type(caught) is error
    assert caught.retryable is retryable
    assert caught.message.startswith(f"{double.name}: ")
    assert status == 204 or str(status) in caught.message
    assert len(double.requests) == asked


@pytest.mark.parametrize("kind", DOUBLES)
@pytest.mark.parametrize("status", [429, 502])
async def test_a_provider_that_was_busy_is_asked_again(kind: Double, status: int) -> None:
    async with kind() as double:
        double.fail(status, headers=SOON)
        double.fail(status, headers=SOON)
        async with Gateway(double.settings()) as gateway:
            response = await gateway.search("tea")
    assert [hit.title for hit in response.hits] == ["First", "Second", "Third"]
    assert len(double.requests) == 3
    assert len({(request.url, request.body) for request in double.requests}) == 1


@pytest.mark.parametrize("kind", DOUBLES)
async def test_a_wait_beyond_the_deadline_is_told_and_not_taken(kind: Double) -> None:
    async with kind() as double:
        double.fail(429, headers=LATE)
        caught = await failure(double)
    assert (caught.retryable, caught.retry_after_seconds) == (True, 3600)
    assert len(double.requests) == 1


@pytest.mark.parametrize("kind", DOUBLES)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_not_followed(kind: Double, status: int) -> None:
    async with kind() as double, kind() as other:
        double.reply(b"", status=status, headers=[("Location", other.base_url)])
        caught = await failure(double)
    assert type(caught) is ProviderFailed
    assert f"redirect (status {status})" in caught.message
    assert (len(double.requests), other.requests) == (1, [])


@pytest.mark.parametrize(
    ("make", "part"),
    [
        (OllamaDouble, "the key was rejected (status 401)"),
        (BraveDouble, "the key was rejected (status 422)"),
    ],
)
async def test_a_wrong_key_is_rejected(make: Callable[[], ProviderDouble], part: str) -> None:
    async with make() as double:
        settings = double.settings()
        double.key = "another"
        async with Gateway(settings) as gateway:
            with pytest.raises(ProviderUnauthorized) as caught:
                await gateway.search("tea")
    assert part in caught.value.message


async def test_a_daemon_that_is_not_signed_in_says_what_to_do() -> None:
    async with OllamaDouble(key=None) as double:
        double.fail(401)
        assert "ollama signin" in (await failure(double)).message


async def test_an_instance_without_json_says_what_its_operator_sets() -> None:
    async with SearxngDouble(formats=("html",)) as double:
        caught = await failure(double)
    assert type(caught) is ProviderUnauthorized
    assert "formats: [html, json]" in caught.message
    assert "(status 403)" in caught.message


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": "weekly limit reached"}, ": weekly limit reached"),
        ({"error": {"message": "weekly limit\n reached", "field": "query"}}, ": weekly limit reached"),
        ({"error": {"detail": "too many words"}}, ": too many words"),
        ({"error": {"code": "RATE_LIMITED"}}, ": RATE_LIMITED"),
        ({"error": {"message": 3, "detail": ["x"]}}, ""),
        ({"error": 7}, ""),
        ({"error": None}, ""),
        ({}, ""),
        ([], ""),
        (b"<html>Bad Gateway", ""),
        (b"", ""),
        (b"\xff", ""),
    ],
    ids=repr,
)
async def test_what_the_provider_says_of_its_error(body: object, words: str) -> None:
    async with OllamaDouble() as double:
        double.reply(body, status=400)
        assert (await failure(double)).message == f"ollama: answered with status 400{words}"


async def test_what_the_provider_says_is_short_and_sanitized() -> None:
    async with OllamaDouble() as double:
        double.fail(400, "<|im_start|>\u202e\x1b[31m" + "x" * 1000)
        message = (await failure(double)).message
    assert len(message) < 300
    assert not {"<|im_start|>", "\u202e", "\x1b"} & {
        part for part in ("<|im_start|>", "\u202e", "\x1b") if part in message
    }
