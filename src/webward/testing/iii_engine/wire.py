"""The frames of the engine's wire protocol, as far as the double reads them; what it does not know is left out."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

DEFAULT_NAMESPACE = "default"


class InvocationFailed(Exception):
    """A function gave an error in place of a result.

    Attributes:
        code: The error's own, such as ``invocation_failed``, or one of the engine: ``function_not_found``,
            ``INVALID_NAMESPACE``, ``enqueue_error``. The double's own codes are ``worker_gone`` (the connection ended),
            ``no_answer`` (neither a result nor an error came) and ``harness_down``.
        message: The error's own words.
        stacktrace: Of the worker, when it sent one.
    """

    def __init__(self, code: str, message: str, stacktrace: str | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.stacktrace = stacktrace


class ErrorBody(Struct, frozen=True, omit_defaults=True):
    """What went wrong, on the wire."""

    code: str
    message: str
    stacktrace: str | None = None


class Function(Struct, frozen=True, tag_field="type", tag="registerfunction"):
    """A function that a worker registered.

    Attributes:
        id: Such as ``web::fetch``.
        description: In words.
        request_format: JSON Schema of the payload.
        response_format: JSON Schema of the result.
        metadata: Whatever the worker says of it.
        invocation: Where it is called by HTTP, when it is.
        observe: What the 0.25 SDK says of observers.
    """

    id: str
    description: str | None = None
    request_format: Any = None
    response_format: Any = None
    metadata: Any = None
    invocation: Any = None
    observe: Any = None


class Trigger(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="registertrigger"):
    """A trigger that a worker bound to a function.

    Attributes:
        id: Made by the SDK.
        trigger_type: Such as ``configuration``.
        function_id: The function that is called when it fires.
        config: As the trigger's type has it.
        metadata: Given to the function with each call.
        namespace: Of the function.
        trigger_namespace: Of the type's provider.
    """

    id: str
    trigger_type: str
    function_id: str
    config: Any = None
    metadata: Any = None
    namespace: str | None = None
    trigger_namespace: str | None = None


class TriggerType(Struct, frozen=True, tag_field="type", tag="registertriggertype"):
    """A type of triggers that a worker provides.

    Attributes:
        id: What triggers name it by.
        description: In words.
        trigger_request_format: JSON Schema of a trigger's config.
        call_request_format: JSON Schema of the event.
        namespace: Where it is provided.
    """

    id: str
    description: str
    trigger_request_format: Any = None
    call_request_format: Any = None
    namespace: str | None = None


class UnregisterFunction(Struct, frozen=True, tag_field="type", tag="unregisterfunction"):
    """A function is there no more."""

    id: str


class UnregisterTrigger(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="unregistertrigger"):
    """A trigger is bound no more."""

    id: str
    trigger_type: str | None = None


class UnregisterTriggerType(Struct, frozen=True, tag_field="type", tag="unregistertriggertype"):
    """A type is provided no more."""

    id: str
    namespace: str | None = None


class Action(Struct, frozen=True):
    """How an invocation is meant: ``void`` wants no answer, ``enqueue`` names a queue."""

    type: str
    queue: str | None = None


class Invocation(Struct, frozen=True, tag_field="type", tag="invokefunction"):
    """A call from a worker; without an id no answer is wanted."""

    function_id: str
    data: Any = None
    invocation_id: str | None = None
    action: Action | None = None
    metadata: Any = None
    namespace: str | None = None


class Answer(Struct, frozen=True, tag_field="type", tag="invocationresult"):
    """A worker's answer to a call; a result may be null, but it is there, unless there is an error."""

    invocation_id: str
    function_id: str
    result: Any | UnsetType = UNSET
    error: ErrorBody | None = None


class TriggerAnswer(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="triggerregistrationresult"):
    """The answer of a type's provider to a trigger."""

    id: str
    trigger_type: str
    function_id: str
    error: ErrorBody | None = None


class Reattach(Struct, frozen=True, tag_field="type", tag="reattach"):
    """A worker that was connected before."""

    previous_worker_id: str
    reattach_token: str | None = None


class LocalStats(Struct, frozen=True, tag_field="type", tag="localinvocationstats"):
    """Counts of the calls that a worker made to itself, from engines with ``local-dispatch.v1`` only."""


Frame = (
    Function
    | Trigger
    | TriggerType
    | UnregisterFunction
    | UnregisterTrigger
    | UnregisterTriggerType
    | Invocation
    | Answer
    | TriggerAnswer
    | Reattach
    | LocalStats
)


class Unexpected(Struct, frozen=True):
    """What a worker should not have sent, or a function of the test should not have done.

    Attributes:
        reason: What is wrong with it.
        content: The frame as it came (decoded when it is JSON), or the error.
    """

    reason: str
    content: object


def as_frame(content: object) -> Frame:
    """The typed form of a decoded frame.

    Raises:
        ValidationError: It is not one of the protocol.
    """
    frame: Frame = msgspec.convert(content, Frame)
    return frame


def invocation(
    function_id: str, data: object, *, invocation_id: str | None = None, metadata: object = None
) -> dict[str, object]:
    """The frame that calls a function of a worker."""
    frame: dict[str, object] = {"type": "invokefunction", "function_id": function_id, "data": data}
    if invocation_id is not None:
        frame["invocation_id"] = invocation_id
    if metadata is not None:
        frame["metadata"] = metadata
    return frame


def answer(asked: Invocation, outcome: object) -> dict[str, object]:
    """The frame that answers a worker's call with a result or an `InvocationFailed`."""
    frame: dict[str, object] = {"type": "invocationresult"}
    frame |= {"invocation_id": asked.invocation_id, "function_id": asked.function_id}
    if isinstance(outcome, InvocationFailed):
        return frame | {"error": ErrorBody(outcome.code, outcome.message, outcome.stacktrace)}
    return frame | {"result": outcome}
