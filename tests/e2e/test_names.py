"""Names that a resolver could turn into inner ones, and literals in every spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .client import World

PUBLIC = "93.184.216.34"
SEARCH_TRAP = {
    "pub2.test.corp.example": ["10.6.6.7"],
    "metadata.corp.example": ["169.254.169.254"],
    "metadata": ["169.254.169.254"],
    "intranet": ["10.9.9.9"],
}


@pytest.mark.parametrize("resolver", ["dns", "system"])
def test_a_name_is_never_completed_from_the_search_list(world: World, resolver: str) -> None:
    world.load(SEARCH_TRAP)
    outcome = world.webward(
        "fetch", "--envelope", "http://pub2.test/", environment={"WEBWARD_NETWORK_RESOLVER": resolver}
    )
    error = outcome.envelope["error"]
    assert (outcome.status, error["code"], error["retryable"]) == (5, "name-not-found", False)
    seen = world.seen()
    assert seen.names == {"pub2.test"}
    assert seen.connections == ()


@pytest.mark.parametrize("resolver", ["dns", "system"])
@pytest.mark.parametrize(
    "host",
    [
        *("metadata", "intranet", "localhost", "LOCALHOST.", "foo.localhost", "printer.local", "db.internal"),
        *("metadata.google.internal", "metadata.google.internal.", "router.lan", "nas.home.arpa", "git.corp"),
        *("kubernetes.default.svc", "api.default.svc.cluster.local", "hidden.onion", "name.alt"),
        *("ⓛocalhost", "loc\u00adalhost", "metadata。google。internal"),
    ],
)
def test_an_inner_name_is_refused_before_any_question(world: World, host: str, resolver: str) -> None:
    world.load(SEARCH_TRAP)
    outcome = world.webward(
        "fetch", "--envelope", f"http://{host}/", environment={"WEBWARD_NETWORK_RESOLVER": resolver}
    )
    assert (outcome.status, outcome.envelope["error"]["code"]) == (3, "refused-host")
    seen = world.seen()
    assert (seen.questions, seen.connections) == ((), ())


@pytest.mark.parametrize("resolver", ["dns", "system"])
def test_the_hosts_file_is_no_source_of_names(world: World, resolver: str) -> None:
    environment = {"WEBWARD_NETWORK_RESOLVER": resolver}
    world.load({})
    outcome = world.webward("fetch", "--envelope", "http://hosts-file.test/", environment=environment)
    assert (outcome.status, outcome.envelope["error"]["code"]) == (5, "name-not-found")
    world.load({"hosts-file.test": [PUBLIC]})
    assert world.webward("fetch", "http://hosts-file.test/", environment=environment).status == 0
    assert world.seen().connections == (PUBLIC,)


LITERALS = {
    "http://127.0.0.1/": "refused-address",
    "http://127.1/": "refused-address",
    "http://0/": "refused-address",
    "http://2130706433/": "refused-address",
    "http://0x7f000001/": "refused-address",
    "http://0x7f.1/": "refused-address",
    "http://0177.0.0.1/": "refused-address",
    "http://017700000001/": "refused-address",
    "http://127.0.0.1./": "refused-address",
    "http://127%2e0%2e0%2e1/": "refused-address",
    "http://%31%32%37.0.0.1/": "refused-address",
    "http://127。0。0。1/": "refused-address",
    "http://①②⑦.⓪.⓪.①/": "refused-address",
    "http:127.0.0.1/": "refused-address",
    "http:///127.0.0.1/": "refused-address",
    "http://10.0.0.5/": "refused-address",
    "http://169.254.169.254/": "refused-address",
    "http://198.41.0.4/": "refused-address",
    "http://[::1]/": "refused-address",
    "http://[0:0:0:0:0:0:0:1]/": "refused-address",
    "http://[::]/": "refused-address",
    "http://[::127.0.0.1]/": "refused-address",
    "http://[::ffff:127.0.0.1]/": "refused-address",
    "http://[::ffff:7f00:1]/": "refused-address",
    "http://[64:ff9b::7f00:1]/": "refused-address",
    "http://[fd00:ec2::254]/": "refused-address",
    "http://127.0.0.1#@pub.test/": "refused-address",
    "http://127.0.0.1?@pub.test/": "refused-address",
    "http://[fe80::1%25lo]/": "invalid-url",
    "http://[127.0.0.1]/": "invalid-url",
    "http://1.2.3.4.5/": "invalid-url",
    "http://256.256.256.256/": "invalid-url",
    "http://4294967296/": "invalid-url",
    "http://127.0.0.1\\@pub.test/": "invalid-url",
    "http://pub.test\\@127.0.0.1/": "invalid-url",
    "http://a@127.0.0.1@pub.test/": "invalid-url",
    "http://127.0.0.1\0.pub.test/": "invalid-url",
    "http://127.0.0.1\t/": "invalid-url",
    "http://pub.test@127.0.0.1/": "refused-credentials",
    "http://127.0.0.1:22/": "refused-port",
    "file:///etc/passwd": "refused-scheme",
    "gopher://127.0.0.1:6379/": "refused-scheme",
}


@pytest.fixture(scope="module")
def answers(world: World) -> dict[str, dict[str, Any]]:
    """All literals in one run, with a name that tells whether one of them was taken for another host."""
    world.load({"pub.test": [PUBLIC]})
    return world.fetch_all(*({"id": url, "url": url} for url in LITERALS))


@pytest.mark.parametrize(("url", "code"), LITERALS.items(), ids=[repr(url) for url in LITERALS])
def test_a_literal_is_judged_in_any_spelling(answers: dict[str, dict[str, Any]], url: str, code: str) -> None:
    error = answers[url]["error"]
    assert (error["code"], error["retryable"]) == (code, False)


def test_no_literal_led_anywhere(world: World, answers: dict[str, dict[str, Any]]) -> None:
    assert len(answers) == len(LITERALS)
    seen = world.seen()
    assert (seen.connections, seen.questions) == ((), ())
