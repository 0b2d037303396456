"""A c-ares channel on the event loop, which watches its sockets: a question costs no thread and no wake-up."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from functools import partial
from typing import TYPE_CHECKING
from weakref import ref

import pycares

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Answered = Callable[[pycares.DNSResult | None, int | None], None]

TRY_SECONDS = 2.0  # of the first question to a server; c-ares adapts it to the answers it sees
TRIES = 4  # c-ares shortens a try to 250 ms after quick answers, so that few tries give up too early
TICK_SECONDS = 0.1  # between two looks for tries that are over, while questions are open


class Channel:
    """Asks name servers, from the event loop in which it is made.

    A loop that cannot watch sockets (Windows' proactor) leaves them to a thread of c-ares.

    Args:
        servers: Addresses with ports; None takes those of the system's configuration, as it is now.
    """

    def __init__(self, servers: Sequence[str] | None) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._watching = type(self._loop).add_reader is not asyncio.AbstractEventLoop.add_reader
        self._readers: set[int] = set()
        self._writers: set[int] = set()
        self._open = 0
        self._tick: asyncio.TimerHandle | None = None
        self._ares = pycares.Channel(
            servers=servers,
            timeout=TRY_SECONDS,
            tries=TRIES,
            sock_state_cb=partial(_watch, ref(self)) if self._watching else None,
        )

    def ask(self, name: str, kind: int, answered: Answered) -> bool:
        """Ask one question, and tell whether it was over at once: c-ares had kept the answer, or could not ask.

        Args:
            name: With the root dot.
            kind: One of pycares' ``QUERY_TYPE_…``.
            answered: Called once, in the loop's thread, with an answer or an error number of c-ares; perhaps before
                this returns.
        """
        before = self._open
        self._open += 1
        try:
            self._ares.query(name, kind, callback=partial(self._heard, answered))
        except pycares.AresError as error:
            if self._open > before:  # else the callback was told, too
                self._end(answered, None, error.args[0])
        if self._watching and self._open and self._tick is None:
            self._tick = self._loop.call_later(TICK_SECONDS, self._look)
        return self._open == before

    def close(self) -> None:
        """Give up the sockets; open questions end with an error. Never called from an answer."""
        self._ares.cancel()  # which closes the sockets, too
        if self._tick is not None:
            self._tick.cancel()
        self._ares.close()

    def watch(self, descriptor: int, *, readable: bool, writable: bool) -> None:
        """For c-ares: what a socket waits for from now on; nothing before it is closed."""
        if self._loop.is_closed():
            return
        if readable and descriptor not in self._readers:
            self._readers.add(descriptor)
            self._loop.add_reader(descriptor, self._ares.process_read_fd, descriptor)
        elif not readable and descriptor in self._readers:
            self._readers.remove(descriptor)
            self._loop.remove_reader(descriptor)
        if writable and descriptor not in self._writers:
            self._writers.add(descriptor)
            self._loop.add_writer(descriptor, self._ares.process_write_fd, descriptor)
        elif not writable and descriptor in self._writers:
            self._writers.remove(descriptor)
            self._loop.remove_writer(descriptor)

    def _look(self) -> None:
        """Let c-ares try again, or give up, where a try has taken too long."""
        self._ares.process_fd(pycares.ARES_SOCKET_BAD, pycares.ARES_SOCKET_BAD)
        self._tick = self._loop.call_later(TICK_SECONDS, self._look) if self._open else None

    def _heard(self, answered: Answered, result: pycares.DNSResult | None, error: int | None) -> None:
        if threading.get_ident() == self._thread:
            self._end(answered, result, error)
            return
        with contextlib.suppress(RuntimeError):  # the loop was closed, and nobody waits
            self._loop.call_soon_threadsafe(self._end, answered, result, error)

    def _end(self, answered: Answered, result: pycares.DNSResult | None, error: int | None) -> None:
        self._open -= 1
        answered(result, error)


def _watch(channel: ref[Channel], descriptor: int, readable: bool, writable: bool) -> None:  # noqa: FBT001 - pycares'
    """c-ares must not keep alive what holds it."""
    if (alive := channel()) is not None:
        alive.watch(descriptor, readable=readable, writable=writable)
