"""The secret of a store, and the hashes under it that stand for users and channels (RFC 7693, keyed)."""

from __future__ import annotations

import os
import re
import secrets
import stat
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING

from webward.errors import InvalidInput, StoreUnavailable

if TYPE_CHECKING:
    from pathlib import Path

SECRET_FILE = "secret"  # noqa: S105 - a name
HASH_BYTES = 16
_SECRET_BYTES = 32
_WRITTEN = re.compile(rb"[0-9a-f]{64}\n?\Z")
_OF_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class KeyedHashes:
    """Hashes that nobody can recompute, or try out, without the secret."""

    def __init__(self, secret: bytes) -> None:
        self._key = blake2b(secret, digest_size=_SECRET_BYTES, person=b"webward store").digest()

    @property
    def fingerprint(self) -> bytes:
        """Tells the secret from another one, and nothing else of it."""
        return blake2b(digest_size=HASH_BYTES, key=self._key, person=b"fingerprint").digest()

    def of(self, kind: str, text: object) -> bytes:
        """The hash of a text, another one for each kind.

        Args:
            kind: What the text names, at most 16 characters.
            text: Any text but the empty one, which would make one of all that have no name.

        Raises:
            InvalidInput: It is no text, or empty.
        """
        if not isinstance(text, str) or not text:
            raise InvalidInput(f"{kind} must be a text, and not empty")
        data = text.encode("utf-8", "surrogatepass")
        return blake2b(data, digest_size=HASH_BYTES, key=self._key, person=kind.encode()).digest()


def secret_of(folder: Path, configured: str | None) -> bytes:
    """The secret of a store: the configured one, else that of the file, which is made when there is none.

    Raises:
        StoreUnavailable: The file is not the owner's alone, or holds no secret.
        OSError: The file can be neither read nor made.
    """
    if configured is not None:
        return configured.encode()
    file = folder / SECRET_FILE
    try:
        return _read(file)
    except FileNotFoundError:
        make_private(file, secrets.token_hex(_SECRET_BYTES).encode() + b"\n")
        return _read(file)


def _read(file: Path) -> bytes:
    # Without O_NONBLOCK a pipe in the place of the file would hold up the start for ever.
    opened = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(opened, "rb") as content:
        found = os.fstat(content.fileno())
        if os.name == "posix" and found.st_mode & _OF_OTHERS:
            raise _broken("may be read or written by others than its owner; chmod 600 it, or make a new one")
        written = content.read(_SECRET_BYTES * 2 + 2) if stat.S_ISREG(found.st_mode) else b""
    if not _WRITTEN.match(written):
        raise _broken("holds no secret; restore it, or begin anew as the documentation says")
    return bytes.fromhex(written.decode().strip())


def make_private(file: Path, content: bytes) -> None:
    """Make a file for its owner alone, unless another process is first: a link is made whole, or not at all.

    A file of SQLite must not be made in its place: closing it would take the locks of the whole process from it.

    Raises:
        OSError: It cannot be made.
    """
    draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(opened, "wb") as made:
            made.write(content)
            made.flush()
            os.fsync(made.fileno())
        with suppress(FileExistsError):
            os.link(draft, file)
    finally:
        draft.unlink()


def _broken(problem: str) -> StoreUnavailable:
    message = f"the file {SECRET_FILE} in the folder of the store {problem}"
    return StoreUnavailable(message, setting="store.folder", retryable=False)
