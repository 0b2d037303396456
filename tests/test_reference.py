"""What is made from the code says what the code says."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

SCRIPT = Path(__file__).parent.parent / "scripts" / "reference.py"


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_is_made_from_the_code_is_up_to_date() -> None:
    script = _script()

    written = {name: (script.ROOT / name).read_text(encoding="utf-8") for name in script.WRITTEN}
    assert [name for name in written if written[name] != script.WRITTEN[name]()] == [], "run `make docs`"
