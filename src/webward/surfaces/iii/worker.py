"""The worker: connects, takes its configuration, serves its functions, and leaves when it is told to."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from webward.contracts.iii.configuration import DEFAULTS, NAME, decode_configuration, kept
from webward.contracts.iii.functions import FETCH, INJECT_GUIDANCE, ON_CONFIG_CHANGE, configuration_binding
from webward.contracts.iii.guidance import inject
from webward.engine.gateway import Gateway
from webward.errors import InvalidConfiguration
from webward.surfaces.iii.bus import Bus, CallFailed
from webward.surfaces.iii.configuration import ConfigurationEntry
from webward.surfaces.iii.fetch import WebFetch
from webward.surfaces.iii.guidance import GuidanceBinding
from webward.surfaces.iii.serving import Serving

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from webward.config import Settings
    from webward.contracts.iii.configuration import WebConfiguration

LOOPBACK_WARNING = "loopback may be requested; set allow_loopback to false in production"
RETRY_SECONDS = 15.0  # until the configuration worker has been found once
DRAIN_SECONDS = 3.0  # for calls under way when the worker ends
SETTLE_SECONDS = 0.1  # for the last results to leave through the SDK
CLOSE_SECONDS = 1.0  # for the engine to say good-bye


class WebWorker:
    """Serves ``web::fetch`` to an engine.

    Args:
        settings: Of the operator.
        url: ``ws://`` or ``wss://`` of the engine.
        entry: Id of the worker's entry in the configuration worker.
        seed: The configuration while nothing is stored.
        warn: Told what an operator should know.
        make_gateway: Makes a gateway of settings.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        url: str,
        entry: str = NAME,
        seed: WebConfiguration = DEFAULTS,
        warn: Callable[[str], None],
        make_gateway: Callable[[Settings], Gateway] = Gateway,
    ) -> None:
        self._url = url
        self._entry_name = entry
        self._seed = seed
        self._warn = warn
        self._serving = Serving(settings, seed, make_gateway)
        self._fetch = WebFetch(self._serving)
        self._reloading = asyncio.Lock()
        self._is_serving = self._was_warned = False
        self._connections = self._configured_on = 0  # counted from 1
        self._connected = asyncio.Event()
        self._refused = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._withdraw: Callable[[], None] | None = None

    async def run(self, stop: asyncio.Event) -> bool:
        """Serve until told to stop, whether the engine is there or not; then answer what is under way.

        Args:
            stop: Set when it is time.

        Returns:
            Whether the SDK has ended, too; otherwise a thread of it is left.

        Raises:
            InvalidConfiguration: The engine does not take this worker.
        """
        self._bus = Bus(self._url, self._state_changed)
        self._entry = ConfigurationEntry(self._bus, self._entry_name, self._seed)
        self._guidance = GuidanceBinding(self._bus, self._warn)
        serving = self._spawn(self._serve())
        refused, stopped = map(self._spawn, (_set(self._refused), _set(stop)))
        try:
            await asyncio.wait((serving, refused, stopped), return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                await serving  # for what it raised
        finally:
            has_ended = await self._leave()
        if self._refused.is_set():
            raise InvalidConfiguration(
                f"the engine does not take this worker, most likely because another one is called {NAME}; "
                "III_WORKER_NAME and III_NAMESPACE name it otherwise"
            )
        return has_ended

    async def _serve(self) -> None:
        await self._connected.wait()
        await self._reload()
        if self._serving.configuration.allow_loopback:
            self._warn(LOOPBACK_WARNING)
        self._withdraw = self._bus.serve(FETCH, self._fetch)
        self._bus.serve(INJECT_GUIDANCE, _inject)
        self._is_serving = True
        self._guidance.reconcile(wanted=self._serving.configuration.inject_guidance)
        self._bus.serve(ON_CONFIG_CHANGE, self._config_changed)
        self._bus.bind(configuration_binding(self._entry_name))
        await self._reload()  # for what changed before the binding
        while True:
            await asyncio.sleep(RETRY_SECONDS)
            if self._configured_on != self._connections:
                await self._reload()

    async def _leave(self) -> bool:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._withdraw is not None:
            self._withdraw()  # the engine sends no more calls
        await self._fetch.drain(DRAIN_SECONDS)
        await asyncio.sleep(SETTLE_SECONDS)
        has_ended = await self._bus.close(CLOSE_SECONDS)
        await self._serving.close()
        return has_ended

    async def _config_changed(self, _event: object) -> dict[str, bool]:
        await self._reload()
        return {"ok": True}

    async def _reload(self) -> None:
        """Take what is stored; where it cannot be read or is bad, the last good configuration stays."""
        async with self._reloading:
            connection = self._connections
            is_known = self._configured_on == connection
            try:
                value = await (self._entry.value() if is_known else self._entry.ensure())
            except CallFailed as error:
                if not self._was_warned:
                    self._warn(f"the configuration cannot be read, so it stays as it is: {error}")
                self._was_warned = True
                return
            self._configured_on, self._was_warned = connection, False
            await self._use(self._decoded(value))

    def _decoded(self, value: object) -> WebConfiguration:
        if value is None:
            return self._seed
        try:
            return decode_configuration(value)
        except InvalidConfiguration as error:
            self._warn(f"the stored configuration is bad, so the last good one stays: {error.message}")
            return kept(value, self._serving.configuration)

    async def _use(self, configuration: WebConfiguration) -> None:
        if self._is_serving and configuration.allow_loopback and not self._serving.configuration.allow_loopback:
            self._warn(LOOPBACK_WARNING)
        await self._serving.use(configuration)
        if self._is_serving:
            self._guidance.reconcile(wanted=configuration.inject_guidance)

    def _state_changed(self, state: str) -> None:
        if state == "failed":
            self._refused.set()
        if state != "connected":
            return
        self._connections += 1
        self._connected.set()
        if self._connections > 1:  # another engine, perhaps, and what changed meanwhile was not told
            self._spawn(self._reload())

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def _inject(payload: object) -> object:
    return inject(payload)


async def _set(event: asyncio.Event) -> None:
    await event.wait()
