"""Runs the bot: ``python -m examples.discord_bot`` with ``DISCORD_TOKEN`` and the settings of webward."""

from __future__ import annotations

import asyncio
import os
import sys

import discord
from msgspec.structs import replace

from examples.discord_bot.bot import ReadingBot
from webward import Gateway, Settings, load_settings
from webward.chat import ChatLoop, ChatModel, ChatTools
from webward.errors import WebwardError


def settings() -> Settings:
    """The operator's settings; the bot reads pages, in a process apart, so that a slow one holds up no other answer."""
    loaded = load_settings()
    return replace(
        loaded,
        chat=replace(loaded.chat, enable_url_reading=True),
        content=replace(loaded.content, workers=max(1, loaded.content.workers)),
    )


async def run(token: str) -> None:
    """Run until the bot is stopped."""
    chosen = settings()
    async with ChatModel(chosen.chat.model) as model, Gateway(chosen) as gateway:
        tools = ChatTools(gateway, chosen.chat, gateway.quota, gateway.images)
        async with ReadingBot(ChatLoop(model, tools), tools) as bot:
            await bot.start(token)


def main() -> None:
    """Run, and say in a line what is missing."""
    token = os.environ.get("DISCORD_TOKEN", "")
    if not token:
        sys.exit("set DISCORD_TOKEN; examples/discord_bot/README.md says where it comes from")
    discord.utils.setup_logging()
    try:
        asyncio.run(run(token))
    except WebwardError as error:
        sys.exit(f"{error.code}: {error.message}")
    except discord.LoginFailure:
        sys.exit("Discord does not take the token")
    except OSError as error:
        sys.exit(f"Discord cannot be reached: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
