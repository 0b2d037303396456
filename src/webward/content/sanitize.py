"""Text from outside to text that is safe to hand to a model: what nobody sees goes, and control tokens are broken.

Visible words are never deleted, whatever they say: no filter can tell a harmful sentence from a quoted one.
"""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass

from webward.content.control_tokens import break_control_tokens, may_hold_token
from webward.content.invisible import MAY_BE_INVISIBLE, drop_invisible
from webward.content.window import cut

MAX_SEQUENCE_CHARS = 1_000
"""Body of a terminal sequence (a title, a link target); what is longer is text that follows a stray introducer."""

_BODY = rf"[^\x07\x1b\x9c\n]{{0,{MAX_SEQUENCE_CHARS}}}"
_REPLACED = (
    # ECMA-48: CSI; OSC, DCS, SOS, PM, APC up to their end; the usual short ones. Of others ESC alone goes, since what
    # follows it is shown by everything but a terminal.
    (
        "terminal-sequences",
        re.compile(
            rf"\x1b(?:\[[0-?]{{0,100}}[ -/]{{0,10}}[@-~]|[\]PX^_]{_BODY}(?:\x07|\x1b\\|\x9c)|[()][AB0]|[78=>])?"
        ),
        "",
    ),
    ("carriage-returns", re.compile(r"\r\n?"), "\n"),  # alone it makes a terminal write over what it showed
    ("control-characters", re.compile("[\x0b\x0c\x1c-\x1f]"), " "),
    # Mostly punctuation of Windows-1252 read as Latin-1; its 8-bit sequences end with their introducer.
    ("c1-controls", re.compile("[\x80-\x9f]"), " "),
    ("surrogates", re.compile("[\ud800-\udfff]"), "\ufffd"),
    ("fillers", re.compile("[\u3164\uffa0]"), " "),  # letters that show as a blank
)

# What plain pages consist of, so that deleting it leaves little to look at; capitals stay to show [INST], and so on.
_ORDINARY = bytes({9, 10, *range(0x20, 0x7F)} - set(b"<[&;|~") - set(range(0x41, 0x5B)))
_WIDE_STARTS = "\uff1c\ufe64\uff3b\uff21-\uff3a\uff47"
_REPLACED_STARTS = "\x0b\x0c\x0d\x1b-\x1f\x80-\x9f\ud800-\udfff\u3164\uffa0"
_REPLACED_START = re.compile(f"[{_REPLACED_STARTS}]")
_SUSPECT = re.compile(f"[{MAY_BE_INVISIBLE}{_WIDE_STARTS}{_REPLACED_STARTS}]")
_WIDE_START = re.compile(f"[{_WIDE_STARTS}]")
_TOKEN_MARKS = ("<", "[", "~", "&lt;")

_IMAGE_START = re.compile(r"\\.|!+(?=\[)", re.DOTALL)
_PARAGRAPH_END = re.compile(r"(\n[^\S\n]*\n)")
_REFERENCE = re.compile(r"^ {0,3}\[[^\]\n]{1,999}\]:", re.MULTILINE)
_HTML_IMAGE = re.compile(r"\\?<(?=(?:img|image|picture)\b)", re.IGNORECASE)
_SURROGATE = re.compile("[\ud800-\udfff]")
_MANY_NEWLINES = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """Text with what was done to it.

    Attributes:
        text: The text.
        report: How many characters were dropped or replaced, and tokens broken, by rule; empty for most pages.
    """

    text: str
    _: KW_ONLY
    report: dict[str, int]


@dataclass(frozen=True, slots=True)
class SanitizedText:
    """Text that is safe to hand to a model, with what was done to it.

    Attributes:
        text: The text.
        report: How many characters were dropped or replaced, and tokens and images broken, by rule.
        truncated: Whether it was cut at the limit.
        total_chars: Length before the cut, in characters (code points).
    """

    text: str
    _: KW_ONLY
    report: dict[str, int]
    truncated: bool
    total_chars: int


def scrub(text: str) -> Scrubbed:
    """Drop invisible characters and terminal sequences, and break control tokens of chat templates.

    As `sanitize_external_text`, but white space, length and images stay: for renditions that we made ourselves.
    """
    report: dict[str, int] = {}
    if text.isascii() and text.isprintable() and not any(mark in text for mark in _TOKEN_MARKS):  # a title, a name
        return Scrubbed(text, report=report)
    return Scrubbed(_scrubbed(text, report, fold_whitespace=False), report=report)


def without_invisible(text: str) -> Scrubbed:
    """Drop the characters that nobody sees and nothing visible needs; all others stay as they are."""
    report: dict[str, int] = {}
    text = encodable(text)
    if not (text.isascii() and text.isprintable()):
        text = drop_invisible(text, report, among=_extraordinary(text))
    return Scrubbed(text, report=report)


def encodable(text: str) -> str:
    """The text without lone surrogates, which nobody can write as UTF-8; all that is done where nothing else is."""
    try:
        text.encode()  # the quickest search there is for them
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def sanitize_external_text(
    text: str, *, max_chars: int | None = None, fold_whitespace: bool = True, neutralize_images: bool = True
) -> SanitizedText:
    """Make text from outside safe to hand to a model.

    Characters that nobody sees are dropped, but for those that a script or an emoji needs; controls and terminal
    sequences go; control tokens of chat templates get look-alike brackets; Markdown images become plain links, and
    HTML ones text, so that showing the text requests nothing. Visible words always stay. Any string is taken, and a
    second pass over a result changes nothing.

    Args:
        text: The text.
        max_chars: Length to cut at, in characters (code points), never inside one that a person sees as one.
        fold_whitespace: Whether blanks become single spaces, and more than one empty line becomes one.
        neutralize_images: Whether images become links.

    Raises:
        InvalidInput: ``max_chars`` is below 1.
    """
    report: dict[str, int] = {}
    text = _scrubbed(text, report, fold_whitespace=fold_whitespace)
    if neutralize_images:
        text = _without_images(text, report)
    window = cut(text, start=0, max_chars=max_chars)
    kept = window.text
    if window.next_start is not None:  # at the cut, marks lose what needed them, and "<images" becomes "<image"
        kept = drop_invisible(kept, {}, among=kept)
        kept = _folded(kept) if fold_whitespace else kept
        kept = _without_images(kept, {}) if neutralize_images else kept
    return SanitizedText(kept, report=report, truncated=window.next_start is not None, total_chars=window.total_chars)


def _scrubbed(text: str, report: dict[str, int], *, fold_whitespace: bool) -> str:
    rest = _extraordinary(text)
    is_suspect = _SUSPECT.search(rest) is not None
    if is_suspect:
        if _REPLACED_START.search(rest):
            text = _without_controls(text, report)
            rest = _extraordinary(text)
        text = drop_invisible(text, report, among=rest)
        rest = _extraordinary(text)
    if fold_whitespace:
        text = _folded(text)
    is_wide = is_suspect and _WIDE_START.search(rest) is not None
    return break_control_tokens(text, report) if is_wide or may_hold_token(text, rest) else text


def _extraordinary(text: str) -> str:
    """What is left of a text without its ordinary characters, a few of a page: deleting is faster than searching."""
    return text.encode("utf-8", "surrogatepass").translate(None, _ORDINARY).decode("utf-8", "surrogatepass")


def _without_controls(text: str, report: dict[str, int]) -> str:
    for rule, pattern, replacement in _REPLACED:
        text, count = pattern.subn(replacement, text)
        if count:
            report[rule] = report.get(rule, 0) + count
    return text


def _folded(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return _MANY_NEWLINES.sub("\n\n", "\n".join(lines)).strip("\n")


def _without_images(text: str, report: dict[str, int]) -> str:
    """Take the ``!`` from Markdown images and the bracket from HTML ones."""
    images = 0
    if "![" in text:
        is_referring = _REFERENCE.search(text) is not None
        pieces = []
        for paragraph in _PARAGRAPH_END.split(text):
            end = len(paragraph) if is_referring else max(paragraph.rfind("]("), paragraph.rfind("]["))
            piece, count = _without_marks(paragraph, end)
            pieces.append(piece)
            images += count
        text = "".join(pieces)
    text, elements = _HTML_IMAGE.subn("\u2039", text)
    if images + elements:
        report["images"] = images + elements
    return text


def _without_marks(paragraph: str, end: int) -> tuple[str, int]:
    """Unmake the images that begin before `end`; one ``!`` more before an image was punctuation, and stays so."""
    count = 0

    def unmade(found: re.Match[str]) -> str:
        nonlocal count
        if not found[0].startswith("!") or found.start() > end:
            return found[0]
        count += 1
        return found[0][1:] + " " if len(found[0]) > 1 else ""

    return (_IMAGE_START.sub(unmade, paragraph) if "![" in paragraph else paragraph), count
