from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Command


def _answers(webward: Command, *lines: str | bytes) -> list[dict[str, Any]]:
    stdin = b"\n".join(line.encode() if isinstance(line, str) else line for line in lines)
    ran = webward.development("fetch", "--jsonl", stdin=stdin)
    assert ran.status == 0
    assert ran.err == ""
    return [json.loads(line) for line in ran.out.splitlines()]


def test_each_line_is_answered_with_its_id(webward: Command, site: str) -> None:
    lines = [json.dumps({"id": number, "url": f"{site}/"}) for number in range(20)]

    answers = _answers(webward, *lines)

    assert sorted(answer["id"] for answer in answers) == list(range(20))
    assert all(answer["ok"] for answer in answers)


def test_all_arguments_arrive(webward: Command, site: str) -> None:
    request = {
        "id": "all",
        "url": site,
        "method": "put",
        "headers": {"X-Sent": "1"},
        "json": {"a": 1},
        "timeout_ms": 60_000,
        "max_bytes": 24,
        "follow_redirects": False,
    }

    (answer,) = _answers(webward, json.dumps(request))

    assert (answer["body"], answer["truncated"]) == ('PUT application/json {"a', True)
    assert answer["headers"]["x-seen"] == "1"


@pytest.mark.parametrize(
    ("line", "identity", "code"),
    [
        ("garbage", None, "invalid-input"),
        ("[1]", None, "invalid-input"),
        ("{}", None, "invalid-input"),
        (b"\xff\xfe", None, "invalid-input"),
        ("[" * 100_000, None, "invalid-input"),
        ('{"id": "a"}', "a", "invalid-input"),
        ('{"id": true, "url": "http://a.test/"}', None, "invalid-input"),
        ('{"id": 7, "url": 1}', 7, "invalid-input"),
        ('{"id": 7, "url": "http://a.test/", "\\ud800": 1}', 7, "invalid-input"),
        ('{"id": 7, "url": "http://a.test/", "metod": "GET"}', 7, "invalid-input"),
        ('{"id": 7, "url": "http://a.test/", "timeout_ms": true}', 7, "invalid-input"),
        ('{"id": 7, "url": "http://a.test/", "headers": {"Host": "b"}}', 7, "invalid-header"),
        ('{"id": 7, "url": "\\ud800"}', 7, "invalid-url"),
        ('{"id": 7, "url": "http://a.test/\\u0000"}', 7, "invalid-url"),
        ('{"id": "\\ud800", "url": "http://10.0.0.1/"}', "\ud800", "refused-address"),
    ],
    ids=str,
)
def test_a_bad_line_gets_an_envelope_and_stops_nothing(
    webward: Command, site: str, line: str | bytes, identity: str | int | None, code: str
) -> None:
    answers = _answers(webward, line, json.dumps({"id": "good", "url": site}))

    bad, good = sorted(answers, key=lambda answer: bool(answer["ok"]))
    assert (bad.get("id"), bad["ok"], bad["error"]["code"]) == (identity, False, code)
    assert good["id"] == "good"


def test_blank_lines_are_passed_over(webward: Command) -> None:
    assert _answers(webward, "", "  ", "\r") == []


def test_an_answer_comes_before_the_input_ends(webward: Command, site: str) -> None:
    with webward.start("fetch", "--jsonl", "--policy", "development") as process:
        assert process.stdin is not None
        assert process.stdout is not None

        process.stdin.write(json.dumps({"id": 1, "url": site}).encode() + b"\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())

    assert answer["id"] == 1
    assert process.returncode == 0


def test_a_reader_that_has_had_enough_is_no_fault(webward: Command, site: str) -> None:
    with webward.start("fetch", "--jsonl", "--policy", "development") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        lines = b"".join(json.dumps({"id": number, "url": site}).encode() + b"\n" for number in range(200))
        process.stdout.close()
        process.stdin.write(lines)
        process.stdin.close()
        told = process.stderr.read().decode()

    assert "Traceback" not in told
    assert "report" not in told


@pytest.mark.parametrize("command", ["fetch", "read"])
def test_closed_standard_input_ends_at_once(webward: Command, command: str) -> None:
    ran = webward.closed(command, "--jsonl")

    assert ran.status == 2
    assert "standard input is closed" in ran.err


def test_pages_are_read_by_line(webward: Command, site: str) -> None:
    (webward.home / "page.html").write_text("<h1>Hi</h1><nav><a href=/x>x</a></nav>", encoding="utf-8")
    requests = [
        {"id": 1, "url": site, "task": "text"},
        {"id": 2, "url": "https://a.test/", "html_path": "page.html", "include_links": True},
        {"id": 3, "url": "https://a.test/", "html_path": "nowhere.html"},
        {"id": 4, "url": site, "task": "poem"},
    ]
    stdin = "\n".join(map(json.dumps, requests)).encode()

    ran = webward.development("read", "--jsonl", "--allow-files", stdin=stdin)

    answers = {answer["id"]: answer for answer in map(json.loads, ran.out.splitlines())}
    assert (answers[1]["format"], "Menu" in answers[1]["text"]) == ("text", True)
    assert answers[2]["links"]["internal"] == [{"href": "https://a.test/x", "text": "x"}]
    assert [answers[number]["error"]["code"] for number in (3, 4)] == ["invalid-input", "invalid-input"]


def test_files_are_read_only_when_allowed(webward: Command) -> None:
    (webward.home / "secret.html").write_text("secret", encoding="utf-8")
    line = json.dumps({"id": 1, "url": "https://a.test/", "html_path": "secret.html"}).encode()

    ran = webward("read", "--jsonl", stdin=line)

    answer = json.loads(ran.out)
    assert "--allow-files" in answer["error"]["message"]
    assert "secret" not in answer.get("text", "")
