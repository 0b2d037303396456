"""Names to addresses: through the name servers (c-ares), or through the system; and a short memory of the answers.

Only A-label names come here, never text that could be read as an address. The root dot is added, so that no search
list can turn a name into one of the inner network.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Protocol

import pycares

from webward.errors import NameNotFound, Overloaded, ResolverFailed
from webward.net.channel import Channel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from webward.model import Address
    from webward.ports import Clock

LOOPBACK: tuple[Address, ...] = (ip_address("127.0.0.1"), ip_address("::1"))
FAMILY_GRACE_SECONDS = 2.0  # for the other family once one has answered: broken servers leave AAAA unanswered
MAX_NAMES = 10_000  # kept answers; about 2 MB
CHANNEL_SECONDS = 60.0  # then the system's configuration is read anew
CHANNEL_LOOKUPS = 1000  # then c-ares has kept enough
CHANNEL_LOOKUPS_AT_ONCE = 100  # whose answers fit into the receive buffer of one socket (208 KiB on Linux)

_FAMILIES: dict[int, type[pycares.AAAARecordData | pycares.ARecordData]] = {
    pycares.QUERY_TYPE_AAAA: pycares.AAAARecordData,
    pycares.QUERY_TYPE_A: pycares.ARecordData,
}
_NO_SUCH_NAME_SYSTEM = frozenset((socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)))


class _Outcome(Enum):
    """Of a question without an address. Silence about one family counts as nothing once there is word of the other."""

    NOTHING = auto()
    SILENCE = auto()
    FAILURE = auto()


_OUTCOMES = {
    pycares.errno.ARES_ENOTFOUND: _Outcome.NOTHING,
    pycares.errno.ARES_ENODATA: _Outcome.NOTHING,
    pycares.errno.ARES_EBADNAME: _Outcome.NOTHING,
    pycares.errno.ARES_ETIMEOUT: _Outcome.SILENCE,
}


@dataclass(frozen=True, slots=True)
class Lookup:
    """The answer to one question, and for how many seconds it may be kept."""

    addresses: tuple[Address, ...]
    ttl_seconds: float


class Source(Protocol):
    """Where answers come from."""

    async def lookup(self, host: str) -> Lookup:
        """Ask for all addresses of a name; raises as `ports.Resolver` says."""
        ...

    async def close(self) -> None:
        """Give up what is held."""
        ...


class CachingResolver:
    """Implements `ports.Resolver` over a source; keeps answers for their TTL, and never longer than a ceiling."""

    def __init__(self, source: Source, clock: Clock, *, max_seconds: float) -> None:
        self._source = source
        self._clock = clock
        self._max_seconds = max_seconds
        self._kept: dict[str, tuple[float, tuple[Address, ...]]] = {}

    async def resolve(self, host: str) -> tuple[Address, ...]:
        """All addresses of a name; ``localhost`` is answered without a question (RFC 6761 section 6.3)."""
        if host == "localhost" or host.endswith(".localhost"):
            return LOOPBACK
        until, addresses = self._kept.get(host, (0.0, ()))
        if addresses and self._clock.monotonic() < until:
            return addresses
        found = await self._source.lookup(host)
        self._keep(host, found)
        return found.addresses

    async def close(self) -> None:
        """Close the source."""
        self._kept.clear()
        await self._source.close()

    def _keep(self, host: str, found: Lookup) -> None:
        self._kept.pop(host, None)
        seconds = min(found.ttl_seconds, self._max_seconds)
        if seconds <= 0:
            return
        if len(self._kept) >= MAX_NAMES:
            del self._kept[next(iter(self._kept))]
        self._kept[host] = (self._clock.monotonic() + seconds, found.addresses)


class _Held:
    """A channel, and who waits for it."""

    def __init__(self, channel: Channel, born: float) -> None:
        self.channel = channel
        self.born = born
        self.asked = 0
        self.waiting = 0


class DnsSource:
    """Asks the name servers of the system's configuration; the hosts file is not read, and no answer is kept.

    c-ares keeps answers for their whole TTL and has no switch for it, but it knows them by the text of the question:
    each question on a channel spells the name in another way. Where a name is too short for that, c-ares answers at
    once, and a new channel is asked. Another reason for new ones is the system's configuration, which may change.
    """

    def __init__(self, clock: Clock, *, deadline_seconds: float, servers: Sequence[str] | None = None) -> None:
        self._clock = clock
        self._deadline_seconds = deadline_seconds
        self._servers = servers
        self._current: _Held | None = None
        self._retired: set[_Held] = set()

    async def lookup(self, host: str) -> Lookup:
        """Ask for A and AAAA at the same time."""
        if host.endswith(".onion"):
            raise NameNotFound(f"{host} is never a name of the DNS")  # RFC 7686 section 2
        held, inquiry = self._asked(host)
        try:
            await inquiry.over
        finally:
            self._leave(held, inquiry)
        return inquiry.found(host)

    async def close(self) -> None:
        """Close all channels; questions under way fail."""
        for held in self._retired:
            held.channel.close()
        self._retired.clear()
        if self._current is not None:
            self._current.channel.close()
            self._current = None

    def _asked(self, host: str) -> tuple[_Held, _Inquiry]:
        while True:
            held = self._with_room()
            inquiry, name = _Inquiry(self._deadline_seconds), _spelled(host, held.asked)
            held.asked += 1
            held.waiting += 1
            over = [held.channel.ask(name, kind, partial(inquiry.heard, kind)) for kind in _FAMILIES]
            if not any(over):
                return held, inquiry
            self._retire()
            if held.asked == 1:  # which has kept nothing, and may have been made without descriptors for its files
                return held, inquiry
            self._leave(held, inquiry)

    def _leave(self, held: _Held, inquiry: _Inquiry) -> None:
        inquiry.end()
        held.waiting -= 1
        self._close_unused()

    def _with_room(self) -> _Held:
        held, now = self._current, self._clock.monotonic()
        if held is not None:
            is_young = now - held.born < CHANNEL_SECONDS
            if is_young and held.asked < CHANNEL_LOOKUPS and held.waiting < CHANNEL_LOOKUPS_AT_ONCE:
                return held
            self._retire()
        self._current = _Held(Channel(self._servers), now)
        return self._current

    def _retire(self) -> None:
        if self._current is not None:
            self._retired.add(self._current)
            self._current = None
        self._close_unused()

    def _close_unused(self) -> None:
        for held in [held for held in self._retired if not held.waiting]:
            held.channel.close()
            self._retired.remove(held)


class _Inquiry:
    """One question for each family, and what came of them.

    Attributes:
        over: Done when there is nothing more to wait for, or no more time.
    """

    def __init__(self, deadline_seconds: float) -> None:
        self._loop = asyncio.get_running_loop()
        self.over: asyncio.Future[None] = self._loop.create_future()
        self._until = self._loop.time() + deadline_seconds
        self._timer = self._loop.call_at(self._until, self._finish)
        self._addresses: dict[Address, None] = {}
        self._ttls: list[int] = []
        self._outcomes: list[_Outcome] = []

    def heard(self, kind: int, result: pycares.DNSResult | None, error: int | None) -> None:
        """Take the answer to the question for one family."""
        if self.over.done():
            return
        if result is None:
            outcome = _OUTCOMES.get(error or 0, _Outcome.FAILURE)
        else:
            outcome = _Outcome.NOTHING
            found = [record.data.addr for record in result.answer if isinstance(record.data, _FAMILIES[kind])]
            if found:
                self._addresses.update(dict.fromkeys(map(ip_address, found)))
                self._ttls += [record.ttl for record in result.answer]
        self._outcomes.append(outcome)
        if len(self._outcomes) == len(_FAMILIES):
            self._finish()
        elif self._addresses:
            self._timer.cancel()
            until = min(self._until, self._loop.time() + FAMILY_GRACE_SECONDS)
            self._timer = self._loop.call_at(until, self._finish)

    def end(self) -> None:
        """Wait no longer."""
        self._timer.cancel()

    def found(self, host: str) -> Lookup:
        """The answer, as far as it came."""
        if self._addresses:
            return Lookup(tuple(self._addresses), min(self._ttls))
        if _Outcome.NOTHING in self._outcomes and _Outcome.FAILURE not in self._outcomes:
            raise NameNotFound(f"{host} does not exist or has no address")
        raise ResolverFailed(f"the name servers failed on {host}, or did not answer in time")

    def _finish(self) -> None:
        if not self.over.done():
            self.over.set_result(None)


class SystemSource:
    """Asks getaddrinfo, in daemon threads of its own: a stuck lookup holds up neither another one nor the exit.

    Args:
        deadline_seconds: Of one lookup; its thread may take longer.
        threads: The most lookups at once.
        getaddrinfo: The question, called in a thread as ``socket.getaddrinfo`` would be.
    """

    def __init__(
        self,
        *,
        deadline_seconds: float,
        threads: int,
        getaddrinfo: Callable[..., Sequence[tuple[Any, ...]]] = socket.getaddrinfo,
    ) -> None:
        self._deadline_seconds = deadline_seconds
        self._threads = threads
        self._getaddrinfo = getaddrinfo
        self._busy = 0

    async def lookup(self, host: str) -> Lookup:
        """Ask getaddrinfo; the answer has no TTL and is not kept."""
        if self._busy >= self._threads:
            raise Overloaded("all lookups of the system resolver are busy", setting="network.resolver-threads")
        self._busy += 1
        answer: asyncio.Future[tuple[Address, ...]] = asyncio.get_running_loop().create_future()
        threading.Thread(target=self._work, args=(host, answer), name=f"resolve {host}", daemon=True).start()
        try:
            async with asyncio.timeout(self._deadline_seconds):
                return Lookup(await answer, 0)
        except TimeoutError:
            message = f"the system did not resolve {host} in time"
            raise ResolverFailed(message, setting="limits.resolve-seconds") from None
        except OSError as error:
            if isinstance(error, socket.gaierror) and error.errno in _NO_SUCH_NAME_SYSTEM:
                raise NameNotFound(f"{host} has no address") from None
            raise ResolverFailed(f"the system could not resolve {host}") from None

    async def close(self) -> None:
        """Nothing is held: threads end with their lookup."""

    def _work(self, host: str, answer: asyncio.Future[tuple[Address, ...]]) -> None:
        addresses: tuple[Address, ...] = ()
        problem: OSError | None = None
        try:
            found = self._getaddrinfo(f"{host}.", None, type=socket.SOCK_STREAM)
            addresses = tuple(dict.fromkeys(ip_address(place[0]) for *_, place in found))
        except OSError as error:
            problem = error
        with contextlib.suppress(RuntimeError):  # the loop was closed while the lookup was stuck
            answer.get_loop().call_soon_threadsafe(self._finish, answer, addresses, problem)

    def _finish(
        self, answer: asyncio.Future[tuple[Address, ...]], addresses: tuple[Address, ...], problem: OSError | None
    ) -> None:
        self._busy -= 1
        if answer.done():
            return
        if problem is None:
            answer.set_result(addresses)
        else:
            answer.set_exception(problem)


def _spelled(host: str, number: int) -> str:
    """A name with its root dot; for another number another text, as far as its letters last (RFC 1035 section 5.1)."""
    text = ""
    for place, letter in enumerate(host):
        if not number:
            return f"{text}{host[place:]}."
        if letter == ".":
            text += letter
            continue
        text += f"\\{ord(letter):03}" if number & 1 else letter
        number >>= 1
    return f"{text}."
