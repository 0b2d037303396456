from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.engine.sites import WAIT_SECONDS

from webward.chat import ChatModel, ModelSettings
from webward.contracts.chat.turns import Turn, user_message
from webward.errors import ProviderError, ProviderFailed, ProviderNotConfigured, ProviderUnauthorized
from webward.testing import Close, ModelDouble, Pause, Reset, Send

if TYPE_CHECKING:
    from webward.testing import Step

HELLO = [user_message("Hello!")]


async def asked(settings: ModelSettings, *, retries: int = 0) -> Turn:
    async with ChatModel(settings, retries=retries) as model, asyncio.timeout(WAIT_SECONDS):
        return await model.answer(HELLO, [], may_call=True)


async def test_a_model_is_asked_by_its_name() -> None:
    async with ModelDouble(key="sk-mine") as double:
        double.say("Hello.")
        assert await asked(double.settings()) == Turn(text="Hello.")
        assert double.asked == [{"model": "double-1", "messages": HELLO}]
        assert double.requests[0].headers["authorization"] == "Bearer sk-mine"


async def test_a_wrong_key_is_told() -> None:
    async with ModelDouble(key="sk-mine") as double:
        settings = ModelSettings(name="double-1", base_url=f"{double.base_url}/v1", api_key="sk-yours")
        with pytest.raises(ProviderUnauthorized, match="Incorrect API key") as raised:
            await asked(settings)
    assert raised.value.setting == "chat.model.api-key"


@pytest.mark.parametrize("status", [400, 404, 429, 500, 503])
async def test_a_status_is_told(status: int) -> None:
    async with ModelDouble() as double:
        double.reply({"error": {"message": "no\n\n more " + "x" * 5000}}, status=status)
        with pytest.raises(ProviderFailed, match=f"{status}.*no more") as raised:
            await asked(double.settings())
    assert len(raised.value.message) < 500
    assert raised.value.retryable is (status in {429, 500, 503})


BROKEN: dict[str, tuple[Step, ...]] = {
    "no http": (Send(b"garbage\r\n\r\n"), Close()),
    "reset": (Reset(),),
    "closed": (Close(),),
    "broken off": (Send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"), Close()),
    "no json": (Send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n<html"),),
    "no completion": (Send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"),),
}


@pytest.mark.parametrize("name", BROKEN)
async def test_a_broken_answer_is_told(name: str) -> None:
    async with ModelDouble() as double:
        double.script(*BROKEN[name])
        with pytest.raises(ProviderFailed):
            await asked(double.settings())


async def test_a_silent_model_is_told() -> None:
    async with ModelDouble() as double:
        double.script(Pause(10 * WAIT_SECONDS))
        with pytest.raises(ProviderFailed, match="in time") as raised:
            await asked(double.settings(seconds=0.1))
    assert raised.value.setting == "chat.model.seconds"


async def test_nobody_there_is_told() -> None:
    async with ModelDouble() as double:
        settings = double.settings()
    with pytest.raises(ProviderError, match="cannot be reached") as raised:
        await asked(settings)
    assert raised.value.setting == "chat.model.base-url"


async def test_a_server_that_was_gone_is_asked_again() -> None:
    async with ModelDouble() as double:
        double.script(Reset())
        double.say("Hello.")
        assert await asked(double.settings(), retries=1) == Turn(text="Hello.")


def test_a_model_must_be_named() -> None:
    with pytest.raises(ProviderNotConfigured) as raised:
        ChatModel(ModelSettings())
    assert raised.value.setting == "chat.model.name"
