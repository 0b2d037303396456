"""What every provider makes of every shape of an answer."""

from __future__ import annotations

import gzip
from typing import Any

import msgspec
import pytest

from webward import Gateway, SearchResponse
from webward.errors import ProviderFailed
from webward.testing import BraveDouble, Close, OllamaDouble, ProviderDouble, Reset, SearxngDouble, Send

Double = type[ProviderDouble]
DOUBLES: list[Double] = [OllamaDouble, SearxngDouble, BraveDouble]
MAX_BYTES = 256 * 1024
URL = "https://a.example/"
HTML = "text/html; charset=utf-8"


def wrapped(kind: Double, results: Any) -> Any:
    """Results where the provider has them."""
    return {"web": {"results": results}} if kind is BraveDouble else {"results": results}


def padded(kind: Double, size: int) -> bytes:
    """An answer of one result and exactly so many bytes."""
    rest = {**wrapped(kind, [{"title": "t", "url": URL}]), "padding": ""}
    missing = size - len(msgspec.json.encode(rest))
    return msgspec.json.encode({**rest, "padding": "x" * missing})


async def searched(double: ProviderDouble, max_results: int = 10) -> SearchResponse:
    async with Gateway(double.settings()) as gateway:
        return await gateway.search("tea", max_results)


async def problem(double: ProviderDouble) -> str:
    with pytest.raises(ProviderFailed) as caught:
        await searched(double)
    return caught.value.message


@pytest.mark.parametrize("kind", DOUBLES)
@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ({"title": "T", "url": URL, "content": "C"}, ("T", URL, "C")),
        ({"url": URL}, ("", URL, "")),
        ({"title": None, "url": URL, "content": None}, ("", URL, "")),
        ({"title": 1, "url": URL, "content": ["x"]}, ("", URL, "")),
        ({"title": "", "url": URL, "snippet": "S", "content": "C", "description": "D"}, ("", URL, "S")),
        ({"url": URL, "content": "C", "description": "D"}, ("", URL, "C")),
        ({"url": URL, "description": "D"}, ("", URL, "D")),
        ({"url": URL, "snippet": "  ", "content": 3, "description": "D"}, ("", URL, "D")),
        ({"title": "T", "url": URL, "content": "a\n\t b", "score": 1, "engine": "x"}, ("T", URL, "a b")),
        ({"title": "T"}, None),
        ({"title": "T", "url": None}, None),
        ({"title": "T", "url": 3}, None),
        ({"title": "T", "url": [URL]}, None),
        ({"title": "T", "url": "ftp://a.example/"}, None),
        ("row", None),
        (3, None),
        (None, None),
        ([], None),
        ({}, None),
    ],
    ids=repr,
)
async def test_rows(kind: Double, row: object, shown: tuple[str, str, str] | None) -> None:
    async with kind() as double:
        double.reply(wrapped(kind, [row, {"title": "last", "url": "https://z.example/"}]))
        response = await searched(double)
    hits = [(hit.title, hit.url, hit.snippet) for hit in response.hits]
    assert (
        hits == [shown, ("last", "https://z.example/", "")] if shown else hits == [("last", "https://z.example/", "")]
    )
    assert response.notes == (() if shown else ("results-dropped",))


@pytest.mark.parametrize("kind", DOUBLES)
@pytest.mark.parametrize("results", [[], None])
async def test_nothing_was_found(kind: Double, results: Any) -> None:
    async with kind() as double:
        double.reply(wrapped(kind, results))
        assert (await searched(double)).hits == ()


@pytest.mark.parametrize("kind", DOUBLES)
@pytest.mark.parametrize("results", ["", "x", 3, {}, {"0": {}}, True], ids=repr)
async def test_results_that_are_no_list(kind: Double, results: Any) -> None:
    async with kind() as double:
        double.reply(wrapped(kind, results))
        assert "no list of results" in await problem(double)


@pytest.mark.parametrize("kind", [OllamaDouble, SearxngDouble])
async def test_an_object_without_results(kind: Double) -> None:
    async with kind() as double:
        double.reply({"answers": []})
        assert "no list of results" in await problem(double)


@pytest.mark.parametrize(
    ("web", "is_empty"), [(None, True), ({"results": []}, True), ({}, False), ("x", False), ([1], True)], ids=repr
)
async def test_brave_without_web_pages(web: Any, is_empty: bool) -> None:  # noqa: FBT001 - a row
    async with BraveDouble() as double:
        double.reply({"type": "search", "web": web})
        if is_empty:
            assert (await searched(double)).hits == ()
        else:
            assert "no list of results" in await problem(double)


@pytest.mark.parametrize("kind", DOUBLES)
async def test_a_text_that_was_cut_inside_a_character(kind: Double) -> None:
    row = {"title": "Tea HALF", "url": URL, "content": "HALF"}
    body = msgspec.json.encode(wrapped(kind, [row])).replace(b"HALF", rb"\ud83d")
    async with kind() as double:
        double.reply(body)
        hit = (await searched(double)).hits[0]
    assert (hit.title, hit.url, hit.snippet) == ("Tea \ufffd", URL, "\ufffd")


@pytest.mark.parametrize("kind", DOUBLES)
async def test_three_hundred_rows(kind: Double) -> None:
    rows = [{"title": f"t{number}", "url": f"{URL}{number}"} for number in range(300)]
    async with kind() as double:
        double.reply(wrapped(kind, rows))
        response = await searched(double, 7)
    assert [hit.title for hit in response.hits] == [f"t{number}" for number in range(7)]


@pytest.mark.parametrize("kind", DOUBLES)
@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        (b"", "application/json"),
        (b"{", "application/json"),
        (b"[]", "application/json"),
        (b'"results"', "application/json"),
        (b'{"results": [}', "application/json"),
        (b'{"results": "\xff"}', "application/json"),
        (b'{"results": 1' + b"0" * 5000 + b"}", "application/json"),
        (b"[" * 100_000, "application/json"),
        (b"<!doctype html><title>Sign in</title>", HTML),
        (b"results", "text/plain"),
    ],
    ids=lambda value: value[:20],
)
async def test_what_is_no_json_object(kind: Double, body: bytes, media_type: str) -> None:
    async with kind() as double:
        double.reply(body, media_type=media_type)
        message = await problem(double)
    assert ("a web page and no JSON object" if media_type == HTML else "is no JSON object") in message


@pytest.mark.parametrize("kind", DOUBLES)
async def test_an_answer_of_just_the_bound(kind: Double) -> None:
    async with kind() as double:
        double.reply(padded(kind, MAX_BYTES))
        assert len((await searched(double)).hits) == 1


def too_large(kind: Double) -> list[tuple[str, list[Any]]]:
    body = padded(kind, MAX_BYTES + 1)
    packed = gzip.compress(body)
    ok, json = b"HTTP/1.1 200 OK\r\n", b"Content-Type: application/json\r\n"
    chunked = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    length = b"Content-Length: %d\r\n\r\n"
    return [
        ("declared", [Send(ok + json + length % len(body))]),  # and nothing ever comes
        ("declared, as an error", [Send(b"HTTP/1.1 500 No\r\n" + json + length % len(body))]),
        ("streamed", [Send(ok + json + chunked)]),
        ("until the end", [Send(ok + json + b"\r\n" + body), Close()]),
        ("packed", [Send(ok + json + b"Content-Encoding: gzip\r\n" + length % len(packed) + packed)]),
    ]


@pytest.mark.parametrize("kind", DOUBLES)
@pytest.mark.parametrize("case", range(len(too_large(OllamaDouble))), ids=[name for name, _ in too_large(OllamaDouble)])
async def test_an_answer_that_is_too_large(kind: Double, case: int) -> None:
    async with kind() as double:
        double.script(*too_large(kind)[case][1])
        assert "too large" in await problem(double)


BEGUN = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"results": ['


@pytest.mark.parametrize("kind", DOUBLES)
@pytest.mark.parametrize("end", [Close(), Reset()], ids=["closed", "reset"])
async def test_an_answer_that_breaks_off(kind: Double, end: Close | Reset) -> None:
    async with kind() as double:
        double.script(Send(BEGUN), end)
        assert "broke" in await problem(double)


@pytest.mark.parametrize("kind", DOUBLES)
async def test_a_server_that_speaks_no_http(kind: Double) -> None:
    async with kind() as double:
        double.script(Send(b"220 mail.example ESMTP\r\n\r\n"), Close())
        assert "broken HTTP" in await problem(double)


@pytest.mark.parametrize("kind", DOUBLES)
async def test_a_server_that_is_not_there(kind: Double) -> None:
    async with kind() as double:
        settings = double.settings()
    async with Gateway(settings) as gateway:
        with pytest.raises(ProviderFailed, match="cannot be reached") as caught:
            await gateway.search("tea")
    assert caught.value.retryable
