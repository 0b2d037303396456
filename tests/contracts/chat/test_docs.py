"""docs/chat.md says what is so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.surfaces.chat.bench import Bench

from webward.config import ChatSettings
from webward.config.load import keys_of
from webward.contracts.chat import refusals
from webward.errors import WebwardError
from webward.testing import LoopbackWeb

if TYPE_CHECKING:
    import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "chat.md").read_text(encoding="utf-8")


def codes(kind: type[WebwardError] = WebwardError) -> set[str]:
    return {kind.code, *(code for child in kind.__subclasses__() for code in codes(child))}


def rows(heading: str) -> dict[str, str]:
    """First and second column of the table under a heading."""
    table = PAGE[PAGE.index(heading) :]
    return dict(re.findall(r"^\| `([a-z_-]+)` \| (.+?) \|", table, re.MULTILINE))


def test_the_settings_and_their_defaults() -> None:
    written = rows("## Settings")
    known = {key: field.default for key, field in keys_of(ChatSettings).items()}
    assert {key: value.lower() for key, value in written.items()} == {
        key: f"{value:g}" if isinstance(value, float) else str(value).lower() for key, value in known.items()
    }


def test_the_codes_beside_those_of_webward() -> None:
    own = {
        getattr(refusals, name) for name in ("UNKNOWN_TOOL", "INVALID_ARGUMENTS", "BUDGET_REFUSED", "QUOTA_EXCEEDED")
    }
    table = PAGE[PAGE.index("| `error` | when |") : PAGE.index("A message is one")]
    assert set(re.findall(r"^\| `([a-z-]+)` \| [a-z]", table, re.MULTILINE)) - {"error"} == own
    assert not own & codes()


async def test_the_python_example_reads_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    definitions, _, last = example.rstrip().rpartition("\n\n")
    assert "asyncio.run(main())" in last
    names: dict[str, Any] = {}
    exec(compile(definitions.replace("https://", "http://"), "chat.md", "exec"), names)  # noqa: S102 - our own example
    async with LoopbackWeb() as web:
        web.page("http://example.com/", "<p>Words.")
        bench = Bench(web, tmp_path)
        loaded = names["load_settings"]
        names |= {
            "load_settings": lambda overrides: loaded(environ={"HOME": str(tmp_path)}, overrides=overrides),
            "Gateway": lambda _settings: bench.gateway(),
        }
        await names["main"]()
    shown = capsys.readouterr().out
    assert "'name': 'fetch_url'" in shown
    assert "Words." in shown
    assert "None {" in shown
