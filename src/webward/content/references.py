"""References in a page to absolute URLs (WHATWG URL): what leads somewhere a reader can follow, and nothing else."""

from __future__ import annotations

import re

import ada_url

MAX_URL_CHARS = 8_000
"""RFC 9110 section 4.1 asks for 8,000 at least; what is longer carries data rather than an address."""

WEB_SCHEMES = ("http://", "https://")

# Spellings that the standard leaves as they are, if no segment begins with a dot: most of a page's, and a parse costs
# several times the match. Relative ones are from the root, the folder or the page itself, or from a named host on.
_STANDING = r"\w!#$%&()*+,/:;=?@~.-"
_ABSOLUTE = re.compile(rf"https?://[a-z0-9.-]+/[{_STANDING}]*", re.ASCII)
_RELATIVE = re.compile(
    rf"(?:/(?!/)|[A-Za-z0-9_-](?![^/?#]*:)|#|//(?:[a-z0-9-]+\.)+[a-z]{{2,}}/)[{_STANDING}]*", re.ASCII
)
_PLAIN_BASE = re.compile(r"(https?:)//[A-Za-z0-9.-]+(?=/)")
_USERINFO = re.compile(r"\A(https?://)[^/?#\\]*@", re.IGNORECASE)
_AUTHORITY = re.compile(r"https?://[^/]*/")
_UNKNOWN = "unknown:"
_PORT = re.compile(r":\d+\Z")


class References:
    """References of one page, each worked out once: a third of a page's links say again what a menu said.

    Args:
        base_url: What they are resolved against (HTML standard, "document base URL").
    """

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._known: dict[str, str | None] = {}
        page = base_url.partition("#")[0]  # as it is spelled: its host may have capitals, as the site writes them
        if "/." in page or not _PLAIN_BASE.match(page):
            page = absolute("", base_url=base_url) or ""
        path = page.partition("?")[0]
        plain = _PLAIN_BASE.match(path)
        self._folder = path[: path.rfind("/") + 1] if plain else None
        self._starts = {"/": plain[0], "#": page} if plain else {}
        self._scheme = plain[1] if plain else ""

    def absolute(self, reference: str) -> str | None:
        """The URL that a reference stands for, of any scheme, without user name; None when it is none, or too long.

        Square brackets behind the authority are percent-encoded, or a URL could hold the control tokens of a chat.
        """
        found = self._known.get(reference, _UNKNOWN)
        if found is _UNKNOWN:
            found = self._known[reference] = self._worked_out(reference)
        return found

    def web_address(self, reference: str) -> str | None:
        """The http or https URL that a reference stands for."""
        found = self.absolute(reference)
        return found if found is not None and found.startswith(WEB_SCHEMES) else None

    def _worked_out(self, reference: str) -> str | None:
        if "/." not in reference and "/%2" not in reference and len(reference) <= MAX_URL_CHARS:
            if _ABSOLUTE.fullmatch(reference):
                return without_userinfo(reference)
            if self._folder is not None and _RELATIVE.fullmatch(reference):
                start = self._scheme if reference.startswith("//") else self._starts.get(reference[0], self._folder)
                return without_userinfo(start + reference)
        return absolute(reference, base_url=self._base_url)


def absolute(reference: str, *, base_url: str) -> str | None:
    """The URL that a single reference stands for, as `References.absolute` gives it."""
    if len(reference) > MAX_URL_CHARS:
        return None
    try:
        url = without_userinfo(ada_url.join_url(base_url, reference))
    except ValueError:
        return None
    if len(url) > MAX_URL_CHARS:
        return None
    found = _AUTHORITY.match(url)
    start = found.end() if found else 0
    return url[:start] + url[start:].replace("[", "%5B").replace("]", "%5D")


def without_userinfo(url: str) -> str:
    """The URL without user name and password, which no result ever holds."""
    return _USERINFO.sub(r"\1", url) if "@" in url else url


def host_of(url: str) -> str:
    """The host of an absolute http or https URL as ada wrote it, with neither user nor port."""
    authority = url.partition("://")[2].partition("/")[0].rpartition("@")[2]
    return _PORT.sub("", authority)
