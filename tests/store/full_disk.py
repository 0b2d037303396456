"""A process in a mount namespace of its own, whose store is on a disk of 512 KiB: it fills it, and empties it again."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PIL import Image

from webward.config import StoreSettings
from webward.errors import WebwardError
from webward.model import Resource
from webward.net.clock import SystemClock
from webward.store import SqliteImageCache, SqliteQuota

if TYPE_CHECKING:
    from collections.abc import Awaitable

CALLS = Resource("calls", 10**6)


def fill(file: Path) -> None:
    """Take what room there is."""
    with file.open("ab", buffering=0) as content:
        for size in (4096, 1):
            try:
                while content.write(b"x" * size):
                    pass
            except OSError:
                continue


def picture(side: int) -> bytes:
    """A PNG file that is not compressed."""
    file = BytesIO()
    Image.new("RGB", (side, side)).save(file, "PNG", compress_level=0)
    return file.getvalue()


async def told(call: Awaitable[object]) -> object:
    """What a call gives, or its error."""
    try:
        return await call
    except WebwardError as error:
        return [error.code, error.message, error.retryable]


async def main(folder: Path) -> None:
    settings = StoreSettings(folder=str(folder / "store"))
    quota, images = SqliteQuota(settings, SystemClock()), SqliteImageCache(settings, SystemClock())

    async def take() -> object:
        return await told(quota.take("user", CALLS))

    async def put(side: int) -> object:
        return await told(images.put("channel", picture(side)))

    before = [await take(), await put(16)]
    await images.close()
    images = SqliteImageCache(settings, SystemClock())
    too_large = [await put(400), len(await images.latest("channel", 9))]
    fill(folder / "filler")
    full = [await take(), await take(), await put(64)]
    (folder / "filler").unlink()
    after = [await take(), await put(16), len(await images.latest("channel", 9))]
    await quota.close()
    await images.close()
    seen = {"before": before, "too_large": too_large, "full": full, "after": after}
    sys.stdout.buffer.write(msgspec.json.encode(seen))


if __name__ == "__main__":
    place = Path(sys.argv[1])
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "none", place], check=True)  # noqa: S607 - the system's
    asyncio.run(main(place))
