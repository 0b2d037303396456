"""How a file of the store is opened, and made when it is not there, by many processes at once."""

from __future__ import annotations

import os
import sqlite3
import time
from hmac import compare_digest
from typing import TYPE_CHECKING, NamedTuple

from webward.errors import StoreUnavailable
from webward.store.failure import broken, is_busy
from webward.store.secret import KeyedHashes, make_private, secret_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webward.config import StoreSettings

OLDEST_SQLITE = (3, 37, 0)  # the first with STRICT tables; RETURNING is older
VERSION = 1  # of the tables
JOURNAL_BYTES = 16 * 1024 * 1024  # a WAL that grew beyond is cut back
RETRY_SECONDS = 0.01  # for what SQLite does not wait for itself: another process that makes the file

_ABOUT = "CREATE TABLE about (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID"
_FINGERPRINT = "fingerprint"


class Identity(NamedTuple):
    """What tells a file from another one of the same name."""

    device: int
    inode: int


class Opened(NamedTuple):
    """A file as this process has it open."""

    connection: sqlite3.Connection
    hashes: KeyedHashes
    identity: Identity | None


def identity_of(file: Path) -> Identity | None:
    """Which file bears the name, if there is one."""
    try:
        found = os.stat(file)  # noqa: PTH116 - `Path.stat` takes twice as long, and every take comes here
    except OSError:
        return None
    return Identity(found.st_dev, found.st_ino)


def open_file(file: Path, tables: tuple[str, ...], settings: StoreSettings, until: float, *, erases: bool) -> Opened:
    """Open a file of the store.

    Args:
        file: Its path.
        tables: Statements that make what is not there yet.
        settings: Of the store.
        until: When to give up waiting for others, in monotonic seconds.
        erases: Whether what is removed is overwritten.

    Raises:
        StoreUnavailable: Something of it is not as it must be.
        sqlite3.Error, OSError: It cannot be opened or made.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        oldest = ".".join(map(str, OLDEST_SQLITE))
        raise StoreUnavailable(f"the SQLite of this Python is older than {oldest}", retryable=False)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    hashes = KeyedHashes(secret_of(file.parent, settings.secret))
    if not file.exists():
        make_private(file, b"")  # SQLite would let others read it
    identity = identity_of(file)
    connection = connect(file, until, erases=erases)
    try:
        _patiently(lambda: _make(connection, tables, hashes), connection, until)
        _require_own(connection, hashes)
        wait_until(connection, 0)
    except (sqlite3.Error, StoreUnavailable):
        connection.close()
        raise
    return Opened(connection, hashes, identity)


def connect(file: Path, until: float, *, erases: bool) -> sqlite3.Connection:
    """A connection that waits for others until then, in monotonic seconds, and flushes only when told to.

    Args:
        file: Its path.
        until: When to give up.
        erases: Whether what is removed is overwritten.

    Raises:
        sqlite3.Error: It cannot be opened, or others had it all the time.
    """
    there = f"{file.as_uri()}?mode=rw"  # one that was removed meanwhile is not made, with rights for everybody
    connection = sqlite3.connect(there, timeout=0, isolation_level=None, check_same_thread=False, uri=True)
    try:
        _patiently(lambda: _configure(connection, erases=erases), connection, until)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def wait_until(connection: sqlite3.Connection, until: float) -> None:
    """Let the statements of a connection wait for others until then, in monotonic seconds."""
    milliseconds = max(int((until - time.monotonic()) * 1000), 0)
    connection.execute(f"PRAGMA busy_timeout = {milliseconds}").close()


def _configure(connection: sqlite3.Connection, *, erases: bool) -> None:
    for pragma in (
        "journal_mode = WAL",
        "synchronous = NORMAL",
        "wal_autocheckpoint = 0",
        f"journal_size_limit = {JOURNAL_BYTES}",
        f"secure_delete = {'ON' if erases else 'OFF'}",
        "trusted_schema = OFF",
    ):
        connection.execute(f"PRAGMA {pragma}").close()


def _patiently(work: Callable[[], object], connection: sqlite3.Connection, until: float) -> None:
    """Do it again while others make, recover or remove the journal: for that SQLite itself does not always wait."""
    while True:
        try:
            wait_until(connection, until)
            work()
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() >= until:
                raise
            time.sleep(RETRY_SECONDS)
        else:
            return


def _make(connection: sqlite3.Connection, tables: tuple[str, ...], hashes: KeyedHashes) -> None:
    """Make the tables, unless they are there."""
    if _version(connection):
        return
    connection.execute("BEGIN IMMEDIATE")
    if not _version(connection):  # another process may have been first
        for statement in (_ABOUT, *tables):
            connection.execute(statement)
        connection.execute("INSERT INTO about VALUES (?, ?)", (_FINGERPRINT, hashes.fingerprint))
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _require_own(connection: sqlite3.Connection, hashes: KeyedHashes) -> None:
    """See that the file is one that this version, under this secret, may use."""
    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    if mode != "wal":
        problem = "the folder of the store must be on a local disk"
        raise StoreUnavailable(problem, setting="store.folder", retryable=False)
    if _version(connection) != VERSION:
        raise StoreUnavailable("the store was made by another version of webward", retryable=False)
    found = connection.execute("SELECT value FROM about WHERE name = ?", (_FINGERPRINT,)).fetchone()
    if found is None:
        raise broken()
    if not compare_digest(found[0], hashes.fingerprint):
        # Under another secret every user would be a new one, with all units free.
        problem = "the store was made under another secret; set that one, or begin anew as the documentation says"
        raise StoreUnavailable(problem, setting="store.secret", retryable=False)
