from __future__ import annotations

from http.cookiejar import CookieJar
from urllib.request import Request as JarRequest

import pytest

from webward.testing import LoopbackWeb


def _web() -> LoopbackWeb:
    web = LoopbackWeb()
    web.page("http://shop.test/login", headers=[("Set-Cookie", "sid=one; Path=/"), ("Set-Cookie", "lang=de; Path=/")])
    web.page("http://shop.test/cart")
    web.page("http://other.test/")
    web.redirect("http://shop.test/away", "http://other.test/")
    return web


def _cookies_seen(web: LoopbackWeb) -> list[tuple[str, str | None]]:
    return [(request.url, request.headers.get("cookie")) for request in web.requests]


async def test_a_jar_sends_what_the_host_set_and_no_other_host_sees_it() -> None:
    async with _web() as web, web.gateway() as gateway:
        jar = CookieJar()
        await gateway.fetch("http://shop.test/login", cookies=jar)
        await gateway.fetch("http://shop.test/cart", cookies=jar)
        await gateway.fetch("http://shop.test/away", cookies=jar)

        assert _cookies_seen(web) == [
            ("http://shop.test/login", None),
            ("http://shop.test/cart", "sid=one; lang=de"),
            ("http://shop.test/away", "sid=one; lang=de"),
            ("http://other.test/", None),
        ]


async def test_a_cookie_set_on_a_redirect_is_sent_on_the_next_hop() -> None:
    async with LoopbackWeb() as web, web.gateway() as gateway:
        web.page("http://shop.test/", status=302, headers=[("Set-Cookie", "seen=1"), ("Location", "/next")])
        web.page("http://shop.test/next")

        await gateway.read("http://shop.test/", cookies=CookieJar())

        assert _cookies_seen(web)[-1] == ("http://shop.test/next", "seen=1")


async def test_jars_do_not_share() -> None:
    async with _web() as web, web.gateway() as gateway:
        await gateway.fetch("http://shop.test/login", cookies=CookieJar())
        await gateway.fetch("http://shop.test/cart", cookies=CookieJar())

        assert _cookies_seen(web)[-1] == ("http://shop.test/cart", None)


async def test_without_a_jar_nothing_is_kept() -> None:
    async with _web() as web, web.gateway() as gateway:
        await gateway.fetch("http://shop.test/login")
        await gateway.fetch("http://shop.test/cart")

        assert _cookies_seen(web)[-1] == ("http://shop.test/cart", None)


async def test_a_cookie_header_of_the_callers_own_is_left_alone() -> None:
    async with _web() as web, web.gateway() as gateway:
        jar = CookieJar()
        await gateway.fetch("http://shop.test/login", cookies=jar)
        await gateway.fetch("http://shop.test/cart", headers={"Cookie": "mine=1"}, cookies=jar)

        assert _cookies_seen(web)[-1] == ("http://shop.test/cart", "mine=1")


@pytest.mark.parametrize("domain", ["other.test", "test", "127.0.0.1"])
async def test_a_host_cannot_set_cookies_for_another(domain: str) -> None:
    async with LoopbackWeb() as web, web.gateway() as gateway:
        web.page("http://shop.test/", headers=[("Set-Cookie", f"stolen=1; Domain={domain}")])
        jar = CookieJar()

        await gateway.fetch("http://shop.test/", cookies=jar)

        asked = JarRequest(f"http://{domain}/")
        jar.add_cookie_header(asked)
        assert asked.get_header("Cookie") is None


@pytest.mark.parametrize("value", ["a=€", "a=\x1b[31m", "a=\x01"], ids=repr)
async def test_a_cookie_that_cannot_be_sent_is_dropped(value: str) -> None:
    async with LoopbackWeb() as web, web.gateway() as gateway:
        web.page("http://shop.test/", status=302, headers=[("Set-Cookie", value), ("Location", "/next")])
        web.page("http://shop.test/next")

        await gateway.fetch("http://shop.test/", cookies=CookieJar())

        assert _cookies_seen(web)[-1] == ("http://shop.test/next", None)


async def test_a_cookie_for_a_whole_suffix_stays_with_its_host() -> None:
    async with LoopbackWeb() as web, web.gateway() as gateway:
        web.page("http://evil.co.test/", headers=[("Set-Cookie", "sid=fixed; Domain=.co.test; Path=/")])
        web.page("http://victim.co.test/")
        jar = CookieJar()

        await gateway.fetch("http://evil.co.test/", cookies=jar)
        await gateway.fetch("http://victim.co.test/", cookies=jar)
        await gateway.fetch("http://evil.co.test/", cookies=jar)

        assert _cookies_seen(web)[1:] == [("http://victim.co.test/", None), ("http://evil.co.test/", "sid=fixed")]
