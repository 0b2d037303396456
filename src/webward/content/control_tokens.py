"""Control tokens of chat templates in page text: broken so that no tokenizer takes them for its own.

Only their brackets change, to look-alikes; the words stay. Wide, spaced, escaped and entity spellings count too.
"""

from __future__ import annotations

import re

# White space that is passed over inside a token is what a look-alike needs, bounded so that matching stays linear.
_SPACES = r"\s{0,3}"
_BAR = r"\\?\|"
_LESS = r"(?:\\?<|&lt;)"
_GREATER = r"(?:\\?>|&gt;)"
# The substitutes are left out: else a token around a broken one would be found at a second look only.
_INSIDE = r"[^<>|\n\u2039\u203a\u27e6\u27e7]"

# Names between < and > that chat templates give a meaning; closing ones and those with attributes too.
_ANGLE_NAMES = (
    r"bos|eos|pad|unk|endoftext|(?:begin|start|end)_of_(?:text|sentence|turn|image|audio)|think(?:ing)?|thought|reasoning"
    r"|tool_(?:calls?|responses?|results?|outputs?|use|declaration)|function_(?:calls?|results?|response)|function(?==)"
    r"|parameter(?==)|invoke|fim_(?:prefix|middle|suffix|pad)|file_sep|repo_name|extra_id_\d{1,3}|unused_?\d{1,4}"
    r"|(?:reserved_)?special_token_\d{1,4}|seed:\w{1,20}|minimax:\w{1,20}"
).replace("_", r"(?:\\?_|\s)")
# Names in square brackets: upper case only, since lower case is mostly a link's text or part of a synopsis.
_SQUARE_NAMES = (
    r"INST|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|AVAILABLE_TOOLS|SYSTEM_PROMPT|MODEL_SETTINGS|THINK|CALL_ID|BOS|EOS|gMASK"
).replace("_", r"(?:\\?_|\s)")

_ANGLE = "|".join(
    (
        rf"{_SPACES}{_BAR}{_INSIDE}{{1,64}}{_BAR}{_SPACES}{_GREATER}",  # <|im_start|>
        rf"{_BAR}[\w\\]{{2,40}}{_GREATER}",  # <|turn>
        rf"[\w\\]{{2,40}}{_BAR}{_GREATER}",  # <turn|>
        rf"{_SPACES}/?{_SPACES}s{_SPACES}{_GREATER}",
        rf"{_SPACES}/?{_SPACES}(?i:{_ANGLE_NAMES})(?:[\s=:]{_INSIDE}{{0,100}})?/?{_SPACES}{_GREATER}",
        rf"{_SPACES}{_LESS}{_SPACES}/?{_SPACES}SYS{_SPACES}{_GREATER}{_SPACES}{_GREATER}",  # <<SYS>>
    )
)
_SQUARE = rf"{_SPACES}/?{_SPACES}(?:{_SQUARE_NAMES}){_SPACES}\\?\]"

# The set in front makes the search skip fast; what it took is asked for again behind it.
_TOKEN = re.compile(
    rf"[\\<&\[](?:(?:(?<=<)|(?<=\\)<|(?<=&)lt;)(?:{_ANGLE})|(?:(?<=\[)|(?<=\\)\[){_SQUARE})",
)

ANGLE_TOKEN = re.compile(f"<(?:{_ANGLE})")
"""The tokens that begin with ``<``: a literal is found much faster than a set."""
_STARTS = (ANGLE_TOKEN, re.compile(rf"\[{_SQUARE}"), re.compile(f"&lt;(?:{_ANGLE})"))

# Spellings that fold to ASCII one for one (NFKC), and the block that some tokens have for a blank.
_WIDE = {0xFEE0 + code: code for code in range(0x21, 0x7F)} | {0xFE64: 0x3C, 0xFE65: 0x3E, 0x2581: 0x5F}
_WIDE_CHARACTER = re.compile("[\u2581\ufe64\ufe65\uff01-\uff5e]")

_BRACKET = re.compile(r"\\?[<>\[\]\uff1c\ufe64\uff1e\ufe65\uff3b\uff3d]|&lt;|&gt;")
_SUBSTITUTES = dict.fromkeys(("<", "\uff1c", "\ufe64", "&lt;"), "\u2039") | dict.fromkeys(
    (">", "\uff1e", "\ufe65", "&gt;"), "\u203a"
)
_SUBSTITUTES |= dict.fromkeys("[\uff3b", "\u27e6") | dict.fromkeys("]\uff3d", "\u27e7")


def break_control_tokens(text: str, report: dict[str, int]) -> str:
    """Put look-alikes for the brackets of control tokens, and count the tokens."""
    folded = text.translate(_WIDE) if _WIDE_CHARACTER.search(text) else text
    if not any(start.search(folded) for start in _STARTS):
        return text
    pieces: list[str] = []
    end = 0
    for found in _TOKEN.finditer(folded):
        if not any(map(str.isalpha, found[0])):  # an operator or an ornament, such as <|-|>
            continue
        pieces += (text[end : found.start()], _BRACKET.sub(_substitute, text[found.start() : found.end()]))
        end = found.end()
    if not pieces:
        return text
    report["control-tokens"] = len(pieces) // 2
    return "".join(pieces) + text[end:]


def _substitute(bracket: re.Match[str]) -> str:
    return _SUBSTITUTES[bracket[0].removeprefix("\\")]
