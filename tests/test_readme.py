"""The Python examples of the README run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from webward import EgressPolicy, Settings
from webward.testing import LoopbackWeb

if TYPE_CHECKING:
    import pytest

README = Path(__file__).parents[1] / "README.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def test_there_are_two_examples() -> None:
    assert len(EXAMPLES) == 2


async def test_the_first_example_reads_a_page_and_shows_a_refusal(capsys: pytest.CaptureFixture[str]) -> None:
    definitions, _, last = EXAMPLES[0].rpartition("\n\n")
    assert "asyncio.run(main())" in last
    names: dict[str, object] = {}
    plain = definitions.replace("https://", "http://")  # TLS is another test's matter
    exec(compile(plain, README.name, "exec"), names)  # noqa: S102 - our own example
    async with LoopbackWeb() as web:
        web.page("http://example.com/", "<title>Example</title><p>Words.")
        settings = Settings(egress=EgressPolicy())
        names["Gateway"] = lambda: web.gateway(settings)
        await names["main"]()  # type: ignore[operator]

    shown = capsys.readouterr().out
    assert "Example\nhttp://example.com/\nWords." in shown
    assert "refused-address" in shown


async def test_the_testing_example_passes() -> None:
    names: dict[str, object] = {}
    exec(compile(EXAMPLES[1], README.name, "exec"), names)  # noqa: S102 - our own example
    await names["test_my_agent"]()  # type: ignore[operator]
