"""TLS: the one client context of a trust setting, which takes tens of milliseconds to make, and small read buffers."""

from __future__ import annotations

import asyncio
import ssl
from asyncio.sslproto import SSLProtocol
from functools import lru_cache
from typing import TYPE_CHECKING

from webward.errors import InvalidConfiguration
from webward.net.undo import undone_by

if TYPE_CHECKING:
    import socket

    from webward.net.wire import Wire

READ_BYTES = 64 * 1024
"""Read at a time from a TLS connection; half of it makes long bodies a third dearer, twice of it saves nothing."""


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


class _SmallTls(SSLProtocol):
    """CPython's own TLS, which takes the size of its buffer from the class and makes it before the handshake."""

    max_size = READ_BYTES


async def connect_tls(sock: socket.socket, wire: Wire, context: ssl.SSLContext, *, host: str, seconds: float) -> None:
    """Speak TLS on a connected socket from its first byte on, which is cheaper than on top of a plain connection.

    Args:
        sock: Closed if this fails.
        wire: Gets the connection after the handshake, or none if the other end closes in it.
        context: Of the client.
        host: For SNI and the certificate. An IP literal makes Python check the certificate's IP entries and send no
            SNI.
        seconds: Of the handshake.
    """
    loop = asyncio.get_running_loop()
    with undone_by(sock.close):
        if type(loop).create_connection is not asyncio.BaseEventLoop.create_connection:
            await loop.create_connection(
                lambda: wire, sock=sock, ssl=context, server_hostname=host, ssl_handshake_timeout=seconds
            )
            return
        tls, handshake = _client(wire, context, host, seconds)
        plain, _ = await loop.create_connection(lambda: tls, sock=sock)
    with undone_by(plain.abort):  # close would wait for the other end to say goodbye
        await handshake


async def start_tls(wire: Wire, context: ssl.SSLContext, *, host: str, seconds: float) -> None:
    """Speak TLS on top of a plain connection, which must have nothing unread; else as `connect_tls`."""
    loop, plain = asyncio.get_running_loop(), wire.unwrapped()
    with undone_by(plain.abort):
        if type(loop).start_tls is not asyncio.BaseEventLoop.start_tls:
            transport = await loop.start_tls(plain, wire, context, server_hostname=host, ssl_handshake_timeout=seconds)
            if transport is not None:
                wire.connection_made(transport)
            return
        tls, handshake = _client(wire, context, host, seconds)
        plain.set_protocol(tls)
        tls.connection_made(plain)
        await handshake


def _client(wire: Wire, context: ssl.SSLContext, host: str, seconds: float) -> tuple[_SmallTls, asyncio.Future[object]]:
    loop = asyncio.get_running_loop()
    handshake: asyncio.Future[object] = loop.create_future()
    tls = _SmallTls(
        loop,
        wire,
        context,
        handshake,
        server_hostname=host,
        ssl_handshake_timeout=seconds,  # type: ignore[arg-type] # the stub knows whole seconds only
    )
    return tls, handshake
