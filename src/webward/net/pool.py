"""Idle connections, kept by origin, policy and trust; handed out only to a route that judged the peer's address."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webward.config import EgressPolicy
    from webward.model import Route
    from webward.net.wire import Wire


@dataclass(frozen=True, slots=True)
class PoolKey:
    """What must be equal for a connection to serve again; the name is part of it and the address is not."""

    origin: tuple[str, str, int]
    policy: EgressPolicy
    ca_file: str | None


@dataclass(frozen=True, slots=True)
class _Idle:
    key: PoolKey
    expiry: asyncio.TimerHandle


class Pool:
    """Keeps connections.

    Args:
        max_connections: Over all origins; the oldest goes first.
        idle_seconds: How long one is kept.
    """

    def __init__(self, *, max_connections: int, idle_seconds: float) -> None:
        self._max_connections = max_connections
        self._idle_seconds = idle_seconds
        self._idle: dict[Wire, _Idle] = {}
        self._by_key: dict[PoolKey, list[Wire]] = {}

    def put(self, key: PoolKey, wire: Wire) -> None:
        """Keep a connection; a byte or an end that comes while it is idle closes it (response poisoning)."""
        if self._max_connections == 0:
            wire.abort()
            return
        while len(self._idle) >= self._max_connections:
            self._close(next(iter(self._idle)))
        expiry = asyncio.get_running_loop().call_later(self._idle_seconds, self._close, wire)
        self._idle[wire] = _Idle(key, expiry)
        self._by_key.setdefault(key, []).append(wire)
        wire.watch(lambda: self._close(wire))

    def take(self, key: PoolKey, route: Route) -> Wire | None:
        """The connection that was used last, if its peer was judged for this route."""
        allowed = {judged.address for judged in route.addresses}
        for wire in reversed(self._by_key.get(key, [])):
            if wire.peer.address in allowed and wire.usable:
                self._forget(wire)
                return wire
        return None

    def close(self) -> None:
        """Close all, and keep none any more: a fetch may outlive its gateway."""
        self._max_connections = 0
        for wire in list(self._idle):
            self._close(wire)

    def __len__(self) -> int:
        return len(self._idle)

    def _close(self, wire: Wire) -> None:
        self._forget(wire)
        wire.abort()

    def _forget(self, wire: Wire) -> None:
        idle = self._idle.pop(wire)
        idle.expiry.cancel()
        wire.watch(None)
        siblings = self._by_key[idle.key]
        siblings.remove(wire)
        if not siblings:
            del self._by_key[idle.key]
