"""The binding through which the harness adds guidance to its prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webward.contracts.iii.functions import GUIDANCE_BINDING

if TYPE_CHECKING:
    from collections.abc import Callable

    from webward.surfaces.iii.bus import Bus


class GuidanceBinding:
    """One binding, or none.

    Args:
        bus: Where it is bound.
        warn: Told what an operator should know.
    """

    def __init__(self, bus: Bus, warn: Callable[[str], None]) -> None:
        self._bus = bus
        self._warn = warn
        self._unbind: Callable[[], None] | None = None

    def reconcile(self, *, wanted: bool) -> None:
        """Bind or unbind where it is not as wanted; what fails is tried again the next time."""
        try:
            if wanted and self._unbind is None:
                self._unbind = self._bus.bind(GUIDANCE_BINDING)
            elif not wanted and self._unbind is not None:
                self._unbind()
                self._unbind = None
        except Exception as error:  # noqa: BLE001 - the SDK names none; without guidance web::fetch works all the same
            self._warn(f"the prompt guidance cannot be {'bound' if wanted else 'unbound'}: {error}")
