"""A port of one's own, also while nothing listens there."""

from __future__ import annotations

import socket

from webward.errors import InvalidInput
from webward.testing.listening import LOOPBACK

SHARED = hasattr(socket, "SO_REUSEPORT")  # elsewhere another program could take the port while nothing listens


class Port:
    """Held from `hold` to `release`, so that a server can come back to it.

    While nothing listens there the system refuses connections, since a socket that is bound does not listen.
    """

    def __init__(self) -> None:
        self._number: int | None = None
        self._holder: socket.socket | None = None

    @property
    def number(self) -> int:
        """The port.

        Raises:
            InvalidInput: None is held.
        """
        if self._number is None:
            raise InvalidInput("the engine is not open; use it inside `async with`")
        return self._number

    def hold(self) -> None:
        """Take a free one."""
        holder = socket.socket()
        if SHARED:
            holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        holder.bind((LOOPBACK, 0))
        self._number = holder.getsockname()[1]
        if SHARED:
            self._holder = holder
        else:
            holder.close()

    def listener(self) -> socket.socket:
        """A socket that listens there."""
        return socket.create_server((LOOPBACK, self.number), reuse_port=SHARED)

    def release(self) -> None:
        """Give it up."""
        if self._holder is not None:
            self._holder.close()
        self._holder = self._number = None
