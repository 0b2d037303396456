"""What an agent's harness does with the hooks that come before a model is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from webward.testing.iii_engine.wire import InvocationFailed, Trigger

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

PRE_GENERATE = "harness::hook::pre-generate"
FAIL_OPEN = "fail_open"
FAIL_CLOSED = "fail_closed"


class Binding(Struct, frozen=True, forbid_unknown_fields=True):
    """What the config of a hook's trigger may say."""

    functions: list[str] | None = None
    sessions: list[str] | None = None
    priority: int = 0
    timeout_ms: int = 5000
    on_error: str = FAIL_CLOSED


class Mutations(Struct, frozen=True):
    """What a hook changes; a prompt takes the place of the one that was."""

    system_prompt: str | None = None
    append_messages: list[Any] = []


class HookAnswer(Struct, frozen=True):
    """What a hook's function may answer."""

    decision: str | None = None
    reason: str | None = None
    mutations: Mutations | None = None
    annotations: dict[str, Any] | None = None


class Turn(Struct, frozen=True):
    """What the hooks made of a turn.

    Attributes:
        system_prompt: That the model would get.
        messages: That the model would get.
        decision: ``continue``, or ``deny`` or ``hold``, which end the hooks; ``abort`` when a hook failed that is
            bound with ``fail_closed``, which is the default.
        reason: Of a decision to deny, or the error of the hook that failed.
        annotations: Of all hooks, the last of each name.
        failed: Errors of hooks that are bound with ``fail_open``.
    """

    system_prompt: str
    messages: list[Any]
    decision: str = "continue"
    reason: str | None = None
    annotations: dict[str, Any] = {}
    failed: tuple[str, ...] = ()


class Harness:
    """Asks the functions that are bound to `PRE_GENERATE` before each turn.

    Args:
        bound: Gives the triggers of `PRE_GENERATE`.
        ask: Calls the function of a trigger with a payload and a time in seconds.
        up: Whether it has come.

    Attributes:
        up: As the argument.
    """

    def __init__(
        self,
        bound: Callable[[], list[Trigger]],
        ask: Callable[[Trigger, object, float], Awaitable[Any]],
        *,
        up: bool,
    ) -> None:
        self._bound = bound
        self._ask = ask
        self.up = up

    def fault(self, trigger: Trigger) -> str | None:
        """What it does not take of a trigger; None when it takes it."""
        try:
            on_error = _binding(trigger).on_error
        except msgspec.ValidationError as error:
            return f"config: {error}"
        known = on_error in {FAIL_OPEN, FAIL_CLOSED}
        return None if known else f"config: on_error must be {FAIL_OPEN} or {FAIL_CLOSED}, not {on_error}"

    async def turn(self, system_prompt: str, *, messages: Sequence[Any] = (), injects: bool = True) -> Turn:
        """Let the hooks work on a turn, in the order of their priority and then of their function's id.

        Args:
            system_prompt: Of the turn, so far.
            messages: Of the turn, so far.
            injects: Whether it appends the ``inject_prompt`` of a trigger's metadata itself, without calling the
                function, as newer ones do.

        Raises:
            InvocationFailed: The harness is not up.
        """
        if not self.up:
            raise InvocationFailed("harness_down", "the harness is not up; see `start_harness`")
        turn = Turn(system_prompt=system_prompt, messages=list(messages))
        for trigger in sorted(self._bound(), key=lambda one: (_binding(one).priority, one.function_id)):
            text = trigger.metadata.get("inject_prompt") if injects and isinstance(trigger.metadata, dict) else None
            if text:
                prompt = f"{turn.system_prompt}\n\n{text}" if turn.system_prompt else text
                turn = msgspec.structs.replace(turn, system_prompt=prompt)
            else:
                turn = await self._asked(trigger, turn)
            if turn.decision != "continue":
                break
        return turn

    async def _asked(self, trigger: Trigger, turn: Turn) -> Turn:
        generate = {"system_prompt": turn.system_prompt, "messages": turn.messages, "model": "m", "provider": "p"}
        payload = {"point": "pre_generate", "session_id": "s", "turn_id": "t", "step": 0, "depth": 0}
        binding = _binding(trigger)
        try:
            answer = await self._ask(trigger, payload | {"generate": generate}, binding.timeout_ms / 1000)
            return _mutated(turn, msgspec.convert(answer or {}, HookAnswer))
        except (InvocationFailed, TimeoutError, msgspec.ValidationError) as error:
            if binding.on_error == FAIL_OPEN:
                return msgspec.structs.replace(turn, failed=(*turn.failed, str(error)))
            return msgspec.structs.replace(turn, decision="abort", reason=str(error))


def _binding(trigger: Trigger) -> Binding:
    return msgspec.convert({} if trigger.config is None else trigger.config, Binding)


def _mutated(turn: Turn, answer: HookAnswer) -> Turn:
    mutations = answer.mutations or Mutations()
    prompt = turn.system_prompt if mutations.system_prompt is None else mutations.system_prompt
    return msgspec.structs.replace(
        turn,
        system_prompt=prompt,
        messages=[*turn.messages, *mutations.append_messages],
        decision=answer.decision or "continue",
        reason=answer.reason,
        annotations=turn.annotations | (answer.annotations or {}),
    )
