from __future__ import annotations

import pytest

from webward.content.conditions import MAX_NESTED, both, media_holds, supports_holds

MEDIA = [
    ("", True),
    ("all", True),
    ("Screen", True),
    ("only screen", True),
    ("print", False),
    ("speech, print", False),
    ("print, screen", True),
    ("not print", True),
    ("not screen", False),
    ("not print and (color)", True),
    ("not screen and (min-width: 2000px)", True),
    ("not screen and (min-width: 800px)", False),
    ("screen and (min-width: 300px)", True),
    ("(min-width: 768px)", None),
    ("(min-width: 62em)", None),
    ("(min-width: 1280px)", None),
    ("(min-width: 1500px)", None),
    ("(min-width: 1921px)", False),
    ("(max-width: 1920px)", True),
    ("(max-width: 1919px)", None),
    ("(max-width: 1280px)", None),
    ("(max-width: 1279px)", False),
    ("(max-width: 767.98px)", False),
    ("(max-device-width: 480px)", False),
    ("(min-width: 640px) and (max-width: 1023px)", False),
    ("(max-width: 600px), (min-width: 300px)", True),
    ("(width >= 768px)", None),
    ("(width > 320px)", None),
    ("(width >= 320px)", True),
    ("(1279px > width)", False),
    ("(300px <= width <= 2000px)", True),
    ("(300px < width < 600px)", False),
    ("(width: 1280px)", None),
    ("(width = 3px)", False),
    ("(min-height: 400px)", True),
    ("(max-height: 400px)", False),
    ("(orientation: landscape)", True),
    ("(orientation: portrait)", False),
    ("(hover: hover) and (pointer: fine)", True),
    ("(hover)", True),
    ("(hover: none)", False),
    ("not (hover: none)", True),
    ("(not (hover: none))", True),
    ("((max-width: 600px) or (hover)) and (color)", True),
    ("(prefers-color-scheme: light)", True),
    ("(prefers-color-scheme: dark)", False),
    ("(prefers-reduced-motion)", False),
    ("(prefers-reduced-motion: reduce)", False),
    ("not (max-width: 600px)", None),
    ("(monochrome)", False),
    ("(-webkit-min-device-pixel-ratio: 0)", True),
    ("(-webkit-min-device-pixel-ratio: 2)", None),
    ("all and (-ms-high-contrast: none), (-ms-high-contrast: active)", False),
    ("(min-aspect-ratio: 1/1)", None),
    ("(min-width: calc(1px * 2))", None),
    ("(shape: round)", None),
    ("(min-width", None),
    ("screen and", True),
    ("(", None),
    ("fn(x)", None),
    ("(" * (MAX_NESTED + 2) + "color", None),
]
SUPPORTS = [
    ("(display: grid)", True),
    ("not (display: grid)", False),
    ("NOT (DISPLAY: GRID)", False),
    ("(display: grid) and (not (display: inline-grid))", False),
    ("(position: sticky) or (position: -webkit-sticky)", True),
    ("not ((mask-image: none) or (-webkit-mask-image: none))", False),
    ("(--a: b)", True),
    ("(-ms-ime-align: auto)", None),
    ("(display: -ms-grid)", None),
    ("(display: new)", False),
    ("not (display: new)", True),
    ("(hovering: over)", None),
    ("selector(:focus-visible)", None),
    ("(display)", None),
]


@pytest.mark.parametrize(("query", "holds"), MEDIA)
def test_media(query: str, holds: bool | None) -> None:  # noqa: FBT001 - a table row
    assert media_holds(query) is holds


@pytest.mark.parametrize(("condition", "holds"), SUPPORTS)
def test_supports(condition: str, holds: bool | None) -> None:  # noqa: FBT001 - a table row
    assert supports_holds(condition) is holds


def test_both() -> None:
    each = (True, None, False)
    assert [[both(first, second) for second in each] for first in each] == [
        [True, None, False],
        [None, None, False],
        [False, False, False],
    ]


@pytest.mark.parametrize(
    "flood", ["(" * 100_000, "not " * 100_000, "(a" * 100_000, "screen," * 100_000, "(" + "x" * 100_000 + ")"]
)
def test_a_flood_is_not_known(flood: str) -> None:
    assert media_holds(flood) in {None, True}
    assert supports_holds(flood) is None
