from __future__ import annotations

import pytest

from webward.config import Rendition
from webward.content.clean import clean
from webward.content.document import parse
from webward.content.formulas import MAX_FORMULA_CHARS
from webward.content.render import render

TEX = "{\\displaystyle x^{2}}"
MATHJAX = "<script src=https://cdn.test/MathJax.js></script>"
ROWS = [
    (
        "annotation",
        "a <math><mi>x</mi><annotation encoding='application/x-tex'>x_1^{2}\\alpha</annotation></math> b",
        "a $`x_1^{2}\\alpha`$ b",
    ),
    ("alttext", "<math alttext='\\frac{a}{b}'><mi>a</mi></math>", "$`\\frac{a}{b}`$"),
    ("block", "<math display=block alttext='x^2'><mi>x</mi></math>", "```math\nx^2\n```"),
    ("katex", "<span class=katex><math alttext=x^2><mi>x</mi></math><i aria-hidden=true>x2</i></span> b", "$`x^2`$ b"),
    ("script", f"{MATHJAX}a <script type=math/tex>x^2</script> b", "a $`x^2`$ b"),
    ("script-block", f"{MATHJAX}<script type='math/tex; mode=display'>x^2</script>", "```math\nx^2\n```"),
    (
        "script-and-what-it-made",
        f"{MATHJAX}a <i class=MathJax_Preview></i><i class=MathJax>x2</i><script type=math/tex>x^2</script>",
        "a $`x^2`$",
    ),
    ("script-that-nothing-runs", "a <script type=math/tex>x^2</script> b", "a b"),
    ("picture", "a <img class=latex src=/x alt='x^2'> b", "a $`x^2`$ b"),
    (
        "picture-with-hidden-mathml",
        f"a word or two <i hidden><math alttext='{TEX}'></i><img aria-hidden=true class=math src=/x alt='{TEX}'>",
        "a word or two $`x^{2}`$",
    ),
    ("picture-without-a-source", "a <img class=tex alt='\\pi' src=data:,> b", "a \\\\pi b"),
    ("picture-of-a-car", "<img class=formula-1 src=/x alt='A car'>", "![A car](https://site.test/x)"),
    ("picture-of-a-path", "<img src=/x alt='C:\\dir'>", "![C:\\\\dir](https://site.test/x)"),
]
LAYOUTS = [
    ("<mi>x</mi><mo>=</mo><mn>1</mn><annotation encoding=x>no</annotation>", "x=1"),
    ("<msup><mi>x</mi><mn>2</mn></msup>", "x^2"),
    ("<msub><mi>x</mi><mi>i</mi></msub>", "x_i"),
    ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_i^2"),
    ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", "(a+b)/2"),
    ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", "\u221a(x+1)"),
    ("<mroot><mi>x</mi><mn>3</mn></mroot>", "\u221a[3]x"),
    (
        "<munderover><mo>\u2211</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>",
        "\u2211_(i=1)^n",
    ),
    ("<msup><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow><mn>3</mn></msup>", "(x^2)^3"),
    ("<msup></msup><mroot></mroot><mfrac><mi>a</mi></mfrac>", "a"),
]


def read(page: str, rendition: Rendition = Rendition.MARKDOWN) -> str:
    document = parse(page, url="https://site.test/")
    clean(document)
    return render(document, rendition)


@pytest.mark.parametrize(("page", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_formulas(page: str, expected: str) -> None:
    assert read(f"<p>{page}") == expected


@pytest.mark.parametrize(("formula", "expected"), LAYOUTS)
def test_layouts_are_written_out(formula: str, expected: str) -> None:
    assert read(f"<p><math>{formula}</math>", Rendition.TEXT) == expected


def test_html_keeps_pictures() -> None:
    assert "<img" in read("<p><img class=latex src=/x alt='x^2'>", Rendition.HTML)


def test_a_formula_is_bounded() -> None:
    assert len(read(f"<p><math alttext='{'x' * 2 * MAX_FORMULA_CHARS}'></math>")) == MAX_FORMULA_CHARS + len("$``$")
