"""The web server of the world: every address, HTTP and HTTPS, and a record of all that reached it.

A table maps `host/path` to an object with `status`, `headers` (a list of pairs), `body` and `untyped` (it declares no
media type). Every other page tells which host it is and at which address it was asked for.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from .authority import Authority

PORTS = (80, 443, 3128)
BLACK_HOLES = ("93.184.216.251", "2606:2800:220:b1ac::1")  # connection attempts are never answered
BARRIER = "127.99.99.99"
IDLE_SECONDS = 30.0
TLS_HANDSHAKE = b"\x16"  # RFC 8446 section 5.1: the content type of a record
IPV6_FREEBIND = 78  # linux/in6.h: bind to an address that no interface bears
LINE_BYTES_MAX = 1 << 16


class Origin:
    def __init__(self, authority: Authority) -> None:
        self._authority = authority
        self._pages: dict[str, dict[str, Any]] = {}
        self._barrier = threading.Semaphore(0)
        self.connections: list[str] = []
        self.requests: list[dict[str, Any]] = []
        self._holes = [_black_hole(address, port) for address in BLACK_HOLES for port in PORTS]
        for port in PORTS:
            threading.Thread(target=self._accept, args=(_listen("::", port, 256), port), daemon=True).start()

    def load(self, pages: dict[str, Any]) -> None:
        """Forget everything and serve these pages."""
        self._pages, self.connections, self.requests = pages, [], []

    def settle(self) -> None:
        """Return when every connection that was made before this call is in the record: they are accepted in order."""
        for port in PORTS:
            socket.create_connection((BARRIER, port)).close()
            self._barrier.acquire()

    def _accept(self, server: socket.socket, port: int) -> None:
        while True:
            connection, _ = server.accept()
            address = connection.getsockname()[0].removeprefix("::ffff:")  # an IPv4 address on a socket for both
            if address == BARRIER:
                connection.close()
                self._barrier.release()
                continue
            self.connections.append(address)
            threading.Thread(target=self._serve, args=(connection, address, port), daemon=True).start()

    def _serve(self, connection: socket.socket, address: str, port: int) -> None:
        with contextlib.suppress(OSError), contextlib.closing(connection):
            connection.settimeout(IDLE_SECONDS)
            if connection.recv(1, socket.MSG_PEEK) == TLS_HANDSHAKE:
                connection = self._authority.context(address).wrap_socket(connection, server_side=True)
            scheme = "https" if isinstance(connection, ssl.SSLSocket) else "http"
            with contextlib.closing(connection), connection.makefile("rb") as stream:
                while head := _read_head(stream):
                    connection.sendall(self._respond(head, address, port, scheme))

    def _respond(self, head: str, address: str, port: int, scheme: str) -> bytes:
        lines = head.split("\r\n")
        host = next((line.partition(":")[2].strip() for line in lines if line.lower().startswith("host:")), "")
        path = lines[0].split(" ")[1]
        self.requests.append(
            {"address": address, "port": port, "scheme": scheme, "host": host, "path": path, "head": head}
        )
        page = self._pages.get(f"{host}{path}", {"body": f"This is {host} at {address}."})
        body: bytes = page.get("body", "").encode()
        headers = [
            *([] if page.get("untyped") else [("Content-Type", "text/plain; charset=utf-8")]),
            *page.get("headers", []),
            ("Content-Length", len(body)),
        ]
        fields = "".join(f"{name}: {value}\r\n" for name, value in headers)
        return f"HTTP/1.1 {page.get('status', 200)} As asked\r\n{fields}\r\n".encode() + body


def _read_head(stream: BinaryIO) -> str:
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = stream.readline(LINE_BYTES_MAX)
        if not line:
            return ""
        head += line
    return head.decode("latin-1")


def _listen(address: str, port: int, backlog: int) -> socket.socket:
    server = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)  # so that one address may differ from all others
    if server.family == socket.AF_INET6:
        server.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    if address in BLACK_HOLES and server.family == socket.AF_INET6:
        server.setsockopt(socket.IPPROTO_IPV6, IPV6_FREEBIND, 1)
    server.bind((address, port))
    server.listen(backlog)
    return server


def _black_hole(address: str, port: int) -> list[socket.socket]:
    """A server that accepts nobody, with its queue full: the kernel drops what else comes."""
    server = _listen(address, port, 0)
    fillers = [socket.socket(server.family) for _ in range(2)]
    for filler in fillers:
        filler.settimeout(0)
        filler.connect_ex((address, port))
    return [server, *fillers]
