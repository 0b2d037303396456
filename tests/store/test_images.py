from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from tests.store.pictures import numbered, picture, png_of

from webward.errors import BodyTooLarge, ContentUndecodable, InvalidInput, StoreUnavailable, UnsupportedContent
from webward.model import CachedImage
from webward.store.images import EXPIRY_SECONDS, MAX_COUNT, MAX_SIDE, MAX_SOURCE_URL_CHARS, ROW_BYTES
from webward.testing.clock import EPOCH

if TYPE_CHECKING:
    from tests.store.conftest import Store

    from webward.store import SqliteImageCache

PICTURE = picture()
WEEK_SECONDS = 7 * 86_400
HOSTILE = ["\0", "a\0", "\ud800", "\U0001f600", "'; DROP TABLE images", "x" * 1_000_000]


def rows(store: Store) -> int:
    with closing(sqlite3.connect(store.folder / "images.sqlite3")) as connection:
        (number,) = connection.execute("SELECT count(*) FROM images").fetchone()
        return int(number)


async def kept(images: SqliteImageCache, channel: str = "channel") -> list[bytes]:
    return [image.body for image in await images.latest(channel, MAX_COUNT)]


async def test_an_image_comes_back_as_it_was(store: Store) -> None:
    async with store.images() as images:
        put = await images.put("channel", PICTURE, "https://example.com/a.png")
        assert put == CachedImage(
            id=sha256(PICTURE).hexdigest(),
            media_type="image/png",
            width=8,
            height=6,
            source_url="https://example.com/a.png",
            stored_at=EPOCH,
            body=PICTURE,
        )
        assert await images.get(put.id) == await images.get(put.id, channel="channel") == put
        assert await images.latest("channel") == (put,)
    async with store.images() as images:  # another process, later
        assert await images.get(put.id) == put


async def test_the_latest_come_first(store: Store) -> None:
    async with store.images() as images:
        for number in range(5):
            await images.put("channel", numbered(number))
            store.clock.advance(-3600)  # whatever the clock says
        assert [image.body for image in await images.latest("channel", 3)] == [numbered(4), numbered(3), numbered(2)]
        await images.put("channel", numbered(1))
        assert await kept(images) == [numbered(number) for number in (1, 4, 3, 2, 0)]


async def test_channels_are_apart(store: Store) -> None:
    async with store.images() as images:
        put = await images.put("a", PICTURE, "https://a.test/")
        await images.put("b", PICTURE, "https://b.test/")
        assert await images.latest("c") == ()
        assert await images.get(put.id, channel="c") is None
        assert await images.preview(put.id, channel="c") is None
        assert (await images.latest("a"))[0].source_url == "https://a.test/"
        assert await images.drop("a") == 1
        assert await images.get(put.id, channel="a") is None
        assert (await images.latest("b"))[0].source_url == "https://b.test/"
        assert await images.drop("a") == 0


@pytest.mark.parametrize("image_id", ["", "x", "0" * 64, "0" * 63, "A" * 64, "\0" * 64, "\ud800", "'", "0" * 64 + "\n"])
async def test_an_id_of_nothing_gives_nothing(store: Store, image_id: str) -> None:
    async with store.images() as images:
        await images.put("channel", PICTURE)
        assert await images.get(image_id) is None
        assert await images.preview(image_id) is None


async def test_a_preview_is_drawn(store: Store) -> None:
    async with store.images() as images:
        put = await images.put("channel", picture(size=(200, 100)))
        preview = await images.preview(put.id, channel="channel", max_side=50)
        assert preview
        assert (preview.media_type, preview.width, preview.height) == ("image/jpeg", 50, 25)


async def test_a_liar_that_was_taken_is_told_when_it_is_drawn(store: Store) -> None:
    async with store.images() as images:
        put = await images.put("channel", png_of(100, 100))
        with pytest.raises(ContentUndecodable):
            await images.preview(put.id)


# --- bounds


async def test_the_oldest_go_when_there_are_too_many(store: Store) -> None:
    async with store.images(channel_images=3) as images:
        for number in range(7):
            await images.put("channel", numbered(number))
            await images.put("another", numbered(100 + number))
        assert await kept(images) == [numbered(6), numbered(5), numbered(4)]
        assert await kept(images, "another") == [numbered(106), numbered(105), numbered(104)]


async def test_the_oldest_go_when_a_channel_has_too_many_bytes(store: Store) -> None:
    size = len(numbered(0)) + ROW_BYTES
    async with store.images(image_bytes=size, channel_bytes=3 * size) as images:
        for number in range(7):
            await images.put("channel", numbered(number))
        assert await kept(images) == [numbered(6), numbered(5), numbered(4)]
        await images.put("another", numbered(7))
        assert len(await kept(images)) == 3


async def test_the_oldest_go_when_all_channels_have_too_many_bytes(store: Store) -> None:
    size = len(numbered(0)) + ROW_BYTES
    async with store.images(image_bytes=size, channel_bytes=size, total_bytes=5 * size) as images:
        for number in range(60):
            await images.put(f"channel {number}", numbered(number))
        alive = [number for number in range(60) if await kept(images, f"channel {number}")]
        assert alive == [55, 56, 57, 58, 59]
        assert await images.drop("channel 59") == 1
        await images.put("channel 60", numbered(60))
        assert await kept(images, "channel 56")


async def test_the_largest_image_is_kept(store: Store) -> None:
    body = picture(size=(30, 30))
    async with store.images(image_bytes=len(body), channel_bytes=len(body), total_bytes=len(body)) as images:
        await images.put("channel", PICTURE)
        await images.put("channel", body)
        assert await kept(images) == [body]


async def test_bounds_that_were_lowered_hold_with_the_next_image(store: Store) -> None:
    async with store.images() as images:
        for number in range(10):
            await images.put("channel", numbered(number))
    async with store.images(channel_images=2) as images:
        await images.put("channel", PICTURE)
        assert await kept(images) == [PICTURE, numbered(9)]


async def test_old_images_go(store: Store) -> None:
    async with store.images() as images:
        for number in range(40):
            await images.put("channel", numbered(number))
        store.clock.advance(WEEK_SECONDS)
        put = await images.put("channel", PICTURE)
        assert len(await kept(images)) == 20  # as old as they may be
        store.clock.advance(EXPIRY_SECONDS)
        assert await kept(images) == [PICTURE]
        assert await images.get(sha256(numbered(39)).hexdigest()) is None
        assert await images.get(sha256(numbered(39)).hexdigest(), channel="channel") is None
        assert await images.get(put.id) == put
    assert rows(store) == 1


async def test_images_expire_though_none_is_put(store: Store) -> None:
    async with store.images(channel_images=100) as images:
        for number in range(50):
            await images.put("channel", numbered(number))
        store.clock.advance(WEEK_SECONDS + 1)
        assert await images.latest("another") == ()
    assert rows(store) == 0


async def test_what_was_dropped_is_on_the_disk_no_more(store: Store) -> None:
    body = picture(size=(300, 300)) + b"VERY SECRET" * 2000  # what comes after a PNG file is none of its business
    async with store.images() as images:
        await images.put("channel", PICTURE)
        await images.put("channel", body)
        await images.drop("channel")
        await images.latest("channel")
    held = b"".join(file.read_bytes() for file in store.folder.iterdir())
    assert b"images" in held
    assert b"VERY SECRET" not in held


async def test_the_file_does_not_grow_without_end(store: Store) -> None:
    body = [picture(size=(100, 100), color=(number, 0, 0), compress_level=0) for number in range(40)]
    async with store.images(channel_images=2) as images:
        for each in body:
            await images.put("channel", each)
    assert sum(file.stat().st_size for file in store.folder.iterdir()) < 6 * len(body[0])


# --- what is refused


async def test_too_many_bytes_are_refused(store: Store) -> None:
    async with store.images(image_bytes=len(PICTURE)) as images:
        await images.put("channel", PICTURE)
        with pytest.raises(BodyTooLarge) as caught:
            await images.put("channel", PICTURE + b"\0")
        assert caught.value.setting == "store.images.image-bytes"


async def test_too_many_pixels_are_refused(store: Store) -> None:
    async with store.images(image_pixels=47) as images:
        with pytest.raises(BodyTooLarge) as caught:
            await images.put("channel", PICTURE)
        assert caught.value.setting == "store.images.image-pixels"


@pytest.mark.parametrize(("body", "kind"), [(b"<html>", UnsupportedContent), (PICTURE[:20], ContentUndecodable)])
async def test_what_is_no_image_is_refused_and_not_kept(store: Store, body: bytes, kind: type[Exception]) -> None:
    async with store.images() as images:
        with pytest.raises(kind):
            await images.put("channel", body)
        assert await kept(images) == []


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        (("", PICTURE), "channel"),
        ((None, PICTURE), "channel"),
        ((b"channel", PICTURE), "channel"),
        (("channel", "text"), "body"),
        (("channel", bytearray(PICTURE)), "body"),
        (("channel", PICTURE, None), "source_url"),
        (("channel", PICTURE, "x" * (MAX_SOURCE_URL_CHARS + 1)), "source_url"),
        (("channel", PICTURE, "https://a.test/\ud800"), "source_url"),
    ],
)
async def test_a_wrong_argument_of_put_is_named(store: Store, values: tuple[Any, ...], problem: str) -> None:
    async with store.images() as images:
        with pytest.raises(InvalidInput, match=problem):
            await images.put(*values)


@pytest.mark.parametrize("count", [0, -1, MAX_COUNT + 1, True, 1.0, None, "1"])
async def test_a_wrong_count_is_named(store: Store, count: Any) -> None:
    async with store.images() as images:
        with pytest.raises(InvalidInput, match="count"):
            await images.latest("channel", count)


@pytest.mark.parametrize("max_side", [0, MAX_SIDE + 1, True, None])
async def test_a_wrong_side_is_named(store: Store, max_side: Any) -> None:
    async with store.images() as images:
        with pytest.raises(InvalidInput, match="max_side"):
            await images.preview("0" * 64, max_side=max_side)


async def test_other_wrong_arguments_are_named(store: Store) -> None:
    wrong: Any = None
    async with store.images() as images:
        for call in (images.drop(""), images.drop(wrong), images.latest(wrong), images.get(wrong)):
            with pytest.raises(InvalidInput):
                await call
        with pytest.raises(InvalidInput):
            await images.get("0" * 64, channel="")


@pytest.mark.parametrize("channel", HOSTILE)
async def test_a_hostile_channel_is_a_channel(store: Store, channel: str) -> None:
    async with store.images() as images:
        await images.put(channel, PICTURE)
        assert await kept(images, channel) == [PICTURE]
        assert await kept(images, channel + "\0") == []
        assert await images.drop(channel) == 1


async def test_a_hostile_source_url_comes_back(store: Store) -> None:
    async with store.images() as images:
        for url in ("\0", "a\0b", "x" * MAX_SOURCE_URL_CHARS, "\U0010ffff"):
            await images.put("channel", PICTURE, url)
            assert (await images.latest("channel"))[0].source_url == url


# --- many at once, faults


async def test_many_puts_at_once_are_all_done(store: Store) -> None:
    async with store.images(channel_images=1000) as images, store.images(channel_images=1000) as others:
        puts = [each.put("channel", numbered(number)) for number in range(60) for each in (images, others)]
        await asyncio.gather(*puts)
        assert set(await kept(images)) == {numbered(number) for number in range(60)}


async def test_no_channel_is_written_anywhere(store: Store) -> None:
    async with store.images() as images:
        await images.put("a very private channel", PICTURE)
        held = b"".join(file.read_bytes() for file in store.folder.iterdir())
    assert PICTURE in held
    assert b"private" not in held


async def test_a_locked_cache_refuses_and_comes_back(store: Store) -> None:
    async with store.images(wait_seconds=0.2) as images:
        await images.put("channel", PICTURE)
        with closing(sqlite3.connect(store.folder / "images.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            for call in (images.put("channel", PICTURE), images.drop("channel")):
                with pytest.raises(StoreUnavailable, match="locked"):
                    await call
            assert await kept(images) == [PICTURE]
            other.execute("ROLLBACK")
        await images.put("channel", numbered(1))
        assert await kept(images) == [numbered(1), PICTURE]


async def test_another_secret_sees_no_images(store: Store) -> None:
    async with store.images(secret="1" * 32) as images:
        put = await images.put("channel", PICTURE)
    async with store.images(secret="2" * 32) as images:
        with pytest.raises(StoreUnavailable, match="another secret"):
            await images.get(put.id)
