"""Code blocks as they are rendered: what is code stays line by line, with its language; what only looks so is text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Element, Text

if TYPE_CHECKING:
    from turbohtml import Node

_TEXT_BLOCKS = "h1, h2, h3, h4, h5, h6, p, table, ul, ol, dl, blockquote, figure"

_SPANS = frozenset({"code", "kbd", "samp"})

WRAPPER_LEVELS = 3
"""How far above a code block the class is looked for that names its language; highlighters wrap it once or twice."""

MAX_CLASS_CHARS = 500
"""Of an element, in which a language is looked for."""

_LANGUAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9+#._-]{0,31}")
# What highlighters write into classes: "language-rust", "lang-rust", "highlight-source-rust", "brush: rust".
_PREFIXED = re.compile(r"(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source-|text-)?|brush:\s*)([^\s;]+)", re.IGNORECASE)
_AFTER_MARK = re.compile(r"(?:^|\s)(?:hljs|sourceCode|chroma|shiki)\s+([^\s;]+)")
_LANGUAGE_ATTRIBUTES = ("data-lang", "data-language", "data-code-language")
_NO_LANGUAGES = frozenset(
    {"none", "plain", "default", "text", "source", "code", "block", "wrapper", "hljs", "linenums"}
)


def normalize(block: Element) -> None:
    """Unwrap what is no code, or none at all, and name the language of what is.

    Code blocks are given in document order. Of those in one another the outer one settles what the inner ones are, so
    that none of their content is searched for each of them.
    """
    text_block = block.select_one(_TEXT_BLOCKS)
    if text_block is None and not block.text.strip():
        block.tag = "div"
        return
    if text_block is not None:
        block.tag = "div"
        for holder in text_block.ancestors:
            if holder == block:
                break
            if isinstance(holder, Element) and holder.tag == "pre":
                holder.tag = "div"
        return
    for inner in block.select("pre"):
        inner.tag = "div"
    outer = block.parent
    if isinstance(outer, Element) and outer.tag == "code":  # a span of code cannot hold lines
        outer.tag = "div"
    _name_language(block)


def set_apart(code: Element) -> None:
    """Part a span of code from another that it touches, or a backtick: the marks between would be read as code."""
    before = code.previous_sibling
    is_code = isinstance(before, Element) and before.tag in _SPANS
    if is_code or (isinstance(before, Text) and before.data[-1:] == "`"):
        code.insert_before(Text(" "))


def _name_language(block: Element) -> None:
    language = _language_of(block)
    inner = block.select_one("code")
    for element in (block, inner):
        if element is not None and "class" in element.attrs:
            del element.attrs["class"]  # the renderer takes any word from it, backticks and all
    if language is not None:
        (inner or block).attrs["class"] = f"language-{language}"


def _language_of(block: Element) -> str | None:
    """The language that a code block, the code in it, or a wrapper around it declares."""
    inner = block.select_one("code")
    element: Node | None = block
    candidates = [] if inner is None else [inner]
    for _ in range(WRAPPER_LEVELS):
        if not isinstance(element, Element):
            break
        candidates.append(element)
        element = element.parent
    for candidate in candidates:
        language = _declared(candidate)
        if language is not None:
            return language
    return None


def _declared(element: Element) -> str | None:
    names = element.attr("class") or ""
    words = [element.attr(name) for name in _LANGUAGE_ATTRIBUTES]
    words += [found[1] for pattern in (_PREFIXED, _AFTER_MARK) for found in pattern.finditer(names[:MAX_CLASS_CHARS])]
    for word in words:
        if word and _LANGUAGE.fullmatch(word) and word.lower() not in _NO_LANGUAGES:
            return word.lower()
    return None
