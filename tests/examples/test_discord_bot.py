"""The bot without Discord: what it would be told of, and what it would send."""

from __future__ import annotations

import warnings
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from tests.pictures import png
from tests.surfaces.chat.bench import LARGE, PNG, READING, SITE, URL, Bench

from webward.chat import ChatAnswer, ChatLoop, ChatModel, ReplyImage
from webward.model import Preview
from webward.testing import LoopbackWeb, ModelDouble

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # discord.py imports audioop, which Python 3.13 has no more
    from examples.discord_bot.bot import SORRY, ReadingBot, intents, question_of
    from examples.discord_bot.outgoing import MAX_FILES, MAX_MESSAGES, messages_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

BOT_ID = 42
PREVIEW = Preview(media_type="image/png", width=1, height=1, body=b"\x89PNG")


class Sent(list[dict[str, Any]]):
    """What was sent, as Discord's own methods are called."""

    async def __call__(self, text: str, **options: Any) -> None:
        self.append({"text": text, **options})


class Channel:
    """A channel that keeps what is sent to it."""

    id = 7

    def __init__(self) -> None:
        self.send = Sent()
        self.typed = 0

    @asynccontextmanager
    async def typing(self) -> AsyncIterator[None]:
        self.typed += 1
        yield


def message(content: str, *, mentions: bool = True, guild: bool = True, is_bot: bool = False) -> Any:
    return SimpleNamespace(
        content=content,
        author=SimpleNamespace(bot=is_bot, id=17),
        guild=SimpleNamespace() if guild else None,
        mentions=[SimpleNamespace(id=BOT_ID)] if mentions else [],
        reference=None,
        channel=Channel(),
        reply=Sent(),
    )


@asynccontextmanager
async def bot_of(web: LoopbackWeb, folder: Path, double: ModelDouble) -> AsyncIterator[ReadingBot]:
    model = ChatModel(double.settings(), retries=0)
    async with Bench(web, folder).tools(READING) as tools, model:
        bot = ReadingBot(ChatLoop(model, tools), tools)
        bot._connection.user = SimpleNamespace(id=BOT_ID)  # type: ignore[assignment] # noqa: SLF001 - as after the login
        yield bot


def test_no_intent_is_privileged() -> None:
    wanted = intents()
    assert (wanted.message_content, wanted.members, wanted.presences) == (False, False, False)
    assert (wanted.guilds, wanted.guild_messages, wanted.dm_messages) == (True, True, True)


async def test_it_mentions_nobody_and_has_a_slash_command(tmp_path: Path) -> None:
    async with LoopbackWeb() as web, ModelDouble() as double, bot_of(web, tmp_path, double) as bot:
        assert bot.allowed_mentions is not None
        mentions: dict[str, Any] = dict(bot.allowed_mentions.to_dict())
        assert mentions["parse"] == []
        (command,) = bot.tree.get_commands()
        told = command.to_dict(bot.tree)
    assert (told["name"], [option["name"] for option in told["options"]]) == ("ask", ["question"])


async def test_a_mention_is_answered_with_text_and_images(tmp_path: Path) -> None:
    asked = message(f"<@{BOT_ID}> What says {URL}?")
    async with LoopbackWeb() as web, ModelDouble() as double, bot_of(web, tmp_path, double) as bot:
        web.page(URL, f"<p>Tea is green.<img src=/a alt='A cup.' {LARGE}>")
        web.page(f"{SITE}/a", png(), headers=PNG)
        double.call(("fetch_url", {"url": URL}))
        double.say("Green. " * 400)
        asked.mentions.append(bot.user)
        await bot.on_message(asked)
        assert double.asked[0]["messages"][1]["content"] == f"What says {URL}?"
    sent = [*asked.reply, *asked.channel.send]
    assert (len(asked.reply), len(asked.channel.send), asked.channel.typed) == (1, 1, 1)
    assert all(len(one["text"]) < 2000 and one["suppress_embeds"] for one in sent)
    assert sent[0]["files"] == []
    (file,) = sent[1]["files"]
    assert file.filename.endswith((".png", ".jpg"))
    assert file.description == "A cup."


@pytest.mark.parametrize(
    "asked",
    [
        message("no mention", mentions=False),
        message("<@42> hello", is_bot=True),
        message("<@42> "),
        message("", guild=False, mentions=False),
    ],
    ids=["not mentioned", "a bot", "nothing asked", "nothing said"],
)
async def test_other_messages_are_passed_over(tmp_path: Path, asked: Any) -> None:
    async with LoopbackWeb() as web, ModelDouble() as double, bot_of(web, tmp_path, double) as bot:
        if asked.mentions:
            asked.mentions.append(bot.user)
        await bot.on_message(asked)
        assert double.requests == []
    assert (asked.reply, asked.channel.typed) == ([], 0)


async def test_words_to_the_bot_alone_need_no_mention(tmp_path: Path) -> None:
    asked = message("Hello!", guild=False, mentions=False)
    async with LoopbackWeb() as web, ModelDouble() as double, bot_of(web, tmp_path, double) as bot:
        double.say("Hello.")
        await bot.on_message(asked)
    assert [one["text"] for one in asked.reply] == ["Hello."]


async def test_a_model_that_fails_is_an_apology(tmp_path: Path) -> None:
    async with LoopbackWeb() as web, ModelDouble() as double, bot_of(web, tmp_path, double) as bot:
        double.reply({"error": {"message": "secret words of the server"}}, status=500)
        (outgoing,) = await bot.answer("Hello!", user=17, channel=7)
    assert outgoing == (SORRY, [])


async def test_the_slash_command_is_answered_later(tmp_path: Path) -> None:
    deferred = Sent()
    interaction: Any = SimpleNamespace(
        response=SimpleNamespace(defer=lambda **options: deferred("", **options)),
        followup=SimpleNamespace(send=Sent()),
        user=SimpleNamespace(id=17),
        channel_id=None,
    )
    async with LoopbackWeb() as web, ModelDouble() as double, bot_of(web, tmp_path, double) as bot:
        double.say("Hello.")
        (command,) = bot.tree.get_commands()
        await command.callback(interaction, "Hello!")  # type: ignore[union-attr, arg-type]
    assert deferred == [{"text": "", "thinking": True}]
    assert interaction.followup.send == [{"text": "Hello.", "files": [], "suppress_embeds": True}]


def test_a_question_has_no_mention_in_it() -> None:
    assert question_of(message("<@42> a <@!42> b <@43>"), BOT_ID) == "a  b <@43>"


def test_there_are_not_too_many_messages_and_files() -> None:
    images = tuple(ReplyImage(id=f"{number:064}", alt="", media_type="image/png") for number in range(9))
    answer = ChatAnswer(text="word " * 20_000, images=images, messages=[])
    messages = messages_of(answer, [(image.id, PREVIEW) for image in images])
    assert len(messages) == MAX_MESSAGES
    assert [len(outgoing.files) for outgoing in messages] == [0] * (MAX_MESSAGES - 1) + [MAX_FILES]
    assert messages[-1].files[0].description is None
