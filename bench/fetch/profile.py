"""Where the CPU time of a case goes: the stack is looked at whenever so much of it was used.

What runs in C counts for the Python function that called it. A profiler that counts calls would double the cost of
small functions, and tell a tale of them alone.
"""

from __future__ import annotations

import signal
from collections import Counter
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.fetch import load

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType

    Look = list[CodeType]  # the innermost first
    Stack = tuple[str, ...]  # the same, named

CPU_SECONDS_A_LOOK = 0.001  # the kernel makes it as much as its own tick
SHOWN = 40
MIN_SHARE, MAX_SHARE = 0.004, 0.97  # above it are the roots of every stack
OWN_PACKAGE = "webward."
# A look counts for the first of these that a function of its stack begins with, the innermost function first.
PHASES = {
    "h11": "h11",
    "ssl:SSLObject.do_handshake": "TLS handshake",
    "asyncio.sslproto:SSLProtocol._do_handshake": "TLS handshake",
    "asyncio.sslproto:SSLProtocol._on_handshake": "TLS handshake",
    "asyncio.sslproto": "TLS records",
    "ssl:": "TLS records",
    "asyncio.selector_events": "sockets",
    "asyncio.timeouts": "deadline",
    "webward.engine.deadline": "deadline",
    "webward.engine.call": "arguments",
    "webward.core.url": "URL",
    "webward.core.egress": "judging",
    "webward.core.address": "judging",
    "webward.net.interfaces": "judging",
    "webward.net.resolver": "names",
    "webward.net.channel": "names",
    "pycares": "names",
    "webward.net.pool": "pool",
    "webward.net.dialer": "dial",
    "aiohappyeyeballs": "dial",
    "webward.core.request_head": "request",
    "webward.net.http1:_written": "request",
    "webward.core.response": "response",
    "webward.net.http1": "response",
    "webward.net.wire": "wire",
    "webward.net.transport": "transport",
    "webward.core.decoding": "body",
    "webward.engine.fetch:_decode": "body",
    "webward.engine.fetch:_shown": "charset and kind",
    "webward.engine.fetch:Fetcher._finish": "result",
    "webward.engine.fetch:_Chain": "result",
    "webward.engine": "hop loop",
    "floor": "client",
    "asyncio.base_events:BaseEventLoop._run_once": "event loop",
}
ROOTS = ("site-packages", "src", "python3.")  # what stands behind one of these is a module


async def measure(*, client: str, case: dict[str, object], seconds: float) -> dict[str, Any]:
    """The figures of the case, and the shares of phases, of functions by themselves, with all they call, as owners.

    The owner of a look is the innermost function of webward's own: what the standard library does for it is its cost.
    """
    looks: list[Look] = []
    with _looking(looks):
        figures = await load.measure(client=client, case=case, seconds=seconds)
    named = (tuple(map(_name, look)) for look in looks)
    stacks = [stack for stack in named if not any("importlib" in name for name in stack)]
    return {
        **figures,
        "looks": len(stacks),
        "phase": _shares(Counter(map(_phase, stacks)), len(stacks)),
        "itself": _shares(Counter(stack[0] for stack in stacks), len(stacks)),
        "with all it calls": _shares(Counter(name for stack in stacks for name in set(stack)), len(stacks)),
        "owner": _shares(Counter(_owner(stack) for stack in stacks), len(stacks)),
    }


@contextmanager
def _looking(looks: list[Look]) -> Iterator[None]:
    def look(_signal: int, frame: FrameType | None) -> None:
        codes = []
        while frame is not None:
            codes.append(frame.f_code)
            frame = frame.f_back
        looks.append(codes)

    signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS_A_LOOK, CPU_SECONDS_A_LOOK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


@cache
def _name(code: CodeType) -> str:
    path = Path(code.co_filename).with_suffix("")
    roots = [place for place, part in enumerate(path.parts) if part.startswith(ROOTS)]
    module = ".".join(path.parts[roots[-1] + 1 :] if roots else path.parts[-1:])
    return f"{module}:{code.co_qualname}"


def _phase(stack: Stack) -> str:
    found = (phase for name in stack for prefix, phase in PHASES.items() if name.startswith(prefix))
    return next(found, "benchmark")


def _owner(stack: Stack) -> str:
    return next((name for name in stack if name.startswith(OWN_PACKAGE)), f"({stack[0]})")


def _shares(counts: Counter[str], total: int) -> dict[str, float]:
    shares = {name: count / total for name, count in counts.most_common()}
    return dict([(name, share) for name, share in shares.items() if MIN_SHARE <= share <= MAX_SHARE][:SHOWN])
