from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from tests.surfaces.cli.conftest import Command, Site


def test_the_body_goes_to_a_pipe_as_it_is(webward: Command, site: str) -> None:
    ran = webward.development("fetch", f"{site}/logo.png")

    assert (ran.status, ran.out, ran.err) == (0, Site.pages["/logo.png"][2], "")


def test_an_error_status_is_an_answer_with_a_note(webward: Command, site: str) -> None:
    ran = webward.development("fetch", f"{site}/missing")

    assert (ran.status, ran.out) == (0, b"gone\n")
    assert "status 404" in ran.err


def test_the_body_can_be_saved(webward: Command, site: str) -> None:
    ran = webward.development("fetch", f"{site}/logo.png", "-o", "logo.png")

    assert (ran.status, ran.out) == (0, b"")
    assert (webward.home / "logo.png").read_bytes() == Site.pages["/logo.png"][2]


def test_a_file_that_cannot_be_written_is_named(webward: Command, site: str) -> None:
    ran = webward.development("fetch", f"{site}/", "-o", "no/such/folder")

    assert ran.status == 2
    assert "cannot write no/such/folder" in ran.err


def test_a_failed_fetch_makes_no_file(webward: Command) -> None:
    assert webward("fetch", "http://10.0.0.1/", "-o", "page").status == 3
    assert not (webward.home / "page").exists()


@pytest.mark.parametrize(
    ("options", "body"),
    [
        (["--json", '{"a": [1, "é"]}'], 'POST application/json {"a": [1, "é"]}'.encode()),
        (["--json", "null"], b"POST application/json null"),
        (["--json", "1", "-H", "content-type: application/own+json"], b"POST application/own+json 1"),
        (["--data", "a=1", "-H", "Content-Type: text/x-own"], b"POST text/x-own a=1"),
        (["-X", "PUT", "--data", "é"], "PUT None é".encode()),
        (["--data", "@body.bin"], b"POST None \0\xff"),
    ],
    ids=["json", "null", "own type", "data", "method", "file"],
)
def test_what_is_sent(webward: Command, site: str, options: list[str], body: bytes) -> None:
    (webward.home / "body.bin").write_bytes(b"\0\xff")

    assert webward.development("fetch", site, *options).out == body


@pytest.mark.parametrize("option", ["--data", "--json"])
def test_a_file_that_is_not_there_is_named(webward: Command, site: str, option: str) -> None:
    ran = webward.development("fetch", site, option, "@nowhere")

    assert ran.status == 2
    assert f"{option}: cannot read nowhere" in ran.err


def test_headers_are_sent(webward: Command, site: str) -> None:
    ran = webward.development("fetch", site, "--header", "X-Sent: a:b", "--envelope")

    assert json.loads(ran.out)["headers"]["x-seen"] == "a:b"


@pytest.mark.parametrize(
    ("header", "problem"),
    [("no colon", "no colon"), ("Host: a", "Host cannot be set"), ("a b: c", "no token"), ("A: b\nC: d", "control")],
)
def test_a_header_that_must_not_be_sent_is_an_error(webward: Command, site: str, header: str, problem: str) -> None:
    ran = webward.development("fetch", site, "-H", header)

    assert ran.status == 2
    assert problem in ran.err


def test_redirects_are_followed_unless_told_not_to(webward: Command, site: str) -> None:
    followed = json.loads(webward.development("fetch", f"{site}/home", "--envelope").out)
    kept = json.loads(webward.development("fetch", f"{site}/home", "--no-follow", "--envelope").out)

    assert (followed["status"], followed["final_url"], len(followed["hops"])) == (200, f"{site}/", 2)
    assert (kept["status"], kept["headers"]["location"], kept["body"]) == (302, "/", "see /")


def test_the_body_is_cut_at_max_bytes(webward: Command, site: str) -> None:
    ran = webward.development("fetch", f"{site}/missing", "--max-bytes", "2")

    assert ran.out == b"go"
    assert "cut short" in ran.err


def test_an_envelope_is_one_json_object(webward: Command, site: str) -> None:
    ran = webward.development("fetch", f"{site}/logo.png", "--envelope")

    envelope = json.loads(ran.out)
    assert ran.out.count(b"\n") == 1
    assert envelope["ok"] is True
    assert (envelope["body_encoding"], base64.b64decode(envelope["body"])) == ("base64", Site.pages["/logo.png"][2])


def test_a_refusal_has_an_envelope_with_its_hop(webward: Command, site: str) -> None:
    ran = webward.development("fetch", f"{site}/away", "--envelope")

    assert ran.status == 3
    error = json.loads(ran.out)["error"]
    assert (error["code"], error["hop"], error["retryable"]) == ("refused-address", 1, False)
    assert ran.err == ""


def test_loopback_is_refused_unless_opened(webward: Command, site: str) -> None:
    literal = site.replace("localhost", "127.0.0.1")

    assert webward("fetch", literal).status == 3
    assert webward("fetch", literal, "--unsafe-allow-cidr", "127.0.0.0/8").status == 0
    assert webward("fetch", literal, "--policy", "strict", "--unsafe-allow-cidr", "127.0.0.0/8").status == 3


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "give a URL"),
        (["http://a.test/", "--jsonl"], "come on standard input"),
        (["http://a.test/", "--json", "{"], "--json is no JSON"),
        (["http://a.test/", "--json", "NaN"], "--json is no JSON"),
        (["http://a.test/", "--json", "1", "--data", "x"], "--json or --data, not both"),
        (["http://a.test/", "-X", "BREW"], "method must be one of"),
        (["http://a.test/", "-X", "GET", "--data", "x"], "has no body"),
        (["http://a.test/", "--timeout-ms", "0"], "timeout_ms must be"),
        (["http://a.test/", "--max-bytes", "-1"], "max_bytes must be"),
        (["http://a.test/", "--unsafe-allow-cidr", "10/8"], "egress.unsafe-allow-cidr"),
        (["example.com"], "https://example.com"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_input_says_what_to_do(webward: Command, arguments: list[str], problem: str) -> None:
    ran = webward("fetch", *arguments)

    assert (ran.status, ran.out) == (2, b"")
    assert problem in ran.err


def test_bytes_that_are_no_text_are_a_bad_url(webward: Command) -> None:
    assert webward("fetch", b"http://a.test/\xff").status == 2


def test_a_closed_pipe_is_no_crash(webward: Command, site: str) -> None:
    with webward.start("fetch", f"{site}/", "--policy", "development") as process:
        assert process.stdout is not None
        assert process.stderr is not None

        process.stdout.close()
        told = process.stderr.read().decode()

    assert "Traceback" not in told


def test_an_envelope_can_be_saved(webward: Command, site: str) -> None:
    ran = webward.development("fetch", f"{site}/missing", "--envelope", "-o", "answer.json")

    assert (ran.status, ran.out) == (0, b"")
    assert json.loads((webward.home / "answer.json").read_bytes())["status"] == 404


@pytest.mark.parametrize(
    "options",
    [["-o", "x"], ["--data", "x"], ["-X", "PUT"], ["--json", "1"], ["--no-follow"], ["-H", "A: b"]],
    ids=" ".join,
)
def test_options_of_one_request_do_not_go_with_jsonl(webward: Command, options: list[str]) -> None:
    ran = webward("fetch", "--jsonl", *options)

    assert ran.status == 2
    assert "does not go with --jsonl" in ran.err


@pytest.mark.parametrize("text", ["[" * 3000, "{"], ids=["deep", "open"])
def test_what_is_no_json_is_an_input_error(webward: Command, text: str) -> None:
    ran = webward("fetch", "http://a.test/", "--json", text)

    assert ran.status == 2
    assert "--json is no JSON" in ran.err


@pytest.mark.parametrize("words", [["--timeout-ms", "abc"], ["--no-such"], ["--policy", "nosuch"]], ids=" ".join)
def test_wrong_words_have_an_envelope_too(webward: Command, words: list[str]) -> None:
    ran = webward("fetch", "http://a.test/", "--envelope", *words)

    assert ran.status == 2
    assert json.loads(ran.out)["error"]["code"] == "invalid-input"


def test_wrong_words_cannot_drive_a_terminal(webward: Command) -> None:
    ran = webward("fetch", "http://a.test/", "\x1b]0;owned\x07")

    assert ran.status == 2
    assert "\x1b" not in ran.err


@pytest.mark.parametrize("options", [["--envelope"], [], ["--jsonl"]], ids=["envelope", "body", "jsonl"])
def test_a_full_disk_is_told_in_words(webward: Command, site: str, options: list[str]) -> None:
    words = ["fetch", *options, "--policy", "development"] + ([] if "--jsonl" in options else [site])
    with Path("/dev/full").open("wb") as full:
        ran = webward.into(full, *words, stdin=json.dumps({"id": 1, "url": site}).encode())

    assert ran.status == 1
    assert "No space left" in ran.err
    assert "Traceback" not in ran.err


def test_an_option_adds_to_what_the_settings_open(webward: Command, site: str) -> None:
    literal = site.replace("localhost", "127.0.0.1")

    ran = webward("fetch", literal, "--unsafe-allow-cidr", "10.0.0.0/8", WEBWARD_EGRESS_UNSAFE_ALLOW_CIDR="127.0.0.0/8")

    assert ran.status == 0
