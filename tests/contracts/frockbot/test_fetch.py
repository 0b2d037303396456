from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.config import EgressPolicy, Limits, Settings
from webward.content.sanitize import scrub
from webward.contracts.frockbot import fetch
from webward.errors import InvalidInput, InvalidUrl, NameNotFound, WebwardError

URL = "https://example.com/"
NO_NUMBERS: tuple[Any, ...] = (2048.0, 2048.5, True, "2048", None, [], float("nan"))
WITHOUT_URL: tuple[Any, ...] = ({}, None, [], {"url": 1}, "https://example.com/")


def test_defaults() -> None:
    request = fetch.decode_input({"url": URL})
    assert (request.url, request.max_bytes, request.format) == (URL, 1_048_576, "text")


@pytest.mark.parametrize("max_bytes", [1024, 1025, 1_048_576])
@pytest.mark.parametrize("form", ["text", "markdown"])
def test_what_is_in_range_is_taken(max_bytes: int, form: str) -> None:
    request = fetch.decode_input({"url": f"\ufeff {URL}\u2003", "max_bytes": max_bytes, "format": form})
    assert (request.url, request.max_bytes, request.format) == (URL, max_bytes, form)


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 1, "https://example.com/", [], [URL], {}),
        {"url": None},
        {"url": 1},
        {"url": [URL]},
        {"uri": URL},
        {"max_bytes": 2048},
        {"url": URL, "method": "POST"},
        {"url": URL, "headers": {"Authorization": "x"}},
        {"url": URL, "\ud800": 1},
        {"url": URL, 1: 2},
        *({"url": URL, "max_bytes": number} for number in (0, -1, 1023, 1_048_577, 10**30)),
        *({"url": URL, "max_bytes": number} for number in NO_NUMBERS),
        *({"url": URL, "format": form} for form in ("html", "TEXT", "", None, 1, ["text"])),
        {"url": "", "max_bytes": 1},
    ],
    ids=str,
)
def test_a_wrong_input_is_an_input_error(value: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        fetch.decode_input(value)
    assert type(caught.value) is InvalidInput


@pytest.mark.parametrize("url", ["", " ", "\t\n\ufeff\u3000", "https://example.com/".ljust(2049, "x")])
def test_a_blank_or_endless_url_is_no_url(url: str) -> None:
    with pytest.raises(InvalidUrl):
        fetch.decode_input({"url": url})


def test_a_url_is_counted_after_trimming() -> None:
    url = URL.ljust(2048, "x")
    assert fetch.decode_input({"url": f"  {url}  "}).url == url


@pytest.mark.parametrize(
    ("value", "url"),
    [
        ({"url": " https://2130706433/ "}, "https://2130706433/"),  # and not the address that it is read as
        ({"url": "https://user:word@example.com/"}, "https://user:word@example.com/"),
        ({"url": "x" * 5000}, "x" * 2048),
        ({"url": "https://example.com/\ud800"}, "https://example.com/\ud800"),
        *((value, "") for value in WITHOUT_URL),
    ],
)
def test_a_refusal_repeats_the_url_as_it_was_written(value: Any, url: str) -> None:
    result = fetch.refused(value, NameNotFound("no such host"))
    assert result["isError"] is True
    assert json.loads(result["content"]) == {
        "url": url,
        "error": "web-fetch-failed",
        "message": "there is no such host",
    }


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("", ""),
        ("a  b\tc\u00a0\u2003d", "a b c d"),
        ("a\n\n\n b", "a\n\n\n b"),
        ("    code  here\n\tand there", "    code here\n\tand there"),
        ("hard break  \nnext", "hard break  \nnext"),
        ("   \n  ", "   \n  "),
        ("| a   | b |", "| a | b |"),
    ],
)
def test_blanks_are_folded_inside_lines_only(text: str, folded: str) -> None:
    assert fetch.bounded_text(text) == (folded, False)


@pytest.mark.parametrize(
    ("text", "kept_bytes", "is_cut"),
    [
        ("x" * 32_768, 32_768, False),
        ("x" * 32_769, 32_768, True),
        ("é" * 16_384, 32_768, False),
        ("é" * 16_385, 32_768, True),
        ("x" + "é" * 16_384, 32_767, True),
        ("xx" + "\U0001f600" * 8_192, 32_766, True),
        ("x\n" * 16_384, 32_768, False),
        ("x\n" * 16_384 + "y", 32_768, True),
        ("x" * 32_768 + "\n", 32_768, True),
        ("x \t" * 20_000, 32_768, True),
        ("x" + " " * 1_000_000 + "y", 3, False),
        ("x " * 16_384 + "tail", 32_768, True),
        ("x" * 1_000_000, 32_768, True),
    ],
    ids=range(13),
)
def test_a_text_is_cut_on_a_character(text: str, kept_bytes: int, is_cut: bool) -> None:  # noqa: FBT001 - a row
    kept, was_cut = fetch.bounded_text(text)
    assert (len(kept.encode()), was_cut) == (kept_bytes, is_cut)


@given(
    st.text(
        alphabet=st.sampled_from("ab<>|[]/_ \t\n\u00a0é\U0001f600INSTim") | st.characters(exclude_categories=["Cs"])
    )
)
def test_folding_keeps_a_text_sanitized(text: str) -> None:
    folded, _ = fetch.bounded_text(scrub(text).text)
    assert scrub(folded).text == folded
    assert folded.split() == scrub(text).text.split()


def test_operators_keep_what_they_closed() -> None:
    closed = EgressPolicy(
        only_hosts=("example.com",),
        deny_hosts=("a.example.com",),
        only_cidr=("93.0.0.0/8",),
        deny_cidr=("93.1.0.0/16",),
    )
    settings = fetch.strict_settings(Settings(egress=closed, limits=Limits(redirects=1, body_bytes=2000)))
    egress = settings.egress
    assert (egress.only_hosts, egress.deny_hosts) == (closed.only_hosts, closed.deny_hosts)
    assert (egress.only_cidr, egress.deny_cidr) == (closed.only_cidr, closed.deny_cidr)
    assert (settings.limits.redirects, settings.limits.body_bytes) == (1, 2000)


def test_what_operators_opened_is_closed() -> None:
    opened = EgressPolicy(
        unsafe_allow_hosts=("redis",),
        unsafe_allow_cidr=("0.0.0.0/0", "::/0"),
        unsafe_allow_own_addresses=True,
        url_credentials="authorization",
    )
    settings = fetch.strict_settings(Settings(egress=opened, limits=Limits(redirects=20)))
    assert settings.egress == EgressPolicy.strict()
    assert settings.limits.redirects == 3


@pytest.mark.parametrize(
    ("settings", "is_strict"),
    [
        (fetch.strict_settings(Settings()), True),
        (fetch.strict_settings(Settings(), ports={443, 8443}), True),
        (Settings(egress=EgressPolicy.strict(), limits=Limits(redirects=3)), True),
        (Settings(egress=EgressPolicy.strict()), False),
        (Settings(), False),
        (Settings(egress=EgressPolicy.development()), False),
    ],
)
def test_strict_settings_are_known(settings: Settings, is_strict: bool) -> None:  # noqa: FBT001 - a row
    assert fetch.is_strict(settings) is is_strict


def test_a_fault_of_ours_is_a_failed_fetch() -> None:
    assert json.loads(fetch.refused({}, WebwardError("x"))["content"])["error"] == "web-fetch-failed"
