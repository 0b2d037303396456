from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Command

REFUSED = b'{"id": "a", "tool": "web_fetch", "input": {"url": "https://127.1/"}}\n'  # needs no network


def manifest(webward: Command, *arguments: str) -> dict[str, Any]:
    ran = webward("frockbot", "manifest", *arguments)
    assert (ran.status, ran.err) == (0, "")
    shown: dict[str, Any] = json.loads(ran.out)
    return shown


def answers(webward: Command, stdin: bytes, *arguments: str) -> list[tuple[Any, str]]:
    ran = webward("frockbot", "serve", *arguments, stdin=stdin)
    assert (ran.status, ran.err) == (0, "")
    lines = [json.loads(line) for line in ran.out.splitlines()]
    return [(line["id"], json.loads(line["content"])["error"]) for line in lines]


def test_the_manifest(webward: Command) -> None:
    shown = manifest(webward)
    assert [tool["name"] for tool in shown["tools"]] == ["web_fetch"]
    assert shown["tools"][0]["admission"] == {"turnTypes": "all"}
    assert shown["contributions"]["runtime"]["command"] == ["webward", "frockbot", "serve"]


@pytest.mark.parametrize(
    ("enabled", "offered"),
    [(["web", "web-fetch"], ["web_fetch"]), (["web"], []), (["web-fetch"], []), (["other"], [])],
)
def test_the_fence_holds_for_the_manifest_and_the_tools(
    webward: Command, enabled: list[str], offered: list[str]
) -> None:
    arguments = [word for name in enabled for word in ("--enable", name)]
    assert [tool["name"] for tool in manifest(webward, *arguments)["tools"]] == offered
    code = "ssrf-blocked-private-address" if offered else "invalid-input"
    assert answers(webward, REFUSED, *arguments) == [("a", code)]


def test_turns_may_be_listed(webward: Command) -> None:
    shown = manifest(webward, "--turn-type", "chat", "--turn-type", "automation")
    assert shown["configuration"]["capabilities"][0]["admission"] == {"turnTypes": ["chat", "automation"]}


def test_broken_lines_stop_nothing(webward: Command) -> None:
    assert answers(webward, b"garbage\n\n  \n\xff\n" + REFUSED + b'{"cancel": "a"}\n{"id": 1') == [
        (None, "invalid-input"),
        (None, "invalid-input"),
        ("a", "ssrf-blocked-private-address"),
        (None, "invalid-input"),
    ]


def test_an_endless_line_is_one_broken_line(webward: Command) -> None:
    assert answers(webward, b"x" * (20 * 1024 * 1024) + b"\n" + REFUSED) == [
        (None, "invalid-input"),
        ("a", "ssrf-blocked-private-address"),
    ]


def test_many_lines_are_all_answered(webward: Command) -> None:
    assert len(answers(webward, REFUSED * 2_000)) == 2_000


def test_without_lines_it_ends(webward: Command) -> None:
    assert answers(webward, b"") == []


def test_an_answer_comes_before_the_input_ends(webward: Command) -> None:
    with webward.start("frockbot", "serve") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(REFUSED)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == "a"
        process.stdin.close()
        assert process.stdout.read() == b""
    assert process.returncode == 0


def test_a_host_that_reads_no_more_is_no_fault(webward: Command) -> None:
    with webward.start("frockbot", "serve") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(REFUSED * 100)
        process.stdin.close()
        told = process.stderr.read().decode()
    assert "Traceback" not in told
    assert "report" not in told


def test_an_interrupt_ends_it(webward: Command) -> None:
    with webward.start("frockbot", "serve") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(REFUSED)
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == b""
    assert process.returncode == 130


def test_closed_standard_input_is_told(webward: Command) -> None:
    ran = webward.closed("frockbot", "serve")
    assert ran.status == 2
    assert "standard input is closed" in ran.err


@pytest.mark.parametrize(
    "command", [("frockbot", "serve"), ("frockbot", "manifest"), ("fetch", "--jsonl")], ids=" ".join
)
def test_closed_standard_output_is_told(webward: Command, command: tuple[str, ...]) -> None:
    ran = webward.closed(*command, stream="</dev/null >&-")
    assert ran.status == 2
    assert "standard output is closed" in ran.err


@pytest.mark.parametrize("command", ["serve", "manifest"])
def test_a_wrong_setting_is_told(webward: Command, command: str) -> None:
    ran = webward("frockbot", command, WEBWARD_EGRESS_PRESET="lax")
    assert (ran.status, ran.out) == (2, b"")
    assert "egress.preset" in ran.err.replace("WEBWARD_EGRESS_PRESET", "egress.preset")
