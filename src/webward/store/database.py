"""One SQLite file, shared by threads and processes, so that nothing it does holds up an event loop for long.

A short statement runs at once, where it is called, when the file is free: that takes less than handing it to a
thread. Otherwise it waits in a thread, and no longer than it may. In WAL mode with ``synchronous=NORMAL`` next to
nothing is flushed to the disk but by a checkpoint, and that runs in a thread of its own.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakSet

from webward.errors import InvalidConfiguration, StoreUnavailable
from webward.store.failure import BUSY, is_busy, unavailable
from webward.store.opening import Opened, connect, identity_of, open_file, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from webward.config import StoreSettings

Given = TypeVar("Given")


CHECKPOINT_CHANGES = 1000  # of one process, each one page of 4 KiB; SQLite's own measure
CURRENT_SECONDS = 1.0  # how long a file may go on being used that was removed
FORK_SECONDS = 5.0  # the longest that a fork waits for what is under way
ERASING_CHANGES = 32  # about ten images of megabytes, with what they push out


_sessions: WeakSet[_Session] = WeakSet()
_held: list[threading.Lock] = []  # over a fork


def _hold() -> None:
    """Wait until no thread is inside of SQLite: its locks would stay locked in the child for ever."""
    for session in list(_sessions):
        _held.extend(lock for lock in (session.lock, session.upkeep_lock) if lock.acquire(timeout=FORK_SECONDS))


def _let_go() -> None:
    while _held:
        _held.pop().release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold, after_in_parent=_let_go, after_in_child=_let_go)


class _Session:
    """What belongs to one process: neither a connection nor a thread outlives a fork."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.lock = threading.Lock()  # of what is opened
        self.upkeep_lock = threading.Lock()
        self.waiting = ThreadPoolExecutor(max_workers=1, thread_name_prefix="webward-store")
        self.upkeep = ThreadPoolExecutor(max_workers=1, thread_name_prefix="webward-store-upkeep")
        self.opened: Opened | None = None
        self.flushed_changes = 0
        self.current_until = 0.0  # until when the file is taken for that of its name
        _sessions.add(self)

    def give_up(self) -> None:
        """Close the file; the next that needs it opens it again."""
        if self.opened is not None:
            with suppress(sqlite3.Error):
                self.opened.connection.close()
        self.opened, self.flushed_changes, self.current_until = None, 0, 0.0


class Database:
    """A file of the store.

    Args:
        name: Of the file in the store's folder.
        tables: Statements that make its tables where they are not there yet.
        settings: Of the store.
        erases: Whether what is removed is overwritten, in the file and soon in its journal.

    Raises:
        InvalidConfiguration: The settings name no folder.
    """

    def __init__(self, name: str, tables: tuple[str, ...], settings: StoreSettings, *, erases: bool) -> None:
        if settings.folder is None:
            raise InvalidConfiguration("store.folder is not set", setting="store.folder")
        folder = os.path.expanduser(settings.folder)  # noqa: PTH111 - pathlib raises where there is no home
        self._file = Path(folder, name).absolute()
        self._tables = tables
        self._settings = settings
        self._erases = erases
        self._session = _Session()
        self._inherited: _Session | None = None
        self._is_closed = False

    async def run(self, work: Callable[[Opened], Given], *, is_short: bool = False) -> Given:
        """Do something with the file.

        Args:
            work: What to do. It leaves no transaction open, and may be begun again when the file was not free.
            is_short: Whether it may run in the event loop while nobody else has the file.

        Raises:
            StoreUnavailable: It could not be done, or not in time.
        """
        session = self._own_session()
        until = time.monotonic() + self._settings.wait_seconds
        if is_short and session.lock.acquire(blocking=False):
            try:
                if session.opened is not None and self._is_current(session, session.opened):
                    return self._done(session, session.opened, work)
            except sqlite3.Error as error:
                if not is_busy(error):
                    session.give_up()
                    raise unavailable(error) from error
            finally:
                session.lock.release()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(session.waiting, self._wait, session, work, until)

    def later(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Do what may take long, over a connection of its own while `run` goes on; nobody hears when it fails."""
        with suppress(StoreUnavailable, RuntimeError):  # closed meanwhile, and its thread with it
            session = self._own_session()
            session.upkeep.submit(self._keep_up, session, work)

    def flush(self) -> None:
        """Bring what was written to the disk, and what was removed out of the journal, soon."""
        self.later(self._checkpoint)

    async def aside(self, work: Callable[[], Given]) -> Given:
        """Do something heavy that needs no file, in the thread of `later`: one at a time takes memory for it."""
        return await asyncio.get_running_loop().run_in_executor(self._own_session().upkeep, work)

    async def close(self) -> None:
        """Close the file. What runs is done first; what waits fails."""
        self._is_closed = True
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        session = self._session
        if session.process == os.getpid():
            session.waiting.shutdown()
            session.upkeep.shutdown()
            with session.lock:
                session.give_up()

    def _own_session(self) -> _Session:
        self._require_open()
        if self._session.process != os.getpid():
            self._inherited = self._session  # to close a connection of the parent's could break the file
            self._session = _Session()
        return self._session

    def _require_open(self) -> None:
        if self._is_closed:
            raise StoreUnavailable("the store is closed", retryable=False)

    def _wait(self, session: _Session, work: Callable[[Opened], Given], until: float) -> Given:
        """Do the work in the thread, when its turn comes."""
        if not session.lock.acquire(timeout=max(until - time.monotonic(), 0)):
            raise StoreUnavailable(BUSY, setting="store.wait-seconds")
        try:
            self._require_open()
            opened = self._opened(session, until)
            wait_until(opened.connection, until)
            try:
                return self._done(session, opened, work)
            finally:
                wait_until(opened.connection, 0)
        except (sqlite3.Error, OSError) as error:
            if not is_busy(error):
                session.give_up()
            raise unavailable(error) from error
        finally:
            session.lock.release()

    def _opened(self, session: _Session, until: float) -> Opened:
        """The file, opened again when another one has its name: one that was removed would count for nobody else."""
        if session.opened is None or not self._is_current(session, session.opened):
            session.give_up()
            session.opened = open_file(self._file, self._tables, self._settings, until, erases=self._erases)
        return session.opened

    def _is_current(self, session: _Session, opened: Opened) -> bool:
        """Whether the file still bears its name, asked now and then: that costs up to a fifth of a take."""
        now = time.monotonic()
        if now < session.current_until:
            return True
        is_current = opened.identity == identity_of(self._file)
        session.current_until = now + CURRENT_SECONDS if is_current else 0.0
        return is_current

    def _done(self, session: _Session, opened: Opened, work: Callable[[Opened], Given]) -> Given:
        given = work(opened)
        changes = opened.connection.total_changes
        if changes - session.flushed_changes >= (ERASING_CHANGES if self._erases else CHECKPOINT_CHANGES):
            session.flushed_changes = changes
            session.upkeep.submit(self._keep_up, session, self._checkpoint)
        return given

    def _keep_up(self, session: _Session, work: Callable[[sqlite3.Connection], None]) -> None:
        until = time.monotonic() + self._settings.wait_seconds
        with (
            session.upkeep_lock,
            suppress(sqlite3.Error),
            closing(connect(self._file, until, erases=self._erases)) as connection,
        ):
            work(connection)

    def _checkpoint(self, connection: sqlite3.Connection) -> None:
        connection.execute(f"PRAGMA wal_checkpoint({'TRUNCATE' if self._erases else 'PASSIVE'})").close()
