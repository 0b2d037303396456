from __future__ import annotations

import pytest

from webward.contracts.plain import hits_text, lists_text, verdicts_text
from webward.model import Checked, Hit, Image, Link, Links, Media, Reading, SearchResponse, Verdict

ALLOWED = Verdict(rule="scheme", allowed=True, reason="https is allowed")
REFUSED = Verdict(rule="port", allowed=False, reason="port 22 is bad", code="refused-port", setting="egress.ports")


def test_hits() -> None:
    full = Hit(title="Tea", url="https://a.test/", snippet="Green.")
    bare = Hit(title="", url="https://b.test/", snippet="")
    found = SearchResponse(query="tea", provider="fake", hits=(full, bare))
    assert hits_text(found) == ("1. Tea\n   https://a.test/\n   Green.\n\n2. https://b.test/\n   https://b.test/")
    assert hits_text(SearchResponse(query="tea", provider="fake", hits=())) == ""


def test_verdicts() -> None:
    checked = Checked(url="https://a.test:22/", verdicts=(ALLOWED, REFUSED), addresses=())
    assert verdicts_text(checked) == (
        "refused  https://a.test:22/\n"
        "  scheme      allowed                        https is allowed\n"
        "  port        refused (refused-port)         port 22 is bad; setting: egress.ports"
    )
    assert verdicts_text(Checked(url="https://a.test/", verdicts=(ALLOWED,), addresses=())).startswith("allowed  ")


LINKS = Links(
    internal=(Link(href="https://a.test/b", text="b"),), external=(Link(href="https://c.test/", text="c", title="C"),)
)
MEDIA = Media(
    images=(Image(src="https://a.test/i.png", alt="i"), Image(src="https://a.test/j.png")),
    videos=("https://a.test/v",),
    audios=("https://a.test/a",),
)
LINK_LINES = "## Links\n\n- [b](https://a.test/b)\n- [c](https://c.test/)"
MEDIA_LINES = "## Media\n\n- https://a.test/i.png i\n- https://a.test/j.png\n- https://a.test/v\n- https://a.test/a"


@pytest.mark.parametrize(
    ("links", "media", "text"),
    [
        (None, None, ""),
        (LINKS, None, LINK_LINES),
        (None, MEDIA, MEDIA_LINES),
        (LINKS, MEDIA, f"{LINK_LINES}\n\n{MEDIA_LINES}"),
        (Links(), Media(), "## Links\n\nnone\n\n## Media\n\nnone"),
    ],
)
def test_lists(links: Links | None, media: Media | None, text: str) -> None:
    assert lists_text(Reading(format="markdown", links=links, media=media)) == text
