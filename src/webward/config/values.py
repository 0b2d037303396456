"""The settings as frozen values, with their defaults and bounds; a bad value is an error when the value is made.

Keys are kebab-case in files (``[limits] body-bytes``), upper case in the environment (``WEBWARD_LIMITS_BODY_BYTES``).
"""

from __future__ import annotations

import sys
from typing import Annotated, Literal

from ada_url import URL
from msgspec import Meta, Struct

from webward._version import __version__
from webward.config.chat import ChatSettings
from webward.config.egress import EgressPolicy
from webward.config.search import SearchSettings
from webward.config.store import StoreSettings
from webward.errors import InvalidConfiguration

PROJECT_PAGE = "https://github.com/webward/webward"
USER_AGENT = f"webward/{__version__} (+{PROJECT_PAGE})"
MIB = 1024 * 1024

Seconds = Annotated[float, Meta(gt=0, le=3600)]
Count = Annotated[int, Meta(ge=1, le=1_000_000)]
Bytes = Annotated[int, Meta(ge=1, le=1024 * MIB)]


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """Ceilings of the gateway. A caller may ask for less than a default, or for more up to the ``max`` beside it.

    Attributes:
        deadline_seconds: Of one call over names, dial, TLS, head, body, all hops and the reading of a page.
        max_deadline_seconds: The most that a caller may ask for.
        redirects: Hops that are followed.
        body_bytes: Of a body after content decoding; what comes after is cut.
        max_body_bytes: The most that a caller may ask for.
        head_bytes: Of a response head, interim heads included.
        head_fields: Header fields of one response.
        interim_responses: 1xx responses before the final one.
        resolve_seconds: Of the questions about one name.
        dial_seconds: Of connecting and the TLS handshake together.
        answers: Addresses of one name; a name with more is refused, since all are judged.
        dialed_addresses: Judged addresses that are tried.
        idle_connections: Connections kept for reuse, over all origins.
        idle_seconds: How long a connection is kept.
    """

    deadline_seconds: Seconds = 30.0
    max_deadline_seconds: Seconds = 120.0
    redirects: Annotated[int, Meta(ge=0, le=20)] = 5  # 20 is the Fetch standard's own ceiling
    body_bytes: Bytes = 5 * MIB
    max_body_bytes: Bytes = 50 * MIB
    head_bytes: Bytes = 64 * 1024
    head_fields: Count = 256
    interim_responses: Count = 8
    resolve_seconds: Seconds = 5.0
    dial_seconds: Seconds = 10.0
    answers: Count = 256
    dialed_addresses: Count = 16
    idle_connections: Annotated[int, Meta(ge=0, le=100_000)] = 64
    idle_seconds: Seconds = 30.0

    def __post_init__(self) -> None:
        for name in ("deadline-seconds", "body-bytes"):
            attribute = name.replace("-", "_")
            if getattr(self, attribute) > getattr(self, f"max_{attribute}"):
                raise InvalidConfiguration(f"limits.{name} is above limits.max-{name}", setting=f"limits.max-{name}")


class NetworkSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """How the network is reached.

    Attributes:
        resolver: ``dns`` asks the name servers itself; ``system`` asks getaddrinfo (VPN rules, local services). Both
            ask for the full name with its root dot, so that neither a search list nor, on Linux, a hosts file answers.
        resolver_threads: Lookups at once with the system resolver; one more is an error, never a queue.
        answer_cache_seconds: The most that an answer is kept (never beyond its TTL); 0 keeps none.
        proxy: ``http://[user:password@]host:port`` of a CONNECT proxy that all requests go through. It is trusted.
        user_agent: What sites are told unless a caller says otherwise.
        ca_file: PEM file of the only certificate authorities to trust; by default the system's own.
    """

    resolver: Literal["dns", "system"] = "dns" if sys.platform == "linux" else "system"
    resolver_threads: Annotated[int, Meta(ge=1, le=256)] = 32
    answer_cache_seconds: Annotated[float, Meta(ge=0, le=60)] = 60.0
    proxy: str | None = None
    user_agent: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=256,
            pattern=r"^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?\Z",
            description="printable ASCII, no space at its ends",
        ),
    ] = USER_AGENT
    ca_file: str | None = None

    def __post_init__(self) -> None:
        if self.proxy is not None and not _is_proxy(self.proxy):
            raise InvalidConfiguration(
                "network.proxy must be http://host:port, with user:password@ before the host if the proxy wants them",
                setting="network.proxy",
            )

    def __repr__(self) -> str:
        return f"NetworkSettings(resolver={self.resolver!r}, proxy={'set' if self.proxy else None})"  # without password


class ContentSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """Where content work runs.

    Attributes:
        workers: Processes for it; 0 does it in the gateway's own process, where a hostile page can hold up the rest.
        seconds: Of one page in a worker, wall time.
        memory_bytes: Of one worker, address space.
    """

    workers: Annotated[int, Meta(ge=0, le=256)] = 0
    seconds: Seconds = 10.0
    memory_bytes: Annotated[int, Meta(ge=256 * MIB, le=64 * 1024 * MIB)] = 1024 * MIB


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """All settings of a gateway."""

    egress: EgressPolicy = EgressPolicy()
    limits: Limits = Limits()
    network: NetworkSettings = NetworkSettings()
    content: ContentSettings = ContentSettings()
    search: SearchSettings = SearchSettings()
    chat: ChatSettings = ChatSettings()
    store: StoreSettings = StoreSettings()


def _is_proxy(text: str) -> bool:
    if not text.startswith("http://") or not URL.can_parse(text):
        return False
    url = URL(text)
    return bool(url.hostname) and url.pathname == "/" and not url.search and not url.hash
