from __future__ import annotations

import pytest
from msgspec import Struct

from webward.contracts.inputs import decoded
from webward.errors import InvalidInput


class Given(Struct, forbid_unknown_fields=True):
    number: int = 0


def test_an_input_becomes_its_struct() -> None:
    assert decoded({"number": 1}, Given) == Given(1)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"number": "1"}, "number: Expected `int`, got `str`"),
        ({"other": 1}, "the input: Object contains unknown field `other`"),
        ([], "the input: Expected `object`, got `array`"),
        ({"\ud800": 1}, "the input has a key with a lone surrogate"),
    ],
)
def test_what_is_wrong_is_told(value: object, problem: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        decoded(value, Given)
    assert caught.value.message == problem
