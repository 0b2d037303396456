"""The bot: answers where it is mentioned, and to ``/ask``."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import discord
from discord import app_commands

from examples.discord_bot.outgoing import Outgoing, messages_of
from webward.errors import WebwardError

if TYPE_CHECKING:
    from webward.chat import ChatLoop, ChatTools

ANSWERS_AT_ONCE = 16  # more wait for their turn
ANSWER_SECONDS = 300.0  # of one answer, with all its calls; a slash command may be answered for 15 minutes
MAX_QUESTION_CHARS = 4000  # as long as a message of Discord can be
SORRY = "I cannot answer at present; please try again later."

logger = logging.getLogger(__name__)


def intents() -> discord.Intents:
    """What the bot is told of: messages, whose words it sees where it is mentioned; nothing that is privileged."""
    wanted = discord.Intents.none()
    wanted.guilds = wanted.guild_messages = wanted.dm_messages = True
    return wanted


class ReadingBot(discord.Client):
    """Answers with a `ChatLoop`.

    Args:
        loop: Gives the answers.
        tools: Of the loop; they give the images of the pages that were read.
    """

    def __init__(self, loop: ChatLoop, tools: ChatTools) -> None:
        super().__init__(intents=intents(), allowed_mentions=discord.AllowedMentions.none())
        self.tree = app_commands.CommandTree(self)

        @self.tree.command(name="ask", description="Ask something; links are read where the answer needs them.")
        @app_commands.describe(question="What you want to know")
        async def ask(interaction: discord.Interaction, question: str) -> None:
            await self._ask(interaction, question)

        self._chat = loop
        self._tools = tools
        self._turns = asyncio.Semaphore(ANSWERS_AT_ONCE)

    async def setup_hook(self) -> None:
        """Tell Discord of the slash command."""
        await self.tree.sync()

    async def on_ready(self) -> None:
        """Tell the operator that the bot is there."""
        logger.info("here as %s", self.user)

    async def on_message(self, message: discord.Message) -> None:
        """Answer a message that mentions the bot, or that comes to it alone."""
        if message.author.bot or self.user is None:
            return
        if message.guild is not None and self.user not in message.mentions:
            return
        question = question_of(message, self.user.id)
        if not question:
            return
        async with message.channel.typing():
            answer = await self.answer(question, user=message.author.id, channel=message.channel.id)
        for number, outgoing in enumerate(answer):
            send = message.channel.send if number else message.reply
            await send(outgoing.text, files=outgoing.files, suppress_embeds=True)

    async def _ask(self, interaction: discord.Interaction, question: str) -> None:
        await interaction.response.defer(thinking=True)
        channel = interaction.channel_id or interaction.user.id
        for outgoing in await self.answer(question, user=interaction.user.id, channel=channel):
            await interaction.followup.send(outgoing.text, files=outgoing.files, suppress_embeds=True)

    async def answer(self, question: str, *, user: int, channel: int) -> list[Outgoing]:
        """The messages that answer a question."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS), self._turns:
                answer = await self._chat.answer(question[:MAX_QUESTION_CHARS], user=user, channel=channel)
                return messages_of(answer, await self._tools.previews(answer.images, channel=channel))
        except (WebwardError, TimeoutError) as error:
            logger.warning("no answer: %s", error)
            return [Outgoing(SORRY, [])]


def question_of(message: discord.Message, bot_id: int) -> str:
    """What a message asks, without the mention of the bot; of the message that it replies to, if its words are seen."""
    question = message.content
    for mention in (f"<@{bot_id}>", f"<@!{bot_id}>"):
        question = question.replace(mention, "")
    before = message.reference.resolved if message.reference else None
    if isinstance(before, discord.Message) and before.content:
        return f"{question.strip()}\n\nThis is about the message:\n{before.content}"
    return question.strip()
