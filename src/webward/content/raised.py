"""Raised and lowered characters as they are rendered: marked where they would be read as one number with their base."""

from __future__ import annotations

import re

from turbohtml import Element, Text

# An exponent, or the number of a note: 10 to the power of -3 is not 10-3. Letters may be an ordinal (1st, XIXe).
_EXPONENT = re.compile(r"[-+\u2212\u2013]?(?:\d[\d.,]*|[ijkmnpxyzT]|\d*[a-z](?:\s*[-+\u2212\u2013*/]\s*\d*[a-z\d])+)")
_MARK = {"sup": "^", "sub": "_"}
_ADDED = re.compile(r"[-+\u2212\u2013*/]")


def normalize(element: Element) -> None:
    """Mark a power or an index that would be read as digits of its base; links, such as those to notes, stay."""
    text = element.text.strip()
    before = element.previous_sibling
    base = before.data if isinstance(before, Text) else before.text if isinstance(before, Element) else ""
    if not base or not _parts(element.tag, base[-1], text) or element.select_one("a") is not None:
        return
    if len(text) > 1 and _ADDED.search(text, 1):
        element.insert(0, Text("("))
        element.append(Text(")"))
    element.insert_before(Text(_MARK[element.tag]))


def _parts(tag: str, base: str, text: str) -> bool:
    if tag == "sub":
        return base.isdigit() and text.isdigit()
    return (base.isalnum() or base in ")]") and _EXPONENT.fullmatch(text) is not None
