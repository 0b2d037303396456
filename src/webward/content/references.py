"""References in a page to absolute URLs: what leads somewhere a reader can follow, and nothing else."""

from __future__ import annotations

import re

import ada_url

MAX_URL_CHARS = 8_000
"""RFC 9110 section 4.1 asks for 8,000 at least; what is longer carries data rather than an address."""

WEB_SCHEMES = ("http://", "https://")

# Spellings that the standard leaves as they are, if no segment begins with a dot: most of a page's, and a parse costs
# several times the match.
_ABSOLUTE = re.compile(r"https?://[a-z0-9.-]+/[\w!#$&()*+,/:;=?@~.-]*", re.ASCII)
_ROOTED = re.compile(r"/(?!/)[\w!#$&()*+,/:;=?@~.-]*", re.ASCII)
_USERINFO = re.compile(r"\A(https?://)[^/?#\\]*@", re.IGNORECASE)
_AUTHORITY = re.compile(r"https?://[^/]*/")
_PLAIN_ORIGIN = re.compile(r"https?://[a-z0-9.-]+/")


def without_userinfo(url: str) -> str:
    """The URL without user name and password, which no result ever holds."""
    return _USERINFO.sub(r"\1", url) if "@" in url else url


def absolute(reference: str, *, base_url: str, schemes: tuple[str, ...] = WEB_SCHEMES) -> str | None:
    """The URL that a reference stands for (WHATWG URL), or None when it is none of the schemes, or too long.

    Square brackets behind the authority are percent-encoded, or a URL could hold the control tokens of a chat.
    """
    if len(reference) > MAX_URL_CHARS:
        return None
    if "/." not in reference:
        if _ABSOLUTE.fullmatch(reference) and schemes[0] in WEB_SCHEMES:
            return reference
        base = _PLAIN_ORIGIN.match(base_url) if _ROOTED.fullmatch(reference) else None
        if base and schemes[0] in WEB_SCHEMES:
            return base[0] + reference[1:]
    try:
        url = without_userinfo(ada_url.join_url(base_url, reference))
    except ValueError:
        return None
    if not url.startswith(schemes) or len(url) > MAX_URL_CHARS:
        return None
    found = _AUTHORITY.match(url)
    start = found.end() if found else 0
    return url[:start] + url[start:].replace("[", "%5B").replace("]", "%5D")


def host_of(url: str) -> str:
    """The host of an absolute http or https URL as ada wrote it, with neither user nor port."""
    authority = url.partition("://")[2].partition("/")[0].rpartition("@")[2]
    return re.sub(r":\d+\Z", "", authority)
