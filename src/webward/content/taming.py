"""Pages that make the native parser or renderer slow out of proportion, brought to a form that does not.

Only attackers write them: hundreds of ``<html>`` tags, whose attributes are merged one by one, and thousands of line
breaks with nothing between them, each of which is looked back over.
"""

from __future__ import annotations

import re

import turbohtml

SAMPLE_CHARS = 2_048
STRIDE_CHARS = 16_384
MAX_SAMPLED_ROOTS = 8  # pages have one <html> and one <body>; what is sampled of a page has two at the most
MAX_BREAKS = 3_000  # a page has dozens; so many in a row take a tenth of a second
LONGEST_RUN = 2

_ROOT = re.compile(r"<(?:html|body)(?=[\s/>])[^>]*>", re.IGNORECASE)
_MARK = "\ue0f1"  # private use


def without_many_roots(text: str) -> str:
    """The source with one ``<html>`` and one ``<body>`` tag, if it has them by the hundred.

    Only a sample is looked at: the whole would cost a quarter of the parse.
    """
    sample = "".join(text[at : at + SAMPLE_CHARS] for at in range(0, len(text), STRIDE_CHARS))
    if len(_ROOT.findall(sample)) <= MAX_SAMPLED_ROOTS:
        return text
    seen: set[str] = set()

    def first_only(tag: re.Match[str]) -> str:
        name = tag.group()[1:5].lower()
        is_first = name not in seen
        seen.add(name)
        return tag.group() if is_first else ""

    return _ROOT.sub(first_only, text)


def shorten_breaks(tree: turbohtml.Document) -> None:
    """Leave at most two line breaks in a row, if a page has them by the thousand; whatever is between them stays."""
    breaks = tree.select("br")
    if len(breaks) <= MAX_BREAKS or tree.root is None:
        return
    mark = _MARK
    while mark in tree.root.text:  # so that a page cannot have it
        mark *= 2
    marks = [turbohtml.Text(mark) for _ in breaks]
    for element, node in zip(breaks, marks, strict=True):
        element.insert_before(node)
    before = tree.root.text.split(mark)[: len(breaks)]
    in_a_row = 0
    for element, node, text in zip(breaks, marks, before, strict=True):
        in_a_row = 0 if text.strip() else in_a_row + 1
        node.decompose()
        if in_a_row > LONGEST_RUN:
            element.decompose()
