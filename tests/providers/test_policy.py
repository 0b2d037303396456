"""A provider is reached under a policy of its own: its host, its port, and nothing else."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

import pytest
from tests.engine.sites import secure

from webward import EgressPolicy, Gateway, NetworkSettings, SearchSettings, Settings
from webward.config import Limits, OllamaSettings, SearxngSettings
from webward.core.egress import Egress
from webward.core.url import parse
from webward.errors import ProviderFailed, ProviderNotConfigured, Refused
from webward.providers.registry import policy_of
from webward.testing import FakeResolver, FixedInterfaces, LoopbackWeb, OllamaDouble, SearxngDouble

if TYPE_CHECKING:
    from pathlib import Path

KEY = "key-of-the-test"


def searxng(base_url: str, *, private: bool = False, **sections: Any) -> Settings:
    instance = SearxngSettings(base_url=base_url, unsafe_allow_private=private)
    return Settings(search=SearchSettings(provider="searxng", searxng=instance), **sections)


def allows(policy: EgressPolicy, url: str, address: str) -> bool:
    egress, target = Egress(policy, Limits()), parse(url)
    try:
        egress.admit(target)
        egress.route(target, (ip_address(address),), FixedInterfaces())
    except Refused:
        return False
    return True


@pytest.mark.parametrize(
    ("base_url", "private", "url", "address", "is_allowed"),
    [
        ("https://s.example", False, "https://s.example/search", "93.184.216.34", True),
        ("https://s.example", False, "https://s.example:8443/", "93.184.216.34", False),
        ("https://s.example", False, "http://s.example/", "93.184.216.34", False),
        ("https://s.example", False, "http://s.example:443/", "93.184.216.34", False),
        ("https://s.example", False, "https://a.s.example/", "93.184.216.34", False),
        ("https://s.example", False, "https://example/", "93.184.216.34", False),
        ("https://s.example", False, "https://93.184.216.34/", "93.184.216.34", False),
        ("https://s.example", False, "https://s.example/", "10.0.0.1", False),
        ("https://s.example", True, "https://s.example/", "10.0.0.1", True),
        ("https://s.example", True, "https://other.example/", "93.184.216.34", False),
        ("http://searxng:8080", False, "http://searxng:8080/", "10.0.0.1", False),
        ("http://searxng:8080", True, "http://searxng:8080/", "10.0.0.1", True),
        ("http://localhost:11434", True, "http://localhost:11434/", "127.0.0.1", True),
        ("http://localhost:11434", True, "http://localhost:11434/", "::1", True),
        ("http://localhost:11434", True, "http://localhost:11435/", "127.0.0.1", False),
        ("http://127.0.0.1:11434", False, "http://127.0.0.1:11434/", "127.0.0.1", False),
        ("http://127.0.0.1:11434", True, "http://127.0.0.1:11434/", "127.0.0.1", True),
        ("http://127.0.0.1:11434", True, "http://127.0.0.2:11434/", "127.0.0.2", False),
        ("http://[::1]:11434", True, "http://[::1]:11434/", "::1", True),
        ("http://[::1]:11434", True, "http://[::2]:11434/", "::2", False),
        ("http://1.1.1.1", False, "http://1.1.1.1/", "1.1.1.1", True),
        ("http://s.example:25", False, "http://s.example:25/", "93.184.216.34", True),
        ("http://169.254.169.254", True, "http://169.254.169.254/", "169.254.169.254", False),
        ("http://m.example", True, "http://m.example/", "169.254.169.254", False),
        ("http://m.example", True, "http://m.example/", "fd00:ec2::254", False),
    ],
)
def test_where_the_policy_leads(base_url: str, private: bool, url: str, address: str, is_allowed: bool) -> None:  # noqa: FBT001 - a row
    policy = policy_of(base_url, (), is_private=private)
    assert allows(policy, url, address) is is_allowed


def test_nat64_is_this_networks() -> None:
    policy = policy_of("https://s.example", ("64:ff9b::/96",), is_private=False)
    assert allows(policy, "https://s.example/", "64:ff9b::5db8:d822")
    assert not allows(policy, "https://s.example/", "64:ff9b::a00:1")


async def test_the_cloud_is_reached_like_any_public_host(tmp_path: Path) -> None:
    trust = secure(tmp_path, "ollama.example")
    network = NetworkSettings(ca_file=trust.settings.network.ca_file)
    provider = OllamaSettings(base_url="https://ollama.example/", api_key=KEY)
    settings = Settings(network=network, search=SearchSettings(provider="ollama", ollama=provider))
    async with LoopbackWeb(tls=trust.tls) as web:
        web.page(
            "https://ollama.example/api/web_search", '{"results": []}', headers=[("Content-Type", "application/json")]
        )
        async with web.gateway(settings) as gateway:
            assert (await gateway.search("tea")).hits == ()
    assert [request.headers["authorization"] for request in web.requests] == [f"Bearer {KEY}"]


async def test_metadata_is_refused_whatever_is_set() -> None:
    async with LoopbackWeb() as web:
        web.host("s.example", "169.254.169.254")
        async with web.gateway(searxng("http://s.example", private=True)) as gateway:
            with pytest.raises(ProviderFailed, match="metadata addresses are never reachable") as caught:
                await gateway.search("tea")
    assert caught.value.setting is None
    assert web.connections == []


@pytest.mark.parametrize("addresses", [["10.0.0.1"], ["127.0.0.1"], ["93.184.216.34", "10.0.0.1"]])
async def test_a_name_that_leads_inside_is_refused(addresses: list[str]) -> None:
    async with LoopbackWeb() as web:
        web.host("s.example", *addresses)
        async with web.gateway(searxng("http://s.example")) as gateway:
            with pytest.raises(ProviderNotConfigured) as caught:
                await gateway.search("tea")
    assert caught.value.setting == "search.searxng.unsafe-allow-private"
    assert caught.value.setting in caught.value.message
    assert not any(address in caught.value.message for address in addresses)
    assert web.connections == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "searxng"])
async def test_a_private_base_url_is_allowed_by_its_own_setting_alone(host: str) -> None:
    async with SearxngDouble() as double:
        base_url = double.base_url.replace("127.0.0.1", host)
        for egress in (EgressPolicy(), EgressPolicy.development()):
            async with Gateway(searxng(base_url, egress=egress)) as gateway:
                with pytest.raises(ProviderNotConfigured):
                    await gateway.search("tea")
    assert double.requests == []


async def test_the_setting_opens_nothing_else() -> None:
    async with SearxngDouble() as double, Gateway(searxng(double.base_url, private=True)) as gateway:
        assert (await gateway.search("tea")).hits
        for read in (gateway.fetch, gateway.read):
            with pytest.raises(Refused):
                await read(double.base_url)
    assert len(double.requests) == 1


async def test_the_policy_for_pages_does_not_bind_the_provider() -> None:
    egress = EgressPolicy(only_hosts=("a.example",), schemes=frozenset(("https",)), deny_cidr=("127.0.0.0/8",))
    async with SearxngDouble() as double, Gateway(searxng(double.base_url, private=True, egress=egress)) as gateway:
        assert (await gateway.search("tea")).hits


async def test_names_are_resolved_by_the_gateways_resolver() -> None:
    resolver = FakeResolver()
    async with OllamaDouble(key=None) as double:
        resolver.answer("daemon.corp", ["127.0.0.1"])
        provider = OllamaSettings(
            base_url=double.base_url.replace("127.0.0.1", "daemon.corp"), unsafe_allow_private=True
        )
        settings = Settings(search=SearchSettings(provider="ollama", ollama=provider))
        async with Gateway(settings, resolver=resolver) as gateway:
            assert (await gateway.search("tea")).hits
            with pytest.raises(ProviderFailed, match="does not exist"):
                await _ask_searxng(resolver)
    assert resolver.questions == ["daemon.corp", "searxng.corp"]


async def _ask_searxng(resolver: FakeResolver) -> None:
    async with Gateway(searxng("http://searxng.corp", private=True), resolver=resolver) as gateway:
        await gateway.search("tea")
