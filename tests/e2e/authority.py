"""A certificate authority for one day, which vouches for whatever name a client asks for.

A table maps an asked name to what is wrong with its certificate: `names` (it is for others), `expired` (it was good
until yesterday), `stranger` (an authority that nobody trusts signed it).
"""

from __future__ import annotations

import json
import ssl
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import trustme

if TYPE_CHECKING:
    from pathlib import Path


class Authority:
    def __init__(self, folder: Path) -> None:
        self._trusted, self._stranger = trustme.CA(), trustme.CA()
        self._contexts: dict[str, ssl.SSLContext] = {}
        self.faults: dict[str, dict[str, Any]] = {}
        self.file = folder / "authority.pem"
        self._trusted.cert_pem.write_to_path(str(self.file))

    def context(self, address: str) -> ssl.SSLContext:
        """A server's context for connections to an address; a client that names a host gets that host's own."""
        context = self._context(address)
        context.sni_callback = self._choose
        return context

    def _choose(self, connection: ssl.SSLObject, name: str | None, _: ssl.SSLContext) -> None:
        if name:
            connection.context = self._context(name)

    def _context(self, name: str) -> ssl.SSLContext:
        fault = self.faults.get(name, {})
        key = json.dumps([name, fault], sort_keys=True)
        if key not in self._contexts:
            now = datetime.now(UTC)
            signer = self._stranger if fault.get("stranger") else self._trusted
            leaf = signer.issue_cert(
                *fault.get("names", [name]),
                not_before=now - timedelta(days=30),
                not_after=now + timedelta(days=-1 if fault.get("expired") else 1),
            )
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            leaf.configure_cert(context)
            self._contexts[key] = context
        return self._contexts[key]
