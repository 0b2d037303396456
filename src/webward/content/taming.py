"""Pages that make the native parser or renderer slow or large out of proportion, brought to a form that does not.

Only attackers write them: hundreds of ``<html>`` tags, whose attributes are merged one by one; emphases that are never
closed, which begin anew in every paragraph; thousands of line breaks with nothing between them, each of which is looked
back over.
"""

from __future__ import annotations

import re

import turbohtml

SAMPLE_CHARS = 2_048
STRIDE_CHARS = 16_384
MAX_SAMPLED_ROOTS = 8  # pages have one <html> and one <body>; what is sampled of a page has two at the most
MAX_BREAKS = 3_000  # a page has dozens; so many in a row take a tenth of a second
LONGEST_RUN = 2

MAX_REOPENED = 2_000_000
"""Elements that emphases left open may add to a page: 200 MB, as for the longest page that is read by default."""

MAX_NESTING = 512  # the parser nests no deeper, so no paragraph begins with more of them
COUNTED_CHARS = 65_536  # of a source whose tags are counted; those of a longer one are estimated, up to half too low

_BLANK = r"[ \t\n\f\r]"
_EMPHASIS = r"(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)"
# A tag that has one meaning only: no stray quote can move its end.
_REST = rf"""(?:{_BLANK}++[a-z][\w:.-]*+(?:=(?:"[^"<>]*+"|'[^'<>]*+'|[^ \t\n\f\r"'<>=`]++))?+)*+{_BLANK}*+/?>"""
_LINE_TAG = rf"</?(?:a|abbr|br|cite|img|span|sub|sup|time|wbr|svg|g|path|use){_REST}"
_SHORT = rf"<({_EMPHASIS}){_REST}[^<]*+</\2>"
_LEFT_OPEN = re.compile(
    "<(?=[bcefinstuBCEFINSTU])"
    rf"(?i:({_EMPHASIS})(?=[ \t\n\f\r/>])(?!{_REST}(?:[^<]++|{_LINE_TAG}|{_SHORT}){{0,50}}+</\1>))"
)
_ROOT = re.compile(r"<(?:html|body)(?=[\s/>])[^>]*>", re.IGNORECASE)


def tame(text: str, *, max_reopened: int = MAX_REOPENED) -> str:
    """The source of a page, or of a part of one, in a form that can be parsed: nearly always as it is.

    Only a sample is looked at, as the whole would cost a quarter of the parse. Where it is taken is another place in
    each process (the hash of a text has a key of its own there, PEP 456), so that nobody can write around it.

    Args:
        text: The source.
        max_reopened: Elements that emphases left open may add.
    """
    starts = (at + hash(f"{at} of {len(text)}") % STRIDE_CHARS for at in range(0, len(text), STRIDE_CHARS))
    sample = text[:SAMPLE_CHARS] + "".join([text[start : start + SAMPLE_CHARS] for start in starts])
    if len(_ROOT.findall(sample)) > MAX_SAMPLED_ROOTS:
        text = _without_many_roots(text)
    is_long = len(text) > COUNTED_CHARS
    tags = sample.count("<") * len(text) // len(sample) if is_long else text.count("<")
    return _without_open_emphases(text, tags, max_reopened) if tags * MAX_NESTING > max_reopened else text


def _without_many_roots(text: str) -> str:
    """The source with one ``<html>`` and one ``<body>`` tag."""
    seen: set[str] = set()

    def first_only(tag: re.Match[str]) -> str:
        name = tag.group()[1:5].lower()
        is_first = name not in seen
        seen.add(name)
        return tag.group() if is_first else ""

    return _ROOT.sub(first_only, text)


def _without_open_emphases(text: str, tags: int, max_reopened: int) -> str:
    """The source with plain spans for the emphases that may be left open, if they could make too many elements.

    One that is not closed is begun anew in each paragraph that follows (HTML standard, "reconstruct the active
    formatting elements"): a few hundred of them and ten thousand paragraphs are 100 kB, and gigabytes once parsed. What
    is closed at once counts as closed; anything less plain does not, since an end tag may be part of a comment.
    """
    return _LEFT_OPEN.sub("<span", text) if len(_LEFT_OPEN.findall(text)) * tags > max_reopened else text


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
