from __future__ import annotations

import asyncio
import http.server
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

import webward
from webward.errors import InvalidInput, InvalidUrl, ProviderNotConfigured
from webward.surfaces.sync import Portal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webward import Gateway

WAIT_SECONDS = 10.0
CALLS = """
import sys, webward
print(webward.fetch(sys.argv[1], headers={"X-A": "b"}).text)
print(webward.read(sys.argv[1], format="text").text)
print(webward.check(sys.argv[1]).allowed)
try:
    webward.fetch("http://10.0.0.1/")
except webward.errors.AddressRefused as error:
    print(error.code)
"""


@contextmanager
def opened() -> Iterator[Portal]:
    portal = Portal()
    try:
        yield portal
    finally:
        portal.close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", "14")
        self.end_headers()
        self.wfile.write(b"<p>hello there")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


async def thread_of(_gateway: Gateway) -> int:
    return threading.get_ident()


async def itself(gateway: Gateway) -> Gateway:
    return gateway


def test_calls_work_and_the_process_ends_cleanly() -> None:
    environment = {**os.environ, "WEBWARD_EGRESS_UNSAFE_ALLOW_CIDR": "127.0.0.0/8"}
    with serving() as text:
        command = [sys.executable, "-W", "error", "-c", CALLS, text]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=WAIT_SECONDS, check=False
        )
    assert done.stdout.splitlines() == ["<p>hello there", "hello there", "True", "refused-address"]
    assert (done.stderr, done.returncode) == ("", 0)


@pytest.mark.parametrize("name", ["fetch", "read", "check"])
def test_errors_come_through(name: str) -> None:
    with pytest.raises(InvalidUrl):
        getattr(webward, name)("no url")


def test_a_search_without_a_provider_comes_through() -> None:
    with pytest.raises(ProviderNotConfigured, match=r"search\.provider"):
        webward.search("tea")


@pytest.mark.parametrize("name", ["fetch", "read", "check", "search"])
async def test_a_call_on_an_event_loop_is_an_error(name: str) -> None:
    with pytest.raises(InvalidInput, match="event loop"):
        getattr(webward, name)("http://site.test/")


def test_work_runs_on_one_thread_and_one_gateway() -> None:
    with opened() as portal, ThreadPoolExecutor(8) as callers:
        assert len(set(callers.map(lambda _: portal.run(thread_of), range(20)))) == 1
        assert len(set(callers.map(lambda _: id(portal.run(itself)), range(20)))) == 1
        assert portal.run(thread_of) != threading.get_ident()


def test_calls_of_several_threads_run_at_the_same_time() -> None:
    async def meet(_gateway: Gateway) -> None:
        async with asyncio.timeout(WAIT_SECONDS):
            await barrier.wait()

    with opened() as portal, ThreadPoolExecutor(3) as callers:
        barrier = asyncio.Barrier(3)
        list(callers.map(lambda _: portal.run(meet), range(3)))


def test_closing_ends_the_thread_and_a_later_call_begins_anew() -> None:
    before = threading.active_count()
    with opened() as portal:
        first = portal.run(itself)
        portal.close()
        assert threading.active_count() == before
        second = portal.run(itself)
        assert second is not first
    assert threading.active_count() == before


def test_closing_ends_what_is_under_way() -> None:
    async def never(_gateway: Gateway) -> None:
        begun.set()
        await asyncio.Event().wait()

    begun = threading.Event()
    with opened() as portal, ThreadPoolExecutor(1) as callers:
        call = callers.submit(lambda: portal.run(never))
        assert begun.wait(WAIT_SECONDS)
        portal.close()
        assert isinstance(call.exception(WAIT_SECONDS), CancelledError)


def test_closing_what_was_never_opened_is_nothing() -> None:
    Portal().close()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent to a thread")
def test_when_the_caller_is_interrupted_so_is_the_work() -> None:
    cancelled = threading.Event()

    async def work(_gateway: Gateway) -> None:
        main = threading.main_thread().ident or 0
        asyncio.get_running_loop().call_later(0.05, signal.pthread_kill, main, signal.SIGINT)  # when the caller waits
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    with opened() as portal:
        with pytest.raises(KeyboardInterrupt):
            portal.run(work)
        assert cancelled.wait(WAIT_SECONDS)
        portal.run(thread_of)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_child_has_a_gateway_of_its_own() -> None:
    script = """
import os
import webward
from webward.errors import WebwardError

def call() -> str:
    try:
        webward.fetch("http://10.0.0.1/")
    except WebwardError as error:
        return error.code
    return "ok"

assert call() == "refused-address"
child = os.fork()
if child == 0:
    os._exit(0 if call() == "refused-address" else 1)
_, status = os.waitpid(child, 0)
assert status == 0, status
"""
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, check=False, timeout=30)
    assert ran.returncode == 0, ran.stderr.decode()
