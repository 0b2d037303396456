"""`webward chat`: asks a model that may read pages and search, in the terminal."""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from webward.contracts.chat.progress import told_call, told_reply
from webward.engine.gateway import Gateway
from webward.errors import InvalidInput, ProviderError
from webward.surfaces.chat.loop import ChatLoop
from webward.surfaces.chat.model import ChatModel
from webward.surfaces.chat.tools import ChatTools
from webward.surfaces.cli import options, terminal
from webward.surfaces.cli.run import report, reporting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webward.config import Settings
    from webward.contracts.chat.turns import Message
    from webward.surfaces.chat.loop import ChatAnswer, Progress

USER = CHANNEL = "terminal"
PROMPT = "> "


@click.command("chat")
@click.argument("question", required=False)
@click.option("--model", "name", metavar="NAME", help="What the server calls the model; else chat.model.name.")
@click.option("--base-url", metavar="URL", help="Of a server with OpenAI's Chat Completions; else chat.model.base-url.")
@click.option("--enable-url-reading", is_flag=True, help="Offer fetch_url, as chat.enable-url-reading does.")
@click.option("--enable-web-search", is_flag=True, help="Offer web_search, as chat.enable-web-search does.")
@options.policy_options
@click.pass_obj
def command(config_path: str | None, /, question: str | None, **given: Any) -> None:  # noqa: ANN401 - click hands over options
    """Ask a model that may read pages and search the web; without QUESTION, chat until the input ends.

    Answers go to standard output, and a line for each call of a tool to standard error. Calls count against the daily
    limits of one user (chat.url-daily-per-user). Needs the extra: pip install 'webward[chat]'.
    """
    with reporting():
        settings = options.settings_of(config_path, given["policy"], given["allow_cidr"], chat=_chat_section(given))
        terminal.require_output()
        if question is None and sys.stdin is None:
            raise InvalidInput("standard input is closed; give the question as an argument")
        with asyncio.Runner() as runner:
            stack = AsyncExitStack()
            try:
                loop = runner.run(_open(settings, stack))
                _chat(runner, loop, question)
            finally:
                runner.run(stack.aclose())


def _chat_section(given: dict[str, Any]) -> dict[str, object]:
    """The section ``chat`` as far as the command line says."""
    section: dict[str, object] = {
        key: True for key in ("enable-url-reading", "enable-web-search") if given[key.replace("-", "_")]
    }
    model = {"name": given["name"], "base-url": given["base_url"]}
    said = {key: value for key, value in model.items() if value is not None}
    return {**section, "model": said} if said else section


async def _open(settings: Settings, stack: AsyncExitStack) -> ChatLoop:
    model = await stack.enter_async_context(ChatModel(settings.chat.model))
    gateway = await stack.enter_async_context(Gateway(settings))
    tools = ChatTools(gateway, settings.chat, gateway.quota, gateway.images)
    if not tools.definitions():
        terminal.note("no tool is offered; set chat.enable-url-reading or chat.enable-web-search")
    return ChatLoop(model, tools)


def _chat(runner: asyncio.Runner, loop: ChatLoop, question: str | None) -> None:
    if question is not None:
        _show(runner.run(_answer(loop, question, [])))
        return
    history: list[Message] = []
    for line in _questions():
        try:
            answer = runner.run(_answer(loop, line, history))
        except ProviderError as error:  # the next question may do better
            report(error, as_envelope=False)
            continue
        except KeyboardInterrupt:
            terminal.note("the question is given up")
            continue
        _show(answer)
        history += answer.messages


def _questions() -> Iterator[str]:
    """Lines of standard input that are not blank; asked between the runs of the event loop, so that a key ends them."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    while True:
        if terminal.is_terminal() and sys.stdin.isatty():
            sys.stdout.write(PROMPT)
            sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()


async def _answer(loop: ChatLoop, question: str, history: list[Message]) -> ChatAnswer:
    return await loop.answer(question, user=USER, channel=CHANNEL, history=history, on_progress=_tell)


def _show(answer: ChatAnswer) -> None:
    terminal.write_text(answer.text)
    for image in answer.images:
        terminal.note(f"kept an image: {image.media_type} {image.alt}".rstrip())


def _tell(progress: Progress) -> None:
    reply = progress.reply
    terminal.note(told_call(progress.call) if reply is None else told_reply(progress.call, reply))
