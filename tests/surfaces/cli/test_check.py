from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Command


def test_every_rule_speaks(webward: Command) -> None:
    ran = webward("check", "http://8.8.8.8/")

    lines = ran.out.decode().splitlines()
    assert ran.status == 0
    assert lines[0] == "allowed  http://8.8.8.8/"
    assert [line.split()[0] for line in lines[1:]] == ["scheme", "credentials", "port", "host", "address"]


@pytest.mark.parametrize(
    ("url", "status", "rule", "setting"),
    [
        ("http://127.0.0.1/", 3, "address", "egress.unsafe-allow-cidr"),
        ("http://0x7f.1/", 3, "address", "egress.unsafe-allow-cidr"),
        ("http://169.254.169.254/", 3, "address", None),
        ("http://intranet/", 3, "host", "egress.unsafe-allow-hosts"),
        ("http://8.8.8.8:22/", 3, "port", "egress.ports"),
        ("http://u:p@8.8.8.8/", 3, "credentials", "egress.url-credentials"),
    ],
)
def test_a_refusal_names_rule_and_setting(
    webward: Command, url: str, status: int, rule: str, setting: str | None
) -> None:
    ran = webward("check", url, "--envelope")

    envelope = json.loads(ran.out)
    assert ran.status == status
    assert (envelope["ok"], envelope["error"].get("setting")) == (False, setting)
    assert envelope["verdicts"][-1]["rule"] == rule
    assert "u:p" not in ran.out.decode()


def test_addresses_are_shown_only_when_asked(webward: Command) -> None:
    hidden = webward("check", "http://localhost/", "--policy", "development")
    shown = webward("check", "http://localhost/", "--policy", "development", "--show-addresses")
    envelope = json.loads(webward("check", "http://localhost/", "--policy", "development", "--envelope").out)

    assert b"127.0.0.1" not in hidden.out
    assert b"127.0.0.1" in shown.out
    assert "addresses" not in envelope


def test_what_is_no_url_is_an_input_error(webward: Command) -> None:
    assert webward("check", "http://a@b@c/").status == 2
