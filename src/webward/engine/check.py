"""Judges a URL as a fetch would, rule by rule, and requests nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webward.core import url
from webward.engine.deadline import deadline
from webward.errors import NameNotFound
from webward.model import Checked, Verdict

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from webward.core.egress import Egress
    from webward.model import Address, Target
    from webward.ports import Interfaces

    Resolve = Callable[[str], Awaitable[tuple[Address, ...]]]


async def check(
    text: str, *, egress: Egress, resolve: Resolve, interfaces: Interfaces, deadline_seconds: float
) -> Checked:
    """The verdict of every rule on a URL, up to the first refusal; a name that passes is resolved.

    Raises:
        InvalidUrl, SchemeRefused: The text is no URL that may be requested.
        TransportError, LimitExceeded: The name cannot be resolved.
    """
    target: Target = url.parse(text)
    verdicts: list[Verdict] = list(egress.judge_target(target))
    if not verdicts[-1].allowed:
        return Checked(url=target.url, verdicts=tuple(verdicts), addresses=())
    addresses: tuple[Address, ...]
    if target.address is not None:
        addresses = (target.address,)
    else:
        async with deadline(deadline_seconds):
            addresses = await resolve(target.host)
        if not addresses:
            raise NameNotFound(f"{target.host} has no address")
    verdicts += egress.judge_addresses(target, addresses, interfaces)
    return Checked(url=target.url, verdicts=tuple(verdicts), addresses=addresses)
