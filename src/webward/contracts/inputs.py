"""What a caller gives as a value of JSON, as the struct that says what is taken."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from webward.errors import InvalidInput

Input = TypeVar("Input")


def decoded(value: object, kind: type[Input]) -> Input:
    """An input as its struct.

    Raises:
        InvalidInput: A key is unknown, missing, of the wrong type or out of its range.
    """
    try:
        return msgspec.convert(value, kind)
    except UnicodeEncodeError:
        raise InvalidInput("the input has a key with a lone surrogate") from None
    except msgspec.ValidationError as error:
        problem, _, place = str(error).partition(" - at `$.")
        raise InvalidInput(f"{place.rstrip('`') or 'the input'}: {problem}") from None
