"""What an agent's harness does with the hooks that come before a model is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from webward.testing.iii_engine.wire import InvocationFailed

if TYPE_CHECKING:
    from webward.testing.iii_engine.engine import EngineDouble
    from webward.testing.iii_engine.wire import Trigger

PRE_GENERATE = "harness::hook::pre-generate"
FAIL_OPEN = "fail_open"
FAIL_CLOSED = "fail_closed"
TIMEOUT_MS = 5000
KEYS = {"functions", "priority", "timeout_ms", "on_error", "sessions"}


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

    Attributes:
        up: Whether it has come; triggers that were bound before take effect when it has.
    """

    def __init__(self, engine: EngineDouble, *, up: bool) -> None:
        self._engine = engine
        self.up = up

    def fault(self, trigger: Trigger) -> str | None:
        """What it does not take of a binding; None when it takes it."""
        config = {} if trigger.config is None else trigger.config
        if not isinstance(config, dict):
            return "config: must be an object"
        unknown = sorted(set(config) - KEYS)
        if unknown:
            return f"config: unknown key {unknown[0]}"
        if config.get("on_error", FAIL_CLOSED) not in {FAIL_OPEN, FAIL_CLOSED}:
            return f"config: on_error must be {FAIL_OPEN} or {FAIL_CLOSED}"
        return None

    async def turn(self, system_prompt: str, *, injects: bool = True, **generate: object) -> Turn:
        """Let the hooks work on a turn.

        Args:
            system_prompt: Of the turn, so far.
            injects: Whether it appends the text of a binding with ``inject_prompt`` itself, without calling its
                function, as newer ones do.
            generate: What else the turn has: ``messages``, ``model``, ``provider``.

        Raises:
            InvocationFailed: The harness is not up.
        """
        if not self.up:
            raise InvocationFailed("harness_down", "the harness is not up; start it with `start_harness`")
        turn = Turn(system_prompt=system_prompt, messages=list(generate.pop("messages", [])))  # type: ignore[call-overload]
        bound = self._engine.triggers_of(PRE_GENERATE)
        for trigger in sorted(bound, key=lambda one: (_config(one).get("priority", 0), one.function_id)):
            text = (trigger.metadata or {}).get("inject_prompt") if injects else None
            if text:
                prompt = f"{turn.system_prompt}\n\n{text}" if turn.system_prompt else text
                turn = msgspec.structs.replace(turn, system_prompt=prompt)
            else:
                turn = await self._ask(trigger, turn, generate)
            if turn.decision != "continue":
                break
        return turn

    async def _ask(self, trigger: Trigger, turn: Turn, generate: dict[str, object]) -> Turn:
        config = _config(trigger)
        seen = {"system_prompt": turn.system_prompt, "messages": turn.messages, "model": "m", "provider": "p"}
        payload = {"point": "pre_generate", "session_id": "s", "turn_id": "t", "step": 0, "depth": 0}
        payload["generate"] = seen | generate
        try:
            answer = await self._engine.call(
                trigger.function_id,
                payload,
                metadata=trigger.metadata,
                namespace=trigger.namespace,
                seconds=config.get("timeout_ms", TIMEOUT_MS) / 1000,
            )
        except (InvocationFailed, TimeoutError) as error:
            if config.get("on_error", FAIL_CLOSED) == FAIL_OPEN:
                return msgspec.structs.replace(turn, failed=(*turn.failed, str(error)))
            return msgspec.structs.replace(turn, decision="abort", reason=str(error))
        return _mutated(turn, answer or {})


def _config(trigger: Trigger) -> dict[str, Any]:
    return trigger.config or {}


def _mutated(turn: Turn, answer: dict[str, Any]) -> Turn:
    mutations = answer.get("mutations") or {}
    return msgspec.structs.replace(
        turn,
        system_prompt=mutations.get("system_prompt", turn.system_prompt),
        messages=[*turn.messages, *mutations.get("append_messages", [])],
        decision=answer.get("decision") or "continue",
        reason=answer.get("reason"),
        annotations=turn.annotations | (answer.get("annotations") or {}),
    )
