"""The exit status tells a script which kind of failure it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .client import World

PUBLIC = "93.184.216.34"
PAGES = {
    "site.test/loop": {"status": 302, "headers": [["Location", "/loop"]]},
    "site.test/missing": {"status": 404, "body": "no such page"},
    "site.test/image": {"headers": [["Content-Type", "image/png"]], "body": "\x89PNG"},
    "site.test/stacked": {"headers": [["Content-Encoding", "gzip, gzip, gzip"]], "body": "x"},
}


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (["fetch", "http://site.test/"], 0, None),
        (["fetch", "http://site.test/missing"], 0, None),
        (["fetch", "site.test"], 2, "invalid-url"),
        (["fetch", "-H", "Host: other.test", "http://site.test/"], 2, "invalid-header"),
        (["fetch", "http://intranet/"], 3, "refused-host"),
        (["fetch", "--policy", "strict", "http://site.test/"], 3, "refused-scheme"),
        (["fetch", "http://site.test/loop"], 4, "too-many-redirects"),
        (["fetch", "http://missing.test/"], 5, "name-not-found"),
        (["fetch", "http://site.test/stacked"], 6, "content-undecodable"),
        (["read", "http://site.test/image"], 6, "unsupported-content"),
        (["search", "tea"], 7, "provider-not-configured"),
        (["search", ""], 2, "invalid-input"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_each_kind_of_failure_has_its_status(world: World, arguments: list[str], status: int, code: str | None) -> None:
    world.load({"site.test": [PUBLIC]}, PAGES)
    command, *rest = arguments
    outcome = world.webward(command, "--envelope", *rest)
    envelope = outcome.envelope
    assert outcome.status == status, outcome.stderr
    assert envelope["ok"] is (code is None)
    assert envelope.get("error", {}).get("code") == code


def test_an_unknown_setting_is_named_with_the_nearest_right_one(world: World) -> None:
    world.load({"site.test": [PUBLIC]})
    outcome = world.webward("fetch", "http://site.test/", environment={"WEBWARD_NETWORK_PROXI": "http://10.0.0.1:1"})
    assert outcome.status == 2
    assert "network.proxy" in outcome.stderr.lower().replace("webward_network_proxy", "network.proxy")
    assert world.seen().questions == ()
