"""The composition root: settings become wired parts, which are owned here and closed again.

Parts are made, and their libraries imported, when they are first needed: `webward check` starts in half the time.
"""
# ruff: noqa: PLC0415 - the reason stands above

from __future__ import annotations

from contextlib import AsyncExitStack
from functools import cached_property
from typing import TYPE_CHECKING

from webward.core.egress import Egress
from webward.net.clock import SystemClock
from webward.net.interfaces import SystemInterfaces

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from webward.config import EgressPolicy, Settings
    from webward.engine.fetch import Fetcher
    from webward.engine.workers import ContentWork
    from webward.model import Address
    from webward.ports import Clock, Credential, Interfaces, ProviderTransport, Resolver, SearchProvider, Transport
    from webward.providers import Providers
    from webward.store import SqliteImageCache, SqliteQuota


class Parts:
    """What a gateway is made of; the arguments are those of `Gateway`.

    Raises:
        InvalidConfiguration: The file of certificate authorities cannot be used.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        resolver: Resolver | None,
        transport: Transport | None,
        interfaces: Interfaces | None,
        clock: Clock | None,
        search_providers: Iterable[SearchProvider],
        credentials: Mapping[str, Credential],
    ) -> None:
        if settings.network.ca_file is not None:
            from webward.net.tls import client_context

            client_context(settings.network.ca_file)  # one that cannot be used is told now, not at the first call
        self.clock = clock or SystemClock()
        self.interfaces = interfaces or SystemInterfaces(self.clock)
        self.egress = Egress(settings.egress, settings.limits)
        self._settings = settings
        self._given_resolver = resolver
        self._given_transport = transport
        self._given_providers = tuple(search_providers)
        self._credentials = credentials
        self._owned = AsyncExitStack()

    async def close(self) -> None:
        """Close what was made."""
        await self._owned.aclose()

    async def resolve(self, host: str) -> tuple[Address, ...]:
        """Addresses of a name; the first name makes the resolver."""
        return await self.resolver.resolve(host)

    @cached_property
    def work(self) -> ContentWork:
        """Content work, in processes of its own or in this one."""
        from webward.engine.workers import InlineWork, PooledWork

        settings = self._settings.content
        work = PooledWork(settings) if settings.workers else InlineWork()
        self._owned.push_async_callback(work.close)
        return work

    @cached_property
    def fetcher(self) -> Fetcher:
        """Makes requests under the settings' policy."""
        return self._fetcher_under(self.egress)

    def _fetcher_under(self, egress: Egress) -> Fetcher:
        from webward.engine.fetch import Fetcher

        return Fetcher(
            egress=egress,
            limits=self._settings.limits,
            resolver=self.resolver,
            interfaces=self.interfaces,
            transport=self.transport,
            clock=self.clock,
            user_agent=self._settings.network.user_agent,
        )

    @cached_property
    def providers(self) -> Providers:
        """Of web search."""
        from webward.providers import Providers

        return Providers(
            self._settings.search,
            given=self._given_providers,
            credentials=self._credentials,
            nat64_prefixes=self._settings.egress.nat64_prefixes,
            transport_under=self._provider_transport,
            clock=self.clock,
        )

    def _provider_transport(self, policy: EgressPolicy) -> ProviderTransport:
        from webward.engine.provider import JudgedCalls

        limits = self._settings.limits
        return JudgedCalls(self._fetcher_under(Egress(policy, limits)), limits.max_deadline_seconds)

    @cached_property
    def quota(self) -> SqliteQuota:
        """Counts what users take."""
        from webward.store import SqliteQuota

        quota = SqliteQuota(self._settings.store, self.clock)
        self._owned.push_async_callback(quota.close)
        return quota

    @cached_property
    def images(self) -> SqliteImageCache:
        """Keeps images of pages."""
        from webward.store import SqliteImageCache

        images = SqliteImageCache(self._settings.store, self.clock)
        self._owned.push_async_callback(images.close)
        return images

    @cached_property
    def resolver(self) -> Resolver:
        """Asks name servers."""
        if self._given_resolver is not None:
            return self._given_resolver
        from webward.net.resolver import CachingResolver, DnsSource, SystemSource

        limits, network = self._settings.limits, self._settings.network
        kept_seconds = network.answer_cache_seconds
        source: DnsSource | SystemSource
        if network.resolver == "system":
            source = SystemSource(deadline_seconds=limits.resolve_seconds, threads=network.resolver_threads)
        else:
            source = DnsSource(self.clock, deadline_seconds=limits.resolve_seconds)
        resolver = CachingResolver(source, self.clock, max_seconds=kept_seconds)
        self._owned.push_async_callback(resolver.close)
        return resolver

    @cached_property
    def transport(self) -> Transport:
        """Dials, and keeps connections."""
        transport = self._given_transport or self._make_transport()
        self._owned.push_async_callback(transport.close)
        return transport

    def _make_transport(self) -> Transport:
        from webward.net.dialer import Dialer
        from webward.net.proxy import parse_proxy
        from webward.net.transport import HttpTransport

        limits, network = self._settings.limits, self._settings.network
        dialer = Dialer(
            dial_seconds=limits.dial_seconds,
            resolver=self.resolver,
            ca_file=network.ca_file,
            proxy=parse_proxy(network.proxy) if network.proxy else None,
        )
        return HttpTransport(dialer, limits)
