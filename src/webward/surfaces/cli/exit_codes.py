"""Exit status of the command line, for every error code."""

from __future__ import annotations

OK = 0
INTERNAL = 1
INPUT = 2
REFUSED = 3
LIMIT = 4
TRANSPORT = 5
STORE = 5  # as the contract has it: what is outside the gateway failed
CONTENT = 6
PROVIDER = 7
INTERRUPTED = 130  # 128 + SIGINT, as shells have it

EXIT_STATUS = {
    "internal": INTERNAL,
    "invalid-input": INPUT,
    "invalid-url": INPUT,
    "invalid-header": INPUT,
    "invalid-configuration": INPUT,
    "refused-scheme": REFUSED,
    "refused-port": REFUSED,
    "refused-credentials": REFUSED,
    "refused-host": REFUSED,
    "refused-address": REFUSED,
    "refused-status": REFUSED,
    "refused-media-type": REFUSED,
    "deadline-exceeded": LIMIT,
    "too-many-redirects": LIMIT,
    "body-too-large": LIMIT,
    "overloaded": LIMIT,
    "content-too-costly": LIMIT,
    "name-not-found": TRANSPORT,
    "resolver-failed": TRANSPORT,
    "connect-failed": TRANSPORT,
    "tls-failed": TRANSPORT,
    "protocol-failed": TRANSPORT,
    "location-missing": TRANSPORT,
    "content-undecodable": CONTENT,
    "unsupported-content": CONTENT,
    "provider-failed": PROVIDER,
    "provider-unauthorized": PROVIDER,
    "provider-not-configured": PROVIDER,
    "store-unavailable": STORE,
}
