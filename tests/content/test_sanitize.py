from __future__ import annotations

import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webward.content.invisible import RULES
from webward.content.sanitize import encodable, sanitize_external_text, scrub, without_invisible
from webward.errors import InvalidInput

ZWJ, ZWNJ, ZWSP, VS16 = "\u200d", "\u200c", "\u200b", "\ufe0f"


def tags(text: str) -> str:
    return "".join(chr(0xE0000 + ord(character)) for character in text)


ENGLAND = "\U0001f3f4" + tags("gbeng\x7f")

WHOLE = [
    ("family", f"\U0001f468{ZWJ}\U0001f469{ZWJ}\U0001f467{ZWJ}\U0001f466"),
    ("heart-on-fire", f"\u2764{VS16}{ZWJ}\U0001f525"),
    ("skin-tone", "\U0001f44d\U0001f3fd"),
    ("skin-tone-in-a-sequence", f"\U0001f469\U0001f3fd{ZWJ}\U0001f680"),
    ("rainbow-flag", f"\U0001f3f3{VS16}{ZWJ}\U0001f308"),
    ("pirate-flag", f"\U0001f3f4{ZWJ}\u2620{VS16}"),
    ("country-flag", "\U0001f1fa\U0001f1f3"),
    ("england", ENGLAND),
    ("wales", "\U0001f3f4" + tags("gbwls\x7f")),
    ("keycaps", f"1{VS16}\u20e3#{VS16}\u20e3"),
    ("text-style", "\u2764\ufe0e"),
    ("trademark", f"\u2122{VS16}"),
    ("arabic", "\u0627\u0644\u0633\u0644\u0627\u0645\u064f \u0639\u0644\u064a\u0643\u0645"),
    ("arabic-abbreviation", f"\u0647{ZWJ} 1446"),
    ("persian", f"\u0645\u06cc{ZWNJ}\u062e\u0648\u0627\u0647\u0645"),
    ("persian-latin", f"Wi-Fi{ZWNJ}\u0647\u0627"),
    ("hindi-half-form", f"\u0915\u094d{ZWJ}\u0937"),
    ("hindi-apart", f"\u0915\u094d{ZWNJ}\u0937"),
    ("bengali", f"\u09b0{ZWJ}\u09cd\u09af"),
    ("malayalam-at-the-end", f"\u0d28\u0d4d{ZWJ}"),
    ("sinhala", f"\u0dc1\u0dca{ZWJ}\u0dbb\u0dd3"),
    ("thai", "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35"),
    ("thai-words", f"\u0e2a\u0e27\u0e31\u0e2a{ZWSP}\u0e14\u0e35"),
    ("khmer-words", f"\u1781\u17d2\u1789\u17bb\u17c6{ZWSP}\u1785\u1784\u17cb"),
    ("hebrew-points", "\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd"),
    ("hebrew-mark-order", "\u05d9\u05b0\u034f\u05b7"),
    ("hebrew-in-english", "a \u200f\u05d0!\u200e b"),
    ("mongolian-form", "\u182c\u180b\u1820"),
    ("mongolian-vowel", "\u182d\u180e\u1820"),
    ("old-hangul", "\u115f\u1161\u1112\u119e\u11ab"),
    ("kanji-variant", "\u845b\U000e0100\u98fe"),
    ("empty-set", "\u2229\ufe00"),
    ("private-use", "\ue0a0"),
    ("combining", "e\u0301 Zalg\u0334o\u0337"),
    ("no-break", "a\xa0b\u202fc"),
    ("newline-and-tab", "a\n\tb"),
]


@pytest.mark.parametrize("text", [row[1] for row in WHOLE], ids=[row[0] for row in WHOLE])
def test_what_a_script_or_an_emoji_needs_stays(text: str) -> None:
    scrubbed = scrub(f"x {text} y")

    assert (scrubbed.text, scrubbed.report) == (f"x {text} y", {})


CHANGED = [
    ("tags", "a" + tags("ignore all"), "a", {"tag-characters": 10}),
    ("tags-after-emoji", "\U0001f600" + tags("hi"), "\U0001f600", {"tag-characters": 2}),
    ("flag-cut", "\U0001f3f4" + tags("gbeng"), "\U0001f3f4", {"tag-characters": 5}),
    ("flag-longer", "\U0001f3f4" + tags("gbengx\x7f"), "\U0001f3f4", {"tag-characters": 7}),
    ("flag-of-nothing", "\U0001f3f4" + tags("ussys\x7f"), "\U0001f3f4", {"tag-characters": 6}),
    ("bidi", "a\u202eb\u2066c\u2069", "abc", {"bidi-controls": 3}),
    ("bidi-marks-in-a-row", "a\u200e\u200f\u200eb", "a\u200eb", {"bidi-marks": 2}),
    ("zero-width-space", f"pass{ZWSP}word", "password", {"zero-width": 1}),
    ("joiners-in-latin", f"a{ZWJ}b{ZWNJ}c", "abc", {"zero-width": 2}),
    ("byte-order-mark", "\ufeffa\ufeff", "a", {"zero-width": 2}),
    ("word-joiner", "a\u2060b", "ab", {"zero-width": 1}),
    ("joiners-in-a-row", f"\u0628{ZWNJ}{ZWJ}{ZWNJ}\u0628", f"\u0628{ZWNJ}\u0628", {"zero-width": 2}),
    ("joiner-after-emoji", f"\U0001f600{ZWJ}a", "\U0001f600a", {"zero-width": 1}),
    ("spaces-in-thai", f"\u0e2a{ZWSP}{ZWSP}\u0e14", f"\u0e2a{ZWSP}\u0e14", {"zero-width": 1}),
    ("selectors-in-a-row", f"\u2764{VS16}\ufe00\ufe01", f"\u2764{VS16}", {"variation-selectors": 2}),
    ("selector-after-a-letter", f"a{VS16}", "a", {"variation-selectors": 1}),
    ("selectors-beyond", "\U0001f600\U000e0110\U000e0111", "\U0001f600", {"variation-selectors": 2}),
    ("keycap-without-key", f"1{VS16}2", "12", {"variation-selectors": 1}),
    ("mongolian-space-in-latin", "a\u180eb", "ab", {"zero-width": 1}),
    ("soft-hyphen", "hy\xadphen", "hyphen", {"soft-hyphens": 1}),
    ("operators", "f\u2061(x)", "f(x)", {"invisible-operators": 1}),
    ("fillers-inside", "a\u115f\u1160b\u034f", "ab", {"fillers": 3}),
    ("fillers-that-show-a-blank", "a\u3164b\uffa0c", "a b c", {"fillers": 2}),
    ("noncharacters", "a\ufdd0\uffff\U0010ffff", "a", {"noncharacters": 3}),
    ("annotations", "\ufff9a\ufffab\ufffb", "ab", {"annotation-marks": 3}),
    ("controls", "a\x00\x07\x08b\x7f", "ab", {"control-characters": 4}),
    ("blanks-among-controls", "a\x0bb\x0cc", "a b c", {"control-characters": 2}),
    ("mojibake", "\x93Hello\x94\x85World", " Hello  World", {"c1-controls": 3}),
    ("overwritten", "safe\rrm\r\nx", "safe\nrm\nx", {"carriage-returns": 2}),
    ("surrogates", "a\ud83db\udc00", "a\ufffdb\ufffd", {"surrogates": 2}),
    ("color", "\x1b[1;31mred\x1b[0m", "red", {"terminal-sequences": 2}),
    ("window-title", "a\x1b]0;evil\x07b", "ab", {"terminal-sequences": 1}),
    ("terminal-link", "\x1b]8;;http://evil.test\x1b\\text\x1b]8;;\x1b\\", "text", {"terminal-sequences": 2}),
    ("clipboard", "\x1b]52;c;cm0=\x1b\\", "", {"terminal-sequences": 1}),
    ("sequence-without-end", "\x1b]0;visible words", "]0;visible words", {"terminal-sequences": 1}),
    ("escape-before-a-word", "\x1bcat", "cat", {"terminal-sequences": 1}),
    ("wide-introducer", "\x9b31mred", " 31mred", {"c1-controls": 1}),
]


@pytest.mark.parametrize(("text", "expected", "report"), [row[1:] for row in CHANGED], ids=[row[0] for row in CHANGED])
def test_what_nobody_sees_goes(text: str, expected: str, report: dict[str, int]) -> None:
    scrubbed = scrub(text)

    assert (scrubbed.text, scrubbed.report) == (expected, report)


TOKENS = [
    ("<|im_start|>system", "\u2039|im_start|\u203asystem"),
    ("<|endoftext|>", "\u2039|endoftext|\u203a"),
    ("<|start header id|>", "\u2039|start header id|\u203a"),
    ("<|turn>user", "\u2039|turn\u203auser"),
    ("<turn|>", "\u2039turn|\u203a"),
    ("[INST] x [/INST]", "\u27e6INST\u27e7 x \u27e6/INST\u27e7"),
    ("[ INST ]", "\u27e6 INST \u27e7"),
    ("[TOOL_CALLS]", "\u27e6TOOL_CALLS\u27e7"),
    ("[gMASK]", "\u27e6gMASK\u27e7"),
    ("<<SYS>>x<</SYS>>", "\u2039\u2039SYS\u203a\u203ax\u2039\u2039/SYS\u203a\u203a"),
    ("<s>x</s>", "\u2039s\u203ax\u2039/s\u203a"),
    ("<start_of_turn>", "\u2039start_of_turn\u203a"),
    ("<END_OF_TURN>", "\u2039END_OF_TURN\u203a"),
    ("<think>", "\u2039think\u203a"),
    ("< / think >", "\u2039 / think \u203a"),
    ("</tool_response>", "\u2039/tool_response\u203a"),
    ('<invoke name="x">', '\u2039invoke name="x"\u203a'),
    ("<function=x>", "\u2039function=x\u203a"),
    ("\uff1c\uff5cim_start\uff5c\uff1e", "\u2039\uff5cim_start\uff5c\u203a"),
    ("<\uff5cbegin\u2581of\u2581sentence\uff5c>", "\u2039\uff5cbegin\u2581of\u2581sentence\uff5c\u203a"),
    ("\uff3b\uff29\uff2e\uff33\uff34\uff3d", "\u27e6\uff29\uff2e\uff33\uff34\u27e7"),
    ("[\uff29NST]", "\u27e6\uff29NST\u27e7"),
    ("[\xa0INST\u3000]", "\u27e6\xa0INST\u3000\u27e7"),
    ("<\uff54hink>", "\u2039\uff54hink\u203a"),
    ("< |im_start| >", "\u2039 |im_start| \u203a"),
    (f"<|im{ZWSP}_start|>", "\u2039|im_start|\u203a"),
    (f"<th{ZWNJ}ink>", "\u2039think\u203a"),
    (r"\<|im\_start|>", r"{|im\_start|}".replace("{", "\u2039").replace("}", "\u203a")),
    (r"\[INST\]", "\u27e6INST\u27e7"),
    ("&lt;|im_end|&gt;", "\u2039|im_end|\u203a"),
]


@pytest.mark.parametrize(("text", "expected"), TOKENS, ids=[ascii(row[0]) for row in TOKENS])
def test_control_tokens_are_broken_and_their_words_stay(text: str, expected: str) -> None:
    scrubbed = scrub(f"a {text} b")

    assert scrubbed.text == f"a {expected} b"
    assert scrubbed.report["control-tokens"] >= 1


NO_TOKENS = [
    "a < b and c > d",
    "List<String> Set<S> <T>",
    "<|> <|-|> <||>",
    "x |> f <| y",
    "a <s class=old>b",
    "[inst] [INSTALL] [Think](https://a.test/) [0]",
    "usage: tool [OPTIONS] [ARGS]",
    "<user@example.test> <https://a.test/> <div>",
    "| < | 1 | > |",
    "vec![1, 2]",
]


@pytest.mark.parametrize("text", NO_TOKENS)
def test_what_is_no_control_token_stays(text: str) -> None:
    assert scrub(text).text == text
    assert scrub(text).report == {}


IMAGES = [
    ("inline", "![alt](https://a.test/x.png?q=1)", "[alt](https://a.test/x.png?q=1)", 1),
    ("after-text", "a![b](c)", "a[b](c)", 1),
    ("exclaimed", "Wow!!![b](c)", "Wow!! [b](c)", 1),
    ("nested", "[![a](b)](c)", "[[a](b)](c)", 1),
    ("brackets-in-alt", "![a [b] c](d)", "[a [b] c](d)", 1),
    ("two-lines", "![a\nb](c)", "[a\nb](c)", 1),
    ("reference", "![a][r]\n\n[r]: https://a.test/", "[a][r]\n\n[r]: https://a.test/", 1),
    ("shortcut", "![r]\n\n[r]: https://a.test/", "[r]\n\n[r]: https://a.test/", 1),
    ("escaped", "\\![a](b)", "\\![a](b)", 0),
    ("escaped-backslash", "\\\\![a](b)", "\\\\[a](b)", 1),
    ("macro", "vec![1, 2]; x", "vec![1, 2]; x", 0),
    ("html", "<img src=x> <IMG/onerror=y>", "\u2039img src=x> \u2039IMG/onerror=y>", 2),
    ("no-html-image", "<imgx> <image-set>", "<imgx> \u2039image-set>", 1),
]


@pytest.mark.parametrize(("text", "expected", "count"), [row[1:] for row in IMAGES], ids=[row[0] for row in IMAGES])
def test_images_are_neutralized(text: str, expected: str, count: int) -> None:
    sanitized = sanitize_external_text(text)

    assert sanitized.text == expected
    assert sanitized.report == ({"images": count} if count else {})


@pytest.mark.parametrize(
    ("text", "expected"), [("a\ud800b\udc00", "a\ufffdb\ufffd"), ("a\u200bé", "a\u200bé"), ("", "")]
)
def test_encodable_replaces_lone_surrogates_only(text: str, expected: str) -> None:
    assert encodable(text) == expected


def test_images_stay_when_asked() -> None:
    assert sanitize_external_text("![a](b)", neutralize_images=False).text == "![a](b)"
    assert scrub("![a](b) <img>").text == "![a](b) <img>"


FOLDED = [
    ("  a \t b  ", "a b"),
    ("a\n\n\n\n b", "a\n\nb"),
    ("\n\na\n", "a"),
    ("a\xa0\u3000b\u2003c", "a b c"),
    ("a \n b", "a\nb"),
    (f"a {ZWSP} b", "a b"),
    ("a\u2028b", "a b"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "expected"), FOLDED, ids=[ascii(row[0]) for row in FOLDED])
def test_white_space_is_folded(text: str, expected: str) -> None:
    assert sanitize_external_text(text).text == expected


def test_white_space_stays_when_asked() -> None:
    assert sanitize_external_text(" a \n\n\n b ", fold_whitespace=False).text == " a \n\n\n b "


CUTS: list[tuple[str, int, str, bool]] = [
    ("<imgs>", 4, "\u2039img", True),
    ("hello", 5, "hello", False),
    ("hello", 4, "hell", True),
    ("a b c", 2, "a", True),
    ("xe\u0301y", 2, "x", True),
    (f"x{ENGLAND}", 4, "x", True),
    (f"x\u0628{ZWNJ}\u0628", 3, f"x\u0628{ZWNJ}", True),
]


@pytest.mark.parametrize(("text", "max_chars", "expected", "truncated"), CUTS, ids=[ascii(row[0]) for row in CUTS])
def test_cut(text: str, max_chars: int, expected: str, truncated: Any) -> None:
    sanitized = sanitize_external_text(text, max_chars=max_chars)

    assert (sanitized.text, sanitized.truncated, sanitized.total_chars) == (expected, truncated, len(text))


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(InvalidInput):
        sanitize_external_text("a", max_chars=0)


# What the rules are about, and what stands beside it on pages.
PIECES = [
    *"<>[]|!\\/&;()_ \n\t\r\x1b\x07\x9c\x85\x0c-",
    *"abIs0#\xe9\u0628\u0915\u094d\u0e2a\u1780\u1820\u4e00\u05b0\u1112\u1161\U0001f468\U0001f3f4\u2764\u20e3\U0001f3fd",
    *(
        ZWJ
        + ZWNJ
        + ZWSP
        + VS16
        + "\u180b\u180e\u034f\u115f\u1160\u17b4\u3164\u200e\u200f\u061c\u202e\ufeff\xad\xa0\u2028"
    ),
    *"\ud83d\udc00\uffff\ufffd\U000e0067\U000e007f\U000e0100\uff1c\uff5c\uff1e\uff3b\u2039\u203a\u27e6\u27e7",
    *(
        "<|",
        "|>",
        "im_start",
        "[INST]",
        "<s>",
        "</think>",
        "SYS",
        "![",
        "](",
        "&lt;",
        "&gt;",
        "<img",
        "\x1b[31m",
        "\x1b]0;",
    ),
    *("[r]: x", "\n\n", ENGLAND, tags("gbeng"), "\uff29", "<<", ">>", "<think "),
    *(
        "[SEP]",
        "[|user",
        "|]",
        "]~b]",
        "[e~[",
        ">>TITLE",
        "\uff5cDSML\uff5c",
        "<role>",
        "USER",
        '<|"|>',
        "<pad>",
        "](x)",
    ),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=24).map("".join) | st.text(max_size=40)


@given(TEXTS, st.booleans(), st.booleans(), st.none() | st.integers(1, 30))
@settings(max_examples=1_000, deadline=None)
def test_a_second_pass_changes_nothing(text: str, fold: Any, neutralize: Any, max_chars: int | None) -> None:
    def sanitized(text: str) -> str:
        return sanitize_external_text(
            text, max_chars=max_chars, fold_whitespace=fold, neutralize_images=neutralize
        ).text

    once = sanitized(text)
    assert sanitized(once) == once
    assert sanitize_external_text(once, fold_whitespace=fold, neutralize_images=neutralize).report == {}


@given(TEXTS)
@settings(max_examples=1_000, deadline=None)
def test_the_report_is_empty_if_and_only_if_nothing_changed(text: str) -> None:
    scrubbed = scrub(text)

    assert (scrubbed.report == {}) == (scrubbed.text == text)


@given(TEXTS)
@settings(max_examples=1_000, deadline=None)
def test_no_forbidden_character_is_left(text: str) -> None:
    found = re.findall(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2060-\u2064\ufeff\xad\ud800-\udfff]", scrub(text).text
    )

    assert found == []


WORD = st.from_regex(r"[a-z]{2,8}", fullmatch=True)
NOISE = st.sampled_from(
    [ZWSP, tags("x"), "\u202e", " <|", "|> ", " [INST] ", "\x00", VS16, " \x1b[0m", " ![", "](", "\n", " "]
)


@given(st.lists(st.tuples(WORD, NOISE), max_size=12))
@settings(max_examples=500, deadline=None)
def test_visible_words_stay_in_order(parts: list[tuple[str, str]]) -> None:
    text = "".join(word + noise for word, noise in parts)
    letters = re.sub("[^a-z]", "", re.sub("\x1b\\[0m", "", text))

    assert re.sub("[^a-z]", "", sanitize_external_text(text).text) == letters


def test_rules_do_not_overlap() -> None:
    everything = "".join(map(chr, range(0x110000)))
    found = [character for inside in RULES.values() for character in re.findall(f"[{inside}]", everything)]

    assert len(found) == len(set(found))


HOSTILE = [
    ("zero-width", ZWSP * 500_000),
    ("joined", f"\u0628{ZWNJ}" * 250_000),
    ("emoji", f"\U0001f468{ZWJ}" * 250_000),
    ("selectors", "\u2764" + VS16 * 500_000),
    ("openings", "<|" * 250_000),
    ("angles", "<" * 500_000),
    ("brackets", "[" * 500_000),
    ("spaced-brackets", "[ " * 250_000),
    ("blanks", "[" + " " * 500_000),
    ("nearly-tokens", "<tool_call " * 50_000),
    ("escapes", "\x1b]" * 250_000),
    ("sequences", "\x1b[" + "1" * 500_000),
    ("images", "![" * 250_000),
    ("image-ends", "![a](" * 100_000),
    ("exclamations", "!" * 500_000),
    ("definitions", "[a" * 250_000 + "\n[a]: x"),
    ("lines", "\n" * 500_000),
    ("spaces", " " * 500_000),
    ("surrogates", "\ud800" * 500_000),
    ("wide", "\uff1c\uff5c" * 250_000),
    ("entities", "&lt;" * 125_000),
    ("backslashes", "\\" * 500_000 + "!["),
    ("many-selectors", "".join(chr(0xE0100 + number % 240) for number in range(500_000))),
    ("many-neighbors", "".join(chr(0x4E00 + number % 20_000) + VS16 for number in range(250_000))),
    ("many-runs", "".join(f"a{chr(0xE0020 + number % 95)}" for number in range(250_000))),
    ("long-runs", f"\u0628{VS16}{ZWNJ}{ZWSP}\u034f\xad\u180b\u061c{ZWJ}\u200e{ENGLAND}" * 25_000),
    ("controls", "".join(chr(1 + number % 31) for number in range(500_000))),
    ("mojibake", "".join(chr(0x80 + number % 32) for number in range(500_000))),
    ("nearly-names", "<im_" * 125_000),
    ("nearly-closings", "]~!b" * 125_000),
    ("nearly-headlines", ">>TITLE<" * 60_000),
    ("nearly-roles", "[|user" * 80_000),
    ("marks", "\uff5cDSML\uff5c" * 80_000),
]


@pytest.mark.parametrize("text", [row[1] for row in HOSTILE], ids=[row[0] for row in HOSTILE])
def test_hostile_text_ends_in_linear_time(text: str) -> None:
    started = time.perf_counter()
    sanitize_external_text(text, max_chars=1_000)

    assert time.perf_counter() - started < 10  # quadratic work would take minutes


@pytest.mark.parametrize(
    ("text", "left", "report"),
    [
        ("plain  [INST] <|x|>\r\n\ttext\n\n\n\n", "plain  [INST] <|x|>\r\n\ttext\n\n\n\n", {}),
        ("a\u200bb\u202ec\x00", "abc", {"zero-width": 1, "bidi-controls": 1, "control-characters": 1}),
        (f"a{tags('hidden words')}b", "ab", {"tag-characters": 12}),
        (f"{ENGLAND} \u2764{VS16}{ZWJ}\U0001f525", f"{ENGLAND} \u2764{VS16}{ZWJ}\U0001f525", {}),
        ("![a](b) \ud800", "![a](b) \ufffd", {}),
    ],
)
def test_invisible_characters_alone_go(text: str, left: str, report: dict[str, int]) -> None:
    scrubbed = without_invisible(text)
    assert (scrubbed.text, scrubbed.report) == (left, report)
