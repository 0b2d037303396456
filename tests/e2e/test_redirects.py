from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .client import Request, World

PUBLIC, OTHER = "93.184.216.34", "93.184.216.35"
ZONE = {"site.test": [PUBLIC], "other.test": [OTHER], "inner.test": ["10.0.0.5"]}
SECRETS = ("authorization: Bearer t0ken", "cookie: session=1", "x-api-key: k3y")


def redirect(location: str, status: int = 302) -> dict[str, Any]:
    return {"status": status, "headers": [["Location", location]]}


def secrets_in(request: Request) -> list[str]:
    head = request.head.lower()
    return [secret for secret in SECRETS if secret.lower() in head]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    ("location", "code"),
    [
        ("http://169.254.169.254/latest/meta-data/", "refused-address"),
        ("//0x7f.1/", "refused-address"),
        ("http://inner.test/", "refused-address"),
        ("http://metadata.google.internal/", "refused-host"),
        ("http://other.test:22/", "refused-port"),
        ("file:///etc/passwd", "refused-scheme"),
    ],
)
def test_a_redirect_gets_no_shorter_path(world: World, location: str, code: str, status: int) -> None:
    world.load(ZONE, {"site.test/": redirect(location, status)})
    outcome = world.webward("fetch", "--envelope", "http://site.test/")
    error = outcome.envelope["error"]
    assert (outcome.status, error["code"], error["hop"]) == (3, code, 1)
    assert "10.0.0.5" not in outcome.stdout + outcome.stderr
    assert world.seen().connections == (PUBLIC,)


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ("https://site.test/", "/next", True),
        ("https://site.test/", "http://site.test/next", False),
        ("https://site.test/", "https://other.test/next", False),
        ("http://site.test/", "https://site.test/next", False),
        ("http://site.test/", "http://site.test:3128/next", False),
    ],
    ids=["same origin", "https to http", "other host", "http to https", "other port"],
)
def test_credentials_stay_with_their_origin(
    world: World,
    first: str,
    second: str,
    kept: bool,  # noqa: FBT001 a row
) -> None:
    world.load(ZONE, {"site.test/": redirect(second)})
    headers = [argument for secret in SECRETS for argument in ("-H", secret)]
    outcome = world.webward("fetch", "--envelope", *headers, "-H", "Accept-Language: de", first)
    assert outcome.status == 0, outcome.stdout
    before, after = world.seen().requests
    assert secrets_in(before) == list(SECRETS)
    assert secrets_in(after) == (list(SECRETS) if kept else [])
    assert ("credentials-dropped" in outcome.envelope.get("notes", [])) is not kept
    assert "accept-language: de" in after.head.lower()


def test_credentials_do_not_come_back(world: World) -> None:
    world.load(ZONE, {"site.test/": redirect("http://other.test/"), "other.test/": redirect("http://site.test/end")})
    outcome = world.webward("fetch", "-H", SECRETS[0], "http://site.test/")
    assert outcome.status == 0, outcome.stderr
    assert [secrets_in(request) for request in world.seen().requests] == [[SECRETS[0]], [], []]


def test_no_follow_gives_the_redirect_itself(world: World) -> None:
    world.load(ZONE, {"site.test/": redirect("http://inner.test/")})
    envelope = world.webward("fetch", "--envelope", "--no-follow", "http://site.test/").envelope
    assert (envelope["ok"], envelope["status"], envelope["headers"]["location"]) == (True, 302, "http://inner.test/")
    assert world.seen().names == {"site.test"}
