from __future__ import annotations

import os
from typing import TYPE_CHECKING

from webward.surfaces.cli import lines

if TYPE_CHECKING:
    from pathlib import Path


def test_a_line_without_end_does_not_fill_memory(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_bytes(b"x" * (2 * lines.MAX_LINE_BYTES) + b"\n{}\nlast")
    descriptor = os.open(file, os.O_RDONLY)

    found = list(lines.split_lines(descriptor))
    os.close(descriptor)

    assert len(found[0]) > lines.MAX_LINE_BYTES
    assert len(found[0]) <= lines.MAX_LINE_BYTES + lines.READ_BYTES + 1
    assert found[1:] == [b"{}", b"last"]
