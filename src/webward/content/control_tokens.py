"""Control tokens of chat templates in page text: broken so that no tokenizer takes them for its own.

Only their brackets change, to look-alikes; the words stay. Wide, spaced, escaped and entity spellings count too, and
code is no exception: a tokenizer finds `</s>` in any text. Left alone is what begins no turn, call or thought and is a
word of pages as well: `<image>` and `[IMG]`, `<filename>`, `[ARGS]`.
"""

from __future__ import annotations

import re

# White space that is passed over inside a token is what a look-alike needs, bounded so that matching stays linear.
_SPACES = r"\s{0,3}+"
_BAR = r"\\?\|"
_LESS = r"(?:\\?<|&lt;)"
_GREATER = r"(?:\\?>|&gt;)"
# The substitutes are left out: else a token around a broken one would be found at a second look only.
_INSIDE = r"[^<>|\n\u2039\u203a\u27e6\u27e7]"


def _any_of(*names: str) -> str:
    return "|".join(names).replace("_", r"(?:\\?_|\s)")


# Between < and >, a slash apart, and nothing else; in small letters or capitals, but not as types are written. What
# stands between bars, as of most chat templates, needs no list.
_NAMES = _any_of(
    "bos|eos|pad|unk|mask|cls|sep|endoftext",  # SentencePiece, BERT, XLNet, T5 and all that came of them
    "(?:bos|eos|eop|mask)_token",  # Command R
    "(?:begin|start|end)_of_(?:text|sentence|turn|image|audio|utterance|tool_response)",  # Gemma, SmolVLM
    "(?:image|audio)_soft_token|2mass",  # Gemma
    "sop|eop|eod|eoh|eoa|eom|eot",  # GLM, InternLM, XLNet, Llama
    "fim_(?:prefix|middle|suffix|pad)|file_sep|repo_name|reponame|gh_stars|empty_output",  # StarCoder, Qwen
    "issue_(?:start|comment|closed)|commit_(?:before|msg|after)|jupyter_(?:start|text|code|output|script)",  # StarCoder
    r"fake_token_around_image|global-img|row_\d{1,2}_col_\d{1,2}",  # SmolVLM
    r"im_(?:start|end|patch|col)|img_context|loc\d{4}|seg\d{3}",  # LLaVA, StepFun, InternVL, PaliGemma
    "available_tools|toolcall",  # Nemotron
    "arg_(?:key|value)",  # GLM
    r"extra_id_\d{1,3}|unused_?\d{1,4}|tokens_unused_\d{1,4}|mask_?\d{1,3}",  # T5, Gemma, InternLM, Pegasus
    r"(?:reserved_)?special_token_\d{1,4}|special_?\d{1,4}|reserved_\d{1,4}",  # Llama, Mistral, Nemotron, Baichuan
)
# As above, and with attributes, too: what the templates of thoughts and calls give them.
_TAGS = _any_of(
    "think(?:ing)?|thought|reasoning",
    "tool_(?:calls?|responses?|results?|outputs?|use|sep|declaration)|function_(?:calls?|results?|response)",
    "function(?==)|parameter(?==)|invoke",
    r"(?:antml|minimax|seed):[\w\\]{1,30}",
)
# Upper case only: lower case is another word.
_EXACT = rf"AI|\u7528\u6237|role{_GREATER}(?:ASSISTANT|HUMAN|OBSERVATION|SYSTEM|TOOL|USER){_LESS}/role"  # MiniCPM, Ling
# In square brackets: upper case only, since lower case is mostly a link's text or part of a synopsis.
_SQUARE_NAMES = _any_of(
    "INST|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|AVAILABLE_TOOLS|SYSTEM_PROMPT|MODEL_SETTINGS|THINK|CALL_ID",  # Mistral
    "IMG_BREAK|IMG_END|BEGIN_AUDIO|TRANSCRIBE|STREAMING_PAD|STREAMING_WORD",  # Mistral
    "[gs]MASK",  # GLM
    "BEGIN_FINAL_RESPONSE|END_FINAL_RESPONSE",  # Apriel
    r"UNUSED_TOKEN_\d{1,4}",  # InternLM
)
# BERT, Grok, Kimi, Yandex: words that pages use as well, and so without blanks around them.
_SQUARE_WORDS = "BOS|EOS|EOT|CLS|SEP|PAD|UNK|MASK|@BOS@"
_HEADLINES = "TITLE|ABSTRACT|INTRODUCTION|SUMMARY|COMMENT|ANSWER|QUESTION|DOMAIN|PREFIX|SUFFIX|MIDDLE"  # Falcon

# Most of what begins with < is none of them, and is passed over at once.
_ELEMENT = r"/?(?:a|div|span|li|p|t[dhr]|img|[ou]l|br|h[1-6]|i|b|strong|em|d[dlt]|code|section|path|use|svg)[\s>/]"
_NAMED = rf"s|(?![A-Z][a-z])(?i:{_NAMES})/?|(?i:{_TAGS})(?:[\s=:]{_INSIDE}{{0,100}})?/?"
_ONE = "|".join(
    (
        rf"{_SPACES}{_BAR}{_INSIDE}{{1,64}}{_BAR}{_SPACES}{_GREATER}",  # <|im_start|>
        rf"{_BAR}[\w\\]{{2,40}}{_GREATER}",  # <|turn>
        rf"[\w\\]{{2,40}}{_BAR}{_GREATER}",  # <turn|>
        rf"{_SPACES}/?{_SPACES}(?:{_NAMED}){_SPACES}{_GREATER}",
        rf"(?:{_EXACT}){_GREATER}",
    )
)
_TWO = rf"{_SPACES}{_LESS}{_SPACES}/?{_SPACES}SYS{_SPACES}{_GREATER}{_SPACES}{_GREATER}"  # <<SYS>>
_ANGLE = rf"{_TWO}|(?!\\?<|{_ELEMENT})(?:{_ONE})"
_SQUARE = "|".join(
    (
        rf"{_SPACES}/?{_SPACES}(?:{_SQUARE_NAMES}){_SPACES}\\?\]",
        rf"/?(?:{_SQUARE_WORDS})\\?\]",
        rf"{_BAR}[a-z_\\]{{1,20}}{_BAR}\\?\]",  # [|assistant|] of EXAONE
        r"e\\?~\\?\[",  # of MiniMax, as is ]~b] below
    )
)
_CLOSING = r"\\?~(?:\\?!)?b\\?[\[\]]"
_HEADLINE = rf"{_GREATER}(?:{_HEADLINES}){_LESS}{_LESS}"

# The set in front makes the search skip fast; what it took is asked for again behind it.
_TOKEN = re.compile(
    rf"[\\<>&\[\]](?:(?:(?<=<)|(?<=\\)<|(?<=&)lt;)(?:{_ANGLE})|(?:(?<=\[)|(?<=\\)\[)(?:{_SQUARE})"
    rf"|(?:(?<=\])|(?<=\\)\]){_CLOSING}|(?:(?<=>)|(?<=\\)>|(?<=&)gt;){_HEADLINE})",
)

# By what they begin with: a literal is found much faster than a set.
_ANGLE_START = re.compile(f"<(?:{_ANGLE})")
_ENTITY_START = re.compile(rf"&(?:lt;(?:{_ANGLE})|gt;{_HEADLINE})")
_SQUARE_START = re.compile(rf"\[(?:{_SQUARE})")
_CLOSING_START = re.compile(rf"\]{_CLOSING}")
_HEADLINE_START = re.compile(f">{_HEADLINE}")
# What is left of square tokens without small letters, digits and most signs.
_SQUARE_CAPITALS = re.compile(
    r"\[\s*(?:INST|TOOL|AVAIL|SYSTEM|MODEL|THINK|CALL|IMG|BEGIN|END|TRANS|STREAM|UNUSED|MASK"
    r"|@?BOS|EOS|EOT|CLS|SEP|PAD|UNK|\||~)"
)

# Spellings that fold to ASCII one for one (NFKC), and the block that some tokens have for a blank.
_WIDE = {0xFEE0 + code: code for code in range(0x21, 0x7F)} | {0xFE64: 0x3C, 0xFE65: 0x3E, 0x2581: 0x5F}
_WIDE_CHARACTER = re.compile("[\u2581\ufe64\ufe65\uff01-\uff5e]")
_WIDE_INSIDE = re.compile("[\uff0f\uff1e\uff3d\uff3f\uff41-\uff5a\uff5c\ufe65\u2581]")
_MARKUP_MARK = "\uff5cDSML\uff5c"  # of DeepSeek, within the brackets of its tags
_BROKEN_MARK = "\xa6DSML\xa6"

_BRACKET = re.compile(r"\\?[<>\[\]\uff1c\ufe64\uff1e\ufe65\uff3b\uff3d]|&lt;|&gt;")
_SUBSTITUTES = dict.fromkeys(("<", "\uff1c", "\ufe64", "&lt;"), "\u2039") | dict.fromkeys(
    (">", "\uff1e", "\ufe65", "&gt;"), "\u203a"
)
_SUBSTITUTES |= dict.fromkeys("[\uff3b", "\u27e6") | dict.fromkeys("]\uff3d", "\u27e7")
_WORD = re.compile(rf"\[(?:{_SQUARE_WORDS})\]")
_QUOTE = '<|"|>'


def may_hold_token(text: str, rest: str) -> bool:
    """Whether a closer look is due.

    Args:
        text: The text.
        rest: What is in it beside small letters, digits, blanks and the signs that no token begins with.
    """
    return bool(
        ("[" in rest and _SQUARE_CAPITALS.search(rest) and _SQUARE_START.search(text))
        or ("<" in rest and (_WIDE_INSIDE.search(rest) or _ANGLE_START.search(text)))
        or ("<" in rest and ">>" in text and _HEADLINE_START.search(text))
        or ("&;" in rest and _ENTITY_START.search(text))
        or ("~" in rest and _CLOSING_START.search(text))
        or _MARKUP_MARK in rest
    )


def break_control_tokens(text: str, report: dict[str, int]) -> str:
    """Put look-alikes for the brackets of control tokens, and count the tokens."""
    marks = text.count(_MARKUP_MARK)
    if marks:
        text = text.replace(_MARKUP_MARK, _BROKEN_MARK)
    folded = text.translate(_WIDE) if _WIDE_CHARACTER.search(text) else text
    pieces: list[str] = []
    end = 0
    for found in _TOKEN.finditer(folded):
        if _is_ornament(found[0]):
            continue
        pieces += (text[end : found.start()], _broken(text, found))
        end = found.end()
    if marks or pieces:
        report["control-tokens"] = marks + len(pieces) // 2
    return "".join(pieces) + text[end:] if pieces else text


def _is_ornament(token: str) -> bool:
    """Whether it is but an operator, such as ``<|-|>``; what Gemma puts around texts has no letters either."""
    return not any(map(str.isalpha, token)) and token.replace("\\", "") != _QUOTE


def _broken(text: str, found: re.Match[str]) -> str:
    token = text[found.start() : found.end()]
    if text[found.end() : found.end() + 1] == "(" and _WORD.fullmatch(token):  # the text of a link stays one
        return "[ " + token[1:]
    return _BRACKET.sub(_substitute, token)


def _substitute(bracket: re.Match[str]) -> str:
    return _SUBSTITUTES[bracket[0].removeprefix("\\")]
