"""The pages of a corpus that its list for timing names."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LIST = "speed.txt"  # one page a line: the set and the page's id


def load(folder: Path) -> list[bytes]:
    """The pages, as they were served.

    Raises:
        OSError: It is no such folder.
    """
    keys = (folder / LIST).read_text(encoding="utf-8").split()
    places = (key.partition("/") for key in keys)
    return [gzip.decompress((folder / kind / "pages" / f"{name}.html.gz").read_bytes()) for kind, _, name in places]
