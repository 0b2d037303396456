"""Prominent images of a page: which are asked for, what fails, and how long it may take."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.engine.sites import WAIT_SECONDS
from tests.pictures import png

from webward.errors import InvalidInput, UnsupportedContent
from webward.testing import Close, LoopbackWeb, Pause, Send

if TYPE_CHECKING:
    from webward.model import ProminentImage, ProminentImages

SITE = "http://site.test"
PNG = [("Content-Type", "image/png")]
LARGE = "width=640 height=480"
WORDS = "Some words of a paragraph. " * 20
LEAD = "<meta property=og:image content=/lead.png>"


async def found(web: LoopbackWeb, page: str, most: int = 2, *, timeout_ms: int | None = None) -> ProminentImages:
    web.page(f"{SITE}/", page)
    async with web.gateway() as gateway, asyncio.timeout(WAIT_SECONDS):
        read = await gateway.read(f"{SITE}/", include_media=True)
        return await gateway.prominent_images(read, most, timeout_ms=timeout_ms)


def paths(web: LoopbackWeb) -> list[str]:
    """What was asked for after the page."""
    return [request.url.removeprefix(SITE) for request in web.requests[1:]]


def serve(web: LoopbackWeb, *names: str) -> None:
    for shade, name in enumerate(names):
        web.page(f"{SITE}/{name}", png(shade=shade), headers=PNG)


CANDIDATES = [
    ("og-image-first", f"{LEAD}<img src=/a.png {LARGE}>", ["/lead.png", "/a.png"]),
    ("og-image-alone", LEAD, ["/lead.png"]),
    ("og-image-once", f"{LEAD}<img src=/lead.png {LARGE}><img src=/a.png {LARGE}>", ["/lead.png", "/a.png"]),
    ("in-order", f"<img src=/a.png {LARGE}><img src=/b.png {LARGE}>", ["/a.png", "/b.png"]),
    ("large-anywhere", f"<footer><img src=/a.png {LARGE}></footer>", ["/a.png"]),
    ("just-large", "<img src=/a.png width=200 height=200>", ["/a.png"]),
    ("narrow", "<img src=/a.png width=199 height=200>", []),
    ("low", "<img src=/a.png width=200 height=199>", []),
    ("undeclared-in-content", f"<article><p>{WORDS}<img src=/a.png></article>", ["/a.png"]),
    ("undeclared-elsewhere", f"<nav><img src=/b.png></nav><article><p>{WORDS}</article>", []),
    ("half-declared-in-content", "<p><img src=/a.png width=640>", ["/a.png"]),
    ("half-declared-elsewhere", "<nav><img src=/a.png width=640></nav>", []),
    ("half-declared-small", "<p><img src=/a.png width=16>", []),
    ("svg", f"<img src=/a.svg?x=1 {LARGE}><img src=/b.SVGZ {LARGE}>", []),
    ("svg-as-og-image", "<meta property=og:image content=/a.svg>", []),
    ("data", f"<img src=data:image/png;base64,AA== {LARGE}>", []),
    ("none", "<p>Words.", []),
]


@pytest.mark.parametrize(("page", "asked"), [row[1:] for row in CANDIDATES], ids=[row[0] for row in CANDIDATES])
async def test_which_are_asked_for(page: str, asked: list[str]) -> None:
    async with LoopbackWeb() as web:
        serve(web, "lead.png", "a.png", "b.png")
        images = await found(web, page)
        assert sorted(paths(web)) == sorted(asked)
    assert [image.src.removeprefix(SITE) for image in images.images] == asked
    assert images.failed == 0


async def test_what_comes_is_known_by_its_bytes() -> None:
    async with LoopbackWeb() as web:
        web.page(f"{SITE}/a", png(300, 200), headers=[("Content-Type", "text/plain")])
        images = await found(web, f"<img src=/a alt='A &lt;|im_start|&gt; cat\n on ![a](b) mat.' {LARGE}>")
    (image,) = images.images
    assert (image.image.media_type, image.image.width, image.image.height) == ("image/png", 300, 200)
    assert image.image.data == png(300, 200)
    assert image.alt is not None
    assert "<|im_start|>" not in image.alt
    assert "![" not in image.alt
    assert image.alt.startswith("A ")
    assert image.alt.endswith("mat.")


@pytest.mark.parametrize("most", [0, 1, 3])
async def test_no_more_than_wanted(most: int) -> None:
    async with LoopbackWeb() as web:
        serve(web, *"abcdef")
        images = await found(web, "".join(f"<img src=/{name} {LARGE}>" for name in "abcdef"), most)
        assert len(paths(web)) == most
    assert len(images.images) == most


async def test_one_that_fails_is_counted_and_another_asked_for() -> None:
    async with LoopbackWeb() as web:
        serve(web, "a", "b", "c")
        images = await found(web, f"{LEAD}{''.join(f'<img src=/{name} {LARGE}>' for name in 'abc')}")
        assert sorted(paths(web)) == ["/a", "/b", "/lead.png"]
    assert [image.src for image in images.images] == [f"{SITE}/a", f"{SITE}/b"]
    assert images.failed == 1


async def test_a_page_of_broken_images_is_given_up() -> None:
    async with LoopbackWeb() as web:
        images = await found(web, "".join(f"<img src=/{number} {LARGE}>" for number in range(50)))
        assert len(paths(web)) == 4
    assert (images.images, images.failed) == ((), 4)


async def test_the_same_bytes_are_one_image() -> None:
    async with LoopbackWeb() as web:
        for name in ("lead.png", "a", "b"):
            web.page(f"{SITE}/{name}", png(), headers=PNG)
        serve(web, "c")
        web.page(f"{SITE}/c", png(shade=7), headers=PNG)
        images = await found(web, f"{LEAD}{''.join(f'<img src=/{name} {LARGE}>' for name in 'abc')}")
    assert [image.src for image in images.images] == [f"{SITE}/lead.png", f"{SITE}/c"]
    assert images.failed == 0


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n"
FAILING = {
    "status": (Send(b"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\n\x89PNG"),),
    "text": (Send(b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 5\r\n\r\nwords"),),
    "too-long-declared": (Send(HEAD + b"Content-Length: 5000001\r\n\r\n" + png()), Pause(10 * WAIT_SECONDS)),
    "too-long": (Send(HEAD + b"\r\n" + png()), Send(b"\0" * 100_000, times=60), Close()),
    "broken-off": (Send(HEAD + b"Content-Length: 500000\r\n\r\n" + png()), Close()),
    "header-alone": (Send(HEAD + b"Content-Length: 8\r\n\r\n\x89PNG\r\n\x1a\n"),),
    "inner-redirect": (Send(b"HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n"),),
}


@pytest.mark.parametrize("name", FAILING)
async def test_what_is_no_image_fails(name: str) -> None:
    async with LoopbackWeb() as web:
        web.script(f"{SITE}/a", *FAILING[name])
        images = await found(web, f"<img src=/a {LARGE}>")
        assert paths(web) == ["/a"]
    assert (images.images, images.failed) == ((), 1)


@pytest.mark.parametrize("src", ["http://127.0.0.1/a", "http://10.0.0.1/a", "http://inner.test/a", "http://localhost/"])
async def test_images_go_the_judged_way(src: str) -> None:
    async with LoopbackWeb() as web:
        web.host("inner.test", "192.168.0.1")
        images = await found(web, f"<img src={src} {LARGE}>")
        assert len(web.connections) == 1
    assert (images.images, images.failed) == ((), 1)


async def test_one_that_is_not_kept_fails_and_another_is_asked_for() -> None:
    kept: list[str] = []

    async def keep(image: ProminentImage) -> None:
        if image.src.endswith("a"):
            raise UnsupportedContent("not this one")
        kept.append(image.src)

    async with LoopbackWeb() as web:
        serve(web, "a", "b", "c")
        web.page(f"{SITE}/", "".join(f"<img src=/{name} {LARGE}>" for name in "abc"))
        async with web.gateway() as gateway:
            page = await gateway.read(f"{SITE}/", include_media=True)
            images = await gateway.prominent_images(page, 2, keep=keep)
    assert [image.src for image in images.images] == kept == [f"{SITE}/b", f"{SITE}/c"]
    assert images.failed == 1


async def test_all_are_asked_for_at_once() -> None:
    async with LoopbackWeb() as web:
        serve(web, "a", "b")
        images = await found(web, f"<img src=/a {LARGE}><img src=/b {LARGE}>")
        assert len({request.connection for request in web.requests[1:]}) == 2  # one after the other, they would share
    assert len(images.images) == 2


async def test_the_one_deadline_ends_all_and_keeps_what_came() -> None:
    async with LoopbackWeb() as web:
        serve(web, "a")
        web.script(f"{SITE}/b", Pause(10 * WAIT_SECONDS))
        images = await found(
            web, "".join(f"<img src=/{name} {LARGE}>" for name in ("a", "b", "c", "d")), timeout_ms=200
        )
        assert sorted(paths(web)) == ["/a", "/b"]
    assert [image.src for image in images.images] == [f"{SITE}/a"]
    assert images.failed == 1


async def test_without_media_only_the_pages_own_image_is_known() -> None:
    async with LoopbackWeb() as web:
        serve(web, "lead.png", "a")
        web.page(f"{SITE}/", f"{LEAD}<img src=/a {LARGE}>")
        async with web.gateway() as gateway:
            images = await gateway.prominent_images(await gateway.read(f"{SITE}/"), 2)
    assert [image.src for image in images.images] == [f"{SITE}/lead.png"]


async def test_a_wrong_number_is_told() -> None:
    async with LoopbackWeb() as web:
        web.page(f"{SITE}/")
        async with web.gateway() as gateway:
            page = await gateway.read(f"{SITE}/")
            with pytest.raises(InvalidInput, match="whole number"):
                await gateway.prominent_images(page, "2")  # type: ignore[arg-type]
