"""What was opened is closed again when the next step fails or is cancelled."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def undone_by(undo: Callable[[], object]) -> Iterator[None]:
    """Undo when the block does not end well, cancelling included; whatever ended it goes on."""
    try:
        yield
    except BaseException:
        undo()
        raise
