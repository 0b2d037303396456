"""Every error that webward raises, in one tree.

WebwardError                   internal
  InvalidInput                 invalid-input
    InvalidUrl                 invalid-url
    InvalidHeader              invalid-header
    InvalidConfiguration       invalid-configuration
  Refused
    SchemeRefused              refused-scheme
    PortRefused                refused-port
    CredentialsRefused         refused-credentials
    HostRefused                refused-host
    AddressRefused             refused-address
  LimitExceeded
    DeadlineExceeded           deadline-exceeded
    TooManyRedirects           too-many-redirects
    Overloaded                 overloaded
    ContentTooCostly           content-too-costly
  TransportError
    NameNotFound               name-not-found
    ResolverFailed             resolver-failed
    ConnectFailed              connect-failed
    TlsFailed                  tls-failed
    ProtocolFailed             protocol-failed
  ContentError
    ContentUndecodable         content-undecodable
    UnsupportedContent         unsupported-content

A class without a code of its own is a group: it is caught, never raised. An HTTP status such as 404 is a result and
no error. Messages name the rule and what to do; they never hold the address that a name resolved to.
"""

from __future__ import annotations

from typing import ClassVar


class WebwardError(Exception):
    """The root of the tree, raised itself only for a fault of webward's own.

    Attributes:
        code: Stable kebab-case word for programs.
        message: One sentence for people.
        retryable: Whether the same call may succeed later.
        hop: Index of the hop that failed (0 is the first), or None when none was begun.
        setting: Name of the setting that would change the answer, if there is one.
    """

    code: ClassVar[str] = "internal"
    retryable: bool = False

    def __init__(
        self,
        message: str,
        *,
        setting: str | None = None,
        retryable: bool | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.setting = setting
        self.hop: int | None = None
        if retryable is not None:
            self.retryable = retryable


class InvalidInput(WebwardError):
    """The call itself is wrong: an argument, a request line, a file that is not there."""

    code = "invalid-input"


class InvalidUrl(InvalidInput):
    """The URL is malformed, or is written so that two parsers would disagree about it."""

    code = "invalid-url"


class InvalidHeader(InvalidInput):
    """A request header is malformed, or is one that a caller must not set."""

    code = "invalid-header"


class InvalidConfiguration(InvalidInput):
    """A setting is unknown or has a bad value; raised when settings are loaded."""

    code = "invalid-configuration"


class Refused(WebwardError):
    """The egress policy says no. Trying again does not help."""


class SchemeRefused(Refused):
    """The URL's scheme is not among the policy's ``schemes``."""

    code = "refused-scheme"


class PortRefused(Refused):
    """The port is not among the policy's ``ports``, or is on the Fetch standard's list of bad ports."""

    code = "refused-port"


class CredentialsRefused(Refused):
    """The URL holds a user name or password and the policy does not take them."""

    code = "refused-credentials"


class HostRefused(Refused):
    """The name is internal, denied, or not among ``only_hosts``, judged before any DNS; or has too many addresses."""

    code = "refused-host"


class AddressRefused(Refused):
    """An address of the target is in a class that must not be reached.

    ``address_class`` names the class; the address itself is never told.
    """

    code = "refused-address"

    def __init__(self, message: str, *, address_class: str, setting: str | None = None) -> None:
        super().__init__(message, setting=setting)
        self.address_class = address_class


class LimitExceeded(WebwardError):
    """A ceiling was reached."""


class DeadlineExceeded(LimitExceeded):
    """The one deadline over names, dial, TLS, head, body, all hops and the reading of a page has passed."""

    code = "deadline-exceeded"
    retryable = True


class TooManyRedirects(LimitExceeded):
    """The redirect chain is longer than ``limits.redirects``."""

    code = "too-many-redirects"


class Overloaded(LimitExceeded):
    """A bounded resource of the gateway is busy."""

    code = "overloaded"
    retryable = True


class ContentTooCostly(LimitExceeded):
    """A worker came to its limit of time or memory on the content, or died on it."""

    code = "content-too-costly"


class TransportError(WebwardError):
    """The network or the server failed; ``retryable`` tells whether the phase allows another try."""


class NameNotFound(TransportError):
    """The name does not exist or has no address."""

    code = "name-not-found"


class ResolverFailed(TransportError):
    """The name servers did not answer, or answered with a failure."""

    code = "resolver-failed"
    retryable = True


class ConnectFailed(TransportError):
    """No judged address accepted the connection."""

    code = "connect-failed"
    retryable = True


class TlsFailed(TransportError):
    """The TLS handshake failed, most often because the certificate is not good for the host."""

    code = "tls-failed"


class ProtocolFailed(TransportError):
    """The server speaks broken or hostile HTTP, or broke off in the middle of a message."""

    code = "protocol-failed"


class ContentError(WebwardError):
    """The answer came, but cannot be turned into what was asked for."""


class ContentUndecodable(ContentError):
    """The body has more content codings than are undone, or is no file of the kind that it claims to be."""

    code = "content-undecodable"


class UnsupportedContent(ContentError):
    """The media type is one that ``read`` has no rendition for."""

    code = "unsupported-content"
