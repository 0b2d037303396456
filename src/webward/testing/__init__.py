"""The public test kit: parts to put into a `Gateway`, so that a test needs neither mocks nor the network."""

from webward.testing.clock import FrozenClock
from webward.testing.doubles import BraveDouble, OllamaDouble, ProviderDouble, SearxngDouble
from webward.testing.interfaces import FixedInterfaces
from webward.testing.loopback import LoopbackWeb
from webward.testing.model_double import ModelDouble
from webward.testing.provider import FakeProvider
from webward.testing.resolver import FakeResolver
from webward.testing.script import Close, Pause, Reset, Send, Step
from webward.testing.seen import SeenRequest

__all__ = [
    "BraveDouble",
    "Close",
    "FakeProvider",
    "FakeResolver",
    "FixedInterfaces",
    "FrozenClock",
    "LoopbackWeb",
    "ModelDouble",
    "OllamaDouble",
    "Pause",
    "ProviderDouble",
    "Reset",
    "SearxngDouble",
    "SeenRequest",
    "Send",
    "Step",
]
