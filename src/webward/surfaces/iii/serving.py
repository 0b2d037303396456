"""The gateway of the configuration in force; a former one lives on until the calls that began on it have ended."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

from webward.contracts.iii.configuration import gateway_settings
from webward.engine.gateway import Gateway

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from webward.config import Settings
    from webward.contracts.iii.configuration import WebConfiguration


class Snapshot(NamedTuple):
    """What one call goes by from its beginning to its end."""

    configuration: WebConfiguration
    gateway: Gateway


class Serving:
    """Hands out snapshots.

    Args:
        settings: Of the operator.
        configuration: The one in force at first.
        make_gateway: Makes a gateway of settings.
    """

    def __init__(
        self,
        settings: Settings,
        configuration: WebConfiguration,
        make_gateway: Callable[[Settings], Gateway] = Gateway,
    ) -> None:
        self._settings = settings
        self._make_gateway = make_gateway
        self._configuration = configuration
        self._calls: dict[Gateway, int] = {}
        self._gateway: Gateway | None = None

    @property
    def configuration(self) -> WebConfiguration:
        """The one in force."""
        return self._configuration

    async def use(self, configuration: WebConfiguration) -> None:
        """Put another configuration in force, for the calls that begin from now on."""
        before = gateway_settings(self._settings, self._configuration)
        self._configuration = configuration
        if gateway_settings(self._settings, configuration) != before:
            await self._retire()

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Snapshot]:
        """What is in force now, for as long as a call takes."""
        gateway = self._gateway
        if gateway is None:
            gateway = self._gateway = self._make_gateway(gateway_settings(self._settings, self._configuration))
            self._calls[gateway] = 0
            await gateway.__aenter__()
        self._calls[gateway] += 1
        try:
            yield Snapshot(self._configuration, gateway)
        finally:
            self._calls[gateway] -= 1
            await self._close_if_idle(gateway)

    async def close(self) -> None:
        """Close the gateway; no call is under way."""
        await self._retire()

    async def _retire(self) -> None:
        gateway, self._gateway = self._gateway, None
        if gateway is not None:
            await self._close_if_idle(gateway)

    async def _close_if_idle(self, gateway: Gateway) -> None:
        if gateway is not self._gateway and self._calls.get(gateway) == 0:
            del self._calls[gateway]
            await gateway.__aexit__(None, None, None)
