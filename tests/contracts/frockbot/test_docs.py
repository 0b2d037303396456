"""docs/frockbot.md says what the code does: its table of codes, its session, its Python."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.engine.sites import secure

from webward.contracts.frockbot.codes import FETCH_REFUSALS, FetchCode
from webward.frockbot import mounted, strict_settings
from webward.surfaces.frockbot.host import LineHost
from webward.testing import LoopbackWeb

if TYPE_CHECKING:
    import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "frockbot.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def test_the_table_of_codes_is_the_codes() -> None:
    rows = re.findall(r"^\| `((?:ssrf|web-fetch)-[a-z-]+)` \| .+ \| (.+) \|$", PAGE, re.MULTILINE)
    written = {code: re.findall(r"`([a-z-]+)`", cell) for code, cell in rows}
    assert written == {
        code: [ours for ours, refusal in FETCH_REFUSALS.items() if refusal.code is code] for code in FetchCode
    }


async def test_the_session_goes_as_written(tmp_path: Path) -> None:
    lines = block("json").splitlines()
    assert len(lines) == 8
    trust = secure(tmp_path, "example.com")
    async with LoopbackWeb(tls=trust.tls) as web, web.gateway(strict_settings(trust.settings)) as gateway:
        web.page("https://example.com/", "<h1>Example</h1><p>Words.".ljust(42))
        host = LineHost(mounted(gateway))
        for said, answered in zip(lines[::2], lines[1::2], strict=True):
            assert json.loads(await host.answer(said.encode())) == json.loads(answered)


async def test_the_python_example_fetches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    definitions, _, last = block("python").rstrip().rpartition("\n\n")
    assert "asyncio.run(main())" in last
    names: dict[str, Any] = {}
    exec(compile(definitions, "frockbot.md", "exec"), names)  # noqa: S102 - our own example
    trust = secure(tmp_path, "example.com")
    async with LoopbackWeb(tls=trust.tls) as web:
        web.page("https://example.com/", "<p>Words.")
        names |= {"load_settings": lambda: trust.settings, "Gateway": web.gateway}
        await names["main"]()
    shown = capsys.readouterr().out
    assert shown.startswith("False {")
    assert '"text":"Words."' in shown
