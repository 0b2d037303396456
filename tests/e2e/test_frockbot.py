"""The FrockBot tools as a host mounts them: a child process, with real names, real addresses and real TLS."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.contracts.frockbot.urls import ALLOWED, REFUSED

from .test_addresses import BAD_ANSWERS

if TYPE_CHECKING:
    from .client import World

PUBLIC, OTHER, SILENT = "93.184.216.34", "93.184.216.35", "93.184.216.251"
URL = "https://site.test/"

Answers = dict[Any, dict[str, Any]]


def serve(world: World, *messages: dict[str, Any], environment: dict[str, str] | None = None) -> Answers:
    """One run of the child process: what it answers, by id; ``error`` is None for a success."""
    text = "".join(json.dumps(message) + "\n" for message in messages)
    outcome = world.webward("frockbot", "serve", text=text, environment=environment)
    assert (outcome.status, outcome.stderr) == (0, "")
    answers = [json.loads(line) for line in outcome.stdout.splitlines()]
    assert len(answers) == len([message for message in messages if "cancel" not in message])
    found = {answer["id"]: {"error": None, **json.loads(answer["content"])} for answer in answers}
    assert all((found[answer["id"]]["error"] is not None) is answer["isError"] for answer in answers)
    return found


def call(identity: str | int, url: str, **more: Any) -> dict[str, Any]:
    return {
        "id": identity,
        "tool": "web_fetch",
        "input": {"url": url, **more},
        "context": {"effectId": f"effect-{identity}"},
    }


@pytest.fixture(scope="module")
def refused(world: World) -> Answers:
    """All URLs of the refusal list in one run, in a world where every name and address would answer."""
    hosts = ("example.com", "redis", "localhost", "printer.local", "metadata.google.internal", "a.b.internal")
    world.load({host: [PUBLIC] for host in hosts})
    return serve(world, *(call(number, url) for number, url in enumerate(REFUSED)))


@pytest.mark.parametrize(("number", "url"), list(enumerate(REFUSED)), ids=[repr(url)[:60] for url in REFUSED])
def test_a_refused_url_has_its_code(refused: Answers, number: int, url: str) -> None:
    assert refused[number]["error"] == REFUSED[url]


def test_no_refused_url_led_anywhere(world: World, refused: Answers) -> None:
    assert len(refused) == len(REFUSED)
    seen = world.seen()
    assert (seen.connections, seen.questions) == ((), ())


def test_allowed_urls_are_fetched(world: World) -> None:
    hosts = ("example.com", "xn--bcher-kva.example", "localhost.example", "internal.example", "home.arpa.example")
    world.load({host: [PUBLIC] for host in hosts})
    answers = serve(world, *(call(url, url) for url in ALLOWED))
    assert {url: answers[url]["error"] for url in ALLOWED} == dict.fromkeys(ALLOWED)
    assert {request.scheme for request in world.seen().requests} == {"https"}
    assert set(world.seen().connections) == {PUBLIC, "1.1.1.1", "2606:4700:4700::1111"}


@pytest.mark.parametrize("resolver", ["dns", "system"])
def test_a_name_with_a_bad_answer_is_refused_and_the_answer_not_told(world: World, resolver: str) -> None:
    zone: dict[str, Any] = {}
    for number, (names, _) in enumerate(BAD_ANSWERS.values()):
        zone |= {name.replace("bad.test", f"bad{number}.test"): entry for name, entry in names.items()}
    world.load(zone)
    answers = serve(
        world,
        *(call(number, f"https://bad{number}.test/") for number in range(len(BAD_ANSWERS))),
        environment={"WEBWARD_NETWORK_RESOLVER": resolver},
    )
    for number, (case, (_, secrets)) in enumerate(BAD_ANSWERS.items()):
        content = answers[number]
        assert (case, content["error"]) == (case, "ssrf-blocked-private-address")
        assert [secret for secret in secrets if secret in json.dumps(content)] == []
    assert world.seen().connections == ()


def test_a_name_that_moves_inside_between_two_calls_is_refused(world: World) -> None:
    world.load({"turn.test": {"sequence": [[PUBLIC], ["127.0.0.1"]], "ttl": 0}})
    first = serve(world, call(1, "https://turn.test/"))
    second = serve(world, call(1, "https://turn.test/"))
    assert (first[1]["error"], second[1]["error"]) == (None, "ssrf-blocked-private-address")
    assert world.seen().connections == (PUBLIC,)


LOCATIONS = {
    "http://169.254.169.254/latest/meta-data/": "ssrf-blocked-scheme",
    "https://169.254.169.254/latest/meta-data/": "ssrf-blocked-private-address",
    "http://other.test/": "ssrf-blocked-scheme",
    "file:///etc/passwd": "ssrf-blocked-scheme",
    "https://user:word@other.test/": "ssrf-blocked-credentials",
    "https://other.test:3128/": "ssrf-blocked-port",
    "//0x7f.1/": "ssrf-blocked-private-address",
    "https://[::ffff:8.8.8.8]/": "ssrf-blocked-private-address",
    "https://inner.test/": "ssrf-blocked-private-address",
    "https://metadata.google.internal/": "ssrf-blocked-host",
    "https://intranet/": "ssrf-blocked-host",
    "https://[": "ssrf-invalid-url",
    "https://other.test/?" + "x" * 2048: "ssrf-invalid-url",
    "https://missing.test/": "web-fetch-failed",
    "https://93.184.216.250/": "web-fetch-failed",  # a public address that cannot be reached
    "https://other.test/": None,
}


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_gets_no_shorter_path(world: World, status: int) -> None:
    pages = {
        f"site.test/{number}": {"status": status, "headers": [["Location", location]]}
        for number, location in enumerate(LOCATIONS)
    }
    world.load({"site.test": [PUBLIC], "other.test": [OTHER], "inner.test": ["10.0.0.5"]}, pages)
    answers = serve(world, *(call(number, f"{URL}{number}") for number in range(len(LOCATIONS))))
    assert {location: answers[number]["error"] for number, location in enumerate(LOCATIONS)} == LOCATIONS
    refusals = [answers[number] for number, code in enumerate(LOCATIONS.values()) if code]
    addresses = ("169.254", "0x7f", "127.0", "8.8.8.8", "10.0.0.5", "93.184", "inner", "intranet", "metadata")
    assert [word for word in addresses if word in json.dumps(refusals)] == []
    assert set(world.seen().connections) == {PUBLIC, OTHER}


def page(media_type: str, body: str, status: int = 200) -> dict[str, Any]:
    return {"untyped": True, "headers": [["Content-Type", media_type]], "body": body, "status": status}


PAGES: dict[str, tuple[dict[str, Any], str | None]] = {
    "html": (page("text/html", "<h1>Hello</h1><p>World &amp; all"), None),
    "xhtml": (page("application/xhtml+xml", "<p>a</p>"), None),
    "markdown": (page("text/markdown", "# a"), None),
    "json": (page("application/json", '{"a":1}'), None),
    "plain": (page("text/plain", "a"), None),
    "untyped": ({"untyped": True, "body": "a"}, "web-fetch-blocked-content-type"),
    "image": (page("image/png", "\x89PNG"), "web-fetch-blocked-content-type"),
    "css": (page("text/css", "a{}"), "web-fetch-blocked-content-type"),
    "false": (page("text/html", "%PDF-1.7 \0"), "web-fetch-blocked-content-type"),
    "missing": (page("text/html", "gone", 404), "web-fetch-http-error"),
    "broken": (page("image/png", "x" * 5000, 500), "web-fetch-http-error"),
    "nowhere": ({"status": 302}, "web-fetch-redirect-without-location"),
    "loop": ({"status": 302, "headers": [["Location", "/loop"]]}, "web-fetch-too-many-redirects"),
    "exact": (page("text/plain", "x" * 4096), None),
    "long": (page("text/plain", "x" * 4097), "web-fetch-response-too-large"),
    "stacked": (
        {"headers": [["Content-Encoding", "gzip, gzip, gzip"]], "body": "x"},
        "web-fetch-failed",
    ),
}


def test_each_kind_of_answer_has_its_code(world: World) -> None:
    world.load({"site.test": [PUBLIC]}, {f"site.test/{name}": answer for name, (answer, _) in PAGES.items()})
    answers = serve(world, *(call(name, f"{URL}{name}", max_bytes=4096) for name in PAGES))
    assert {name: answers[name]["error"] for name in PAGES} == {name: code for name, (_, code) in PAGES.items()}
    assert answers["html"]["text"] == "Hello\n\nWorld & all"
    assert (answers["exact"]["bytes"], answers["exact"]["truncated"]) == (4096, False)


def test_a_result_has_all_of_its_fields(world: World) -> None:
    world.load({"site.test": [PUBLIC]}, {"site.test/a": page("Text/HTML; charset=utf-8", "<h1>Héllo</h1>")})
    answers = serve(world, call("a", "HTTPS://SITE.test:443/a", format="markdown"))
    assert answers["a"] == {
        "error": None,
        "url": f"{URL}a",
        "finalUrl": f"{URL}a",
        "status": 200,
        "contentType": "text/html",
        "bytes": 15,
        "truncated": False,
        "text": "# Héllo",
    }
    (request,) = world.seen().requests
    assert (request.scheme, request.port, request.path) == ("https", 443, "/a")
    names = [line.partition(":")[0].lower() for line in request.head.split("\r\n")[1:] if line]
    assert sorted(names) == ["accept", "accept-encoding", "accept-language", "host", "user-agent"]


@pytest.mark.parametrize(
    "fault", [{"names": ["other.test"]}, {"expired": True}, {"stranger": True}], ids=["name", "expired", "untrusted"]
)
def test_a_bad_certificate_is_a_failed_fetch(world: World, fault: dict[str, Any]) -> None:
    world.load({"site.test": [PUBLIC]}, certificates={"site.test": fault})
    assert serve(world, call("a", URL))["a"]["error"] == "web-fetch-failed"
    assert world.seen().requests == ()


def test_a_canceled_call_is_answered_and_the_others_go_on(world: World) -> None:
    world.load({"site.test": [PUBLIC], "silent.test": [SILENT]})
    messages = [call("a", "https://silent.test/"), call("b", URL), {"cancel": "a"}, {"cancel": "x"}]
    answers = serve(world, *messages)
    assert (answers["a"]["error"], answers["a"]["message"]) == ("web-fetch-failed", "the call was canceled")
    assert answers["b"]["error"] is None


def test_the_deadline_ends_what_never_answers(world: World) -> None:
    world.load({"site.test": [PUBLIC], "silent.test": [SILENT], "mute.test": {"silent": True}})
    seconds = {"WEBWARD_LIMITS_DEADLINE_SECONDS": "1", "WEBWARD_LIMITS_MAX_DEADLINE_SECONDS": "1"}
    urls = ("https://silent.test/", "https://mute.test/")
    answers = serve(world, *(call(url, url) for url in urls), environment=seconds)
    assert {answers[url]["error"] for url in urls} == {"web-fetch-failed"}


def test_two_hundred_calls_at_once(world: World) -> None:
    world.load({f"site{number}.test": [PUBLIC] for number in range(20)})
    answers = serve(world, *(call(number, f"https://site{number % 20}.test/{number}") for number in range(200)))
    assert sorted(answers) == list(range(200))
    assert {answer["error"] for answer in answers.values()} == {None}
    assert {answer["text"] for answer in answers.values()} == {
        f"This is site{number}.test at {PUBLIC}." for number in range(20)
    }


def test_what_an_operator_opened_stays_closed_here(world: World) -> None:
    world.load({"inner.test": ["10.0.0.5"]})
    opened = {"WEBWARD_EGRESS_UNSAFE_ALLOW_CIDR": "10.0.0.0/8", "WEBWARD_EGRESS_PRESET": "development"}
    assert serve(world, call("a", "https://inner.test/"), environment=opened)["a"]["error"] == (
        "ssrf-blocked-private-address"
    )
    assert world.seen().connections == ()


def test_what_an_operator_denied_is_denied_here(world: World) -> None:
    world.load({"site.test": [PUBLIC]})
    denied = {"WEBWARD_EGRESS_DENY_HOSTS": "site.test"}
    assert serve(world, call("a", URL), environment=denied)["a"]["error"] == "ssrf-blocked-host"
    assert world.seen().questions == ()


def test_search_goes_to_its_provider_and_fetch_stays_strict(world: World) -> None:
    rows = [{"title": "First", "url": "https://first.example/", "content": "The  first\npage."}]
    found = {"query": "tea", "results": rows, "unresponsive_engines": []}
    answer = {"untyped": True, "headers": [["Content-Type", "application/json"]], "body": json.dumps(found)}
    path = "searx.corp/search?q=tea&format=json"
    world.load({"searx.corp": ["10.0.0.5"]}, {path: answer})
    environment = {
        "WEBWARD_SEARCH_PROVIDER": "searxng",
        "WEBWARD_SEARCH_SEARXNG_BASE_URL": "http://searx.corp/",
        "WEBWARD_SEARCH_SEARXNG_UNSAFE_ALLOW_PRIVATE": "true",
    }
    search = {"id": "s", "tool": "web_search", "input": {"query": "tea"}, "context": {"effectId": "e"}}
    answers = serve(world, search, call("f", "https://searx.corp/"), environment=environment)
    seen = world.seen()
    assert answers["s"] == {
        "error": None,
        "query": "tea",
        "results": [{"title": "First", "url": "https://first.example/", "snippet": "The first page."}],
    }, [request.path for request in seen.requests]
    assert answers["f"]["error"] == "ssrf-blocked-host"
    assert seen.connections == ("10.0.0.5",)


def test_without_a_provider_there_is_no_web_search(world: World) -> None:
    world.load({})
    answers = serve(world, {"id": "s", "tool": "web_search", "input": {"query": "tea"}})
    assert answers["s"]["error"] == "invalid-input"
