"""The key of a provider shows up nowhere: the double says it back in every way, and every output is searched."""

from __future__ import annotations

import asyncio
import logging
import pprint
import traceback
from pathlib import Path
from typing import Any

import msgspec
import pytest

import webward
from webward import Gateway, SearchResponse
from webward.config import settings_toml
from webward.contracts.page import encode, failure_envelope, search_envelope
from webward.errors import WebwardError
from webward.testing import BraveDouble, Close, OllamaDouble, Pause, ProviderDouble, Send

SECRET = 'sk-"s3cr3t"/k\\ey-0123456789'  # noqa: S105 - what must not be seen
SOURCE = str(Path(webward.__file__).parent)
Double = type[ProviderDouble]


def echoed(status: int, media_type: str = "application/json") -> Any:
    """Answers that say the key back: in the fields that are read, and in every other."""

    def prepare(double: ProviderDouble) -> None:
        row = {"title": f"a {SECRET}", "url": "https://a.example/", "content": f"{SECRET} b", SECRET: SECRET}
        url = {"title": "b", "url": f"https://a.example/{SECRET}", "content": ""}
        value = {
            "error": {"message": f"bad key {SECRET}", "code": SECRET},
            "results": [row, url],
            "web": {"results": [row, url]},
            "query": SECRET,
        }
        for _ in range(3):
            headers = [("Retry-After", "0"), ("Location", "https://a.example/?key=s3cr3t"), ("X-Key", SECRET)]
            double.reply(value, status=status, headers=headers, media_type=media_type)

    return prepare


def words(double: ProviderDouble) -> None:
    double.fail(400, f"the key {SECRET} is not good for this")


def escaped(double: ProviderDouble) -> None:
    spelled = "".join(f"\\u{ord(letter):04x}" for letter in SECRET).encode()
    double.reply(b'{"error": "x %b", "results": [{"title": "%b", "url": "https://a.example/"}]}' % (spelled, spelled))


def no_json(double: ProviderDouble) -> None:
    double.reply(SECRET.encode(), media_type="text/s3cr3t")


def head(double: ProviderDouble) -> None:
    double.script(Send(f"HTTP/1.1 200 {SECRET}\r\n{SECRET} : x\r\n\r\n".encode()), Close())


def broken(double: ProviderDouble) -> None:
    double.script(Send(f"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{SECRET}".encode()), Close())


def slow(double: ProviderDouble) -> None:
    double.script(Pause(60))


CASES = {
    **{f"status {status}": echoed(status) for status in (200, 302, 400, 401, 403, 404, 422, 429, 500, 502)},
    "html": echoed(200, "text/html"),
    **{prepare.__name__: prepare for prepare in (words, escaped, no_json, head, broken, slow)},
}


def traces(error: BaseException | None) -> list[str]:
    """All that a debugger could print of an error: its chain, with the variables of webward's own frames."""
    shown: list[str] = []
    while error is not None:
        shown += [str(error), repr(error), repr(error.args), repr(vars(error))]
        shown += traceback.format_exception(error)
        for frame in traceback.StackSummary.extract(traceback.walk_tb(error.__traceback__), capture_locals=True):
            shown += [frame.line or "", *((frame.locals or {}).values() if frame.filename.startswith(SOURCE) else ())]
        error = error.__cause__ or error.__context__
    return shown


def is_told(outputs: list[str]) -> bool:
    """Whether one of them holds the key as it is or in the spelling of Python or JSON."""
    spellings = (SECRET, repr(SECRET)[1:-1], msgspec.json.encode(SECRET)[1:-1].decode(), "s3cr3t")
    return any(spelling in output for output in outputs for spelling in spellings)


def outputs_of(found: SearchResponse | WebwardError) -> list[str]:
    if isinstance(found, WebwardError):
        return [*traces(found), encode(failure_envelope(found)).decode()]
    return [str(found), pprint.pformat(msgspec.to_builtins(found)), encode(search_envelope(found)).decode()]


@pytest.mark.parametrize("kind", [OllamaDouble, BraveDouble])
@pytest.mark.parametrize("prepare", CASES.values(), ids=CASES)
async def test_no_output_holds_the_key(kind: Double, prepare: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    found: SearchResponse | WebwardError
    async with kind(key=SECRET) as double, Gateway(double.settings()) as gateway:
        prepare(double)
        try:
            found = await gateway.search("tea", timeout_ms=300 if prepare is slow else None)
        except WebwardError as error:
            found = error
        printed = [repr(gateway), repr(gateway.settings), str(gateway.settings), settings_toml(gateway.settings)]
        assert all(
            SECRET in str(list(request.headers.items())) or "s3cr3t" in str(request) for request in double.requests
        )
    assert double.requests
    assert not is_told([*outputs_of(found), *printed, caplog.text])


@pytest.mark.parametrize("kind", [OllamaDouble, BraveDouble])
async def test_a_server_that_is_gone_is_told_without_the_key(kind: Double) -> None:
    async with kind(key=SECRET) as double:
        settings = double.settings()
    async with Gateway(settings) as gateway:
        with pytest.raises(WebwardError) as caught:
            await gateway.search("tea")
    assert not is_told(outputs_of(caught.value))


async def test_a_cancelled_search_leaves_no_key_in_its_trace() -> None:
    async with OllamaDouble(key=SECRET) as double, Gateway(double.settings()) as gateway:
        slow(double)
        with pytest.raises(TimeoutError) as caught:
            async with asyncio.timeout(0.2):
                await gateway.search("tea")
    assert not is_told(traceback.format_exception(caught.value))


def test_the_search_itself_finds_a_key() -> None:
    def leak() -> None:
        key = f"Bearer {SECRET}"
        raise ValueError(key)

    with pytest.raises(ValueError, match="Bearer") as caught:
        leak()
    assert is_told(traces(caught.value))
    assert is_told([msgspec.json.encode({"x": SECRET}).decode()])
