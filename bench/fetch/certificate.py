"""A throw-away authority, and one certificate of it for all servers here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import trustme

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Certificate:
    """Files in PEM form.

    Attributes:
        authority: What clients trust.
        chain: The certificate, with its key.
    """

    authority: Path
    chain: Path


def make(folder: Path, *names: str) -> Certificate:
    """A certificate (ECDSA P-256) for these names and addresses."""
    authority = trustme.CA()
    made = Certificate(folder / "authority.pem", folder / "server.pem")
    authority.cert_pem.write_to_path(str(made.authority))
    authority.issue_cert(*names).private_key_and_cert_chain_pem.write_to_path(str(made.chain))
    return made
