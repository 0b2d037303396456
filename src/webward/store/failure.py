"""What SQLite and the file system say, as the one error of the store."""

from __future__ import annotations

import errno
import sqlite3

from webward.errors import StoreUnavailable

BUSY = "another process keeps the store locked"

_PRIMARY = 0xFF  # an extended result code has more above
_BUSY_CODES = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_RETRYABLE = {sqlite3.SQLITE_FULL, *_BUSY_CODES}
_PASSING = {errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO, errno.ENOENT}
_PROBLEMS = {
    **dict.fromkeys(_BUSY_CODES, BUSY),
    sqlite3.SQLITE_FULL: "the disk of the store is full",
    sqlite3.SQLITE_READONLY: "the store may not be written",
    sqlite3.SQLITE_PERM: "the store may not be opened",
    sqlite3.SQLITE_CANTOPEN: "the store can be neither opened nor made",
    sqlite3.SQLITE_CORRUPT: "a file of the store is broken; restore it, or remove it to begin anew",
    sqlite3.SQLITE_NOTADB: "a file of the store is no SQLite file; restore it, or remove it to begin anew",
}


def broken() -> StoreUnavailable:
    """The error for what cannot have been written by webward."""
    return StoreUnavailable(_PROBLEMS[sqlite3.SQLITE_CORRUPT], setting="store.folder", retryable=False)


def is_busy(error: BaseException) -> bool:
    """Whether another process, or another connection, had the file."""
    return isinstance(error, sqlite3.Error) and _code(error) in _BUSY_CODES


def unavailable(error: sqlite3.Error | OSError) -> StoreUnavailable:
    """The error to raise instead."""
    if isinstance(error, OSError):
        message = f"the folder of the store cannot be used: {error.strerror or type(error).__name__}"
        return StoreUnavailable(message, setting="store.folder", retryable=error.errno in _PASSING)
    code = _code(error)
    problem = _PROBLEMS.get(code, "the store cannot be read or written")
    setting = "store.wait-seconds" if code in _BUSY_CODES else "store.folder"
    return StoreUnavailable(problem, setting=setting, retryable=code in _RETRYABLE or code not in _PROBLEMS)


def _code(error: sqlite3.Error) -> int:
    # Errors that Python's own module raises have no code of SQLite's.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _PRIMARY
