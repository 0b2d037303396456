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
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Protocol

import aiodns
import pycares

from webward.errors import NameNotFound, Overloaded, ResolverFailed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from webward.model import Address
    from webward.ports import Clock

LOOPBACK: tuple[Address, ...] = (ip_address("127.0.0.1"), ip_address("::1"))
TRY_SECONDS = 2.0  # of the first question to a server; c-ares adapts it to the answers it sees
TRIES = 4  # c-ares shortens a try to 250 ms after quick answers, so that few tries give up too early
FAMILY_GRACE_SECONDS = 2.0  # for the other family once one has answered: broken servers leave AAAA unanswered
MAX_NAMES = 10_000  # kept answers; about 2 MB

_FAMILIES: dict[str, type[pycares.AAAARecordData | pycares.ARecordData]] = {
    "AAAA": pycares.AAAARecordData,
    "A": pycares.ARecordData,
}
_NO_SUCH_NAME = frozenset((aiodns.error.ARES_ENOTFOUND, aiodns.error.ARES_ENODATA, aiodns.error.ARES_EBADNAME))
_NO_SUCH_NAME_SYSTEM = frozenset((socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)))


class _Outcome(Enum):
    """Of a question without an address. Silence about one family counts as nothing once there is word of the other."""

    NOTHING = auto()
    SILENCE = auto()
    FAILURE = auto()


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


class _Channel:
    def __init__(self, resolver: aiodns.DNSResolver, born: float) -> None:
        self.resolver = resolver
        self.born = born
        self.users = 0
        self.retired = False


class DnsSource:
    """Asks the name servers of the system's configuration; the hosts file is not read.

    c-ares keeps answers for their whole TTL and has no switch for it, so its channel is replaced every
    ``channel_seconds``; with 0 each lookup has its own.
    """

    def __init__(
        self, clock: Clock, *, deadline_seconds: float, channel_seconds: float, servers: Sequence[str] | None = None
    ) -> None:
        self._clock = clock
        self._deadline_seconds = deadline_seconds
        self._channel_seconds = channel_seconds
        self._servers = servers
        self._channel: _Channel | None = None

    async def lookup(self, host: str) -> Lookup:
        """Ask for A and AAAA at the same time."""
        async with self._lease() as resolver:
            questions = {resolver.query_dns(f"{host}.", family): family for family in _FAMILIES}
            try:
                await self._wait(questions)
                return _combined(host, questions)
            finally:
                for question in questions:
                    _discard(question)

    async def close(self) -> None:
        """Close the channel; questions under way fail."""
        if self._channel is not None:
            await self._channel.resolver.close()
            self._channel = None

    async def _wait(self, questions: dict[asyncio.Future[pycares.DNSResult], str]) -> None:
        clock = asyncio.get_running_loop().time
        until = clock() + self._deadline_seconds
        first, others = await asyncio.wait(
            questions, timeout=self._deadline_seconds, return_when=asyncio.FIRST_COMPLETED
        )
        left = until - clock()
        if not others or left <= 0:
            return
        answered = any(_addresses(question, questions[question]) for question in first)
        await asyncio.wait(others, timeout=min(FAMILY_GRACE_SECONDS, left) if answered else left)

    @contextlib.asynccontextmanager
    async def _lease(self) -> AsyncIterator[aiodns.DNSResolver]:
        channel = await self._current()
        channel.users += 1
        try:
            yield channel.resolver
        finally:
            channel.users -= 1
            if channel.retired and channel.users == 0:
                await channel.resolver.close()

    async def _current(self) -> _Channel:
        now = self._clock.monotonic()
        old = self._channel
        if old is not None and now - old.born < self._channel_seconds:
            return old
        if old is not None:
            old.retired = True
            if old.users == 0:
                await old.resolver.close()
        resolver = aiodns.DNSResolver(self._servers, timeout=TRY_SECONDS, tries=TRIES)
        self._channel = _Channel(resolver, now)
        return self._channel


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


def _combined(host: str, questions: dict[asyncio.Future[pycares.DNSResult], str]) -> Lookup:
    addresses: dict[Address, None] = {}
    ttls: list[int] = []
    for question, family in questions.items():
        found = _addresses(question, family)
        if found:
            addresses.update(dict.fromkeys(found))
            ttls += [record.ttl for record in question.result().answer]
    if addresses:
        return Lookup(tuple(addresses), min(ttls))
    outcomes = {_outcome(question) for question in questions}
    if _Outcome.NOTHING in outcomes and _Outcome.FAILURE not in outcomes:
        raise NameNotFound(f"{host} does not exist or has no address")
    raise ResolverFailed(f"the name servers failed on {host}, or did not answer in time")


def _addresses(question: asyncio.Future[pycares.DNSResult], family: str) -> tuple[Address, ...]:
    if not question.done() or question.cancelled() or question.exception() is not None:
        return ()
    found = (record.data for record in question.result().answer)
    return tuple(ip_address(data.addr) for data in found if isinstance(data, _FAMILIES[family]))


def _outcome(question: asyncio.Future[pycares.DNSResult]) -> _Outcome:
    """What came of a question that gave no address."""
    if not question.done() or question.cancelled():
        return _Outcome.SILENCE
    error = question.exception()
    code = error.args[0] if isinstance(error, aiodns.error.DNSError) else None
    if error is None or code in _NO_SUCH_NAME:
        return _Outcome.NOTHING
    return _Outcome.SILENCE if code == aiodns.error.ARES_ETIMEOUT else _Outcome.FAILURE


def _discard(question: asyncio.Future[pycares.DNSResult]) -> None:
    if not question.cancel() and not question.cancelled():
        question.exception()  # so that the loop does not report a failure that nobody asks about
