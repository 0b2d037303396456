"""What a caller gives as a value of JSON, as the struct that says what is taken."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from webward.errors import InvalidInput

Input = TypeVar("Input")


def decoded(value: object, kind: type[Input], *, name: str = "the input") -> Input:
    """An input as its struct.

    Args:
        value: What the caller gave.
        kind: The struct.
        name: What the caller knows it as.

    Raises:
        InvalidInput: A key is unknown, missing, of the wrong type or out of its range.
    """
    try:
        return msgspec.convert(value, kind)
    except UnicodeEncodeError:
        raise InvalidInput(f"{name} has a key with a lone surrogate") from None
    except msgspec.ValidationError as error:
        problem, _, place = str(error).partition(" - at `$.")
        raise InvalidInput(f"{place.rstrip('`') or name}: {problem}") from None
