"""MCP over streamable HTTP: an ASGI application that a service puts at ``/mcp``, behind its keys."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection

    from mcp.server import Server
    from starlette.types import ASGIApp

MAX_REQUEST_BYTES = 4 * 1024 * 1024  # as over stdio
MAX_SESSIONS = 1_000  # of hosts that speak 2025-11-25; each is a task, and later ones have none


@asynccontextmanager
async def http_endpoint(
    server: Server[Any], *, hosts: Collection[str], origins: Collection[str] = ()
) -> AsyncIterator[ASGIApp]:
    """Serve while this is open. Callers are not asked who they are: that is for the service around it.

    Foreign Host and Origin headers are always refused (DNS rebinding, section 2.0.1 of the protocol's transports).

    Args:
        server: What is served.
        hosts: Values that a Host header may have, with their ports unless that is the scheme's own.
        origins: Values that an Origin header may have; one that is absent is taken, since only browsers send it.
    """
    manager = StreamableHTTPSessionManager(
        server,
        security_settings=TransportSecuritySettings(
            enable_dns_rebinding_protection=True, allowed_hosts=list(hosts), allowed_origins=list(origins)
        ),
        max_request_body_size=MAX_REQUEST_BYTES,
        max_sessions=MAX_SESSIONS,
    )
    async with manager.run():
        yield StreamableHTTPASGIApp(manager)
