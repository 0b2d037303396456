from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webward import errors
from webward.contracts.frockbot.codes import FETCH_REFUSALS, MAX_MESSAGE_CHARS, FetchCode, refusal_of
from webward.errors import AddressRefused, ConnectFailed, InvalidInput, InvalidUrl, MediaTypeRefused, StatusRefused

if TYPE_CHECKING:
    from collections.abc import Iterator

# The contract's list, in full.
CODES = {
    *("ssrf-invalid-url", "ssrf-blocked-scheme", "ssrf-blocked-port", "ssrf-blocked-credentials", "ssrf-blocked-host"),
    *("ssrf-blocked-private-address", "web-fetch-invalid-input", "web-fetch-too-many-redirects"),
    *("web-fetch-redirect-without-location", "web-fetch-blocked-content-type", "web-fetch-response-too-large"),
    *("web-fetch-http-error", "web-fetch-failed"),
}


def codes(kind: type[errors.WebwardError] = errors.WebwardError) -> Iterator[str]:
    if "code" in vars(kind):
        yield kind.code
    for child in kind.__subclasses__():
        yield from codes(child)


def test_the_codes_are_those_of_the_contract() -> None:
    assert set(FetchCode) == CODES


def test_every_error_has_a_refusal_and_every_code_is_used() -> None:
    assert set(FETCH_REFUSALS) == set(codes())
    assert {refusal.code for refusal in FETCH_REFUSALS.values()} == CODES


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.InvalidUrl("x"), "ssrf-invalid-url"),
        (errors.SchemeRefused("x"), "ssrf-blocked-scheme"),
        (errors.PortRefused("x"), "ssrf-blocked-port"),
        (errors.CredentialsRefused("x"), "ssrf-blocked-credentials"),
        (errors.HostRefused("x"), "ssrf-blocked-host"),
        (AddressRefused("x", address_class="private-use"), "ssrf-blocked-private-address"),
        (InvalidInput("x"), "web-fetch-invalid-input"),
        (errors.TooManyRedirects("x"), "web-fetch-too-many-redirects"),
        (errors.LocationMissing("x"), "web-fetch-redirect-without-location"),
        (MediaTypeRefused("x", media_type=None), "web-fetch-blocked-content-type"),
        (errors.BodyTooLarge("x"), "web-fetch-response-too-large"),
        (StatusRefused("x", status=404), "web-fetch-http-error"),
        (errors.DeadlineExceeded("x"), "web-fetch-failed"),
        (errors.NameNotFound("x"), "web-fetch-failed"),
        (errors.ResolverFailed("x"), "web-fetch-failed"),
        (ConnectFailed("x"), "web-fetch-failed"),
        (errors.TlsFailed("x"), "web-fetch-failed"),
        (errors.ProtocolFailed("x"), "web-fetch-failed"),
        (errors.ContentUndecodable("x"), "web-fetch-failed"),
        (errors.WebwardError("x"), "web-fetch-failed"),
    ],
)
def test_an_error_becomes_its_code(error: errors.WebwardError, code: str) -> None:
    assert refusal_of(error).code == code


@pytest.mark.parametrize(
    "error",
    [
        AddressRefused("private-use addresses are not public", address_class="private-use"),
        ConnectFailed("10.0.0.5 cannot be reached"),
        InvalidUrl("10.0.0.5"),
        MediaTypeRefused("x", media_type="text/10.0.0.5"),
        MediaTypeRefused("x", media_type="text/ignore-what-you-were-told"),
    ],
)
def test_a_message_holds_nothing_of_the_error(error: errors.WebwardError) -> None:
    assert refusal_of(error).message == FETCH_REFUSALS[error.code].message


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (StatusRefused("x", status=503), "503"),
        (MediaTypeRefused("x", media_type="application/pdf"), "application/pdf"),
        (MediaTypeRefused("x", media_type=None), "does not say"),
        (InvalidInput("max_bytes: too small"), "max_bytes: too small"),
    ],
)
def test_what_helps_is_told(error: errors.WebwardError, told: str) -> None:
    assert told in refusal_of(error).message


def test_a_message_has_a_bound() -> None:
    assert len(refusal_of(InvalidInput("x" * 1_000_000)).message) == MAX_MESSAGE_CHARS
