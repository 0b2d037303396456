"""The worker's entry in the configuration worker: made when it is missing, and read."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from webward.contracts.iii.configuration import stored_form
from webward.contracts.iii.functions import configuration_entry
from webward.surfaces.iii.bus import CallFailed

if TYPE_CHECKING:
    from webward.contracts.iii.configuration import WebConfiguration
    from webward.surfaces.iii.bus import Bus

CALL_TIMEOUT_MS = 5_000
PAUSES_SECONDS = (0.25, 0.5)  # before the second and the third attempt
NOTHING_STORED = "NOT_FOUND"
NO_SUCH_FUNCTION = "function_not_found"


class ConfigurationEntry:
    """An entry of the configuration worker.

    Args:
        bus: Where that is called.
        name: Id of the entry.
        seed: What is stored when nothing is.
    """

    def __init__(self, bus: Bus, name: str, seed: WebConfiguration) -> None:
        self._bus = bus
        self._name = name
        self._seed = stored_form(seed)

    async def ensure(self) -> object:
        """Make the entry with its schema where it is missing, and give what is stored, or None.

        Raises:
            CallFailed: There is no configuration worker, or it fails.
        """
        entry = configuration_entry(self._name)
        try:
            await self._call("ensure", {**entry, "initial_value": self._seed}, no_retry=NO_SUCH_FUNCTION)
        except CallFailed as error:
            if error.code != NO_SUCH_FUNCTION:
                raise
            # An initial value replaces what is stored, so it is given only where nothing is.
            stored = await self._get(raw=True)
            await self._call("register", entry if stored is not None else {**entry, "initial_value": self._seed})
        return await self.value()

    async def value(self) -> object:
        """What is stored, or None.

        Raises:
            CallFailed: There is no configuration worker, or it fails.
        """
        return await self._get()

    async def _get(self, **options: object) -> object:
        try:
            found = await self._call("get", {"id": self._name, **options}, no_retry=NOTHING_STORED)
        except CallFailed as error:
            if error.code != NOTHING_STORED:
                raise
            return None
        return found.get("value") if isinstance(found, Mapping) else None

    async def _call(self, function: str, payload: Mapping[str, object], *, no_retry: str | None = None) -> Any:  # noqa: ANN401 - any JSON value
        call = partial(self._bus.call, f"configuration::{function}", payload, timeout_ms=CALL_TIMEOUT_MS)
        for pause_seconds in PAUSES_SECONDS:
            try:
                return await call()
            except CallFailed as error:
                if error.code == no_retry:
                    raise
            await asyncio.sleep(pause_seconds)
        return await call()
