from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

import pytest

from webward.errors import InvalidInput, StoreUnavailable
from webward.model import Resource
from webward.store.secret import HASH_BYTES, KeyedHashes, secret_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.store.conftest import Store

CALLS = Resource("calls", 100)
ONE, OTHER = "1" * 32, "2" * 32
TEXTS = ["a", "b", "A", "a\0", "\0", "\ud800", "\udc00", "\u00e9", "e\u0301", "x" * 1_000_000, "x" * 1_000_001]


def test_hashes_differ_by_text_kind_and_secret() -> None:
    hashes = [
        KeyedHashes(secret).of(kind, text)
        for secret in (b"one", b"two")
        for kind in ("user", "channel")
        for text in TEXTS
    ]
    assert len(set(hashes)) == len(hashes)
    assert {len(found) for found in hashes} == {HASH_BYTES}


def test_a_hash_is_the_same_tomorrow() -> None:
    assert KeyedHashes(b"one").of("user", "a").hex() == "7df7b0f2c3f2ca596fecde3e5c56259c"


@pytest.mark.parametrize("text", ["", None, b"a", 1])
def test_what_is_no_name_has_no_hash(text: Any) -> None:
    with pytest.raises(InvalidInput, match="user must be a text"):
        KeyedHashes(b"one").of("user", text)


def test_the_fingerprint_tells_secrets_apart_and_is_no_hash_of_a_user() -> None:
    assert KeyedHashes(b"one").fingerprint != KeyedHashes(b"two").fingerprint
    assert KeyedHashes(b"one").fingerprint == KeyedHashes(b"one").fingerprint


def test_a_secret_is_made_once(tmp_path: Path) -> None:
    secret = secret_of(tmp_path, None)
    assert len(secret) == 32
    assert secret_of(tmp_path, None) == secret
    assert [file.name for file in tmp_path.iterdir()] == ["secret"]
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600


def test_a_configured_secret_makes_no_file(tmp_path: Path) -> None:
    assert secret_of(tmp_path, ONE) == ONE.encode()
    assert list(tmp_path.iterdir()) == []


def test_threads_that_begin_at_once_get_one_secret(tmp_path: Path) -> None:
    found: set[bytes] = set()
    barrier = threading.Barrier(16)

    def ask() -> None:
        barrier.wait()
        found.add(secret_of(tmp_path, None))

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["secret"]


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"0" * 63, b"0" * 65, b"0" * 64 + b"\n\n", b"G" * 64, b"\xff" * 64, b"0" * 10_000_000]
)
def test_a_file_that_holds_no_secret_is_said(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "secret"
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(StoreUnavailable, match="holds no secret") as caught:
        secret_of(tmp_path, None)
    assert not caught.value.retryable
    assert file.read_bytes() == content


@pytest.mark.skipif("os.name != 'posix'", reason="there are no such modes here")
@pytest.mark.parametrize("mode", [0o604, 0o640, 0o644, 0o660, 0o666, 0o610])
def test_a_secret_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    secret_of(tmp_path, None)
    (tmp_path / "secret").chmod(mode)
    with pytest.raises(StoreUnavailable, match="others than its owner"):
        secret_of(tmp_path, None)


@pytest.mark.skipif("os.name != 'posix'", reason="there are no such files here")
@pytest.mark.parametrize("kind", ["pipe", "link", "folder", "nowhere"])
def test_what_is_no_file_is_not_read(tmp_path: Path, kind: str) -> None:
    file, elsewhere = tmp_path / "secret", tmp_path / "elsewhere"
    if kind == "pipe":
        os.mkfifo(file, 0o600)
    elif kind == "folder":
        file.mkdir(mode=0o700)
    else:
        file.symlink_to(elsewhere)
    if kind == "link":
        elsewhere.write_text("0" * 64)
        elsewhere.chmod(0o600)
    with pytest.raises((StoreUnavailable, OSError)):
        secret_of(tmp_path, None)
    assert not list(tmp_path.glob("secret.*"))


# --- the secret of a store


async def test_another_secret_is_no_second_allowance(store: Store) -> None:
    async with store.quota(secret=ONE) as quota:
        await quota.take("user", CALLS)
    async with store.quota(secret=OTHER) as quota:
        with pytest.raises(StoreUnavailable, match="another secret") as caught:
            await quota.take("user", CALLS)
    assert (caught.value.setting, caught.value.retryable) == ("store.secret", False)
    assert not {ONE, OTHER} & {*str(caught.value).split()}
    async with store.quota(secret=ONE) as quota:
        assert (await quota.take("user", CALLS)).used == 2


async def test_a_secret_that_was_lost_is_no_second_allowance(store: Store) -> None:
    async with store.quota() as quota:
        await quota.take("user", CALLS)
    (store.folder / "secret").unlink()
    async with store.quota() as quota:
        with pytest.raises(StoreUnavailable, match="another secret"):
            await quota.take("user", CALLS)


async def test_rotation_begins_anew(store: Store) -> None:
    async with store.quota(secret=ONE) as quota:
        await quota.take("user", CALLS)
    (store.folder / "quota.sqlite3").unlink()
    async with store.quota(secret=OTHER) as quota:
        assert (await quota.take("user", CALLS)).used == 1
