"""Formulas as they are rendered: their TeX as code between dollars, which GitHub's Markdown reads as a formula."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Element, Text

if TYPE_CHECKING:
    from turbohtml import Node

MAX_FORMULA_CHARS = 5_000
"""A page of TeX."""

_TEX = 'annotation[encoding*="tex" i]'
_OTHER = "annotation, annotation-xml"

_SCRIPTS = 'script[type^="math/tex" i]'
_TYPESETTERS = 'script[src*="mathjax" i], script[src*="katex" i]'
_RENDERED = ("MathJax", "MJX", "katex")

# Pictures whose alternative text may be TeX, in two selectors, since the parser is quick with simple ones.
_PICTURES = (r'img[alt*="\\"]', 'img[alt*="^"]')
_PICTURE_CLASS = re.compile(r"math|latex|tex\b|formula", re.IGNORECASE)
_TEX_TEXT = re.compile(r"\\[a-zA-Z]+|\^[{\w]")
_DISPLAYED = re.compile(r"\A\{\\(?:display|text|script)style\s*(.*)\}\Z", re.DOTALL)

# Marks that part the children of an element of MathML; without them x to the power of 2 would read as x2.
_MARKS = {
    "msup": ("^",), "msub": ("_",), "msubsup": ("_", "^"), "mfrac": ("/",), "mover": ("^",), "munder": ("_",),
    "munderover": ("_", "^"),
}  # fmt: skip
_MARKED = ", ".join((*_MARKS, "msqrt", "mroot"))
_TOKENS = frozenset({"mi", "mn", "mo", "mtext", "ms"})


def normalize(formula: Element) -> None:
    """Put the TeX of a formula in its place; one without TeX is its own text (MathML Core, "annotations")."""
    annotation = formula.select_one(_TEX)
    for inner in formula.select("math"):  # a part of this one, not to be searched once more
        inner.tag = "mrow"
    tex = _line(annotation.text if annotation is not None else formula.attr("alttext") or "")
    if tex:
        _replace(formula, tex, is_block=formula.attr("display") == "block")
        return
    formula.remove(_OTHER)
    for element in formula.select(_MARKED):
        _mark(element)


def lift_scripts(tree: Node) -> None:
    """Put formulas that a script would typeset in its place (MathJax 2), and take out what it has typeset already."""
    scripts = tree.select(_SCRIPTS)
    if not scripts or tree.select_one(_TYPESETTERS) is None:
        return
    for script in scripts:
        sibling = script.previous_sibling
        while isinstance(sibling, Element) and (sibling.attr("class") or "").startswith(_RENDERED):
            sibling.extract()
            sibling = script.previous_sibling
        _replace(script, _line(script.text), is_block="mode=display" in (script.attr("type") or ""))


def pictures(tree: Node) -> list[Element]:
    """Pictures of formulas."""
    found = dict.fromkeys(picture for selector in _PICTURES for picture in tree.select(selector))
    return [picture for picture in found if _is_formula(picture)]


def write_picture(picture: Element) -> None:
    """Put the TeX of a picture in its place, if it still has one."""
    tex = _line(picture.attr("alt") or "")
    displayed = _DISPLAYED.match(tex)
    if picture.parent is not None:
        _replace(picture, displayed[1] if displayed else tex)


def _is_formula(picture: Element) -> bool:
    is_named = _PICTURE_CLASS.search(picture.attr("class") or "") is not None
    return is_named and _TEX_TEXT.search(picture.attr("alt") or "") is not None


def _line(tex: str) -> str:
    return " ".join(tex[:MAX_FORMULA_CHARS].split())


def _replace(element: Element, tex: str, *, is_block: bool = False) -> None:
    code = Element("code")
    code.text = tex
    if is_block:
        code.attrs["class"] = "language-math"
        block = Element("pre")
        block.append(code)
        element.replace_with(block)
    else:
        element.replace_with(Text("$"), code, Text("$"))


def _mark(element: Element) -> None:
    """Write the layout of a formula into it."""
    parts = [child for child in element.children if isinstance(child, Element)]
    for part in parts if element.tag != "msqrt" else ():
        if part.tag not in _TOKENS and part.tag not in _MARKS:
            part.insert(0, Text("("))
            part.append(Text(")"))
    if element.tag == "msqrt":
        element.insert(0, Text("\u221a("))
        element.append(Text(")"))
    elif element.tag == "mroot" and len(parts) > 1:
        parts[0].insert_before(Text("\u221a["), parts[1].extract(), Text("]"))
    for part, mark in zip(parts[1:], _MARKS.get(element.tag, ()), strict=False):
        part.insert_before(Text(mark))
