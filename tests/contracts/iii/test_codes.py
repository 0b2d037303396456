from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from webward import errors
from webward.contracts.iii.codes import ERROR_CODES, MAX_MESSAGE_CHARS, MEANINGS, FetchError, code_of, message_of
from webward.contracts.iii.configuration import DEFAULTS
from webward.errors import AddressRefused, HostRefused, InvalidUrl, WebwardError

if TYPE_CHECKING:
    from collections.abc import Iterator

CODES = {"invalid_payload", "invalid_url", "blocked_host", "timeout", "too_many_redirects", "transport_error"}


def codes(kind: type[WebwardError] = WebwardError) -> Iterator[str]:
    if "code" in vars(kind):
        yield kind.code
    for child in kind.__subclasses__():
        yield from codes(child)


def at_hop(error: WebwardError, hop: int) -> WebwardError:
    error.hop = hop
    return error


def refused(address_class: str, setting: str | None) -> AddressRefused:
    shown = f" (setting: {setting})" if setting else ""
    return AddressRefused(f"refused by the address rule: no{shown}", address_class=address_class, setting=setting)


def test_the_codes_are_those_of_the_seed() -> None:
    assert set(FetchError) == CODES == set(MEANINGS)


def test_every_error_has_a_code_and_every_code_is_used() -> None:
    assert set(ERROR_CODES) == set(codes())
    assert set(ERROR_CODES.values()) == CODES


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.InvalidInput("x"), "invalid_payload"),
        (InvalidUrl("x"), "invalid_url"),
        (at_hop(InvalidUrl("x"), 0), "invalid_url"),
        (at_hop(InvalidUrl("x"), 1), "transport_error"),
        (errors.SchemeRefused("x"), "invalid_url"),
        (at_hop(errors.SchemeRefused("x"), 1), "invalid_url"),
        (errors.PortRefused("x"), "blocked_host"),
        (HostRefused("x"), "blocked_host"),
        (at_hop(HostRefused("x"), 3), "blocked_host"),
        (refused("private-use", None), "blocked_host"),
        (errors.DeadlineExceeded("x"), "timeout"),
        (errors.TooManyRedirects("x"), "too_many_redirects"),
        (errors.InvalidHeader("x"), "transport_error"),
        (errors.NameNotFound("x"), "transport_error"),
        (errors.ResolverFailed("x"), "transport_error"),
        (errors.ConnectFailed("x"), "transport_error"),
        (errors.TlsFailed("x"), "transport_error"),
        (errors.ProtocolFailed("x"), "transport_error"),
        (errors.ContentUndecodable("x"), "transport_error"),
        (WebwardError("x"), "transport_error"),
    ],
)
def test_an_error_becomes_its_code(error: WebwardError, code: str) -> None:
    assert code_of(error) == code


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (errors.DeadlineExceeded("x"), ("700 ms", "timeout_ms", "120000", "max_bytes")),
        (errors.TooManyRedirects("x"), ("more than 5", "max_redirects", "follow_redirects")),
        (errors.InvalidInput("method: must be"), ("method: must be",)),
        (InvalidUrl("no URL"), ("no URL",)),
        (refused("loopback", "egress.unsafe-allow-cidr"), ("address rule", "allow_loopback")),
        (refused("private-use", "egress.deny-cidr"), ("address rule", "egress.deny-cidr")),
        (HostRefused("denied (setting: egress.deny-hosts)", setting="egress.deny-hosts"), ("egress.deny-hosts",)),
    ],
)
def test_a_message_says_what_helps(error: WebwardError, told: tuple[str, ...]) -> None:
    message = message_of(error, DEFAULTS, timeout_ms=700)
    assert [part for part in told if part not in message] == []


@pytest.mark.parametrize(
    "error",
    [
        refused("private-use", "egress.unsafe-allow-cidr"),
        refused("loopback", "egress.deny-cidr"),
        refused("own", "egress.unsafe-allow-own-addresses"),
        HostRefused("x (setting: egress.unsafe-allow-hosts)", setting="egress.unsafe-allow-hosts"),
    ],
)
def test_what_would_change_nothing_is_not_told(error: WebwardError) -> None:
    message = message_of(error, DEFAULTS)
    assert "allow_loopback" not in message
    assert "unsafe" not in message


def test_the_limit_told_is_the_one_in_force() -> None:
    assert "more than 0" in message_of(errors.TooManyRedirects("x"), replace(DEFAULTS, max_redirects=0))


def test_a_fault_of_ours_tells_nothing_and_a_message_has_a_bound() -> None:
    assert message_of(WebwardError("/home/secret"), DEFAULTS) == "internal error"
    assert len(message_of(errors.InvalidInput("x" * 99_999), DEFAULTS)) == MAX_MESSAGE_CHARS
