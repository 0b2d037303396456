"""The name server of the namespace: UDP, quick, and no more than the clients need."""

from __future__ import annotations

import socket
import struct
import threading
from ipaddress import ip_address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PLACE = ("127.0.0.1", 53)
TTL_SECONDS = 600
HEADER_BYTES = 12
NO_ERROR, NO_SUCH_NAME = 0x8180, 0x8183  # flags: a response, recursion as asked and available (RFC 1035 section 4.1.1)
TYPES = {4: 1, 6: 28}  # A and AAAA
SILENT = "silent"


class NameServer:
    """Answers for these names alone.

    Args:
        zone: The address of each name, or `SILENT`.
    """

    def __init__(self, zone: Mapping[str, str]) -> None:
        self._zone = zone
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(PLACE)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            packet, sender = self._socket.recvfrom(4096)
            reply = answer(packet, self._zone)
            if reply:
                self._socket.sendto(reply, sender)


def answer(packet: bytes, zone: Mapping[str, str]) -> bytes:
    """The reply to a question, or nothing."""
    end = packet.index(b"\0", HEADER_BYTES) + 5  # the root label, type and class
    question = packet[HEADER_BYTES:end]
    (kind,) = struct.unpack("!H", question[-4:-2])
    found = zone.get(_name(question))
    if found == SILENT:
        return b""
    records = b""
    if found is not None and TYPES[ip_address(found).version] == kind:
        data = ip_address(found).packed
        records = struct.pack("!HHHIH", 0xC000 | HEADER_BYTES, kind, 1, TTL_SECONDS, len(data)) + data
    flags = NO_SUCH_NAME if found is None else NO_ERROR
    return packet[:2] + struct.pack("!HHHHH", flags, 1, bool(records), 0, 0) + question + records


def _name(question: bytes) -> str:
    labels, place = [], 0
    while length := question[place]:
        labels.append(question[place + 1 : place + 1 + length])
        place += length + 1
    return b".".join(labels).decode("ascii").lower()
