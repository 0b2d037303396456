"""The loop of a chat with tools: the model is asked, its calls are done, and so on until it answers in words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from webward.contracts.chat.prompt import SYSTEM_PROMPT
from webward.contracts.chat.refusals import TOO_MANY_CALLS
from webward.contracts.chat.replies import ReplyImage, ToolReply, refused
from webward.contracts.chat.turns import (
    Message,
    ToolCall,
    Turn,
    assistant_message,
    images_message,
    recent,
    system_message,
    tool_message,
    user_message,
)

if TYPE_CHECKING:
    from webward.surfaces.chat.model import Model
    from webward.surfaces.chat.tools import ChatTools

MAX_ROUNDS = 8  # of calls; then the model must answer with what it has
MAX_CALLS = 8  # of one round; those above are refused
MAX_HISTORY_CHARS = 100_000  # some 25,000 tokens, which the context of most models has room for
NO_ANSWER = "(The model gave no answer.)"


class Progress(Struct, frozen=True, kw_only=True):
    """A call begins or ends.

    Attributes:
        call: What the model asks for.
        reply: What it is given; None when the call begins.
    """

    call: ToolCall
    reply: ToolReply | None = None


class ChatAnswer(Struct, frozen=True, kw_only=True):
    """What a chat bot says.

    Attributes:
        text: The model's words, never blank.
        images: Of the pages that were read for it, each once.
        messages: All that was said since the question, the question included: what the next one takes as history.
    """

    text: str
    images: tuple[ReplyImage, ...]
    messages: list[Message]


OnProgress = Callable[[Progress], None]


class ChatLoop:
    """Answers questions; it keeps nothing between them.

    Args:
        model: What answers.
        tools: What it may call.
        system_prompt: What it is told before all else.
    """

    def __init__(self, model: Model, tools: ChatTools, *, system_prompt: str = SYSTEM_PROMPT) -> None:
        self._model = model
        self._tools = tools
        self._system = system_message(system_prompt)

    async def answer(
        self,
        question: str,
        *,
        user: str | int,
        channel: str | int,
        history: list[Message] | None = None,
        on_progress: OnProgress = lambda _: None,
    ) -> ChatAnswer:
        """Answer a question.

        Args:
            question: What the user says.
            user: Who asks; calls of tools count for this user.
            channel: Where the answer is seen.
            history: Messages of answers before, of which the last are told to the model again.
            on_progress: Called when a call begins and when it ends.

        Raises:
            ProviderFailed, ProviderUnauthorized: The model gives no answer.
        """
        before = [self._system, *recent(history or [], max_chars=MAX_HISTORY_CHARS)]
        said = [user_message(question)]
        offered = self._tools.definitions()
        images: dict[str, ReplyImage] = {}
        for _ in range(MAX_ROUNDS):
            turn = await self._model.answer([*before, *said], offered, may_call=True)
            if not turn.calls:
                break
            replies = await self._round(turn, user, channel, on_progress)
            said.append(assistant_message(turn))
            said += [tool_message(call, reply.text) for call, reply in zip(turn.calls, replies, strict=True)]
            new = {image.id: image for reply in replies for image in reply.images if image.id not in images}
            said += await self._shown(new, channel)
            images |= new
        else:
            turn = await self._model.answer([*before, *said], offered, may_call=False)
        text = turn.text.strip() or NO_ANSWER
        said.append(assistant_message(Turn(text=text)))
        return ChatAnswer(text=text, images=tuple(images.values()), messages=said)

    async def _round(self, turn: Turn, user: str | int, channel: str | int, on_progress: OnProgress) -> list[ToolReply]:
        """Do the calls of a turn, at once."""

        async def do(call: ToolCall) -> ToolReply:
            on_progress(Progress(call=call))
            reply = await self._tools.call(call.name, call.arguments, user=user, channel=channel)
            on_progress(Progress(call=call, reply=reply))
            return reply

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(do(call)) for call in turn.calls[:MAX_CALLS]]
        return [task.result() for task in tasks] + [refused(TOO_MANY_CALLS)] * len(turn.calls[MAX_CALLS:])

    async def _shown(self, images: dict[str, ReplyImage], channel: str | int) -> list[Message]:
        if not images or not self._model.sees_images:
            return []
        previews = await self._tools.previews(images.values(), channel=channel)
        return [images_message(previews)] if previews else []
