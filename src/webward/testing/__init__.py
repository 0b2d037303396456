"""The public test kit: parts to put into a `Gateway`, so that a test needs neither mocks nor the network."""

from webward.testing.clock import FrozenClock
from webward.testing.interfaces import FixedInterfaces
from webward.testing.loopback import LoopbackWeb, SeenRequest
from webward.testing.resolver import FakeResolver
from webward.testing.script import Close, Pause, Reset, Send, Step

__all__ = [
    "Close",
    "FakeResolver",
    "FixedInterfaces",
    "FrozenClock",
    "LoopbackWeb",
    "Pause",
    "Reset",
    "SeenRequest",
    "Send",
    "Step",
]
