"""The one TLS client context of a trust setting: it costs tens of milliseconds to make and is never changed after."""

from __future__ import annotations

import ssl
from functools import lru_cache

from webward.errors import InvalidConfiguration


@lru_cache(maxsize=8)
def client_context(ca_file: str | None) -> ssl.SSLContext:
    """A context that checks certificates by host name and offers HTTP/1.1.

    Args:
        ca_file: PEM file of the only authorities to trust; None is the system's store, in which OpenSSL honors
            ``SSL_CERT_FILE`` and ``SSL_CERT_DIR``.

    Raises:
        InvalidConfiguration: The file cannot be used.
    """
    try:
        context = ssl.create_default_context(cafile=ca_file)
    except OSError as error:
        reason = "it holds no certificate" if isinstance(error, ssl.SSLError) else error.strerror
        raise InvalidConfiguration(f"network.ca-file: {ca_file}: {reason}", setting="network.ca-file") from None
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.hostname_checks_common_name = False  # RFC 9110 section 4.3.4: only subjectAltName counts
    context.set_alpn_protocols(["http/1.1"])
    return context
