"""Which providers there are, what each still lacks, and how it is wired."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webward.config import EgressPolicy
from webward.config.load import variable_of
from webward.config.search import OLLAMA_CLOUD, USUAL_VARIABLES, BraveSettings, OllamaSettings
from webward.config.values import PROJECT_PAGE
from webward.core.url import parse
from webward.errors import InvalidInput, ProviderError, ProviderNotConfigured
from webward.providers.brave import Brave
from webward.providers.client import Client, fixed_key
from webward.providers.ollama import Ollama
from webward.providers.searxng import Searxng

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from webward.config.search import KeyedProvider, SearchSettings, SearxngSettings
    from webward.ports import Clock, Credential, ProviderTransport, SearchProvider

DOCS = f"{PROJECT_PAGE}/blob/main/docs/search.md"
EVERYWHERE = ("0.0.0.0/0", "::/0")  # metadata addresses stay refused


class Providers:
    """The providers of a gateway.

    Args:
        settings: Which one is asked, and how each is reached.
        given: The host's own, which are found before ours.
        credentials: What leases keys, by the provider's name; by default the settings hold them.
        nat64_prefixes: Of this network.
        transport_under: Makes the way that a policy leaves open.
        clock: The gateway's.
    """

    def __init__(
        self,
        settings: SearchSettings,
        *,
        given: Iterable[SearchProvider],
        credentials: Mapping[str, Credential],
        nat64_prefixes: tuple[str, ...],
        transport_under: Callable[[EgressPolicy], ProviderTransport],
        clock: Clock,
    ) -> None:
        if strangers := set(credentials) - {OllamaSettings.section, BraveSettings.section}:
            raise InvalidInput(
                f"credentials are for ollama and brave, not for {', '.join(sorted(map(str, strangers)))}"
            )
        self._settings = settings
        self._ready = {provider.name: provider for provider in given}
        self._makers = {"ollama": self._ollama, "searxng": self._searxng, "brave": self._brave}
        self._default: str | None = settings.provider or next(iter(self._ready), None)
        self._credentials = credentials
        self._nat64_prefixes = nat64_prefixes
        self._transport_under = transport_under
        self._clock = clock

    def named(self, name: object = None) -> SearchProvider:
        """The provider of a name, by default the one that is chosen.

        Raises:
            InvalidInput: There is none of that name.
            ProviderNotConfigured: None is chosen, or the one that is lacks a setting.
        """
        chosen = self._default if name is None else name
        names = tuple(dict.fromkeys((*self._ready, *self._makers)))
        if chosen is None:
            choice = f"set search.provider ({variable_of('search', 'provider')}) to {_either(names)}"
            raise _lacking(f"no search provider is chosen: {choice}, or name one in the call", "search.provider")
        if not isinstance(chosen, str) or chosen not in names:
            raise InvalidInput(f"provider must be {_either(names)}")
        if chosen not in self._ready:
            self._ready[chosen] = self._makers[chosen]()
        return self._ready[chosen]

    def can_ask(self, name: str | None = None) -> bool:
        """Whether a provider, by default the one that is chosen, lacks nothing."""
        try:
            self.named(name)
        except ProviderError:
            return False
        return True

    def _ollama(self) -> SearchProvider:
        settings = self._settings.ollama
        credential = self._credential(settings, is_needed=settings.base_url == OLLAMA_CLOUD)
        return Ollama(settings.base_url, self._client(settings.base_url, settings, credential))

    def _brave(self) -> SearchProvider:
        settings = self._settings.brave
        credential = self._credential(settings, is_needed=True)
        return Brave(settings.base_url, self._client(settings.base_url, settings, credential), self._clock)

    def _searxng(self) -> SearchProvider:
        settings = self._settings.searxng
        if settings.base_url is None:
            variable = variable_of("search.searxng", "base-url")
            setting = "search.searxng.base-url"
            raise _lacking(f"searxng needs an instance: set {setting} (environment: {variable})", setting)
        return Searxng(settings.base_url, self._client(settings.base_url, settings, None))

    def _credential(self, settings: KeyedProvider, *, is_needed: bool) -> Credential | None:
        name = settings.section
        if name in self._credentials:
            return self._credentials[name]
        if settings.api_key:
            return fixed_key(settings.api_key)
        if is_needed:
            usual = USUAL_VARIABLES.get(settings.base_url)
            variables = " or ".join(filter(None, (variable_of(f"search.{name}", "api-key"), usual)))
            setting = f"search.{name}.api-key"
            raise _lacking(f"{name} needs a key: set {setting} (environment: {variables})", setting)
        return None

    def _client(
        self, base_url: str, settings: KeyedProvider | SearxngSettings, credential: Credential | None
    ) -> Client:
        policy = policy_of(base_url, self._nat64_prefixes, is_private=settings.unsafe_allow_private)
        return Client(transport=self._transport_under(policy), credential=credential, clock=self._clock)


def policy_of(base_url: str, nat64_prefixes: tuple[str, ...], *, is_private: bool) -> EgressPolicy:
    """The policy that leads to a base URL's host and port, and nowhere else."""
    target = parse(base_url)
    is_name = target.address is None
    return EgressPolicy(
        schemes=frozenset((target.scheme,)),  # type: ignore[arg-type]  # core.url takes http and https alone
        ports=frozenset((target.port,)),
        only_hosts=(target.host,) if is_name else None,
        only_cidr=None if is_name else (target.host,),
        nat64_prefixes=nat64_prefixes,
        unsafe_allow_hosts=(target.host,) if is_private and is_name else (),
        unsafe_allow_cidr=EVERYWHERE if is_private else (),
        unsafe_allow_own_addresses=is_private,
    )


def _either(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _lacking(problem: str, setting: str) -> ProviderNotConfigured:
    return ProviderNotConfigured(f"{problem}; {DOCS} says how", setting=setting)
