"""The FrockBot tools on a gateway, for hosts in Python."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from webward.contracts.frockbot import fetch, search
from webward.contracts.frockbot.classifier import classify
from webward.contracts.frockbot.codes import FetchCode, Refusal
from webward.contracts.frockbot.tools import (
    WEB_FETCH,
    WEB_SEARCH,
    Admission,
    ToolDefinition,
    admitted,
    is_enabled,
)
from webward.engine.deadline import deadline
from webward.engine.faults import reported
from webward.errors import InvalidConfiguration, ProviderNotConfigured, WebwardError

if TYPE_CHECKING:
    from collections.abc import Collection

    from webward.contracts.frockbot.results import ToolResult
    from webward.engine.gateway import Gateway

CALLS_AT_ONCE = 256  # of a tool; each may hold a body and its text, and more wait for their turn


class WebTool:
    """A tool that a host may call any number of times, also at once.

    Attributes:
        definition: What the host and its model are told of it.
    """

    def __init__(self, gateway: Gateway, definition: ToolDefinition) -> None:
        self.definition = definition
        self._gateway = gateway
        self._turns = asyncio.Semaphore(CALLS_AT_ONCE)

    async def __call__(self, value: object, *, effect_id: str | None = None) -> ToolResult:
        """Call the tool; whatever goes wrong is a result, but for the cancellation of the task that calls.

        Args:
            value: The input, as the model gave it.
            effect_id: Names the effect that the call is part of.
        """
        try:
            return await self._run(value, effect_id)
        except WebwardError as error:
            return self.refused(value, error)
        except Exception as error:  # noqa: BLE001 - the top handler of a call: a fault of ours must not stop the host
            return self.refused(value, reported(error))

    def refused(self, value: object, error: WebwardError) -> ToolResult:
        """The result of a call that failed."""
        raise NotImplementedError

    def canceled(self, value: object) -> ToolResult:
        """The result of a call that the host wants no more."""
        raise NotImplementedError

    async def _run(self, value: object, effect_id: str | None) -> ToolResult:
        raise NotImplementedError


class WebFetch(WebTool):
    """``web_fetch`` on a strict gateway."""

    def __init__(self, gateway: Gateway, definition: ToolDefinition) -> None:
        super().__init__(gateway, definition)
        self._seconds = min(fetch.DEADLINE_SECONDS, gateway.settings.limits.max_deadline_seconds)
        self._ports = gateway.settings.egress.ports or ()

    def refused(self, value: object, error: WebwardError) -> ToolResult:
        """The result of a call that failed."""
        return fetch.refused(value, error)

    def canceled(self, value: object) -> ToolResult:
        """The result of a call that the host wants no more."""
        return fetch.refused_as(value, Refusal(FetchCode.FAILED, "the call was canceled"))

    async def _run(self, value: object, effect_id: str | None) -> ToolResult:  # noqa: ARG002 - nothing is leased
        request = fetch.decode_input(value)
        verdict = classify(request.url, ports=self._ports)
        if not verdict.allowed:
            return fetch.refused_as(value, Refusal(FetchCode(verdict.code or ""), verdict.reason))
        async with deadline(self._seconds), self._turns:
            page = await self._gateway.read(
                request.url,
                headers=fetch.HEADERS,
                timeout_ms=round(self._seconds * 1000),
                max_bytes=request.max_bytes,
                rules=fetch.RULES,
                format=request.format,
            )
        return fetch.fetched(page)


class WebSearch(WebTool):
    """``web_search`` through the provider of a gateway."""

    def refused(self, value: object, error: WebwardError) -> ToolResult:
        """The result of a call that failed."""
        return search.refused(value, error)

    def canceled(self, value: object) -> ToolResult:
        """The result of a call that the host wants no more."""
        return search.failed(value, "the call was canceled")

    async def _run(self, value: object, effect_id: str | None) -> ToolResult:
        request = search.decode_input(value)
        async with deadline(self._gateway.settings.limits.deadline_seconds), self._turns:
            found = await self._gateway.search(request.query, request.max_results, effect_id=effect_id)
        return search.found(found)


def web_fetch_tool(gateway: Gateway, *, admission: Admission | None = None) -> WebTool:
    """The tool ``web_fetch``.

    Args:
        gateway: An open one, made with `strict_settings`.
        admission: In which turns it may be called; by default in all.

    Raises:
        InvalidConfiguration: The gateway allows more than the contract.
    """
    if not fetch.is_strict(gateway.settings):
        raise InvalidConfiguration("web_fetch needs a gateway made with webward.frockbot.strict_settings(settings)")
    return WebFetch(gateway, admitted(WEB_FETCH, admission or Admission()))


def web_search_tool(gateway: Gateway, *, admission: Admission | None = None) -> WebTool:
    """The tool ``web_search``.

    Args:
        gateway: An open one, with a provider.
        admission: In which turns it may be called; by default in all.

    Raises:
        ProviderNotConfigured: The gateway has no provider that can be asked.
    """
    if not gateway.can_search:
        raise ProviderNotConfigured("web_search needs a gateway with a search provider; docs/search.md says how")
    return WebSearch(gateway, admitted(WEB_SEARCH, admission or Admission()))


def mounted(
    gateway: Gateway, *, enabled: Collection[str] | None = None, admission: Admission | None = None
) -> list[WebTool]:
    """The tools that a host is offered on a gateway; ``web_search`` is one where a provider can be asked.

    Args:
        gateway: As for `web_fetch_tool`.
        enabled: Names of enabled packages and capabilities, or None where the host keeps the fence itself.
        admission: In which turns they may be called; by default in all.
    """
    tools = [web_fetch_tool(gateway, admission=admission)]
    if gateway.can_search:
        tools.append(web_search_tool(gateway, admission=admission))
    return [tool for tool in tools if is_enabled(tool.definition, enabled)]
