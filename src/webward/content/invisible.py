"""Characters that a person does not see: which there are, and where a script or an emoji needs one of them.

A run of them is judged by the visible characters on both sides; what nothing visible needs is dropped, so that no
message can travel in it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import KW_ONLY, dataclass
from functools import cache, lru_cache
from itertools import accumulate
from operator import xor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_PLANE_ENDS = "".join(f"{chr(end - 1)}-{chr(end)}" for end in range(0x1FFFF, 0x110000, 0x10000))

CACHED_RUN_CHARS = 8
"""Runs up to this length are judged once between neighbors of the same classes: pages repeat the few of emoji."""

MAX_SOUGHT = 16
"""Different characters that are sought by a pattern of their own; texts with more are rare, and mean to hide."""

RULES = {
    "control-characters": "\x00-\x08\x0e-\x1b\x7f",
    "soft-hyphens": "\xad",
    "bidi-controls": "\u202a-\u202e\u2066-\u2069",
    "bidi-marks": "\u061c\u200e\u200f",
    "zero-width": "\u200b-\u200d\u2060\ufeff\u180e",
    "invisible-operators": "\u2061-\u2065\u206a-\u206f",
    "fillers": "\u115f\u1160\u17b4\u17b5\u034f",
    "variation-selectors": "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef",
    "tag-characters": "\U000e0000-\U000e007f",
    "annotation-marks": "\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a",
    "noncharacters": "\ufdd0-\ufdef\ufffe\uffff" + _PLANE_ENDS,
    "unassigned-invisible": "\ufff0-\ufff8\U000e0080-\U000e00ff\U000e01f0-\U000e0fff",
}
"""Rule to the inside of a character class: Default_Ignorable_Code_Point, controls and noncharacters (Unicode 16)."""

_INVISIBLE = "".join(RULES.values())

MAY_BE_INVISIBLE = _INVISIBLE.replace(_PLANE_ENDS, "") + "\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U0003fffe-\U0010ffff"
"""The inside of a class that holds all of them, and the planes that pages do not use: searched twice as fast."""

# UTS 51: Extended_Pictographic, and the skin tones that may follow it.
_PICTOGRAPH = (
    "\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u2388\u23cf\u23e9-\u23f3\u23f8-\u23fa"
    "\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2605\u2607-\u2612\u2614-\u2685\u2690-\u2705\u2708-\u2712\u2714"
    "\u2716\u271d\u2721\u2728\u2733\u2734\u2744\u2747\u274c\u274e\u2753-\u2755\u2757\u2763-\u2767\u2795-\u2797\u27a1"
    "\u27b0\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001f0ff"
    "\U0001f10d-\U0001f10f\U0001f12f\U0001f16c-\U0001f171\U0001f17e\U0001f17f\U0001f18e\U0001f191-\U0001f19a"
    "\U0001f1ad-\U0001f1e5\U0001f201-\U0001f20f\U0001f21a\U0001f22f\U0001f232-\U0001f23a\U0001f23c-\U0001f23f"
    "\U0001f249-\U0001f3fa\U0001f400-\U0001f53d\U0001f546-\U0001f64f\U0001f680-\U0001f6ff\U0001f774-\U0001f77f"
    "\U0001f7d5-\U0001f7ff\U0001f80c-\U0001f80f\U0001f848-\U0001f84f\U0001f85a-\U0001f85f\U0001f888-\U0001f88f"
    "\U0001f8ae-\U0001f8ff\U0001f90c-\U0001f93a\U0001f93c-\U0001f945\U0001f947-\U0001faff\U0001fc00-\U0001fffd"
)
_SKIN_TONE = "\U0001f3fb-\U0001f3ff"

# RGI_Emoji_Tag_Sequence (emoji-sequences.txt): England, Scotland, Wales. Any other run of tags could spell a message.
_BLACK_FLAG = "\U0001f3f4"
_FLAGS = {"".join(chr(0xE0000 + ord(tag)) for tag in region + "\x7f") for region in ("gbeng", "gbsct", "gbwls")}
_TAG = re.compile(f"[{RULES['tag-characters']}]")

# Scripts whose letters join or stack, where ZWJ and ZWNJ change what is seen (Unicode core specification, 23.2), and
# the marks of Hebrew, whose order they keep.
_JOINING = (
    "\u0591-\u05c7\u0600-\u061b\u061d-\u077f\u07c0-\u07ff\u0840-\u086f\u0870-\u0dff\u0f00-\u109f\u1700-\u17b3"
    "\u17b6-\u180a\u1810-\u18af\u1900-\u1cff\ua840-\ua8ff\ua980-\ua9ff\uaa60-\uaa7f\uaae0-\uaaff\uabc0-\uabff"
    "\ufb50-\ufdcf\ufdf0-\ufdfd\ufe70-\ufefc\U00010a00-\U00011fff\U0001e900-\U0001e95f"
)
# Scripts without spaces, where the zero width space parts words: Thai, Lao, Tibetan, Myanmar, Khmer, Tai.
_UNSPACED = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u1950-\u19df\u1a20-\u1aaf\ua9e0-\ua9ff\uaa60-\uaadf"
_MONGOLIAN = "\u1820-\u18aa"
_HAN = "\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
# StandardizedVariants.txt without Mongolian, Han and emoji.
_VARIED = (
    "0\u1000-\u109f\u2018\u2019\u201c\u201d\u2205\u2229\u222a\u2268\u2269\u2272\u2273\u228a\u228b\u2293-\u2295\u2297"
    "\u229c\u22da\u22db\u2a3c\u2a3d\u2a9d\u2a9e\u2aac\u2aad\u2acb\u2acc\u210b\u2110\u2112\u211b\u212c\u2130\u2131"
    "\u2133\u3001\u3002\uff01\uff0c\uff0e\uff10\uff1a\uff1b\uff1f\ua840-\ua87f\uaa60-\uaa7f\U00010ac0-\U00010aff"
    "\U0001d49c-\U0001d4cf"
)
_HIEROGLYPH = "\U00013000-\U000143fa"


@dataclass(frozen=True, slots=True)
class _Need:
    """One of the characters `kept` is needed where all of its visible neighbors that are given are in these classes."""

    kept: str
    _: KW_ONLY
    before: str = ""
    after: str = ""


# At most one character is kept of each group, whichever of its needs hold.
_NEEDS = (
    (
        _Need("\ufe0e\ufe0f", before=_PICTOGRAPH),
        _Need("\ufe0f", before="0-9#*", after="\u20e3"),
        _Need("\ufe00-\ufe02\U000e0100-\U000e011f", before=_HAN),  # the registered ideographic variations
        _Need("\ufe00\ufe01", before=_VARIED),
        _Need("\ufe00-\ufe06", before=_HIEROGLYPH),
        _Need("\u180b-\u180d\u180f", before=_MONGOLIAN),
    ),
    (
        _Need("\u200d", before=_PICTOGRAPH + _SKIN_TONE, after=_PICTOGRAPH),
        _Need("\u200c\u200d", before=_JOINING),
        _Need("\u200c\u200d", after=_JOINING),
        _Need("\u200b", before=_UNSPACED, after=_UNSPACED),
        _Need("\u180e", before=_MONGOLIAN, after=_MONGOLIAN),
    ),
    (
        _Need("\u034f", before="\u0591-\u05c7"),
        _Need("\u17b4\u17b5", before="\u1780-\u17b3"),
        _Need("\u115f", after="\u1161-\u11a7"),
        _Need("\u1160", before="\u1100-\u115e"),
    ),
    (_Need("\u061c\u200e\u200f"),),  # marks order text of two directions; they cannot hide it
)

_ASKED = (inside for group in _NEEDS for need in group for inside in (need.before, need.after))
_CLASSES = tuple(dict.fromkeys((*_ASKED, _BLACK_FLAG)))
"""What neighbors are told apart by; the empty class is for any."""

_TAGS = "tag-characters"
_NEEDED = "".join(need.kept for group in _NEEDS for need in group)
_NEEDLESS = {rule for rule, inside in RULES.items() if re.search(f"[{inside}]", _NEEDED) is None}
"""Rules without a character that is needed anywhere, but for the tags of a flag."""

_RUN = re.compile(f"[{_INVISIBLE}]+")
_INVISIBLE_CHARACTER = re.compile(f"[{_INVISIBLE}]")
_RULE = re.compile("|".join(f"(?P<{rule.replace('-', '_')}>[{inside}])" for rule, inside in RULES.items()))


def drop_invisible(text: str, report: dict[str, int], *, among: str) -> str:
    """Drop the characters that nobody sees and nothing visible needs, and count them by rule.

    Args:
        text: The text.
        report: Where they are counted.
        among: A part of the text that has all of its invisible characters, the text itself if need be.
    """
    counts = Counter(among)
    rules = {character: _rule_of(character) for character in _INVISIBLE_CHARACTER.findall("".join(counts))}
    needless = _NEEDLESS - {_TAGS} if _BLACK_FLAG in counts else _NEEDLESS
    doubtful = [character for character, rule in rules.items() if rule not in needless]
    text = _without(text, [character for character, rule in rules.items() if rule in needless])
    kept = Counter[str]()
    if doubtful:
        text, kept = _judged(text, doubtful)
    for character, rule in rules.items():
        if dropped := counts[character] - kept[character]:
            report[rule] = report.get(rule, 0) + dropped
    return text


def _rule_of(character: str) -> str:
    found = _RULE.match(character)
    return ((found and found.lastgroup) or "").replace("_", "-")


def _without(text: str, characters: Sequence[str]) -> str:
    if len(characters) > MAX_SOUGHT:
        return text.translate(dict.fromkeys(map(ord, characters)))
    for character in characters:  # ten times as fast as any way that drops several at once
        text = text.replace(character, "")
    return text


def _judged(text: str, present: Sequence[str]) -> tuple[str, Counter[str]]:
    """The text without those characters that nothing needs, and how many of each are left."""
    starts, classes = _table()
    pieces: list[str] = []

    def judged(found: re.Match[str]) -> str:
        start, end = found.span()
        before = classes[bisect_right(starts, text[start - 1 : start]) - 1]
        after = classes[bisect_right(starts, text[end : end + 1]) - 1]
        needed = (_needed_of_short if end - start <= CACHED_RUN_CHARS else _needed)(found[0], before, after)
        pieces.append(needed)
        return needed

    # The few that a page has are found several times faster than all that there are.
    runs = re.compile(f"[{re.escape(''.join(present))}]+") if len(present) <= MAX_SOUGHT else _RUN
    return runs.sub(judged, text), Counter("".join(pieces))


def _needed(run: str, before: int, after: int) -> str:
    """The characters of a run that neighbors of these classes need, in order."""
    places = set()
    for wanted in _wanted(before, after):
        found = wanted.search(run)
        if found:
            places.add(found.start())
    if before & _bit(_BLACK_FLAG) and "".join(_TAG.findall(run)) in _FLAGS:
        places.update(found.start() for found in _TAG.finditer(run))
    return "".join([run[place] for place in sorted(places)])


_needed_of_short = lru_cache(maxsize=1024)(_needed)


@cache
def _wanted(before: int, after: int) -> tuple[re.Pattern[str], ...]:
    """What is needed between neighbors of these classes: one character of each pattern."""
    groups = (
        "".join(need.kept for need in group if before & _bit(need.before) and after & _bit(need.after))
        for group in _NEEDS
    )
    return tuple(re.compile(f"[{inside}]") for inside in groups if inside)


def _bit(inside: str) -> int:
    return 1 << _CLASSES.index(inside)


@cache
def _table() -> tuple[list[str], list[int]]:
    """Where in Unicode other classes begin to hold, and which, as bits; at the edge of a text the empty one does."""
    bounds: dict[str, int] = {"": _bit("")}
    for inside in filter(None, _CLASSES):
        for first, last in re.findall("(.)(?:-(.))?", inside):
            for bound in (first, chr(ord(last or first) + 1)):
                bounds[bound] = bounds.get(bound, 0) ^ _bit(inside)
    starts = sorted(bounds)
    return starts, list(accumulate((bounds[start] for start in starts), xor))
