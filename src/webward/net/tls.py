"""TLS: the one client context of a trust setting, which takes tens of milliseconds to make, and small read buffers."""

from __future__ import annotations

import ssl
from functools import lru_cache
from typing import TYPE_CHECKING

from webward.errors import InvalidConfiguration

if TYPE_CHECKING:
    import asyncio

READ_BYTES = 64 * 1024
"""Read at a time from a TLS connection; half of it makes long bodies a third dearer, twice of it saves nothing."""

_READ_BUFFER = ("max_size", "_ssl_buffer", "_ssl_buffer_view")


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


def bound_read_buffer(transport: asyncio.Transport) -> bool:
    """Give a TLS connection a read buffer of `READ_BYTES`, and tell whether it took it.

    CPython's own event loop keeps 256 KiB for each connection, and has no switch for it. Another loop, or a Python
    whose loop holds other attributes, keeps what it has.
    """
    protocol = getattr(transport, "_ssl_protocol", None)
    if not all(hasattr(protocol, name) for name in _READ_BUFFER):
        return False
    buffer = bytearray(READ_BYTES)
    for name, value in zip(_READ_BUFFER, (READ_BYTES, buffer, memoryview(buffer)), strict=True):
        setattr(protocol, name, value)
    return True
