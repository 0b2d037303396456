"""docs/iii.md says what the code does: its codes, its configuration, its examples."""

from __future__ import annotations

import json
import re
from pathlib import Path

import yaml
from tests.engine.sites import secure

from webward.contracts.iii.codes import ERROR_CODES, FetchError
from webward.contracts.iii.configuration import DEFAULTS, decode_configuration, stored_form
from webward.contracts.iii.functions import manifest, request_schema, response_schema
from webward.contracts.iii.guide import example_configuration, guide
from webward.surfaces.iii.fetch import WebFetch
from webward.surfaces.iii.serving import Serving
from webward.testing import LoopbackWeb

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "iii.md").read_text(encoding="utf-8")


def test_the_table_of_codes_is_the_codes() -> None:
    rows = re.findall(r"^\| `([a-z_]+)` \| [^|]+ \| (`.+`) \|$", PAGE, re.MULTILINE)
    written = {code: re.findall(r"`([a-z-]+)`", cell) for code, cell in rows}
    assert written == {code: [ours for ours, kind in ERROR_CODES.items() if kind is code] for code in FetchError}


def test_the_table_of_keys_is_the_configuration() -> None:
    rows = re.findall(r"^\| `([a-z_]+)` \| `([^`]+)` \| [^|]+ \|$", PAGE, re.MULTILINE)
    assert {key: yaml.safe_load(default) for key, default in rows} == stored_form(DEFAULTS)


async def test_the_session_goes_as_written(tmp_path: Path) -> None:
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    lines = block.splitlines()
    assert len(lines) == 8
    trust = secure(tmp_path, "example.com")
    async with LoopbackWeb(tls=trust.tls) as web:
        web.page("https://example.com/", "<h1>Example</h1><p>Words.".ljust(29), headers=[("Content-Type", "text/html")])
        web.page("https://example.com/data", '{"a":[1]}', headers=[("Content-Type", "application/json")])
        serving = Serving(trust.settings, DEFAULTS, web.gateway)
        try:
            fetch = WebFetch(serving)
            for said, answered in zip(lines[::2], lines[1::2], strict=True):
                assert await fetch(json.loads(said)) == json.loads(answered)
        finally:
            await serving.close()


def test_the_guide_has_every_field_and_code() -> None:
    written = set(re.findall(r"^\| `([a-z_0-9]+)`(?: \(required\))? \|", guide(), re.MULTILINE))
    fields = {*request_schema()["properties"], *request_schema()["$defs"]["FilterInput"]["properties"]}
    assert written == fields | set(response_schema()["properties"]) | set(FetchError)


def test_the_example_configuration_is_the_defaults() -> None:
    assert decode_configuration(yaml.safe_load(example_configuration())) == DEFAULTS
    assert yaml.safe_load(example_configuration())["web"] == stored_form(DEFAULTS)


def test_the_worker_is_started_by_its_own_command() -> None:
    worker = yaml.safe_load((ROOT / "deploy" / "iii" / "iii.worker.yaml").read_text(encoding="utf-8"))
    assert (worker["name"], worker["description"]) == (manifest()["name"], manifest()["description"])
    assert worker["scripts"]["start"] == "webward iii"
