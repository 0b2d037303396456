from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Command


def test_the_settings_in_force_are_toml(webward: Command) -> None:
    ran = webward("config", "show", WEBWARD_LIMITS_BODY_BYTES="100")

    settings = tomllib.loads(ran.out.decode())
    assert ran.status == 0
    assert settings["limits"]["body-bytes"] == 100
    assert settings["egress"]["schemes"] == ["http", "https"]


def test_a_password_is_masked(webward: Command) -> None:
    ran = webward("config", "show", WEBWARD_NETWORK_PROXY="http://user:hunter2@proxy.test:3128")

    assert "hunter2" not in ran.out.decode()
    assert "user:********@proxy.test:3128" in ran.out.decode()


def test_the_schema_names_every_section(webward: Command) -> None:
    schema = json.loads(webward("config", "schema").out)

    assert set(schema["$defs"]) >= {"EgressSection", "Limits", "NetworkSettings", "SettingsFile"}


@pytest.mark.parametrize("how", ["option", "variable", "folder"])
def test_where_a_file_is_found(webward: Command, how: str) -> None:
    folder = webward.home / ".config" / "webward"
    folder.mkdir(parents=True)
    file = folder / "webward.toml" if how == "folder" else webward.home / "own.toml"
    file.write_text('[egress]\npreset = "strict"\n', encoding="utf-8")
    options = ["--config", str(file)] if how == "option" else []
    variable = str(file) if how == "variable" else ""

    ran = webward(*options, "config", "show", WEBWARD_CONFIG=variable)

    assert tomllib.loads(ran.out.decode())["egress"]["schemes"] == ["https"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[limits]\nbodi-bytes = 1", "did you mean 'limits.body-bytes'"),
        ("[limit]\n", "did you mean 'limits'"),
        ('[limits]\nbody-bytes = "1"', "limits.body-bytes"),
        ("[limits", "no valid TOML"),
        ("\xff", "no valid TOML"),
    ],
)
def test_a_bad_file_is_an_error_that_says_where(webward: Command, text: str, problem: str) -> None:
    file = Path(webward.home, "bad.toml")
    file.write_bytes(text.encode("latin-1"))

    ran = webward("--config", str(file), "fetch", "http://a.test/")

    assert ran.status == 2
    assert problem in ran.err
