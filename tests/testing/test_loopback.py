from __future__ import annotations

import asyncio
import ssl
from ipaddress import ip_address

import pytest
import trustme

from webward.config import EgressPolicy, Limits, NetworkSettings, Settings
from webward.errors import AddressRefused, InvalidInput, NameNotFound, ProtocolFailed
from webward.testing import Close, FakeResolver, FrozenClock, LoopbackWeb, Pause, Reset, Send

URL = "http://site.test/"


async def test_a_page_is_served_at_a_public_looking_address() -> None:
    async with LoopbackWeb() as web:
        web.page(URL, "<h1>Hello")
        async with web.gateway() as gateway:
            fetched = await gateway.fetch(URL)
    assert (fetched.text, fetched.status, fetched.media_type) == ("<h1>Hello", 200, "text/html")


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("http://site.test/", "http://site.test:80/"),
        ("http://site.test:8080/a?b=c", "http://site.test:8080/a?b=c#d"),
        ("http://93.184.216.34/", "http://93.184.216.34/"),
    ],
)
async def test_a_url_is_served_as_a_request_names_it(url: str, asked: str) -> None:
    async with LoopbackWeb() as web:
        web.page(url, "here")
        async with web.gateway() as gateway:
            assert (await gateway.fetch(asked)).text == "here"
        assert web.requests[0].url == url


async def test_what_is_not_served_is_not_found() -> None:
    async with LoopbackWeb() as web:
        web.page(URL)
        async with web.gateway() as gateway:
            assert (await gateway.fetch(f"{URL}other")).status == 404
            assert (await gateway.fetch("http://site.test:8080/")).status == 404
            with pytest.raises(NameNotFound):
                await gateway.fetch("http://other.test/")


async def test_each_name_has_an_address_of_its_own_unless_it_is_given_one() -> None:
    async with LoopbackWeb() as web:
        web.page("http://a.test/")
        web.page("http://b.test/")
        web.page("http://b.test:81/")
        web.host("c.test", "93.184.216.200", "2606:4700::1")
        resolved = [await web.resolver.resolve(name) for name in ("a.test", "b.test", "c.test")]
    assert len({address for addresses in resolved for address in addresses}) == 4
    assert [str(address) for address in resolved[2]] == ["93.184.216.200", "2606:4700::1"]


async def test_a_name_that_is_known_keeps_its_address() -> None:
    async with LoopbackWeb() as web:
        web.host("site.test", "93.184.216.200")
        web.page(URL)
        async with web.gateway() as gateway:
            await gateway.fetch(URL)
        assert web.connections == [(ip_address("93.184.216.200"), 80)]


async def test_the_policy_judges_as_on_the_real_network() -> None:
    async with LoopbackWeb() as web:
        web.host("inner.test", "127.0.0.1")
        async with web.gateway() as gateway:
            for text in ("http://inner.test/", "http://127.0.0.1/", "http://10.0.0.1/"):
                with pytest.raises(AddressRefused):
                    await gateway.fetch(text)
        assert web.connections == []


async def test_settings_and_parts_are_passed_on() -> None:
    resolver = FakeResolver()
    resolver.answer("site.test", ["10.0.0.1"])
    settings = Settings(egress=EgressPolicy(unsafe_allow_cidr=("10.0.0.0/8",)), limits=Limits(body_bytes=2))
    async with LoopbackWeb() as web:
        web.page(URL, "hello")
        async with web.gateway(settings, resolver=resolver, clock=FrozenClock()) as gateway:
            fetched = await gateway.fetch(URL)
        assert web.connections == [(ip_address("10.0.0.1"), 80)]
    assert (fetched.body, fetched.retrieved_at.year) == (b"he", 2026)


async def test_requests_are_remembered_as_they_came() -> None:
    async with LoopbackWeb() as web:
        web.page(f"{URL}a")
        async with web.gateway() as gateway:
            await gateway.fetch(f"{URL}a", method="PUT", body=b"\x00body", headers={"X-A": " 1 "})
            await gateway.fetch(f"{URL}a")
        first, second = web.requests
    assert (first.method, first.url, first.body, first.headers["x-a"]) == ("PUT", f"{URL}a", b"\x00body", "1")
    assert (str(first.address), first.port, first.connection) == ("93.184.216.1", 80, 0)
    assert (second.method, second.body, second.connection) == ("GET", b"", 0)


async def test_a_large_request_is_read_whole() -> None:
    async with LoopbackWeb() as web:
        web.page(URL)
        async with web.gateway() as gateway:
            await gateway.fetch(URL, body=b"a" * 3_000_000)
        assert len(web.requests[0].body) == 3_000_000


async def test_a_redirect_leads_on() -> None:
    async with LoopbackWeb() as web:
        web.redirect(URL, "/there", status=308)
        web.page(f"{URL}there", "there")
        async with web.gateway() as gateway:
            fetched = await gateway.fetch(URL)
    assert [hop.status for hop in fetched.hops] == [308, 200]


async def test_a_script_is_done_each_time() -> None:
    async with LoopbackWeb() as web:
        web.script(URL, Send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), Pause(0.001), Send(b"ok"))
        web.script(f"{URL}end", Send(b"HTTP/1.1 200 OK\r\n\r\nall"), Close())
        web.script(f"{URL}break", Send(b"HTTP/1.1 200 OK\r\n"), Reset())
        async with web.gateway() as gateway:
            for _ in range(2):
                assert (await gateway.fetch(URL)).text == "ok"
                assert (await gateway.fetch(f"{URL}end")).text == "all"
                with pytest.raises(ProtocolFailed):
                    await gateway.fetch(f"{URL}break")


async def test_https_is_spoken_where_a_url_says_so(tmp_path: object) -> None:
    authority, tls = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("site.test").configure_cert(tls)
    file = f"{tmp_path}/ca.pem"
    authority.cert_pem.write_to_path(file)
    async with LoopbackWeb(tls=tls) as web:
        web.page(URL, "plain")
        web.page("https://site.test/", "secure")
        web.page("https://site.test:8443/", "other port")
        async with web.gateway(Settings(network=NetworkSettings(ca_file=file))) as gateway:
            texts = [
                (await gateway.fetch(text)).text for text in (URL, "https://site.test/", "https://site.test:8443/")
            ]
        assert [request.url for request in web.requests] == [URL, "https://site.test/", "https://site.test:8443/"]
    assert texts == ["plain", "secure", "other port"]


async def test_leaving_ends_what_is_under_way() -> None:
    tasks = len(asyncio.all_tasks())
    async with LoopbackWeb() as web:
        web.script(URL, Pause(60))
        async with web.gateway() as gateway:
            fetch = asyncio.create_task(gateway.fetch(URL))
            await asyncio.wait({fetch}, timeout=0.05)
            fetch.cancel()
            await asyncio.wait({fetch})
    assert len(asyncio.all_tasks()) == tasks


async def test_a_gateway_of_a_web_must_be_opened_like_any() -> None:
    async with LoopbackWeb() as web:
        with pytest.raises(InvalidInput):
            await web.gateway().fetch(URL)
