"""What an answer must be: asked of its head before the body is read, and of the body before it is given."""

from __future__ import annotations

import asyncio
import gzip
from typing import Any

import pytest

from webward.config import AnswerRules
from webward.errors import (
    BodyTooLarge,
    InvalidHeader,
    InvalidInput,
    InvalidUrl,
    LocationMissing,
    MediaTypeRefused,
    ProtocolFailed,
    Refused,
    StatusRefused,
    WebwardError,
)
from webward.testing import Close, LoopbackWeb, Pause, Send

from .sites import WAIT_SECONDS, until

URL = "http://site.test/"
TEXT = "Content-Type: text/plain"
LIMIT = 1000


def head(status: int, *fields: str) -> Send:
    return Send("\r\n".join([f"HTTP/1.1 {status} Scripted", *fields, "", ""]).encode())


async def failure(rules: AnswerRules, *steps: Any) -> WebwardError:
    async with LoopbackWeb() as web, web.gateway() as gateway, asyncio.timeout(WAIT_SECONDS):
        web.script(URL, *steps)
        with pytest.raises(WebwardError) as caught:
            await gateway.read(URL, rules=rules, max_bytes=LIMIT)
    assert caught.value.hop == 0
    return caught.value


ALL = AnswerRules(success=True, media_types=("text/plain",), declared_length=True)
HEADS: list[tuple[AnswerRules, Send, type[WebwardError]]] = [
    (AnswerRules(success=True), head(404), StatusRefused),
    (AnswerRules(success=True), head(500), StatusRefused),
    (AnswerRules(success=True), head(300, "Location: /"), StatusRefused),
    (AnswerRules(success=True), head(302), LocationMissing),
    (AnswerRules(success=True), head(304), LocationMissing),
    (AnswerRules(media_types=("text/plain",)), head(200), MediaTypeRefused),
    (AnswerRules(media_types=("text/plain",)), head(200, "Content-Type: text"), MediaTypeRefused),
    (AnswerRules(media_types=("text/plain",)), head(200, "Content-Type: text/html"), MediaTypeRefused),
    (AnswerRules(media_types=()), head(200, TEXT), MediaTypeRefused),
    (AnswerRules(declared_length=True), head(200, TEXT, f"Content-Length: {LIMIT + 1}"), BodyTooLarge),
    (AnswerRules(declared_length=True), head(200, TEXT, f"Content-Length: {'9' * 20}"), BodyTooLarge),
    (ALL, head(404, f"Content-Length: {LIMIT + 1}"), StatusRefused),
    (ALL, head(200, f"Content-Length: {LIMIT + 1}"), MediaTypeRefused),
]


async def test_a_redirect_leads_to_a_url_of_some_length_only() -> None:
    longer = f"{URL}long"
    async with LoopbackWeb() as web, web.gateway() as gateway:
        web.redirect(URL, longer)
        web.page(longer, "here")
        page = await gateway.read(URL, rules=AnswerRules(url_chars=len(longer)))
        assert page.final_url == longer
        asked = len(web.requests)
        with pytest.raises(InvalidUrl) as caught:
            await gateway.read(URL, rules=AnswerRules(url_chars=len(longer) - 1))
    assert (caught.value.hop, len(web.requests) - asked) == (1, 1)


@pytest.mark.parametrize(("rules", "sent", "kind"), HEADS)
async def test_a_head_is_refused_before_the_body_comes(
    rules: AnswerRules, sent: Send, kind: type[WebwardError]
) -> None:
    error = await failure(rules, sent, Pause(10 * WAIT_SECONDS))

    assert type(error) is kind
    assert not error.retryable


async def test_what_was_refused_is_told() -> None:
    status = await failure(AnswerRules(success=True), head(418))
    declared = await failure(AnswerRules(media_types=("text/plain",)), head(200, "Content-Type: Text/HTML; a=b"))
    absent = await failure(AnswerRules(media_types=("text/plain",)), head(200))

    assert isinstance(status, StatusRefused)
    assert status.status == 418
    assert isinstance(declared, MediaTypeRefused)
    assert declared.media_type == "text/html"
    assert isinstance(absent, MediaTypeRefused)
    assert absent.media_type is None


@pytest.mark.parametrize(
    "fields",
    [
        ("Content-Type: Text/Plain; charset=utf-8", "Content-Length: 4"),
        ("Content-Type: text/plain", "Content-Type: text/plain;charset=utf-8", "Content-Length: 4"),
    ],
)
async def test_an_answer_within_the_rules_is_read(fields: tuple[str, ...]) -> None:
    rules = AnswerRules(success=True, media_types=("text/plain",), declared_length=True, text=True, whole=True)
    async with LoopbackWeb() as web, web.gateway() as gateway:
        web.script(URL, head(200, *fields), Send(b"text"))
        assert (await gateway.read(URL, rules=rules)).text == "text"


async def test_the_declared_length_of_a_chunked_body_says_nothing() -> None:
    async with LoopbackWeb() as web, web.gateway() as gateway:
        fields = (TEXT, "Content-Length: 5000", "Transfer-Encoding: chunked")
        web.script(URL, head(200, *fields), Send(b"4\r\ntext\r\n0\r\n\r\n"))
        page = await gateway.read(URL, rules=AnswerRules(declared_length=True), max_bytes=LIMIT)
    assert page.text == "text"


async def test_a_redirect_that_says_where_to_is_followed() -> None:
    async with LoopbackWeb() as web, web.gateway() as gateway:
        web.redirect(URL, "/next")
        web.page(f"{URL}next", "<p>there")
        page = await gateway.read(URL, rules=AnswerRules(success=True, media_types=("text/html",)))
    assert page.text == "there"


BROKEN_OFF: dict[str, tuple[Any, ...]] = {
    "short of its length": (head(200, TEXT, "Content-Length: 9"), Send(b"text"), Close()),
    "short of its last chunk": (head(200, TEXT, "Transfer-Encoding: chunked"), Send(b"4\r\ntext\r\n"), Close()),
    "short of its coding": (
        head(200, TEXT, "Content-Encoding: gzip", "Content-Length: 60"),
        Send(gzip.compress(b"".join(b"%d" % number for number in range(500)))[:60]),
    ),
}


@pytest.mark.parametrize("case", BROKEN_OFF)
async def test_a_body_that_breaks_off_is_an_error(case: str) -> None:
    assert type(await failure(AnswerRules(whole=True), *BROKEN_OFF[case])) is ProtocolFailed


@pytest.mark.parametrize(("body_bytes", "truncated"), [(LIMIT, False), (LIMIT + 1, True)])
async def test_a_body_that_is_cut_has_not_broken_off(body_bytes: int, truncated: bool) -> None:  # noqa: FBT001 - a row
    async with LoopbackWeb() as web, web.gateway() as gateway:
        web.page(URL, b"x" * body_bytes, headers=[("Content-Type", "text/plain")])
        page = await gateway.read(URL, rules=AnswerRules(whole=True), max_bytes=LIMIT)
    assert (page.body_bytes, page.truncated) == (LIMIT, truncated)


@pytest.mark.parametrize("declared", ["text/html", "text/plain"])
@pytest.mark.parametrize("body", [b"\x89PNG\r\n\x1a\n" + b"\0" * 20, b"PK\x03\x04\0\xff\xfe"])
async def test_bytes_that_are_no_text_are_refused(declared: str, body: bytes) -> None:
    async with LoopbackWeb() as web, web.gateway() as gateway:
        web.page(URL, body, headers=[("Content-Type", declared)])
        with pytest.raises(MediaTypeRefused):
            await gateway.read(URL, rules=AnswerRules(text=True))


CHALLENGE = ("cf-mitigated", "challenge")
SECOND = AnswerRules(second_user_agent="honest/1")
DISGUISED = {"User-Agent": "browser/1", "Accept-Language": "en"}


async def challenged(*, rules: AnswerRules = SECOND, **arguments: Any) -> tuple[int, list[tuple[str, str | None]]]:
    """Status, and what was asked for, of a site that challenges `/` and leads from there with its second answer."""
    headers = arguments.pop("sent", DISGUISED)
    status = arguments.pop("status", 403)
    field = arguments.pop("field", CHALLENGE)
    async with LoopbackWeb() as web, web.gateway() as gateway:
        web.page(URL, "prove it", status=status, headers=[field])
        fetched = await gateway.fetch(URL, headers=headers, rules=rules, **arguments)
    assert len(fetched.hops) == 1
    assert len({request.address for request in web.requests}) == 1
    return fetched.status, [(request.method, request.headers.get("user-agent")) for request in web.requests]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_a_challenge_is_answered_once_under_the_second_name(method: str) -> None:
    assert await challenged(method=method) == (403, [(method, "browser/1"), (method, "honest/1")])


@pytest.mark.parametrize(
    "arguments",
    [
        {"rules": AnswerRules()},
        {"method": "POST"},
        {"method": "OPTIONS"},
        {"status": 503},
        {"status": 200},
        {"field": ("cf-mitigated", "Challenge")},
        {"field": ("cf-mitigated", "block")},
        {"field": ("Server", "challenge")},
        {"sent": {"User-Agent": "honest/1"}},
    ],
)
async def test_nothing_else_is_asked_twice(arguments: Any) -> None:
    _, asked = await challenged(**arguments)
    assert len(asked) == 1


async def test_the_next_hop_goes_by_the_first_name_again() -> None:
    async with LoopbackWeb() as web, web.gateway() as gateway:
        web.script(URL, Pause(0.1), head(403, ": ".join(CHALLENGE), "Content-Length: 0"))
        task = asyncio.create_task(gateway.fetch(URL, headers=DISGUISED, rules=SECOND))
        await until(lambda: len(web.requests) == 1)
        web.redirect(URL, "/next")
        web.page(f"{URL}next", "here")
        fetched = await task
    assert [request.headers["user-agent"] for request in web.requests] == ["browser/1", "honest/1", "browser/1"]
    assert ([hop.url for hop in fetched.hops], fetched.text) == ([URL, f"{URL}next"], "here")
    assert all(request.headers["accept-language"] == "en" for request in web.requests)


async def test_a_second_name_is_checked_like_a_header() -> None:
    async with LoopbackWeb() as web, web.gateway() as gateway:
        with pytest.raises(InvalidHeader):
            await gateway.fetch(URL, rules=AnswerRules(second_user_agent="a\r\nb: c"))
    assert web.requests == []


@pytest.mark.parametrize("rules", [AnswerRules(success=True), AnswerRules(media_types=("text/plain",))])
async def test_fetch_takes_rules_too(rules: AnswerRules) -> None:
    async with LoopbackWeb() as web, web.gateway() as gateway:
        web.page(URL, status=404)
        with pytest.raises(Refused):
            await gateway.fetch(URL, rules=rules)


async def test_rules_of_another_kind_are_an_input_error() -> None:
    async with LoopbackWeb() as web, web.gateway() as gateway:
        with pytest.raises(InvalidInput, match="rules"):
            await gateway.read(URL, rules={"success": True})  # type: ignore[arg-type]
