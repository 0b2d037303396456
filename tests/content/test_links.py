from __future__ import annotations

import time

import pytest

from webward.content.document import parse
from webward.content.links import MAX_IMAGES, MAX_LINKS, MAX_TEXT_CHARS, links_of, media_of
from webward.model import Image, Link, Links

URL = "https://site.test/a/b?q"


def links(page: str, url: str = URL) -> Links:
    return links_of(parse(page, url=url), url=url)


def hrefs(found: tuple[Link, ...]) -> list[str]:
    return [link.href for link in found]


CLASSES = [
    ("relative", "<a href=x>t</a>", ["https://site.test/a/x"], []),
    ("absolute", "<a href=https://site.test/y>t</a>", ["https://site.test/y"], []),
    ("other-port", "<a href=https://site.test:8443/>t</a>", ["https://site.test:8443/"], []),
    ("other-scheme", "<a href=http://site.test/>t</a>", ["http://site.test/"], []),
    ("upper-case", "<a href=HTTPS://SITE.test/>t</a>", ["https://site.test/"], []),
    ("with-a-user", "<a href=https://u@site.test/>t</a>", ["https://site.test/"], []),
    ("host-as-user", "<a href=https://site.test:80@evil.test/>t</a>", [], ["https://evil.test/"]),
    ("foreign", "<a href=//other.test>t</a>", [], ["https://other.test/"]),
    ("subdomain", "<a href=https://www.site.test/>t</a>", [], ["https://www.site.test/"]),
    ("longer-host", "<a href=https://site.test.evil.test/>t</a>", [], ["https://site.test.evil.test/"]),
    ("mail", "<a href=mailto:a@site.test>t</a>", [], ["mailto:a@site.test"]),
    ("base-elsewhere", "<base href=https://cdn.test/r/><a href=f>t</a><a href=/g>t</a>", [], ["https://cdn.test/r/f", "https://cdn.test/g"]),
    ("area", "<map><area href=/m alt=Map></map>", ["https://site.test/m"], []),
    ("order", "<a href=/2>t</a><a href=/1>t</a>", ["https://site.test/2", "https://site.test/1"], []),
    ("twice", "<a href=/1>t</a><a href=/1>t</a>", ["https://site.test/1"], []),
    ("script", "<a href=javascript:x>t</a><a href='java\nscript:x'>t</a>", [], []),
    ("data", "<a href=data:text/html,x>t</a>", [], []),
    ("other", "<a href=tel:1>t</a><a href=ftp://a.test/>t</a><a href=file:///x>t</a>", [], []),
    ("fragment", "<a href=#x>t</a><a href=''>t</a>", ["https://site.test/a/b?q"], []),
    ("fragment-elsewhere", "<a href=/c#x>t</a>", ["https://site.test/c#x"], []),
    ("bad", "<a href='http://[x/'>t</a><a href=/ok>t</a>", ["https://site.test/ok"], []),
    ("without-address", "<a name=x>t</a>", [], []),
    ("token", "<a href='/[INST]'>t</a>", ["https://site.test/%5BINST%5D"], []),
]  # fmt: skip


@pytest.mark.parametrize(
    ("page", "internal", "external"), [row[1:] for row in CLASSES], ids=[row[0] for row in CLASSES]
)
def test_links_by_host(page: str, internal: list[str], external: list[str]) -> None:
    found = links(page)

    assert (hrefs(found.internal), hrefs(found.external)) == (internal, external)


TEXTS = [
    ("folded", "<a href=/>a\n <b>b</b>c </a>", "a bc", None),
    ("title", "<a href=/ title=' x\ny '>a</a>", "a", "x y"),
    ("image", "<a href=/><img src=i alt=''><img src=i alt=' Logo '></a>", "Logo", None),
    ("image-and-text", "<a href=/><img src=i alt=Logo>a</a>", "a", None),
    ("label", "<a href=/ aria-label=Home></a>", "Home", None),
    ("first-that-says-something", "<a href=/ title=t></a><a href=/>a</a><a href=/>b</a>", "a", None),
    ("nothing", "<a href=/></a>", "", None),
    ("invisible", "<a href=/ title='x\u202e'>a\u200bb</a>", "ab", "x"),
    ("token", "<a href=/>&lt;|im_start|></a>", "\u2039|im_start|\u203a", None),
    ("long", "<a href=/>" + "x" * 2_000 + "</a>", "x" * MAX_TEXT_CHARS, None),
]


@pytest.mark.parametrize(("page", "text", "title"), [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_texts_of_links(page: str, text: str, title: str | None) -> None:
    assert links(page).internal == (Link(href="https://site.test/", text=text, title=title),)


def test_a_page_that_came_from_nowhere_has_foreign_links_only() -> None:
    found = links("<a href=https://a.test/>a</a><a href=x>b</a>", url="page.html")

    assert (hrefs(found.internal), hrefs(found.external)) == ([], ["https://a.test/"])


IMAGES = [
    ("plain", "<img src=x.png>", "x.png"),
    ("largest-width", "<img src=s srcset='a 480w, b 1200w, c 800w'>", "b"),
    ("largest-density", "<img src=s srcset='a, b 2x, c 1.5x'>", "b"),
    ("commas", "<img srcset='w_4,c/a 400w,w_8,c/b 800w'>", "w_8,c/b"),
    ("one-without-descriptor", "<img srcset=a>", "a"),
    ("lazy", "<img src=data:image/gif;base64,R0 data-src=x>", "x"),
    ("lazy-with-placeholder", "<img src=blank.gif data-original=x>", "x"),
    ("lazy-set", "<img src=s data-srcset='a 1x, b 2x'>", "b"),
    ("placeholder-in-set", "<img src=s srcset='data:image/gif;base64,R0 9x'>", "s"),
    ("picture", "<picture><source srcset='a 100w'><source srcset='b 900w'><img src=s></picture>", "b"),
    ("picture-without-set", "<picture><source media=x><img src=s></picture>", "s"),
    ("bad-descriptor", "<img src=s srcset='a 1.2.3x, b 2x'>", "b"),
]


@pytest.mark.parametrize(("page", "src"), [row[1:] for row in IMAGES], ids=[row[0] for row in IMAGES])
def test_the_best_source_of_an_image(page: str, src: str) -> None:
    assert [image.src for image in media_of(parse(page, url=URL)).images] == [f"https://site.test/a/{src}"]


def test_sources_of_a_picture_stand_for_its_first_image() -> None:
    page = "<picture><source srcset=/b><img src=/1><img src=/2></picture><source srcset=/c><img src=/3>"

    assert [image.src[-1] for image in media_of(parse(page, url=URL)).images] == ["b", "2", "3"]


FACTS = [
    ("alt", "<img src=/x alt=' a\nb '>", {"alt": "a b"}),
    ("alt-empty", "<img src=/x alt=''>", {}),
    ("alt-invisible", "<img src=/x alt='a\u200b'>", {"alt": "a"}),
    ("dimensions", "<img src=/x width=640 height=' 480.5px'>", {"width": 640, "height": 480}),
    ("no-dimensions", "<img src=/x width=100% height=auto>", {}),
]


@pytest.mark.parametrize(("page", "facts"), [row[1:] for row in FACTS], ids=[row[0] for row in FACTS])
def test_facts_of_an_image(page: str, facts: dict[str, str]) -> None:
    (image,) = media_of(parse(page, url=URL)).images
    found = {name: value for name in ("alt", "width", "height") if (value := getattr(image, name)) is not None}

    assert (image.src, found) == ("https://site.test/x", facts)


WORDS = "Some words of a paragraph. " * 20
NO_IMAGES = [
    "<img>",
    "<img src='' alt=x>",
    "<img src=data:image/png;base64,AA>",
    "<img src=javascript:x>",
    "<img src=/pixel width=1 height=1>",
    "<video poster=/p></video>",
]


@pytest.mark.parametrize("page", NO_IMAGES)
def test_no_image(page: str) -> None:
    assert media_of(parse(page, url=URL)).images == ()


def test_each_image_once_in_order() -> None:
    images = media_of(parse("<img src=/2><img src=/1><img src=/2 alt=x>", url=URL)).images

    assert images == (
        Image(src="https://site.test/2", in_content=True),
        Image(src="https://site.test/1", in_content=True),
    )


IN_CONTENT = [
    ("body", "<p>Words.<img src=/x>", True),
    ("header-of-body", "<header><img src=/x></header><p>Words.", False),
    ("nav", "<nav><img src=/x></nav><p>Words.", False),
    ("aside", "<aside><img src=/x></aside><p>Words.", False),
    ("footer", "<p>Words.<footer><p><img src=/x></footer>", False),
    ("article", f"<article><p>{WORDS}<img src=/x></article>", True),
    ("header-of-article", f"<article><header><img src=/x></header><p>{WORDS}</article>", True),
    ("aside-of-article", f"<article><p>{WORDS}<aside><img src=/x></aside></article>", False),
    ("beside-article", f"<article><p>{WORDS}</article><div><img src=/x></div>", False),
    ("main", f"<div><img src=/x></div><main><p>{WORDS}</main>", False),
]


@pytest.mark.parametrize(("page", "expected"), [row[1:] for row in IN_CONTENT], ids=[row[0] for row in IN_CONTENT])
def test_images_of_the_content_are_known(page: str, expected: bool) -> None:  # noqa: FBT001 - a row
    (image,) = media_of(parse(page, url=URL)).images

    assert image.in_content is expected


PLAYERS = [
    ("own-source", "<{0} src=/x></{0}>", ["https://site.test/x"]),
    ("first-child", "<{0}><source><source src=/x><source src=/y></{0}>", ["https://site.test/x"]),
    ("own-before-child", "<{0} src=/x><source src=/y></{0}>", ["https://site.test/x"]),
    ("grandchild", "<{0}><p><source src=/x></p></{0}>", []),
    ("lazy", "<{0} data-src=/x></{0}>", ["https://site.test/x"]),
    ("blob", "<{0} src=blob:x></{0}>", []),
    ("twice", "<{0} src=/x></{0}><{0} src=/x></{0}>", ["https://site.test/x"]),
    ("none", "<{0}></{0}>", []),
]


@pytest.mark.parametrize(("page", "expected"), [row[1:] for row in PLAYERS], ids=[row[0] for row in PLAYERS])
def test_players(page: str, expected: list[str]) -> None:
    assert list(media_of(parse(page.format("video"), url=URL)).videos) == expected
    assert list(media_of(parse(page.format("audio"), url=URL)).audios) == expected


def test_bounds() -> None:
    assert len(links("".join(f"<a href=/{n}>x</a>" for n in range(MAX_LINKS + 1))).internal) == MAX_LINKS
    page = "".join(f"<img src=/{n}>" for n in range(MAX_IMAGES + 1))
    assert len(media_of(parse(page, url=URL)).images) == MAX_IMAGES


HOSTILE = [
    ("nested", "".join(f"<a href=/{n}><object>x" for n in range(5_000))),
    ("nested-around-much", "".join(f"<a href=/{n}><object>" for n in range(1_000)) + "<br>" * 200_000),
    ("pictures", "<picture><source srcset=x><img src=y>" * 20_000),
    ("same", "<a href=/>" * 50_000),
    ("long-text", "<a href=/>" + "x " * 1_000_000),
    ("sets", "<img srcset='" + "a 1x, " * 200_000 + "'>"),
    ("blanks-in-sets", "<img srcset='" + " " * 1_000_000 + "'>"),
    ("commas-in-sets", "<img srcset='" + "," * 1_000_000 + "'>"),
    ("sources", "<picture>" + "<source srcset=x>" * 20_000 + "<img src=y>" * 20_000),
    ("players", "<video>" * 20_000),
    ("attributes", "<img " + " ".join(f"a{n}=b" for n in range(20_000)) + " src=/x>"),
]


@pytest.mark.parametrize("page", [row[1] for row in HOSTILE], ids=[row[0] for row in HOSTILE])
def test_hostile_pages_end_in_linear_time(page: str) -> None:
    document = parse(page, url=URL)
    started = time.perf_counter()
    links_of(document, url=URL)
    media_of(document)

    assert time.perf_counter() - started < 10
