"""Pages made to break a reader: each is read whole, in every rendition, and nothing of it is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.config import Rendition
from webward.content.clean import clean
from webward.content.document import parse
from webward.content.render import render
from webward.content.sanitize import encodable

URL = "https://site.test/a/b"

PAGES = {
    "nul": "<p>a\0b end",
    "surrogate": "<p title='\udfff'>a\ud800b end",
    "nested-div": "<div>" * 10_000 + "end",
    "nested-bold": "<b>" * 10_000 + "end",
    "nested-links": "<a href=x>" * 20_000 + "end",
    "nested-lists": "<ul><li>x" * 2_000 + "end",
    "nested-lists-deep": "<ul><li>" * 10_000 + "end",
    "nested-definitions": "<dl><dt>x<dd>" * 2_000 + "end",
    "nested-quotes": "<blockquote>" * 2_000 + "end",
    "nested-tables": "<table><tr><td>" * 2_000 + "end",
    "nested-headed-tables": "<table><tr><th>x<th>" * 1_000 + "end",
    "nested-forms": "<fieldset><legend>x</legend>" * 3_000 + "end",
    "nested-headings": "<h1><div>" * 3_000 + "end",
    "nested-formulas": "<math><mtext>" * 3_000 + "end",
    "nested-code": "<pre><code>" * 3_000 + "end",
    "nested-code-of-text": "<pre>" * 500 + "<b>x</b>" * 100_000 + "<h2>end",
    "code-in-code": "<pre>x\n" * 100_000 + "end",
    "formulas-in-formulas": "<math>x\n" * 100_000 + "end",
    "formulas-with-names": "<math alttext=x>" * 500 + "<mi>x</mi>" * 50_000 + "</math>" * 500 + "<p>end",
    "layouts-of-text": "<table><tr><td>" * 120 + "<b>x</b>" * 100_000 + "<h2>end",
    "lists-in-tables": "<table><tr><th>x<th>y<tr><td>" * 100 + "<ul><li>x</ul>" * 50_000 + "end",
    "empty-headings": "<a href=x>" + "<h6></h6>" * 100_000 + "end",
    "empty-items": "<a href=x>" + "<li></li>" * 100_000 + "end",
    "open-emphases": "<p>" + "".join(f"<b a{number}=1>" for number in range(400)) + "<p>x" * 200_000 + "end",
    "open-fallback": "<noscript><p>" + "".join(f"<i a{number}>" for number in range(400)) + "<p>x end" * 100_000,
    "shown-in-hidden": "<h2 style='visibility:hidden'><i style='visibility:visible'>" * 10_000 + "end",
    "breaks-between-nothing": ("<span></span>" * 30 + "<br>") * 2_000 + "end",
    "boxes-in-an-item": "<ul><li>" + "<input type=checkbox disabled>" * 50_000 + "end",
    "readings": "<ruby>" + "a<rt>b</rt>" * 50_000 + "end",
    "shadow-trees": "<x-a><template shadowrootmode=open><slot></slot>" * 3_000 + "</template></x-a>" * 3_000 + "end",
    "drawings": "<svg><foreignObject>" * 3_000 + "</foreignObject></svg>" * 3_000 + "end",
    "nested-curtains": "<div hidden>" * 10_000 + "end",
    "nested-hidden": "<div hidden>" * 10_000 + "</div>" * 10_000 + "end",
    "nested-not-displayed": "<div style='display:none'>" * 10_000 + "</div>" * 10_000 + "end",
    "nested-invisible": "<p>end</p>" + "<div style='visibility:hidden'>" * 2_000 + "<b style='visibility:visible'>x",
    "nested-templates": "<template>" * 5_000 + "</template>" * 5_000 + "end",
    "nested-fallbacks": "<noscript>" * 5_000 + "</noscript>" * 5_000 + "end",
    "hidden-siblings": "<p hidden>x" * 20_000 + "<p>" + "end " * 30_000,
    "fallbacks": "<noscript>x y z</noscript>" * 5_000 + "<p>" + "end " * 30_000,
    "unclosed-paragraphs": "<p>x" * 50_000 + " end",
    "attributes": "<p " + " ".join(f"a{number}=1" for number in range(20_000)) + ">end",
    "comments": "<!-- x -->" * 100_000 + "end",
    "styles": "<style>.x{display:none}</style>" * 5_000 + "<p class=y>end",
    "style-rules": "<style>" + "".join(f".x{number}{{display:none}}" for number in range(20_000)) + "</style><p>end",
    "bad-selectors": "<style>" + "".join(f"[x{number}{{display:none}}" for number in range(5_000)) + "</style><p>end",
    "style-braces": f"<style>{'{' * 200_000}</style><p>end",
    "style-closed": f"<style>{'}' * 200_000}.x{{display:none}}</style><p>end",
    "style-nested": f"<style>{'.x{' * 50_000}display:none</style><p>end",
    "style-conditions": f"<style>{'@media screen{' * 50_000}.x{{display:none}}</style><p>end",
    "style-layers": f"<style>{'@layer x{' * 50_000}.x{{display:none}}</style><p class=x>x<p>end",
    "style-quotes": "<style>" + '.x{content:"x .y{display:none}' * 50_000 + "</style><p>end",
    "style-comments": "<style>" + "/*" * 200_000 + ".x{display:none}</style><p>end",
    "style-long-rule": f"<style>.x{{{'left:0;' * 100_000}display:none}}</style><p class=x>x<p>end",
    "style-shows": "<style>.x{display:none}"
    + "".join(f".x:not(.y{number}){{display:block}}" for number in range(1_000))
    + "</style>"
    + "<p class=x>x" * 1_000
    + "<p>end",
    "style-hides": "<style>"
    + "".join(f".x:not(.y{number}){{display:none}}" for number in range(1_000))
    + "</style>"
    + "<p class=x>x" * 1_000
    + "<p>end",
    "style-siblings": "<style>"
    + "".join(f".y{number} ~ .x, .x:nth-last-child({number}n){{display:none}}" for number in range(100))
    + "</style>"
    + "<b class=x>x</b>" * 5_000
    + "<p>end",
    "style-ancestors": "<style>"
    + "".join(f":root:has(.y{number}) .x{{display:none}}.x .x .y{number}{{display:none}}" for number in range(100))
    + "</style>"
    + "<div class=x>x" * 5_000
    + "<p>end",
    "long-selector": f"<style>{'.x ' * 100_000}{{display:none}}</style><p>end",
    "long-attribute": f"<p title='{'x' * 5_000_000}'>end",
    "long-style": f"<p>end <b style='{'display:none;/*' * 100_000}*/'>x",
    "long-class": f"<pre class='{'language- ' * 100_000}'>x</pre>end",
    "long-srcset": f"<img srcset='{'a.png 1x, ' * 100_000}'>end",
    "long-target": f"<a href='{'x/../' * 100_000}'>end</a>",
    "touching-bold": "<b>x</b>" * 20_000 + "end",
    "buttons": "<h1><button>x</button>" * 5_000 + "end",
    "definitions": "<dl>" + "<dt>x<dd>y" * 20_000 + "</dl>end",
    "rows": "<table>" + "<tr><td>x<td>y" * 10_000 + "</table>end",
    "open-tag": "end<a href='" + "x" * 1_000_000,
    "marks-in-a-line": "<p>" + "<b>x</b><i>y</i>" * 50_000 + "end",
    "spaces-in-a-line": "<p>" + "\xa0" * 300_000 + "end",
    "backticks-in-links": "<pre>x</pre><b>\u300cx\u300d</b>y"
    + "".join(f"<p><a href='/?{'`' * length}'>x</a>" for length in range(1, 1_000))
    + "end",
    "flat": "word " * 1_000_000 + "end",
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
@pytest.mark.parametrize("rendition", Rendition)
def test_hostile_pages_are_read(page: str, rendition: Rendition) -> None:
    document = parse(page, url=URL)
    clean(document)
    text = render(document, rendition)

    assert "end" in text
    assert encodable(text).encode()


def test_indentation_is_bounded() -> None:
    document = parse("<ul><li>x" * 2_000, url=URL)
    text = render(document, Rendition.MARKDOWN)

    assert text.count("x") == 2_000
    assert len(text) < 300_000


TAGS = [
    "<p>", "</p>", "<a href='//['>", "<a href=x>", "</a>", "<b>", "</b>", "<i>", "<table>", "<tr>",
    "<td colspan=2>", "<th rowspan=3>", "</table>", "<!--", "-->", "<base href=/y/>", "<div hidden>", "</div>",
    "<pre>", "<code>", "</pre>", "<h2>", "</h2>", "<ul>", "<li>", "</ul>", "<dl><dt>", "<dd>", "<img src=x>",
    "<noscript>", "</noscript>", "<form>", "<button>", "</button>", "<style>.x{display:none}", "</style>",
    "<p class=x>", "<math>", "<annotation encoding=tex>", "</math>", "<div style='visibility:hidden'>",
    "<b style='visibility:visible'>", "<svg>", "</svg>", "\u300c", "`", "*",
]  # fmt: skip


@given(st.lists(st.sampled_from(TAGS) | st.text(max_size=5), max_size=40))
def test_any_text_is_read(pieces: list[str]) -> None:
    for rendition in Rendition:
        document = parse("".join(pieces), url=URL)
        clean(document)
        encodable(render(document, rendition)).encode()
