from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Command

MENU = "# Menu\n\n[tea]({site}/x)\n"


def test_the_text_alone_goes_to_a_pipe(webward: Command, site: str) -> None:
    ran = webward.development("read", site)

    assert (ran.status, ran.out.decode(), ran.err) == (0, MENU.format(site=site), "")


@pytest.mark.parametrize(("rendition", "part"), [("markdown", "# Menu"), ("text", "Menu"), ("html", "<h1>Menu</h1>")])
def test_renditions(webward: Command, site: str, rendition: str, part: str) -> None:
    envelope = json.loads(webward.development("read", site, "--format", rendition, "--envelope").out)

    assert envelope["format"] == rendition
    assert part in envelope["text"]
    assert ("#" in envelope["text"]) == (rendition == "markdown")


def test_windows_join_to_the_whole(webward: Command, site: str) -> None:
    first = webward.development("read", site, "--max-chars", "9")
    second = webward.development("read", site, "--start", "9", "--envelope")

    rest = json.loads(second.out)
    assert first.out.decode() == "# Menu\n\n[\n"
    assert "--start 9" in first.err
    assert "# Menu\n\n[" + rest["text"] == MENU.format(site=site).rstrip("\n") or rest["text"].endswith(")\n")
    assert (rest["start"], rest["truncated_text"]) == (9, True)
    assert "next_start" not in rest


def test_an_image_has_no_rendition(webward: Command, site: str) -> None:
    ran = webward.development("read", f"{site}/logo.png")

    assert (ran.status, ran.out) == (6, b"")
    assert "image/png" in ran.err


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("page.html", b"<h1>Hi</h1><a href=x>y</a>", "# Hi\n\n[y](https://a.test/b/x)\n"),
        ("note.txt", b"a < b", "a < b\n"),
        ("data.json", b'{"a":1}', '{\n  "a": 1\n}\n'),
        ("unknown", b"<!doctype html><h1>Hi</h1>", "# Hi\n"),
    ],
)
def test_a_file_is_read_by_its_ending_or_its_bytes(webward: Command, name: str, content: bytes, text: str) -> None:
    (webward.home / name).write_bytes(content)

    for argument in (f"./{name}", str(webward.home / name)):
        ran = webward("read", argument, "--base-url", "https://a.test/b/")
        assert (ran.status, ran.out.decode()) == (0, text)


def test_standard_input_is_read(webward: Command) -> None:
    ran = webward("read", "-", "--format", "text", stdin=b"<p>one<p>two")

    assert (ran.status, ran.out) == (0, b"one\n\ntwo\n")


def test_without_a_base_relative_links_stay_relative(webward: Command) -> None:
    assert webward("read", "-", stdin=b"<a href=x>y</a>").out == b"[y](x)\n"


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("example.com", "https://example.com"),
        ("page.html", "https://example.com"),
        ("./nowhere.html", "cannot read ./nowhere.html"),
        ("//a.test/", "no scheme"),
        ("file:///etc/passwd", "only http and https"),
    ],
)
def test_a_file_is_never_guessed(webward: Command, source: str, problem: str) -> None:
    (webward.home / "page.html").write_text("<p>secret", encoding="utf-8")

    ran = webward("read", source)

    assert (ran.status in (2, 3), ran.out) == (True, b"")
    assert problem in ran.err


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--start", "-1"], "start"),
        (["--max-chars", "0"], "max_chars"),
        (["--base-url", "nonsense"], "no scheme"),
        (["--query", "words"], "--query does not go with a whole page"),
        (["--threshold", "0.5"], "--threshold does not go with a whole page"),
        (["--format", "pdf"], "pdf"),
    ],
)
def test_bad_options_are_named(webward: Command, options: list[str], problem: str) -> None:
    ran = webward("read", "-", *options, stdin=b"<p>x")

    assert ran.status == 2
    assert problem in ran.err


def test_lists_and_report_follow_the_page(webward: Command) -> None:
    page = b"<h1>x</h1><a href=/y>z</a><p hidden>no</p>"

    ran = webward("read", "-", "--base-url", "https://a.test/", "--links", "--media", "--report", stdin=page)

    assert ran.out.decode().endswith("\n## Links\n\n- [z](https://a.test/y)\n\n## Media\n\nnone\n")
    assert ran.err == "webward: removed 1 x hidden-attribute\n"


def test_filters_and_selectors(webward: Command) -> None:
    page = b"<nav><a href=/>Home</a></nav><article><h1>Tea</h1><p>Green tea is good.</article><footer>x</footer>"

    assert b"Home" not in webward("read", "-", "--filter", "pruning", stdin=page).out
    assert webward("read", "-", "--select", "h1", stdin=page).out == b"# Tea\n"
    assert b"Tea" not in webward("read", "-", "--exclude", "h1", "--exclude", "p", stdin=page).out
    assert webward("read", "-", "--select", "p[", stdin=page).status == 2


def test_a_worker_reads_the_same(webward: Command) -> None:
    page = "<h1>Hi</h1><p>é".encode()

    alone = webward("read", "-", stdin=page)
    pooled = webward("read", "-", stdin=page, WEBWARD_CONTENT_WORKERS="1")

    assert (pooled.status, pooled.out) == (0, alone.out)


def test_an_image_is_for_a_file_or_an_envelope(webward: Command) -> None:
    (webward.home / "dot.gif").write_bytes(b"GIF89a\x03\x00\x02\x00\x00\x00\x00;")

    ran = webward("read", "./dot.gif")
    envelope = json.loads(webward("read", "./dot.gif", "--envelope").out)

    assert ran.status == 2
    assert "3 x 2 pixels" in ran.err
    assert (envelope["format"], envelope["image"]["width"], "text" in envelope) == ("image", 3, False)
