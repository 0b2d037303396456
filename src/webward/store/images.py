"""The latest images of each channel, within bounds of number, bytes and age."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from webward.errors import BodyTooLarge, InvalidInput
from webward.model import CachedImage, Preview
from webward.store.database import Database
from webward.store.failure import broken
from webward.store.picture import picture_of, preview_of

if TYPE_CHECKING:
    import sqlite3

    from webward.config import StoreSettings
    from webward.ports import Clock
    from webward.store.opening import Opened

FILE_NAME = "images.sqlite3"
ROW_BYTES = 1024  # what an image counts beside its own bytes, so that tiny ones are bounded, too
MAX_SOURCE_URL_CHARS = 8192
MAX_COUNT = 1000
MAX_SIDE = 4096
EXPIRED_ROWS = 16  # removed at once
EXPIRY_SECONDS = 60.0  # between two looks for expired images

_ID = re.compile(r"[0-9a-f]{64}\Z")
_MILLISECOND = timedelta(milliseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_TABLES = (
    """CREATE TABLE images (
        number INTEGER PRIMARY KEY AUTOINCREMENT, channel BLOB NOT NULL, id TEXT NOT NULL,
        stored_at INTEGER NOT NULL, counted_bytes INTEGER NOT NULL,
        media_type TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
        source_url TEXT NOT NULL, body BLOB NOT NULL, UNIQUE (channel, id)
    ) STRICT""",
    "CREATE INDEX images_of_channel ON images (channel, number, counted_bytes)",
    "CREATE INDEX images_by_id ON images (id, number)",
    "CREATE INDEX images_by_age ON images (stored_at)",
    "CREATE TABLE total (counted_bytes INTEGER NOT NULL) STRICT",
    "INSERT INTO total VALUES (0)",
    """CREATE TRIGGER image_added AFTER INSERT ON images
        BEGIN UPDATE total SET counted_bytes = counted_bytes + new.counted_bytes; END""",
    """CREATE TRIGGER image_removed AFTER DELETE ON images
        BEGIN UPDATE total SET counted_bytes = counted_bytes - old.counted_bytes; END""",
)
_COLUMNS = "id, media_type, width, height, source_url, stored_at, body"
_FORGET = "DELETE FROM images WHERE channel = :channel AND id = :id"
_PUT = """
    INSERT INTO images (channel, counted_bytes, id, media_type, width, height, source_url, stored_at, body)
    VALUES (:channel, :counted_bytes, :id, :media_type, :width, :height, :source_url, :stored_at, :body)"""
_OVER_CHANNEL = """
    DELETE FROM images WHERE number < :number AND number IN (
        SELECT number FROM (
            SELECT number, row_number() OVER latest AS place, sum(counted_bytes) OVER latest AS bytes
            FROM images WHERE channel = :channel WINDOW latest AS (ORDER BY number DESC)
        ) WHERE place > :channel_images OR bytes > :channel_bytes
    )"""
_OVER_TOTAL = """
    DELETE FROM images WHERE number = (SELECT min(number) FROM images WHERE number < :number)
    AND (SELECT counted_bytes FROM total) > :total_bytes"""
_EXPIRED = f"""
    DELETE FROM images WHERE number IN (
        SELECT number FROM images WHERE stored_at < ? ORDER BY stored_at LIMIT {EXPIRED_ROWS}
    )"""  # noqa: S608 - a constant
_LATEST = f"SELECT {_COLUMNS} FROM images WHERE channel = ? AND stored_at >= ? ORDER BY number DESC LIMIT ?"  # noqa: S608 - constants
_GET = f"SELECT {_COLUMNS} FROM images WHERE id = ? AND stored_at >= ? ORDER BY number DESC LIMIT 1"  # noqa: S608 - constants
_GET_OF = f"SELECT {_COLUMNS} FROM images WHERE channel = ? AND id = ? AND stored_at >= ?"  # noqa: S608 - constants
_DROP = "DELETE FROM images WHERE channel = ?"


class SqliteImageCache:
    """Implements `ports.ImageCache` in a file that any number of processes of one machine share.

    Args:
        settings: Of the store.
        clock: Tells how old an image is.
    """

    def __init__(self, settings: StoreSettings, clock: Clock) -> None:
        self._database = Database(FILE_NAME, _TABLES, settings, erases=True)
        self._bounds = settings.images
        self._clock = clock
        self._looked_at = -EXPIRY_SECONDS  # for expired images, in monotonic seconds

    async def put(self, channel: str, body: bytes, source_url: str = "") -> CachedImage:
        """Keep an image as the latest of a channel; see `ports.ImageCache`."""
        _require_text("channel", channel)
        _require_source_url(source_url)
        if not isinstance(body, bytes):
            raise InvalidInput("body must be bytes")
        bounds = self._bounds
        if len(body) > bounds.image_bytes:
            problem = f"an image of {len(body)} bytes has more than store.images.image-bytes ({bounds.image_bytes})"
            raise BodyTooLarge(problem, setting="store.images.image-bytes")
        media_type, width, height = await self._database.aside(partial(picture_of, body, bounds.image_pixels))
        image = CachedImage(
            id=sha256(body).hexdigest(),
            media_type=media_type,
            width=width,
            height=height,
            source_url=source_url,
            stored_at=_instant(_milliseconds(self._clock.now())),
            body=body,
        )
        await self._database.run(lambda opened: self._put(opened, channel, image))
        self._expire()
        return image

    async def latest(self, channel: str, count: int = 1) -> tuple[CachedImage, ...]:
        """The latest images of a channel, the latest first; see `ports.ImageCache`."""
        _require_text("channel", channel)
        _require_number("count", count, MAX_COUNT)
        since = self._since()

        def work(opened: Opened) -> tuple[CachedImage, ...]:
            values = (_key(opened, channel), since, count)
            return tuple(map(_image, opened.connection.execute(_LATEST, values).fetchall()))

        found = await self._database.run(work)
        self._expire()
        return found

    async def get(self, image_id: str, *, channel: str | None = None) -> CachedImage | None:
        """The image of an id; see `ports.ImageCache`."""
        if not isinstance(image_id, str):
            raise InvalidInput("image_id must be a text")
        if channel is not None:
            _require_text("channel", channel)
        if not _ID.match(image_id):
            return None
        since = self._since()

        def work(opened: Opened) -> CachedImage | None:
            found = (
                opened.connection.execute(_GET, (image_id, since))
                if channel is None
                else opened.connection.execute(_GET_OF, (_key(opened, channel), image_id, since))
            )
            rows = found.fetchall()
            return _image(rows[0]) if rows else None

        image = await self._database.run(work)
        self._expire()
        return image

    async def preview(self, image_id: str, *, channel: str | None = None, max_side: int = 512) -> Preview | None:
        """The image of an id drawn anew; see `ports.ImageCache`."""
        _require_number("max_side", max_side, MAX_SIDE)
        image = await self.get(image_id, channel=channel)
        if image is None:
            return None
        return await self._database.aside(partial(preview_of, image.body, self._bounds.image_pixels, max_side))

    async def drop(self, channel: str) -> int:
        """Forget all images of a channel; see `ports.ImageCache`."""
        _require_text("channel", channel)
        dropped = await self._database.run(
            lambda opened: opened.connection.execute(_DROP, (_key(opened, channel),)).rowcount
        )
        self._database.flush()
        return dropped

    async def close(self) -> None:
        """Close the file."""
        await self._database.close()

    def _put(self, opened: Opened, channel: str, image: CachedImage) -> None:
        bounds, connection = self._bounds, opened.connection
        values: dict[str, Any] = {
            "channel": _key(opened, channel),
            "counted_bytes": len(image.body) + len(image.source_url) + ROW_BYTES,
            **asdict(image),
            "stored_at": _milliseconds(image.stored_at),
            "channel_images": bounds.channel_images,
            "channel_bytes": bounds.channel_bytes,
            "total_bytes": bounds.total_bytes,
        }
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(_FORGET, values)
        values["number"] = connection.execute(_PUT, values).lastrowid
        connection.execute(_OVER_CHANNEL, values)
        while connection.execute(_OVER_TOTAL, values).rowcount:
            pass
        connection.execute("COMMIT")

    def _since(self) -> int:
        """Images from before have expired."""
        return _milliseconds(self._clock.now()) - self._bounds.age_seconds * 1000

    def _expire(self) -> None:
        """Remove expired images, now and then; nobody gets one meanwhile."""
        now = self._clock.monotonic()
        if now - self._looked_at < EXPIRY_SECONDS:
            return
        self._looked_at, since = now, self._since()

        def work(connection: sqlite3.Connection) -> None:
            while connection.execute(_EXPIRED, (since,)).rowcount:
                pass

        self._database.later(work)
        self._database.flush()


def _key(opened: Opened, channel: str) -> bytes:
    return opened.hashes.of("channel", channel)


def _image(row: tuple[Any, ...]) -> CachedImage:
    values = dict(zip(_COLUMNS.split(", "), row, strict=True))
    try:
        return CachedImage(**{**values, "stored_at": _instant(values["stored_at"])})
    except OverflowError:
        raise broken() from None


def _milliseconds(instant: datetime) -> int:
    return (instant - _EPOCH) // _MILLISECOND


def _instant(milliseconds: int) -> datetime:
    return _EPOCH + milliseconds * _MILLISECOND


def _require_text(name: str, text: object) -> None:
    if not isinstance(text, str) or not text:
        raise InvalidInput(f"{name} must be a text, and not empty")


def _require_source_url(text: object) -> None:
    if not isinstance(text, str) or len(text) > MAX_SOURCE_URL_CHARS:
        raise InvalidInput(f"source_url must be a text of at most {MAX_SOURCE_URL_CHARS} characters")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise InvalidInput("source_url must not hold half a character (a lone surrogate)")


def _require_number(name: str, number: object, most: int) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= most:
        raise InvalidInput(f"{name} must be a whole number from 1 to {most}")
