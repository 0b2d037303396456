from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, PngImagePlugin
from tests.store.pictures import FORMATS, gif_of, jpeg_of, picture, png_of, webp_of

from webward.errors import BodyTooLarge, ContentUndecodable, UnsupportedContent, WebwardError
from webward.store.picture import Picture, picture_of, preview_of

if TYPE_CHECKING:
    from webward.model import Preview

PIXELS = 1_000_000
WRONG = (UnsupportedContent, ContentUndecodable, BodyTooLarge)


def drawn(preview: Preview) -> Image.Image:
    image = Image.open(BytesIO(preview.body))
    image.load()
    return image


@pytest.mark.parametrize("media_type", FORMATS)
def test_a_picture_is_what_its_bytes_say(media_type: str) -> None:
    assert picture_of(picture(media_type, (31, 17)), PIXELS) == Picture(media_type, 31, 17)


@pytest.mark.parametrize("options", [{"lossless": True}, {"lossless": False}, {"lossless": True, "mode": "RGBA"}])
def test_every_kind_of_webp_has_a_size(options: dict[str, object]) -> None:
    assert picture_of(picture("image/webp", (301, 17), **options), PIXELS) == Picture("image/webp", 301, 17)


def test_an_animated_webp_has_a_size() -> None:
    more = [Image.new("RGB", (30, 20), color) for color in ("green", "blue")]
    body = picture("image/webp", (30, 20), save_all=True, append_images=more)
    assert picture_of(body, PIXELS) == Picture("image/webp", 30, 20)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x89PNG",
        b"GIF88a" + b"\0" * 100,
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"BM" + b"\0" * 100,
        b"%PDF-1.7",
        b"II*\0" + b"\0" * 100,
        b"<!doctype html><img src=x>",
        b" " + picture(),
        b"RIFF\0\0\0\0WAVEfmt ",
    ],
)
def test_what_begins_like_no_image_is_none(body: bytes) -> None:
    with pytest.raises(UnsupportedContent, match="no PNG, JPEG, GIF or WebP image"):
        picture_of(body, PIXELS)


@pytest.mark.parametrize(
    "body",
    [
        b"\x89PNG\r\n\x1a\n",
        b"\x89PNG\r\n\x1a\n" + b"<html>" * 100,
        b"\xff\xd8\xff" + b"x" * 100,
        b"\xff\xd8\xff\xe0\0\x10JFIF",
        b"GIF89a",
        b"GIF89a" + b"\0" * 100,
        b"RIFF\0\0\0\0WEBPVP8 ",
        b"RIFF\0\0\0\0WEBPVP8X" + b"\0" * 100,
        picture()[:20],
        b"\x89PNG\r\n\x1a\n" + picture("image/jpeg"),
        png_of(0, 10),
        jpeg_of(10, 0),
        webp_of(10, 10),
    ],
)
def test_what_only_begins_like_an_image_is_said(body: bytes) -> None:
    with pytest.raises(ContentUndecodable, match="begin like image/"):
        picture_of(body, PIXELS)


@pytest.mark.parametrize(
    "body",
    [
        picture(size=(1001, 1000)),
        png_of(1001, 1000),
        png_of(2**31 - 1, 2**31 - 1),
        png_of(2**31 - 1, 1),
        jpeg_of(1001, 1000),
        jpeg_of(65_535, 65_535),
        gif_of(1, 1, (1001, 1000)),
        gif_of(1, 1, (10_000, 10_000)),
        gif_of(65_535, 65_535, (1, 1)),
        gif_of(1, 1, (65_535, 65_535)),
        webp_of(1001, 1000),
        webp_of(16_383, 16_383),
        webp_of(2**24, 2**24),
    ],
)
def test_too_many_pixels_are_refused_before_they_are_drawn(body: bytes) -> None:
    for judge in (picture_of, lambda body, most: preview_of(body, most, 100)):
        with pytest.raises(BodyTooLarge) as caught:
            judge(body, PIXELS)
        assert caught.value.setting == "store.images.image-pixels"


@pytest.mark.parametrize(
    ("media_type", "start", "part"),
    [
        ("image/png", 33, b"\0\0\0\0abCdx\x06\xe9\xb3"),  # after the header: an empty chunk that nobody knows
        ("image/jpeg", 2, b"\xff\xe5\0\x02"),
        ("image/jpeg", 2, b"\xff"),
        ("image/gif", 25, b"!\xfe\x01a\0"),
    ],
)
def test_a_picture_of_too_many_parts_is_given_up(media_type: str, start: int, part: bytes) -> None:
    whole = picture(media_type)

    def made(parts: int) -> bytes:
        return whole[:start] + part * parts + whole[start:]

    assert picture_of(made(2000), PIXELS) == Picture(media_type, 8, 6)
    assert preview_of(made(2000), PIXELS, 8).width == 8
    for judge in (picture_of, lambda body, most: preview_of(body, most, 100)):
        with pytest.raises(ContentUndecodable):
            judge(made(60_000), PIXELS)


def test_as_many_pixels_as_there_may_be_are_taken() -> None:
    assert picture_of(picture(size=(1000, 1000)), PIXELS).width == 1000


# --- previews


@pytest.mark.parametrize("media_type", FORMATS)
@pytest.mark.parametrize(
    ("size", "max_side", "expected"),
    [
        ((400, 200), 100, (100, 50)),
        ((200, 400), 100, (50, 100)),
        ((40, 20), 100, (40, 20)),
        ((1000, 1), 100, (100, 1)),
        ((7, 7), 1, (1, 1)),
    ],
)
def test_a_preview_is_no_larger_than_asked(
    media_type: str, size: tuple[int, int], max_side: int, expected: tuple[int, int]
) -> None:
    preview = preview_of(picture(media_type, size), PIXELS, max_side)
    assert (preview.width, preview.height) == expected == drawn(preview).size
    assert preview.media_type == "image/jpeg"
    red, green, blue = drawn(preview).convert("RGB").getpixel((0, 0))  # type: ignore[misc]
    assert (red > 240, green < 15, blue < 15) == (True, True, True)


def test_a_preview_tells_nothing_but_the_picture() -> None:
    exif = Image.Exif()
    exif[0x010E] = "SECRET"
    exif.get_ifd(0x8825)[1] = "N"
    chunks = PngImagePlugin.PngInfo()
    chunks.add_text("Comment", "SECRET")
    chunks.add_itxt("XML:com.adobe.xmp", "SECRET")
    told = [
        picture("image/png", exif=exif, pnginfo=chunks, icc_profile=b"SECRET", dpi=(300, 300)),
        picture("image/png", mode="RGBA", color=(1, 2, 3, 4), exif=exif, pnginfo=chunks, icc_profile=b"SECRET"),
        picture("image/jpeg", exif=exif, comment=b"SECRET", icc_profile=b"SECRET", dpi=(300, 300)),
        picture("image/webp", exif=exif, xmp=b"SECRET", icc_profile=b"SECRET"),
        picture("image/gif", comment=b"SECRET"),
    ]
    for body in told:
        assert b"SECRET" in body
        preview = preview_of(body + b"SECRET", PIXELS, 100)
        assert b"SECRET" not in preview.body
        assert not set(drawn(preview).info) & {"exif", "icc_profile", "comment", "xmp", "dpi", "Comment"}


def test_a_preview_stands_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    preview = preview_of(picture("image/jpeg", (40, 20), exif=exif), PIXELS, 100)
    assert (preview.width, preview.height) == (20, 40)


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "I;16", "CMYK", "LA", "RGBA"])
def test_pictures_of_every_mode_are_drawn(mode: str) -> None:
    media_type = "image/jpeg" if mode == "CMYK" else "image/png"
    preview = preview_of(picture(media_type, mode=mode, color=0), PIXELS, 100)
    assert preview.media_type == ("image/png" if mode in {"LA", "RGBA"} else "image/jpeg")
    assert drawn(preview).size == (8, 6)


def test_what_is_transparent_stays_so() -> None:
    preview = preview_of(picture("image/gif", mode="P", color=0, transparency=0), PIXELS, 100)
    assert drawn(preview).convert("RGBA").getpixel((0, 0))[3] == 0  # type: ignore[index]


@pytest.mark.parametrize("body", [png_of(10, 10), picture("image/jpeg", (500, 500))[:700], picture(size=(90, 90))[:60]])
def test_a_picture_that_is_cut_short_cannot_be_drawn(body: bytes) -> None:
    with pytest.raises(ContentUndecodable):
        preview_of(body, PIXELS, 100)


@given(
    media_type=st.sampled_from(list(FORMATS)),
    changes=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), max_size=8),
    length=st.integers(0, 1000),
)
def test_broken_bytes_are_drawn_or_refused(media_type: str, changes: list[tuple[int, int]], length: int) -> None:
    body = bytearray(picture(media_type, (20, 20)))
    for place, value in changes:
        body[place % len(body)] = value
    try:
        preview_of(bytes(body[:length]), PIXELS, 10)
    except WebwardError as error:
        assert isinstance(error, WRONG)  # noqa: PT017 - either
