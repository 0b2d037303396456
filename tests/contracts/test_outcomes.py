from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webward import errors
from webward.contracts.outcomes import ADVICE, advice, failed
from webward.errors import (
    AddressRefused,
    ConnectFailed,
    CredentialsRefused,
    DeadlineExceeded,
    InvalidInput,
    InvalidUrl,
    NameNotFound,
    ProviderFailed,
    WebwardError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


def kinds(kind: type[WebwardError] = WebwardError) -> Iterator[type[WebwardError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from kinds(child)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (WebwardError("a"), WebwardError),
        (InvalidUrl("a"), InvalidInput),
        (AddressRefused("a", address_class="private"), errors.Refused),
        (CredentialsRefused("a"), CredentialsRefused),
        (DeadlineExceeded("a"), DeadlineExceeded),
        (ConnectFailed("a"), errors.TransportError),
        (NameNotFound("a"), NameNotFound),
    ],
)
def test_the_nearest_class_gives_the_advice(error: WebwardError, kind: type[WebwardError]) -> None:
    assert advice(error) == ADVICE[kind]


def test_a_bad_redirect_is_no_argument() -> None:
    error = InvalidUrl("a")
    error.hop = 1
    assert advice(error) == ADVICE[errors.TransportError]


def test_every_group_has_advice_of_its_own() -> None:
    groups = WebwardError.__subclasses__()
    assert [group.__name__ for group in groups if group not in ADVICE] == []
    assert len(set(ADVICE.values())) == len(ADVICE)
    assert set(ADVICE) <= set(kinds())


def test_a_failure_is_told_with_code_message_and_advice() -> None:
    outcome = failed(InvalidInput("max_chars: Expected `int`"))
    assert outcome.text == "invalid-input: max_chars: Expected `int`\nCorrect the argument and call again."
    assert outcome.is_error
    assert outcome.envelope == {
        "ok": False,
        "error": {"code": "invalid-input", "message": "max_chars: Expected `int`", "retryable": False, "hop": 0},
    }


def test_a_failure_tells_when_and_which_setting() -> None:
    error = ProviderFailed("brave: too many", setting="search.brave.api-key", retryable=True, retry_after_seconds=2.5)
    lines = failed(error).text.splitlines()
    assert lines[2:] == ["Not before 2.5 seconds have passed.", "The setting search.brave.api-key decides this."]
    named = failed(InvalidInput("see limits.body-bytes", setting="limits.body-bytes")).text
    assert "decides this" not in named


def test_a_lone_surrogate_of_the_caller_can_be_written() -> None:
    outcome = failed(InvalidInput("method: Invalid enum value '\ud800'"))
    assert "\\ud800" in outcome.text
    assert "\\ud800" in outcome.envelope["error"]["message"]
    outcome.text.encode()
    outcome.envelope["error"]["message"].encode()
