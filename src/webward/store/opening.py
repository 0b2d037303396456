"""How a file of the store is opened, and made when it is not there, by many processes at once."""

from __future__ import annotations

import os
import sqlite3
import time
from hmac import compare_digest
from typing import TYPE_CHECKING, NamedTuple

from webward.errors import StoreUnavailable
from webward.store.failure import is_busy
from webward.store.secret import KeyedHashes, secret_of

if TYPE_CHECKING:
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
    identity: Identity


def identity_of(file: Path) -> Identity | None:
    """Which file bears the name, if there is one."""
    try:
        found = os.stat(file)  # noqa: PTH116 - `Path.stat` takes twice as long, and every take comes here
    except OSError:
        return None
    return Identity(found.st_dev, found.st_ino)


def open_file(file: Path, tables: tuple[str, ...], settings: StoreSettings, until: float) -> Opened:
    """Open a file of the store.

    Args:
        file: Its path.
        tables: Statements that make what is not there yet.
        settings: Of the store.
        until: When to give up waiting for others, in monotonic seconds.

    Raises:
        StoreUnavailable: Something of it is not as it must be.
        sqlite3.Error, OSError: It cannot be opened or made.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        oldest = ".".join(map(str, OLDEST_SQLITE))
        raise StoreUnavailable(f"the SQLite of this Python is older than {oldest}", retryable=False)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    hashes = KeyedHashes(secret_of(file.parent, settings.secret))
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))  # SQLite would let others read it
    identity = identity_of(file)
    connection = connect(file)
    try:
        _begin(connection, until)
        _prepare(connection, tables, hashes)
        connection.execute("COMMIT")
    except (sqlite3.Error, StoreUnavailable):
        connection.close()
        raise
    if identity is None or identity != identity_of(file):
        connection.close()
        raise FileNotFoundError
    return Opened(connection, hashes, identity)


def connect(file: Path) -> sqlite3.Connection:
    """A connection that never waits by itself, and flushes nothing: that is the checkpoint's."""
    connection = sqlite3.connect(file, timeout=0, isolation_level=None, check_same_thread=False)
    for pragma in (
        "synchronous = NORMAL",
        "wal_autocheckpoint = 0",
        f"journal_size_limit = {JOURNAL_BYTES}",
        "secure_delete = ON",  # what is dropped is gone
        "trusted_schema = OFF",
    ):
        connection.execute(f"PRAGMA {pragma}").close()
    return connection


def wait_until(connection: sqlite3.Connection, until: float) -> None:
    """Let the statements of a connection wait for others until then, in monotonic seconds."""
    milliseconds = max(int((until - time.monotonic()) * 1000), 0)
    connection.execute(f"PRAGMA busy_timeout = {milliseconds}").close()


def _begin(connection: sqlite3.Connection, until: float) -> None:
    """Bring the file into WAL mode and begin to write, as soon as no other process is at that."""
    while True:
        try:
            wait_until(connection, until)
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() >= until:
                raise
            time.sleep(RETRY_SECONDS)
            continue
        if mode != "wal":
            raise StoreUnavailable("the folder of the store must be on a local disk", setting="store.folder")
        return


def _prepare(connection: sqlite3.Connection, tables: tuple[str, ...], hashes: KeyedHashes) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version not in {0, VERSION}:
        raise StoreUnavailable("the store was made by another version of webward", retryable=False)
    if version == 0:
        for statement in (_ABOUT, *tables):
            connection.execute(statement)
        connection.execute("INSERT INTO about VALUES (?, ?)", (_FINGERPRINT, hashes.fingerprint))
        connection.execute(f"PRAGMA user_version = {VERSION}")
    (fingerprint,) = connection.execute("SELECT value FROM about WHERE name = ?", (_FINGERPRINT,)).fetchone()
    if not compare_digest(fingerprint, hashes.fingerprint):
        # Under another secret every user would be a new one, with all units free.
        problem = "the store was made under another secret; set that one, or begin anew as the documentation says"
        raise StoreUnavailable(problem, setting="store.secret", retryable=False)
