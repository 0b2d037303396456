"""The operator's upstream proxy, against a real one: it gets judged addresses to connect to, and never a name."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from .namespace import PATH

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .client import World

PUBLIC, PUBLIC6, OTHER = "93.184.216.34", "2606:2800:220::1", "93.184.216.35"
PROXY = "10.20.30.40"
PASSWORD = "s3cret-pass"  # noqa: S105 of a proxy that lives for one test
CONFIGURATION = f"""
Port 8888
Listen {PROXY}
Timeout 60
MaxClients 20
LogLevel Info
BasicAuth user {PASSWORD}
ConnectPort 80
ConnectPort 443
"""
ZONE = {"site.test": [PUBLIC], "site6.test": [PUBLIC6], "inner.test": ["10.0.0.5"], "proxy.test": [PROXY]}


@dataclass
class Tinyproxy:
    world: World
    process: int

    def log(self) -> str:
        """End it, and see what it did."""
        return self.world.stop(self.process)


@pytest.fixture
def proxy(world: World, tmp_path: Path) -> Iterator[Tinyproxy]:
    program = shutil.which("tinyproxy", path=PATH)
    if program is None:
        if os.environ.get("WEBWARD_REQUIRE_NETNS") == "1":
            pytest.fail("WEBWARD_REQUIRE_NETNS=1, but tinyproxy is not installed")
        pytest.skip("tinyproxy is not installed")
    file = tmp_path / "tinyproxy.conf"
    file.write_text(CONFIGURATION)
    world.load(ZONE)
    made = Tinyproxy(world, world.start(program, "-d", "-c", str(file), ready="Accepting connections"))
    yield made
    made.log()


def through(host: str = PROXY, password: str = PASSWORD) -> dict[str, str]:
    return {"WEBWARD_NETWORK_PROXY": f"http://user:{password}@{host}:8888"}


@pytest.mark.parametrize("host", [PROXY, "proxy.test"], ids=["address", "name"])
@pytest.mark.parametrize(
    ("url", "tunnel"),
    [
        ("http://site.test/", f"{PUBLIC}:80"),
        ("https://site.test/", f"{PUBLIC}:443"),
        ("https://site6.test/", f"[{PUBLIC6}]:443"),
    ],
    ids=["http", "https", "https IPv6"],
)
def test_a_page_is_read_through_the_proxy(world: World, proxy: Tinyproxy, url: str, tunnel: str, host: str) -> None:
    outcome = world.webward("fetch", url, environment=through(host))
    assert outcome.status == 0, outcome.stderr
    assert outcome.stdout.startswith("This is site")
    log = proxy.log()
    assert f"CONNECT {tunnel} HTTP/1.1" in log
    assert "site" not in log
    seen = world.seen()
    assert len(seen.connections) == 1
    assert len(seen.questions) == len(set(seen.questions))  # the proxy asked for no name again


def test_the_certificate_is_checked_behind_the_proxy(world: World, proxy: Tinyproxy) -> None:
    world.load(ZONE, certificates={"site.test": {"names": ["other.test"]}})
    outcome = world.webward("fetch", "--envelope", "https://site.test/", environment=through())
    assert (outcome.status, outcome.envelope["error"]["code"]) == (5, "tls-failed")
    assert f"CONNECT {PUBLIC}:443" in proxy.log()


@pytest.mark.parametrize("url", ["http://inner.test/", "http://10.0.0.5/", "http://intranet/", "http://127.0.0.1/"])
def test_what_is_refused_is_refused_before_the_proxy_is_dialed(world: World, proxy: Tinyproxy, url: str) -> None:
    refusal = world.refuse(url, environment=through())
    assert refusal.code in {"refused-address", "refused-host"}
    log = proxy.log()
    assert "Connect (file descriptor" not in log
    assert world.seen().connections == ()


def test_a_redirect_behind_the_proxy_is_judged(world: World, proxy: Tinyproxy) -> None:
    world.load(ZONE, {"site.test/": {"status": 302, "headers": [["Location", "http://inner.test/"]]}})
    outcome = world.webward("fetch", "--envelope", "http://site.test/", environment=through())
    error = outcome.envelope["error"]
    assert (outcome.status, error["code"], error["hop"]) == (3, "refused-address", 1)
    assert "10.0.0.5" not in proxy.log()


@pytest.mark.parametrize("userinfo", ["user:wr0ng@", ""], ids=["wrong", "none"])
def test_a_wrong_password_names_the_setting_and_nothing_secret(world: World, proxy: Tinyproxy, userinfo: str) -> None:
    environment = {"WEBWARD_NETWORK_PROXY": f"http://{userinfo}{PROXY}:8888"}
    for_people = world.webward("fetch", "https://site.test/", environment=environment)
    for_programs = world.webward("fetch", "--envelope", "https://site.test/", environment=environment)
    error = for_programs.envelope["error"]
    assert (for_programs.status, error["code"], error["setting"]) == (5, "connect-failed", "network.proxy")
    assert "network.proxy" in for_people.stderr
    output = for_people.stdout + for_people.stderr + for_programs.stdout + for_programs.stderr
    assert "wr0ng" not in output
    assert PUBLIC not in output
    assert f"CONNECT {PUBLIC}:443" in proxy.log()
    assert world.seen().connections == ()
    # tinyproxy says 407 (RFC 9110 section 15.5.8) when there is no password, and 401 when it is wrong.
    assert "password" in error["message"]
    assert error["retryable"] is False


def test_a_proxy_that_is_not_there_is_a_failed_connection(world: World) -> None:
    world.load(ZONE)
    outcome = world.webward("fetch", "--envelope", "https://site.test/", environment=through(host="10.20.30.41"))
    error = outcome.envelope["error"]
    assert (outcome.status, error["code"]) == (5, "connect-failed")
    assert world.seen().connections == ()
