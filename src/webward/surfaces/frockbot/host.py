"""The FrockBot tools by lines, for a host in any language that runs webward as its child process."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from webward.contracts.frockbot import lines
from webward.contracts.page import leading_id
from webward.engine.faults import reported
from webward.errors import InvalidInput, WebwardError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webward.contracts.frockbot.results import ToolResult
    from webward.surfaces.frockbot.tools import WebTool


class LineHost:
    """Answers the lines of a host that runs webward as its child process."""

    def __init__(self, tools: Iterable[WebTool]) -> None:
        self._tools = {tool.definition.name: tool for tool in tools}
        self._running: dict[lines.CallId, asyncio.Task[object]] = {}
        self._canceled: set[lines.CallId] = set()

    async def answer(self, line: bytes) -> bytes:
        """The answer to a line, as a line; empty for a cancel."""
        value: object = leading_id(line)
        try:
            value = lines.parse_message(line)
            message = lines.message_of(value)
            if isinstance(message, lines.Cancel):
                self._cancel(message.cancel)
                return b""
            result = await self._call(message)
        except WebwardError as error:
            result = lines.broken(error)
        except Exception as error:  # noqa: BLE001 - the top handler of a line: a fault must not stop the others
            result = lines.broken(reported(error))
        return lines.answer_line(value, result)

    async def _call(self, call: lines.Call) -> ToolResult:
        tool = self._tools.get(call.tool)
        if tool is None:
            raise InvalidInput(f"there is no such tool; offered are: {', '.join(self._tools) or 'none'}")
        task = asyncio.current_task()
        if task is None or call.id in self._running:
            raise InvalidInput("a call with this id is under way")
        self._running[call.id] = task
        try:
            return await tool(call.value, effect_id=call.effect_id)
        except asyncio.CancelledError:
            if call.id not in self._canceled:  # the whole process is ending
                raise
            task.uncancel()
            return tool.canceled(call.value)
        finally:
            del self._running[call.id]
            self._canceled.discard(call.id)

    def _cancel(self, identity: lines.CallId) -> None:
        task = self._running.get(identity)
        if task is not None and identity not in self._canceled:
            self._canceled.add(identity)
            task.cancel()
