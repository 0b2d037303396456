"""The name server of the world: 127.0.0.1, port 53, UDP and TCP.

A zone maps a name to a list of addresses, or to an object with `addresses`, `sequence` (a list for each question of
a type; the last one stays), `cname`, `rcode` or `silent`, and `ttl` (seconds). Every other name does not exist.
"""

from __future__ import annotations

import socket
import struct
import threading
from collections import Counter
from ipaddress import ip_address
from typing import Any, Final

from dnslib import AAAA, CNAME, QTYPE, RCODE, RR, A, DNSRecord  # type: ignore[import-untyped]

HOST, PORT = "127.0.0.1", 53
BARRIER: Final = "barrier.invalid"
UDP_BYTES_MAX = 512  # RFC 1035 section 2.3.4
CHAIN_MAX = 20
RECORDS = {4: ("A", A), 6: ("AAAA", AAAA)}


class NameServer:
    def __init__(self) -> None:
        self._zone: dict[str, dict[str, Any]] = {}
        self._counts: Counter[tuple[str, str]] = Counter()
        self.questions: list[str] = []
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind((HOST, PORT))
        tcp = socket.create_server((HOST, PORT))
        threading.Thread(target=self._serve_udp, args=(udp,), daemon=True).start()
        threading.Thread(target=self._serve_tcp, args=(tcp,), daemon=True).start()

    def load(self, zone: dict[str, Any]) -> None:
        """Forget everything and know these names."""
        self._zone = {
            name.lower(): {"addresses": entry} if isinstance(entry, list) else entry for name, entry in zone.items()
        }
        self._counts.clear()
        self.questions = []

    def settle(self) -> None:
        """Return when every question that was asked before this call is in the record."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as barrier:
            barrier.settimeout(5)
            barrier.sendto(DNSRecord.question(BARRIER).pack(), (HOST, PORT))
            barrier.recv(UDP_BYTES_MAX)

    def _answer(self, query: DNSRecord) -> DNSRecord | None:
        """The reply, or None for silence."""
        reply, kind = query.reply(), QTYPE[query.q.qtype]
        asked = name = str(query.q.qname).lower().rstrip(".")
        if asked != BARRIER:
            self.questions.append(f"{asked} {kind}")
        for _ in range(CHAIN_MAX):
            entry = self._zone.get(name, {"rcode": "NXDOMAIN"})
            if entry.get("silent"):
                return None
            reply.header.rcode = getattr(RCODE, entry.get("rcode", "NOERROR"))
            if "cname" not in entry:
                self._add_addresses(reply, name, entry, (asked, kind))
                break
            reply.add_answer(RR(name, QTYPE.CNAME, rdata=CNAME(entry["cname"]), ttl=entry.get("ttl", 60)))
            name = entry["cname"]
        return reply

    def _add_addresses(self, reply: DNSRecord, name: str, entry: dict[str, Any], question: tuple[str, str]) -> None:
        addresses = entry.get("addresses", [])
        if "sequence" in entry:
            addresses = entry["sequence"][min(self._counts[question], len(entry["sequence"]) - 1)]
            self._counts[question] += 1
        for address in map(ip_address, addresses):
            kind, record = RECORDS[address.version]
            if kind == question[1]:
                data = record(tuple(address.packed))  # as text, it would take no IPv4 part in an IPv6 address
                reply.add_answer(RR(name, getattr(QTYPE, kind), rdata=data, ttl=entry.get("ttl", 60)))

    def _serve_udp(self, server: socket.socket) -> None:
        while True:
            packet, sender = server.recvfrom(4096)
            reply = self._answer(DNSRecord.parse(packet))
            if reply is None:
                continue
            wire = reply.pack()
            if len(wire) > UDP_BYTES_MAX:
                reply.rr, reply.header.tc = [], 1
                wire = reply.pack()
            server.sendto(wire, sender)

    def _serve_tcp(self, server: socket.socket) -> None:
        while True:
            threading.Thread(target=self._serve_stream, args=(server.accept()[0],), daemon=True).start()

    def _serve_stream(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rwb") as stream:
            while size := stream.read(2):
                reply = self._answer(DNSRecord.parse(stream.read(*struct.unpack("!H", size))))
                if reply is None:
                    return
                wire = reply.pack()
                stream.write(struct.pack("!H", len(wire)) + wire)
                stream.flush()
