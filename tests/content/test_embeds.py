from __future__ import annotations

import pytest

from webward.content.clean import clean
from webward.content.document import parse

URL = "https://site.test/"
SHOWN = [
    "<object>word</object>",
    "<object data=''>word</object>",
    "<object classid=clsid:d27cdb6e><param name=movie value=a.swf>word</object>",
    "<object data=a.swf type=application/x-shockwave-flash>word</object>",
    "<object data='/a.SWF?x=1'>word</object>",
    "<object data=a type=application/x-java-applet>word</object>",
    "<object><object type=application/x-silverlight-2 data=a>word</object></object>",
    "<svg><foreignObject><p>word</p></foreignObject></svg>",
    "<svg><g><switch><foreignObject width=80 height=20>word</foreignObject></switch><text>no</text></g></svg>",
    "<svg><desc>no</desc><foreignObject>word<svg><title>no</title><path/></svg></foreignObject></svg>",
    "<svg><defs><g><foreignObject>no</foreignObject></g></defs><g><foreignObject>word</foreignObject></g></svg>",
]
UNSEEN = [
    "<object data=a.pdf type=application/pdf>word</object>",
    "<object data=a.png type=IMAGE/png>word</object>",
    "<object data=a.html>word</object>",
    "<object data=a type=text/html>word</object>",
    "<object hidden>word</object>",
    "<style>object{display:none}</style><object>word</object>",
    "<object><script>word</script><iframe>word</iframe><p hidden>word</p></object>",
    "<svg><text>word</text></svg>",
    "<svg><symbol><foreignObject>word</foreignObject></symbol></svg>",
    "<svg><foreignObject requiredExtensions=x>word</foreignObject></svg>",
    "<svg><foreignObject width=1 height=1>word</foreignObject></svg>",
    "<svg aria-hidden=true><foreignObject>word</foreignObject></svg>",
    "<svg><g style='display:none'><foreignObject>word</foreignObject></g></svg>",
    "<svg><foreignObject><script>word</script><p hidden>word</p></foreignObject></svg>",
]


def shown(embed: str) -> str:
    document = parse(f"<p>the words before it</p>{embed}<p>the words behind it</p>", url=URL)
    clean(document)
    return document.tree.text.removeprefix("the words before it").removesuffix("the words behind it").strip()


@pytest.mark.parametrize("embed", SHOWN)
def test_what_stands_in_for_an_embed_is_shown(embed: str) -> None:
    assert shown(embed) == "word"


@pytest.mark.parametrize("embed", UNSEEN)
def test_what_an_embed_covers_is_not(embed: str) -> None:
    assert shown(embed) == ""


def test_an_object_loses_what_it_embedded() -> None:
    document = parse("<object data=a.swf codebase=x class=c>word</object>", url=URL)
    clean(document)

    assert '<object class="c">word</object>' in document.tree.serialize()


def test_a_drawing_keeps_its_html_alone() -> None:
    document = parse("<svg id=s><rect/><g><path/><foreignObject><b>word</b></foreignObject></g></svg>", url=URL)
    clean(document)

    assert '<svg id="s"><g><foreignObject><b>word</b></foreignObject></g></svg>' in document.tree.serialize()
