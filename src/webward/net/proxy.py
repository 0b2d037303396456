"""The operator's upstream proxy: it is asked to CONNECT to a judged address, never to a name it would resolve again."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ada_url import URL

from webward.config import Limits
from webward.core.headers import basic_authorization
from webward.core.request_head import write_request_head
from webward.core.response import ResponseReader
from webward.errors import ConnectFailed, ProtocolFailed
from webward.model import Credentials
from webward.net.http1 import read_head

if TYPE_CHECKING:
    from webward.model import Address
    from webward.net.wire import Wire

DEFAULT_PORT = 80
MAX_HEAD_BYTES = 16 * 1024  # of the proxy's answer; it is trusted, but may be broken
_LIMITS = Limits(head_bytes=MAX_HEAD_BYTES)
_UNAUTHENTICATED = frozenset((401, 407))  # RFC 9110 wants 407; tinyproxy answers 401 to a wrong password


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """Where the proxy is, and what it is told."""

    host: str
    port: int
    authorization: str | None = field(repr=False)

    @property
    def address(self) -> Address | None:
        """The proxy's address, when the setting names one rather than a host."""
        try:
            return ip_address(self.host)
        except ValueError:
            return None


def parse_proxy(setting: str) -> Proxy:
    """The proxy of a setting that was checked when it was loaded (`NetworkSettings.proxy`)."""
    url = URL(setting)
    credentials = Credentials(unquote(url.username), unquote(url.password))
    return Proxy(
        host=url.hostname.strip("[]"),
        port=int(url.port or DEFAULT_PORT),
        authorization=basic_authorization(credentials) if url.username else None,
    )


async def open_tunnel(wire: Wire, proxy: Proxy, port: int) -> None:
    """Ask the proxy at the other end of a wire for a tunnel to the wire's judged address (RFC 9110 section 9.3.6).

    Raises:
        ConnectFailed: The proxy says no.
        ProtocolFailed: The proxy sent more than its answer, or closed behind it.
        BrokenResponseError, OSError: The proxy is broken.
    """
    address = wire.peer.address
    authority = f"[{address}]:{port}" if address.version == 6 else f"{address}:{port}"  # noqa: PLR2004 - IP version
    headers = [("host", authority)]
    if proxy.authorization is not None:
        headers.append(("proxy-authorization", proxy.authorization))
    reader = ResponseReader(_LIMITS, "CONNECT")
    await wire.write(write_request_head("CONNECT", authority, headers))
    head = await read_head(wire, reader)
    if head.status // 100 != 2:  # noqa: PLR2004 - RFC 9110 section 15.3
        raise _refused(head.status)
    if reader.has_more or not wire.usable:  # they would be read as the target's answer
        raise ProtocolFailed("the proxy sent bytes of its own into the tunnel, or closed it", setting="network.proxy")


def _refused(status: int) -> ConnectFailed:
    if status in _UNAUTHENTICATED:
        message = "the proxy wants another user name and password"
        return ConnectFailed(message, setting="network.proxy", retryable=False)
    return ConnectFailed(f"the proxy refused the connection with status {status}", setting="network.proxy")
