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


def without_many_roots(text: str) -> str:
    """The source with one ``<html>`` and one ``<body>`` tag, if it has them by the hundred.

    Only a sample is looked at: the whole would cost a quarter of the parse. Where it is taken is another place in each
    process (the hash of a text has a key of its own there, PEP 456), so that nobody can write around it.
    """
    starts = (at + hash(f"{at} of {len(text)}") % STRIDE_CHARS for at in range(0, len(text), STRIDE_CHARS))
    sample = text[:SAMPLE_CHARS] + "".join(text[start : start + SAMPLE_CHARS] for start in starts)
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
    if len(tree.select("br")) <= MAX_BREAKS or tree.root is None:
        return
    in_a_row = 0
    surplus: list[turbohtml.Element] = []
    for node in tree.root.descendants:
        if isinstance(node, turbohtml.Text):
            in_a_row = in_a_row if node.data.isspace() else 0
        elif isinstance(node, turbohtml.Element) and node.tag == "br":
            in_a_row += 1
            if in_a_row > LONGEST_RUN:
                surplus.append(node)
    for element in surplus:
        element.decompose()
