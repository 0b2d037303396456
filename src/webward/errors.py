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
    StatusRefused              refused-status
    MediaTypeRefused           refused-media-type
  LimitExceeded
    DeadlineExceeded           deadline-exceeded
    TooManyRedirects           too-many-redirects
    BodyTooLarge               body-too-large
    Overloaded                 overloaded
    ContentTooCostly           content-too-costly
  TransportError
    NameNotFound               name-not-found
    ResolverFailed             resolver-failed
    ConnectFailed              connect-failed
    TlsFailed                  tls-failed
    ProtocolFailed             protocol-failed
    LocationMissing            location-missing
  ContentError
    ContentUndecodable         content-undecodable
    UnsupportedContent         unsupported-content
  ProviderError
    ProviderFailed             provider-failed
    ProviderUnauthorized       provider-unauthorized
    ProviderNotConfigured      provider-not-configured
  StoreUnavailable             store-unavailable

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
        retry_after_seconds: How long to wait before the same call, when the other side said so.
    """

    code: ClassVar[str] = "internal"
    retryable: bool = False
    retry_after_seconds: float | None = None

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


class StatusRefused(Refused):
    """The answer's ``status`` is none that the call takes, and its body was not read."""

    code = "refused-status"

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


class MediaTypeRefused(Refused):
    """The answer's ``media_type`` is none that the call takes, is absent, or is not what the bytes are."""

    code = "refused-media-type"

    def __init__(self, message: str, *, media_type: str | None) -> None:
        super().__init__(message)
        self.media_type = media_type


class LimitExceeded(WebwardError):
    """A ceiling was reached."""


class DeadlineExceeded(LimitExceeded):
    """The one deadline over names, dial, TLS, head, body, all hops and the reading of a page has passed."""

    code = "deadline-exceeded"
    retryable = True


class TooManyRedirects(LimitExceeded):
    """The redirect chain is longer than ``limits.redirects``."""

    code = "too-many-redirects"


class BodyTooLarge(LimitExceeded):
    """The declared length is above what the call takes, and the body was not read; others are cut instead."""

    code = "body-too-large"


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


class LocationMissing(TransportError):
    """The answer is a redirect that does not say where to, and the call takes no such answer."""

    code = "location-missing"


class ContentError(WebwardError):
    """The answer came, but cannot be turned into what was asked for."""


class ContentUndecodable(ContentError):
    """The body has more content codings than are undone, or is no file of the kind that it claims to be."""

    code = "content-undecodable"


class UnsupportedContent(ContentError):
    """The media type is one that ``read`` has no rendition for; ``media_type`` is the declared one, if there is one."""

    code = "unsupported-content"
    media_type: str | None = None


class ProviderError(WebwardError):
    """A search provider gave no results, or the server of a language model no answer."""


class ProviderFailed(ProviderError):
    """The search provider or model could not be reached, answered with an error, or not in its own format.

    ``unreached`` tells that the way to it failed: the message then names its host, which a model need not know.
    """

    code = "provider-failed"

    def __init__(
        self,
        message: str,
        *,
        setting: str | None = None,
        retryable: bool = False,
        retry_after_seconds: float | None = None,
        unreached: bool = False,
    ) -> None:
        super().__init__(message, setting=setting, retryable=retryable)
        self.retry_after_seconds = retry_after_seconds
        self.unreached = unreached


class ProviderUnauthorized(ProviderError):
    """The search provider or model rejected the key, or does not serve this caller."""

    code = "provider-unauthorized"


class ProviderNotConfigured(ProviderError):
    """No search provider or model is chosen, or the one that is lacks a setting."""

    code = "provider-not-configured"


class StoreUnavailable(WebwardError):
    """The store of quotas or images is locked, full, broken, or not to be written; nothing is let pass without it."""

    code = "store-unavailable"
    retryable = True
