"""The pure classifier: every row of the contract, its order, and that it says what the engine's own judge says."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webward.config import EgressPolicy, Limits
from webward.contracts.frockbot.classifier import BLANKS, MAX_URL_CHARS, classify
from webward.contracts.frockbot.codes import FETCH_REFUSALS
from webward.core.egress import Egress
from webward.core.url import parse
from webward.errors import WebwardError

from .urls import ALLOWED, REFUSED

STRICT = Egress(EgressPolicy.strict(), Limits())


@pytest.mark.parametrize("url", ALLOWED)
def test_a_public_url_is_allowed(url: str) -> None:
    verdict = classify(url)
    assert (verdict.allowed, verdict.code) == (True, None)


@pytest.mark.parametrize(("url", "code"), REFUSED.items(), ids=[repr(url)[:60] for url in REFUSED])
def test_a_refused_url_has_its_code(url: str, code: str) -> None:
    verdict = classify(url)
    assert (verdict.allowed, verdict.code) == (False, code)


@pytest.mark.parametrize("value", [None, 1, True, b"https://example.com/", ["https://example.com/"], {}])
def test_what_is_no_string_is_no_url(value: Any) -> None:
    assert classify(value).code == "ssrf-invalid-url"


def test_blanks_around_a_url_do_not_count() -> None:
    fits = "https://example.com/".ljust(MAX_URL_CHARS, "x")
    assert classify(BLANKS + fits + BLANKS).allowed
    assert classify(fits + "x").code == "ssrf-invalid-url"


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://user@example.com:8080/", "ssrf-blocked-scheme"),
        ("http://user@10.0.0.1:8080/", "ssrf-blocked-scheme"),
        ("https://user@10.0.0.1:8080/", "ssrf-blocked-credentials"),
        ("https://10.0.0.1:8080/", "ssrf-blocked-port"),
        ("https://localhost:8080/", "ssrf-blocked-port"),
        ("https://a@b@localhost:8080/", "ssrf-blocked-credentials"),
        ("https://localhost:8080/\\", "ssrf-blocked-port"),
        ("http://localhost/\\", "ssrf-blocked-scheme"),
        ("https://example.com/\\", "ssrf-invalid-url"),
    ],
)
def test_the_first_rule_that_says_no_decides(url: str, code: str) -> None:
    assert classify(url).code == code


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("https://example.com:8443/", None),
        ("https://example.com/", "ssrf-blocked-port"),
        ("http://example.com:8443/", "ssrf-blocked-scheme"),
        ("https://user@example.com:8443/", "ssrf-blocked-credentials"),
        ("https://127.0.0.1:8443/", "ssrf-blocked-private-address"),
        ("https://redis:8443/", "ssrf-blocked-host"),
    ],
)
def test_another_port_opens_nothing_but_itself(url: str, code: str | None) -> None:
    assert classify(url, ports={8443}).code == code


def test_a_reason_is_the_sentence_of_its_code() -> None:
    sentences = {str(refusal.code): refusal.message for refusal in FETCH_REFUSALS.values()}
    for url, code in REFUSED.items():
        assert classify(url).reason == sentences[code]


def hosts() -> st.SearchStrategy[str]:
    labels = st.sampled_from(["example", "local", "internal", "localhost", "home", "arpa", "svc", "com", "xn--"])
    names = st.lists(labels, min_size=1, max_size=4).map(".".join)
    numbers = st.integers(0, 2**32 - 1).map(str) | st.integers(0, 2**32 - 1).map(hex)
    return names | numbers | st.ip_addresses(v=4).map(str) | st.ip_addresses(v=6).map(lambda ip: f"[{ip}]")


@given(
    scheme=st.sampled_from(["https", "http", "ftp"]),
    user=st.sampled_from(["", "user@", "user:word@"]),
    host=hosts(),
    port=st.sampled_from(["", ":443", ":80", ":8443", ":22"]),
)
def test_the_classifier_and_the_judge_agree(scheme: str, user: str, host: str, port: str) -> None:
    url = f"{scheme}://{user}{host}{port}/"
    verdict = classify(url)
    try:
        target = parse(url)
    except WebwardError:
        assert not verdict.allowed
        return
    verdicts = list(STRICT.judge_target(target))
    if target.address is not None and verdicts[-1].allowed:
        verdicts += STRICT.judge_addresses(target, (target.address,), ())
    code = verdicts[-1].code
    assert verdict.code == (FETCH_REFUSALS[code].code if code else None)


@given(st.integers(0, 2**32 - 1).map(IPv4Address) | st.integers(0, 2**128 - 1).map(IPv6Address))
def test_a_literal_is_judged_as_its_address(address: IPv4Address | IPv6Address) -> None:
    literal = f"[{address}]" if address.version == 6 else str(address)
    assert classify(f"https://{literal}/").allowed is STRICT.judge_address(address, ()).allowed


@given(st.text())
def test_any_text_gets_a_verdict(text: str) -> None:
    for url in (text, f"https://{text}", f"https://{text}/", f"https://example.com/{text}"):
        verdict = classify(url)
        assert verdict.allowed or verdict.code
