"""The day, and all whose work is measured."""

from __future__ import annotations

import platform
import ssl
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from bench.fetch.client import CLIENTS
from bench.fetch.origin import PATH

BENEATH = ("anyio", "httpx", "httpcore2", "pycares", "turbohtml", "trafilatura", "lxml")


def told() -> str:
    """In one line."""
    nginx = subprocess.run(["nginx", "-v"], capture_output=True, text=True, check=False, env={"PATH": PATH})  # noqa: S607 (its path stands beside)
    distributions = dict.fromkeys((*(client.distribution for client in CLIENTS.values()), *BENEATH))
    parts = (
        f"{datetime.now(UTC):%d %B %Y}",
        f"{platform.python_implementation()} {platform.python_version()}",
        " ".join(ssl.OPENSSL_VERSION.split()[:2]),
        f"nginx {nginx.stderr.strip().rpartition('/')[2]}",
        *(f"{distribution} {_version(distribution)}" for distribution in distributions),
    )
    return ", ".join(parts)


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "(not installed)"
