"""The language model that answers, of any server that speaks OpenAI's Chat Completions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, Self

from webward.contracts.chat.turns import Message, Turn, turn_of
from webward.errors import InvalidConfiguration, ProviderFailed, ProviderNotConfigured, ProviderUnauthorized

if TYPE_CHECKING:
    from webward.config import ModelSettings

MAX_MESSAGE_CHARS = 300  # of what a server says about an error
NO_KEY = "none"  # the client wants one, and servers without keys pass it over
RETRIES = 1  # of the client's own, where a server is busy or gone for a moment


class Model(Protocol):
    """Answers a chat.

    Attributes:
        sees_images: Whether images may be shown to it.
    """

    sees_images: bool

    async def answer(self, messages: list[Message], tools: list[dict[str, Any]], *, may_call: bool) -> Turn:
        """What the model says next.

        Args:
            messages: Of the chat so far.
            tools: Those that it may call.
            may_call: Whether it may call any now, or must answer in words.

        Raises:
            ProviderFailed, ProviderUnauthorized: It gives no answer.
        """
        ...


class ChatModel:
    """Implements `Model` with the client of the package ``openai``. Use it as an asynchronous context manager.

    Args:
        settings: The server, and what it calls the model.
        retries: How often one request is sent again.

    Raises:
        ProviderNotConfigured: No model is named.
        InvalidConfiguration: The extra ``chat`` is not installed.
    """

    def __init__(self, settings: ModelSettings, *, retries: int = RETRIES) -> None:
        if settings.name is None:
            raise ProviderNotConfigured("no model is chosen; set chat.model.name", setting="chat.model.name")
        try:
            import openai  # noqa: PLC0415 - an extra, and importing it takes half a second
        except ImportError:
            raise InvalidConfiguration("a chat needs the extra: pip install 'webward[chat]'") from None
        self._openai = openai
        self._name = settings.name
        self._number = 0
        self._client = openai.AsyncOpenAI(
            base_url=settings.base_url,
            api_key=settings.api_key or NO_KEY,
            timeout=settings.seconds,
            max_retries=retries,
        )
        self.sees_images = settings.sees_images

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self._client.close()

    async def answer(self, messages: list[Message], tools: list[dict[str, Any]], *, may_call: bool) -> Turn:
        """What the model says next.

        Raises:
            ProviderFailed: The server cannot be reached, or gives no completion.
            ProviderUnauthorized: It does not take the key.
        """
        offered = {"tools": tools, "tool_choice": "auto" if may_call else "none"} if tools else {}
        request: dict[str, Any] = {"model": self._name, "messages": messages, **offered}
        self._number += 1
        try:
            answer = await self._client.chat.completions.with_raw_response.create(**request)
        except self._openai.APIStatusError as error:
            raise _refusal(error.status_code, error.message) from None
        except self._openai.APITimeoutError:
            raise ProviderFailed("the model gave no answer in time", setting="chat.model.seconds") from None
        except self._openai.OpenAIError as error:
            told = f"the model's server cannot be reached: {error}"
            raise ProviderFailed(told, setting="chat.model.base-url", unreached=True) from None
        return turn_of(answer.content, number=self._number)


def _refusal(status: int, words: str) -> ProviderFailed | ProviderUnauthorized:
    told = " ".join(words.split())[:MAX_MESSAGE_CHARS]
    if status in (401, 403):
        return ProviderUnauthorized(f"the model's server does not take the key: {told}", setting="chat.model.api-key")
    is_passing = status == 429 or status >= 500  # noqa: PLR2004 - RFC 6585 section 4, RFC 9110 section 15.6
    return ProviderFailed(f"the model's server answered with an error: {told}", retryable=is_passing)
