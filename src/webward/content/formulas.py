"""Formulas as they are rendered: their TeX as code between dollars, which GitHub's Markdown reads as a formula."""

from __future__ import annotations

from turbohtml import Element, Text

MAX_FORMULA_CHARS = 5_000
"""A page of TeX."""

_TEX = 'annotation[encoding*="tex" i]'
_OTHER = "annotation, annotation-xml"


def normalize(formula: Element) -> None:
    """Put the TeX of a formula in its place; one without TeX is its own text (MathML Core, "annotations")."""
    annotation = formula.select_one(_TEX)
    for inner in formula.select("math"):  # a part of this one, not to be searched once more
        inner.tag = "mrow"
    tex = annotation.text if annotation is not None else formula.attr("alttext") or ""
    tex = " ".join(tex[:MAX_FORMULA_CHARS].split())
    if not tex:
        formula.remove(_OTHER)
        return
    code = Element("code")
    code.text = tex
    if formula.attr("display") == "block":
        code.attrs["class"] = "language-math"
        block = Element("pre")
        block.append(code)
        formula.replace_with(block)
    else:
        formula.replace_with(Text("$"), code, Text("$"))
