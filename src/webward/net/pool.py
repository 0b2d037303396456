"""Idle connections, kept by origin, policy and trust; handed out only to a route that judged the peer's address."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from webward.config import EgressPolicy
    from webward.model import Route
    from webward.net.wire import Wire


class PoolKey(NamedTuple):
    """What must be equal for a connection to serve again; the name is part of it and the address is not."""

    origin: tuple[str, str, int]
    policy: EgressPolicy
    ca_file: str | None


class _Idle(NamedTuple):
    key: PoolKey
    expires_at: float


class Pool:
    """Keeps connections.

    Args:
        max_connections: Over all origins; the oldest goes first.
        idle_seconds: How long one is kept.
    """

    def __init__(self, *, max_connections: int, idle_seconds: float) -> None:
        self._max_connections = max_connections
        self._idle_seconds = idle_seconds
        self._idle: dict[Wire, _Idle] = {}  # in the order in which they expire
        self._expiry: asyncio.TimerHandle | None = None
        self._by_key: dict[PoolKey, list[Wire]] = {}

    def put(self, key: PoolKey, wire: Wire) -> None:
        """Keep a connection; a byte or an end that comes while it is idle closes it (response poisoning)."""
        if self._max_connections == 0:
            wire.abort()
            return
        while len(self._idle) >= self._max_connections:
            self._close(next(iter(self._idle)))
        loop = asyncio.get_running_loop()
        self._idle[wire] = _Idle(key, loop.time() + self._idle_seconds)
        if self._expiry is None:
            self._expiry = loop.call_later(self._idle_seconds, self._expire)
        self._by_key.setdefault(key, []).append(wire)
        wire.watch(lambda: self._close(wire))

    def take(self, key: PoolKey, route: Route) -> Wire | None:
        """The connection that was used last, if its peer was judged for this route."""
        for wire in reversed(self._by_key.get(key, ())):
            if wire.usable and any(wire.peer.address == judged.address for judged in route.addresses):
                self._forget(wire)
                return wire
        return None

    def close(self) -> None:
        """Close all, and keep none any more: a fetch may outlive its gateway."""
        self._max_connections = 0
        for wire in list(self._idle):
            self._close(wire)
        if self._expiry is not None:
            self._expiry.cancel()

    def __len__(self) -> int:
        return len(self._idle)

    def _expire(self) -> None:
        """Close what has been idle too long; one timer, for the oldest, serves all."""
        self._expiry = None
        loop = asyncio.get_running_loop()
        while self._idle:
            wire, oldest = next(iter(self._idle.items()))
            if oldest.expires_at > loop.time():
                self._expiry = loop.call_at(oldest.expires_at, self._expire)
                break
            self._close(wire)

    def _close(self, wire: Wire) -> None:
        self._forget(wire)
        wire.abort()

    def _forget(self, wire: Wire) -> None:
        idle = self._idle.pop(wire)
        wire.watch(None)
        siblings = self._by_key[idle.key]
        siblings.remove(wire)
        if not siblings:
            del self._by_key[idle.key]
