"""What may leave: judges a target by its name before any DNS, then every address of it; the only maker of a `Route`.

Each rule answers with a `Verdict`. Deny beats allow, metadata addresses beat both, and one bad address refuses the
whole name, since a mixed answer is an attack and no choice.
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_network
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from webward import errors
from webward.core import address as addresses_of
from webward.core.bad_ports import BAD_PORTS
from webward.errors import AddressRefused, NameNotFound, Refused
from webward.model import AddressClass, JudgedAddress, Route, Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator

    from webward.config import EgressPolicy, Limits
    from webward.model import Address, Target

# Names of inner networks: RFC 6761 (localhost), 6762 (local), 8375 (home.arpa), 7686 (onion), 9476 (alt), ICANN's
# reserved "internal", and what routers, Kubernetes and companies use. Names without a dot are internal, too.
INTERNAL_SUFFIXES = (
    *("localhost", "local", "internal", "intranet", "lan", "home", "home.arpa", "corp"),
    *("svc", "cluster.local", "onion", "alt"),
)

_BELOW_INTERNAL = tuple(f".{suffix}" for suffix in INTERNAL_SUFFIXES)

KEPT_JUDGMENTS = 4_096  # of addresses, so that a request over a kept connection does not pay for them again

_REFUSALS: dict[str, type[Refused]] = {
    kind.code: kind
    for kind in (errors.SchemeRefused, errors.PortRefused, errors.CredentialsRefused, errors.HostRefused)
}


class _Judgment(NamedTuple):
    """What a policy says of an address.

    Attributes:
        verdict: Its own, before the machine's interfaces are asked.
        forms: The address, and those that it embeds.
        dialed: The address in the form that would be dialed.
    """

    verdict: Verdict
    forms: tuple[Address, ...]
    dialed: JudgedAddress


class Egress:
    """The judge of one policy.

    Args:
        policy: The rules.
        limits: Of answers of a name, and of addresses that are dialed.
    """

    def __init__(self, policy: EgressPolicy, limits: Limits) -> None:
        self.policy = policy
        self._limits = limits
        self._only_cidr = None if policy.only_cidr is None else tuple(map(ip_network, policy.only_cidr))
        self._deny_cidr = tuple(map(ip_network, policy.deny_cidr))
        self._allow_cidr = tuple(map(ip_network, policy.unsafe_allow_cidr))
        self._nat64 = tuple(map(IPv6Network, policy.nat64_prefixes))
        self._rules = (self._scheme, self._credentials, self._port, self._host)
        self._judged = lru_cache(maxsize=KEPT_JUDGMENTS)(self._judge)

    def admit(self, target: Target) -> None:
        """Let a target pass to the resolver.

        Raises:
            SchemeRefused, CredentialsRefused, PortRefused, HostRefused: A rule about the name says no.
        """
        for rule in self._rules:
            _require(rule(target))

    def judge_target(self, target: Target) -> Iterator[Verdict]:
        """The verdicts on scheme, credentials, port and host, up to the first refusal."""
        for rule in self._rules:
            verdict = rule(target)
            yield verdict
            if not verdict.allowed:
                return

    def route(self, target: Target, addresses: Collection[Address], own: Container[Address]) -> Route:
        """Judge all addresses of a target.

        Args:
            target: One that was admitted.
            addresses: What its name resolved to, or the literal itself.
            own: Addresses of the machine's own interfaces.

        Raises:
            AddressRefused: An address is in a refused class.
            HostRefused: The name has more addresses than are judged.
            NameNotFound: There is no address.
        """
        if not addresses:
            raise NameNotFound(f"{target.host} has no address")
        for verdict in self.judge_addresses(target, addresses, own):
            _require(verdict)
        judged = [self._judged(address).dialed for address in addresses]
        first = judged if len(judged) == 1 else _interleaved(dict.fromkeys(judged))
        return Route(target=target, addresses=tuple(first[: self._limits.dialed_addresses]), policy=self.policy)

    def judge_addresses(
        self, target: Target, addresses: Collection[Address], own: Container[Address]
    ) -> Iterator[Verdict]:
        """The verdicts on the number of addresses and on each of them, up to the first refusal."""
        if len(addresses) > self._limits.answers:
            reason = f"{target.host} has more than {self._limits.answers} addresses"
            yield _no("answers", "refused-host", reason, "limits.answers")
            return
        for address in addresses:
            verdict = self.judge_address(address, own)
            yield verdict
            if not verdict.allowed:
                return

    def judge_address(self, address: Address, own: Container[Address]) -> Verdict:
        """The verdict on one address, judged in the form in which it would be dialed."""
        judged = self._judged(address)
        return self._own(judged.forms, own) or judged.verdict if judged.verdict.allowed else judged.verdict

    def _judge(self, address: Address) -> _Judgment:
        """All that the policy alone decides, which does not change while this object lives."""
        if isinstance(address, IPv6Address) and address.scope_id:
            verdict = _bad_address(AddressClass.ZONED, "an address with a zone belongs to one link")
            return _Judgment(verdict, (address,), JudgedAddress(address, AddressClass.ZONED))
        hidden = addresses_of.embedded(address, self._nat64)
        inner = self._inner(address)
        kind = addresses_of.classify(inner)
        forms = (address, *(one.address for one in hidden))
        verdict = (
            self._denied(kind.address_class, forms)
            or self._listed(kind.address_class, inner, hidden)
            or self._by_class(kind, hidden)
        )
        dialed = JudgedAddress(addresses_of.mapped(address) or address, kind.address_class)
        return _Judgment(verdict, forms, dialed)

    def _own(self, forms: Collection[Address], own: Container[Address]) -> Verdict | None:
        """Asked last: reading the interfaces costs more than all the rest, and a refused address needs no second no."""
        if self.policy.unsafe_allow_own_addresses or not any(form in own for form in forms):
            return None
        reason = "the address is one of this machine's own"
        return _bad_address(AddressClass.OWN, reason, "egress.unsafe-allow-own-addresses")

    def _denied(self, kind: AddressClass, forms: Collection[Address]) -> Verdict | None:
        """What no allow list opens, in any form that the address has."""
        if not addresses_of.METADATA_ADDRESSES.isdisjoint(forms):
            return _bad_address(AddressClass.METADATA, "cloud metadata addresses are never reachable")
        if _in_any(forms, self._deny_cidr):
            return _bad_address(kind, "the address is denied", "egress.deny-cidr")
        return None

    def _listed(self, kind: AddressClass, inner: Address, hidden: tuple[addresses_of.Embedded, ...]) -> Verdict | None:
        if self._only_cidr is not None and not _in_any((inner,), self._only_cidr):
            return _bad_address(kind, "the address is not among the allowed ones", "egress.only-cidr")
        if not _in_any((inner,), self._allow_cidr):
            return None
        if hidden and not self.policy.allow_embedded_ipv4:
            return _embeds(hidden[0])
        return _yes("address", f"{kind}, opened by egress.unsafe-allow-cidr", kind)

    def _by_class(self, kind: addresses_of.SpecialRange, hidden: tuple[addresses_of.Embedded, ...]) -> Verdict:
        if kind.address_class is not AddressClass.GLOBAL:
            is_nat64 = kind.address_class is AddressClass.NAT64
            setting = "egress.nat64-prefixes" if is_nat64 else "egress.unsafe-allow-cidr"
            reason = f"{kind.address_class} addresses are not public ({kind.source})"
            return _bad_address(kind.address_class, reason, setting)
        for one in hidden:
            if not self.policy.allow_embedded_ipv4:
                return _embeds(one)
            if addresses_of.classify(one.address).address_class is not AddressClass.GLOBAL:
                return _bad_address(one.form, "the address embeds an IPv4 address that is not public")
        return _yes("address", f"{kind.address_class} ({kind.source})", kind.address_class)

    def _inner(self, address: Address) -> Address:
        """The address that is reached: behind IPv4-mapped, and behind this network's own NAT64."""
        if any(address in prefix for prefix in self._nat64):
            return addresses_of.embedded(address, self._nat64)[0].address
        return addresses_of.mapped(address) or address

    def _scheme(self, target: Target) -> Verdict:
        if target.scheme in self.policy.schemes:
            return _yes("scheme", f"{target.scheme} is allowed")
        return _no("scheme", "refused-scheme", f"the policy does not allow {target.scheme}", "egress.schemes")

    def _credentials(self, target: Target) -> Verdict:
        if target.credentials is None:
            return _yes("credentials", "the URL holds none")
        if self.policy.url_credentials == "authorization":
            return _yes("credentials", "sent to the first origin as Authorization")
        reason = "the URL holds a user name or password; send an Authorization header instead"
        return _no("credentials", "refused-credentials", reason, "egress.url-credentials")

    def _port(self, target: Target) -> Verdict:
        if target.port in BAD_PORTS and target.port not in (self.policy.ports or ()):
            reason = f"port {target.port} is a bad port of the Fetch standard"
            return _no("port", "refused-port", reason, None if target.port == 0 else "egress.ports")
        if self.policy.ports is not None and target.port not in self.policy.ports:
            return _no("port", "refused-port", f"port {target.port} is not among the allowed ones", "egress.ports")
        return _yes("port", f"port {target.port} is allowed")

    def _host(self, target: Target) -> Verdict:
        host, policy = target.host, self.policy
        if _matches(host, policy.deny_hosts):
            return _no("host", "refused-host", f"{host} is denied", "egress.deny-hosts")
        if policy.only_hosts is not None and not _matches(host, policy.only_hosts):
            return _no("host", "refused-host", f"{host} is not among the allowed hosts", "egress.only-hosts")
        if target.address is not None:
            return _yes("host", "the host is an address")
        if is_internal(host) and not _matches(host, policy.unsafe_allow_hosts):
            return _no("host", "refused-host", f"{host} is an internal name", "egress.unsafe-allow-hosts")
        return _yes("host", f"{host} may be resolved")


def refusal(verdict: Verdict) -> Refused:
    """The error of a verdict that says no."""
    message = f"refused by the {verdict.rule} rule: {verdict.reason}"
    if verdict.setting:
        message += f" (setting: {verdict.setting})"
    if verdict.address_class is not None:
        return AddressRefused(message, address_class=verdict.address_class, setting=verdict.setting)
    return _REFUSALS[verdict.code or ""](message, setting=verdict.setting)


def _require(verdict: Verdict) -> None:
    if not verdict.allowed:
        raise refusal(verdict)


def _yes(rule: str, reason: str, address_class: AddressClass | None = None) -> Verdict:
    return Verdict(rule=rule, allowed=True, reason=reason, address_class=address_class)


def _no(rule: str, code: str, reason: str, setting: str | None) -> Verdict:
    return Verdict(rule=rule, allowed=False, reason=reason, code=code, setting=setting)


def _bad_address(kind: AddressClass, reason: str, setting: str | None = None) -> Verdict:
    code = AddressRefused.code
    return Verdict(rule="address", allowed=False, reason=reason, code=code, setting=setting, address_class=kind)


def _embeds(hidden: addresses_of.Embedded) -> Verdict:
    return _bad_address(hidden.form, "the address embeds an IPv4 address", "egress.allow-embedded-ipv4")


def _matches(host: str, patterns: Iterable[str]) -> bool:
    return any(host.endswith(pattern[1:]) if pattern.startswith("*.") else host == pattern for pattern in patterns)


def is_internal(host: str) -> bool:
    """Whether an A-label name belongs to an inner network."""
    return "." not in host or host.endswith(_BELOW_INTERNAL) or host in INTERNAL_SUFFIXES


def _in_any(addresses: Iterable[Address], networks: Collection[addresses_of.Network]) -> bool:
    return any(address in network for address in addresses for network in networks)


def _interleaved(addresses: Iterable[JudgedAddress]) -> tuple[JudgedAddress, ...]:
    """The families in turn, so that the first few hold both (RFC 8305 section 4)."""
    by_version: dict[int, list[JudgedAddress]] = {}
    for judged in addresses:
        by_version.setdefault(judged.address.version, []).append(judged)
    mixed = chain.from_iterable(zip_longest(*by_version.values()))
    return tuple(judged for judged in mixed if judged is not None)
