"""Answers as messages of Discord."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

import discord

from webward.chat import split_reply

if TYPE_CHECKING:
    from webward.chat import ChatAnswer
    from webward.model import Preview

MAX_FILES = 4  # Discord takes ten; a screen shows four side by side
MAX_DESCRIPTION_CHARS = 1024  # the most that Discord takes
MAX_MESSAGES = 5  # of one answer; more would push the chat away

_ENDINGS = {"image/png": "png", "image/jpeg": "jpg"}


class Outgoing(NamedTuple):
    """A message to be sent."""

    text: str
    files: list[discord.File]


def messages_of(answer: ChatAnswer, previews: list[tuple[str, Preview]]) -> list[Outgoing]:
    """The messages of an answer; the images of its pages hang on the last one."""
    texts = split_reply(answer.text)[:MAX_MESSAGES]
    alternatives = {image.id: image.alt for image in answer.images}
    files = [_file(identity, preview, alternatives[identity]) for identity, preview in previews[:MAX_FILES]]
    return [Outgoing(text, files if text is texts[-1] else []) for text in texts]


def _file(identity: str, preview: Preview, alternative: str) -> discord.File:
    name = f"{identity[:12]}.{_ENDINGS[preview.media_type]}"
    return discord.File(BytesIO(preview.body), filename=name, description=alternative[:MAX_DESCRIPTION_CHARS] or None)
