"""Classifies a URL by its text alone, before anything is asked of the network: a string in, a verdict out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ada_url import URL

from webward.contracts.frockbot.codes import FETCH_REFUSALS
from webward.core.address import classify as class_of
from webward.core.address import embedded
from webward.core.egress import is_internal
from webward.core.url import parse
from webward.errors import InvalidUrl, SchemeRefused
from webward.model import AddressClass, Verdict

if TYPE_CHECKING:
    from collections.abc import Collection

    from webward.model import Address, Target

MAX_URL_CHARS = 2048
HTTPS_PORTS = frozenset((443,))

# What the hosts of the contract trim: white space and line ends of ECMAScript (ECMA-262 sections 12.2 and 12.3).
BLANKS = "\t\n\v\f\r \xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000\ufeff"

_ALLOWED = Verdict(rule="url", allowed=True, reason="the URL may be fetched")
_REFUSED = {
    code: Verdict(rule="url", allowed=False, reason=refusal.message, code=refusal.code)
    for code, refusal in FETCH_REFUSALS.items()
}
_INVALID = _REFUSED["invalid-url"]


def classify(url: object, *, ports: Collection[int] = HTTPS_PORTS) -> Verdict:
    """The verdict on a URL; its code is one of `FetchCode`.

    The first rule that says no decides: it is a URL; its scheme is https; it holds no user name or password; its port
    is allowed; a literal address, in any spelling, is public; a name is not internal.

    Args:
        url: What the caller gave.
        ports: Those that are allowed. Another one opens nothing but itself.
    """
    text = url.strip(BLANKS) if isinstance(url, str) else ""
    if not text or len(text) > MAX_URL_CHARS:
        return _INVALID
    try:
        target = parse(text)
    except SchemeRefused:
        return _REFUSED["refused-scheme"]
    except InvalidUrl:
        return _strange(text, ports)
    return _judged(target, ports)


def _judged(target: Target, ports: Collection[int]) -> Verdict:
    """As `Egress` of the strict preset judges, in less time; a test holds the two together."""
    if target.scheme != "https":
        return _REFUSED["refused-scheme"]
    if target.credentials is not None:
        return _REFUSED["refused-credentials"]
    if target.port not in ports:
        return _REFUSED["refused-port"]
    if target.address is not None:
        return _ALLOWED if _is_public(target.address) else _REFUSED["refused-address"]
    return _REFUSED["refused-host"] if is_internal(target.host) else _ALLOWED


def _is_public(address: Address) -> bool:
    return class_of(address).address_class is AddressClass.GLOBAL and not embedded(address)


def _strange(text: str, ports: Collection[int]) -> Verdict:
    """What is refused because two parsers would read it differently still gets the code of the first broken rule."""
    try:
        url = URL(text)
    except ValueError:
        return _INVALID
    if url.protocol != "https:":
        return _REFUSED["refused-scheme"]
    if url.username or url.password:
        return _REFUSED["refused-credentials"]
    return _REFUSED["refused-port"] if url.port and int(url.port) not in ports else _INVALID
