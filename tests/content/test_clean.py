from __future__ import annotations

import pytest

from webward.content.clean import clean
from webward.content.document import parse

URL = "https://site.test/a/b"
PAGE = "<p>before the words of a page</p>{}<p>and after them some more words</p>"


def cleaned(page: str) -> str:
    document = parse(page, url=URL)
    clean(document)
    return document.tree.serialize()


def style(css: str) -> str:
    return f"<style>{css}</style>"


HIDDEN = [
    ("script", "<script>no</script>", {"script": 1}),
    ("style", "<style>no</style>", {"style": 1}),
    ("template", "<template><p>no</p></template>", {"template": 1}),
    ("noscript", "<noscript><p>no</p></noscript>", {"noscript": 1}),
    ("noembed", "<noembed>no</noembed>", {"embed": 1}),
    ("noframes", "<noframes>no</noframes>", {"embed": 1}),
    ("iframe", "<iframe src=no>no</iframe>", {"embed": 1}),
    ("object", "<object data=no>no</object>", {"embed": 1}),
    ("embed", "<embed src=no>", {"embed": 1}),
    ("canvas", "<canvas>no</canvas>", {"embed": 1}),
    ("svg", "<svg><title>no</title><desc>no</desc><text>no</text></svg>", {"svg": 1}),
    ("comment", "<!-- no -->", {"comment": 1}),
    ("input", "<input type=hidden value=no>", {"form-control": 1}),
    ("textarea", "<textarea>no</textarea>", {"form-control": 1}),
    ("select", "<select><option>no</select>", {"form-control": 1}),
    ("datalist", "<datalist><option>no</datalist>", {"form-control": 1}),
    ("button", "<button>no</button>", {"form-control": 1}),
    ("hidden", "<p hidden>no</p>", {"hidden-attribute": 1}),
    ("hidden-word", "<p hidden=hidden><b>no</b></p>", {"hidden-attribute": 1}),
    ("aria-hidden", "<div aria-hidden=true><p>no</p></div>", {"aria-hidden": 1}),
    ("dialog", "<dialog>no</dialog>", {"closed-dialog": 1}),
    ("popover", "<p popover>no</p>", {"closed-popover": 1}),
    (
        "popover of another name",
        "<button popovertarget=y></button><button popovertarget></button><p id=x popover>no</p>",
        {"form-control": 2, "closed-popover": 1},
    ),
    (
        "popover hidden otherwise",
        "<button popovertarget=x></button><p id=x popover hidden>no</p>",
        {"form-control": 1, "hidden-attribute": 1},
    ),
    (
        "popover without a name",
        "<button popovertarget></button><p id popover>no</p>",
        {"form-control": 1, "closed-popover": 1},
    ),
    ("popover-dialog", "<dialog popover>no</dialog>", {"closed-dialog": 1}),
    ("display", "<p style='display:none'>no</p>", {"display-none": 1}),
    ("important", "<p style='color:#333; DISPLAY : none !important'>no</p>", {"display-none": 1}),
    ("ancestor", "<section style='display:none'><div style='display:none'>no</div></section>", {"display-none": 1}),
    ("visibility", "<p style='visibility:hidden'>no</p>", {"visibility-hidden": 1}),
    ("opacity", "<p style='opacity:0'>no</p>", {"opacity-zero": 1}),
    ("tiny", "<p style='font-size:1px'>no</p>", {"tiny-text": 1}),
    ("away", "<p style='position:absolute;left:-9999px'>no</p>", {"off-screen": 1}),
    ("clipped", "<p style='clip:rect(0,0,0,0)'>no</p>", {"clipped": 1}),
    ("no-box", "<p style='height:0;overflow:hidden'>no</p>", {"zero-size": 1}),
    ("same-color", "<p style='color:#ffffff;background-color:#fff'>no</p>", {"same-color": 1}),
    ("by-class", f"{style('.x{display:none}')}<p class='y x'>no</p>", {"style": 1, "display-none": 1}),
    ("by-id", f"{style('body #x { margin:0; display:none }')}<p id=x>no</p>", {"style": 1, "display-none": 1}),
    ("by-list", f"{style('h9,.x{visibility:hidden}')}<p class=x>no</p>", {"style": 1, "visibility-hidden": 1}),
    ("by-offset", f"{style('.x{left:-10000px}')}<p class=x>no</p>", {"style": 1, "off-screen": 1}),
    ("by-later", f"{style('.x{display:block}.x{display:none}')}<p class=x>no</p>", {"style": 1, "display-none": 1}),
    (
        "by-important",
        f"{style('.x{display:none!important}')}<p class=x style='display:block'>no</p>",
        {"style": 1, "display-none": 1},
    ),
    ("by-layer", f"{style('@layer a{.x{display:none}}')}<p class=x>no</p>", {"style": 1, "display-none": 1}),
    ("by-not", f"{style('b:not(.y){display:none}')}<b class=x>no</b><b class=y></b>", {"style": 1, "display-none": 1}),
    (
        "by-outer",
        f"{style('.x,.y{display:none}')}<div class=x><p class=y>no</p></div>",
        {"style": 1, "display-none": 1},
    ),
    (
        "by-both",
        f"{style('.x,.y{display:none}')}<div hidden><p class=y>no</p></div>",
        {"style": 1, "hidden-attribute": 1},
    ),
    (
        "restored-by-nothing",
        f"{style('.x{visibility:hidden}.y{visibility:inherit}')}<div class=x><p class=y>no</p></div>",
        {"style": 1, "visibility-hidden": 1},
    ),
    ("relative-size", "<ul style='font-size:0'><li style='font-size:1em'>no</ul>", {"tiny-text": 1}),
    (
        "by-good-selectors",
        f"{style('p:nope(,.x,[{display:none}.x{display:none}')}<p class=x>no</p>",
        {"style": 1, "display-none": 1},
    ),
]
VISIBLE = [
    "<p hidden=until-found>no</p>",
    "<p hidden style='display:block'>no</p>",
    "<p><img aria-hidden=true src=x alt=picture>no",
    "<p aria-hidden=false>no</p>",
    "<dialog open>no</dialog>",
    "<p class='hidden js-hidden no-display' data-hidden>no</p>",
    "<p style='opacity:0.9'>no</p>",
    "<p style='font-size:10px'>no</p>",
    "<p style='color:#fff;background-color:#000'>no</p>",
    "<p style='display:none;display:block'>no</p>",
    "<div style='visibility:hidden'><p style='visibility:visible'>no</p></div>",
    "<ul style='font-size:0'><li style='font-size:16px'>no</ul>",
    "<figure><figcaption>no</figcaption></figure>",
    "<style>@media print{.x{display:none}}</style><p class=x>no</p>",
    "<style>.x{display:none}</style><p class=x0>no</p>",
    "<style>.x{display:none}</style><p class=x style='display:block'>no</p>",
    "<style>body,html{visibility:hidden}</style><p>no</p>",
    "<style>.x{display:none}.x{display:block}</style><p class=x>no</p>",
    "<style>.x{display:none}#y{display:block}</style><p class=x id=y>no</p>",
    "<style>.x{display:none}#y{all:unset}</style><p class=x id=y>no</p>",
    "<style>.x{display:none}@supports not (display:new){.x{display:block}}</style><p class=x>no</p>",
    "<style>.x{display:none}@media screen{.x{display:block}}</style><p class=x>no</p>",
    "<style>.x{display:block!important}</style><p class=x style='display:none'>no</p>",
    "<style>.x{display:flex}</style><p class=x hidden>no</p>",
    "<style>.x{display:flex}</style><dialog class=x>no</dialog>",
    "<style>.x{display:flex}</style><p class=x popover>no</p>",
    "<button popovertarget=x>Open</button><p id=x popover>no</p>",
    "<style>.x{visibility:hidden}.y{visibility:visible}</style><div class=x><p class=y>no</p></div>",
    "<style>.y{visibility:visible}</style><div style='visibility:hidden'><p class=y>no</p></div>",
    "<style>.y{font-size:16px}</style><ul style='font-size:0'><li class=y>no</ul>",
    "<style>.y{color:#333}</style><div style='color:transparent'><p class=y>no</p></div>",
    "<style>.y{display:none}#t:checked~.y{display:block}</style><input id=t type=checkbox checked><p class=y>no</p>",
    "<style>@media (max-width:600px){.x{display:none}}</style><p class=x>no</p>",
    "<h2><button>no</button></h2>",
    "<a href=x><button>no</button></a>",
    "<details><summary><button>no</button></summary></details>",
    "<table><tr><th><button>no</button><td>x</table>",
    "<label>no <input></label>",
    "<form><fieldset><legend>no</legend><input></fieldset></form>",
]


@pytest.mark.parametrize(("hidden", "report"), [row[1:] for row in HIDDEN], ids=[row[0] for row in HIDDEN])
def test_what_nobody_sees_is_gone(hidden: str, report: dict[str, int]) -> None:
    document = parse(PAGE.format(hidden), url=URL)
    result = clean(document)

    assert "no" not in document.tree.serialize().replace(PAGE, "")
    assert result.removed == report
    assert not result.revealed_hidden


@pytest.mark.parametrize("visible", VISIBLE)
def test_look_alikes_stay(visible: str) -> None:
    document = parse(PAGE.format(visible), url=URL)
    result = clean(document)

    assert " ".join(document.tree.text.split()).count("no") == 1
    assert not result.revealed_hidden


WORDS = "<p>most of the words of this page are here</p>"
CURTAINS = [
    f"<noscript>{WORDS}</noscript>",
    f"<div hidden>{WORDS}</div>",
    f"<div aria-hidden=true>{WORDS}</div>",
    f"<dialog>{WORDS}</dialog>",
    f"<div style='display:none'>{WORDS}</div>",
    f"<div style='visibility:hidden'>{WORDS}</div>",
    f"<div style='opacity:0'>{WORDS}</div>",
    f"<style>.x{{display:none}}</style><div class=x>{WORDS}</div>",
    f"<div popover>{WORDS}</div>",
    f"<style>.x,.y{{display:none}}</style><div class=x><p class=y>no</p>{WORDS}</div>",
    f"<style>.x{{display:none}}</style><noscript><p class=x>no</p>{WORDS}</noscript>",
    f"<div hidden><div style='display:none'>{WORDS}</div></div>",
]
NEVER = [
    f"<div style='left:-9999px'>{WORDS}</div>",
    f"<div style='clip:rect(0,0,0,0)'>{WORDS}</div>",
    f"<div style='font-size:0'>{WORDS}</div>",
    f"<div style='color:red;background:red'>{WORDS}</div>",
    f"<div style='height:0;overflow:hidden'>{WORDS}</div>",
    f"<template>{WORDS}</template>",
    f"<textarea>{WORDS}</textarea>",
]


@pytest.mark.parametrize("page", CURTAINS)
def test_most_of_the_page_is_content_behind_a_curtain(page: str) -> None:
    document = parse(f"<p>few words</p>{page}", url=URL)
    result = clean(document)

    assert "most of the words" in document.tree.text
    assert result.revealed_hidden


@pytest.mark.parametrize("page", NEVER)
def test_most_of_the_page_is_never_content_where_nobody_looks(page: str) -> None:
    document = parse(f"<p>few words</p>{page}", url=URL)
    result = clean(document)

    assert "most of the words" not in document.tree.text
    assert not result.revealed_hidden


IMAGES = [
    ("placeholder", "<img src=data:,><noscript><img src=b alt=B srcset='c 2x'></noscript>", ("b", "B", "c 2x")),
    ("no-source", "<img alt=A>\n<noscript><p><img src=b alt=B></p></noscript>", ("b", "A", None)),
    ("in-a-frame", "<span><img src=data:,></span><noscript><img src=b></noscript>", ("b", None, None)),
    ("loaded", "<img src=a><noscript><img src=b></noscript>", ("a", None, None)),
    ("lazy", "<img src=data:, data-src=a><noscript><img src=b></noscript>", ("data:,", None, None)),
    ("too-far", "<img src=data:,><p>text</p><noscript><img src=b></noscript>", ("data:,", None, None)),
]


@pytest.mark.parametrize(("page", "image"), [row[1:] for row in IMAGES], ids=[row[0] for row in IMAGES])
def test_a_placeholder_takes_the_image_for_readers_without_scripts(
    page: str, image: tuple[str | None, str | None, str | None]
) -> None:
    document = parse(PAGE.format(page), url=URL)
    result = clean(document)
    element = document.tree.select("img")[0]

    assert (element.attr("src"), element.attr("alt"), element.attr("srcset")) == image
    assert result.removed == {"noscript": 1}


def test_half_of_the_words_is_not_most() -> None:
    assert "four" not in cleaned("<p>one two</p><div hidden>three four</div>")
    assert "four" in cleaned("<p>one two</p><div hidden>three four five</div>")


def test_words_of_neighbors_are_counted_apart() -> None:
    items = "".join(f"<li>w{number}</li>" for number in range(9))

    assert "w8" in cleaned(f"<p>a b c d e f g h</p><ul hidden>{items}</ul>")


def test_what_a_curtain_hides_is_cleaned_too() -> None:
    page = cleaned(f"<noscript>{WORDS}<script>no</script><p hidden>no</p><a href=x>link</a></noscript>")

    assert "no<" not in page
    assert "link" in page


def test_a_page_inside_a_form_keeps_its_text() -> None:
    page = cleaned("<form><h1>Title</h1><p>Text<input value=no></p><ul><li>item</ul><select><option>no</select></form>")

    assert all(word in page for word in ("Title", "Text", "item"))
    assert "no" not in page


def test_players_lose_only_their_fallback() -> None:
    page = cleaned("<video src=a><source src=b><track src=c>no <a href=x>no</a></video><audio>no</audio>")

    assert '<video src="a"><source src="b"><track src="c"></video><audio></audio>' in page


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("a<button>x</button>b", "a b"),
        ("a<svg></svg>b", "a b"),
        ("7/9/05<i aria-hidden=true>@</i>7:57", "7/9/05 7:57"),
        ("mail<span style='display:none'>x</span>@site", "mail@site"),
        ("a<script></script>b", "ab"),
    ],
)
def test_words_part_where_something_was_seen_between_them(page: str, text: str) -> None:
    document = parse(f"<p>{page}</p>", url=URL)
    clean(document)

    assert document.tree.text == text


def test_the_report_counts_what_was_removed() -> None:
    page = "<script></script>" * 3 + "<!----><p>text of the page</p>" + "<p hidden>x<b hidden>y</b></p>" * 2

    assert clean(parse(page, url=URL)).removed == {"script": 3, "comment": 1, "hidden-attribute": 2}


@pytest.mark.parametrize(
    ("sheet", "shown"),
    [
        ("<style>.k{display:none}</style>", False),
        ("<style media=screen>.k{display:none}</style>", False),
        ("<style media=print>.k{display:none}</style>", True),
        ("<style type=text/less>.k{display:none}</style>", True),
        ("<style>.k{display:none-such}</style>", True),
    ],
)
def test_only_sheets_for_screens_hide(sheet: str, shown: bool) -> None:  # noqa: FBT001 - a table row
    document = parse(f"{sheet}<p class=k>secret<p>words that are shown to all readers", url="https://a.test/")

    clean(document)

    assert document.tree.root is not None
    assert ("secret" in document.tree.root.text) is shown
