"""The configuration worker of an engine: entries with a schema and a value, and events when they change."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from webward.testing.iii_engine.wire import InvocationFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from webward.testing.iii_engine.wire import Trigger

TRIGGER_TYPE = "configuration"
REGISTERED = "configuration:registered"
UPDATED = "configuration:updated"
FIELDS = ("name", "description", "schema", "metadata")
_ID = re.compile(r"[a-z0-9_-]{1,64}")
_PLACEHOLDER = re.compile(r"\$\{(\w+)(?::([^}]*))?\}")


class ConfigurationService:
    """Serves ``configuration::`` register, ensure, get, set and list; values are not held against their schemas.

    Attributes:
        entries: By id, each with id, name, description, schema, value and, when there is one, metadata.
        variables: For ``${NAME}`` and ``${NAME:default}`` in values, which are filled in when a value is read.
        events: What was announced, in order.
    """

    def __init__(self, announce: Callable[[dict[str, Any]], None]) -> None:
        self._announce = announce
        self.entries: dict[str, dict[str, Any]] = {}
        self.variables: dict[str, str] = {}
        self.events: list[dict[str, Any]] = []
        self.functions: dict[str, Callable[[dict[str, Any]], Any]] = {
            "configuration::register": self._register,
            "configuration::ensure": self._ensure,
            "configuration::get": self._get,
            "configuration::set": self._set,
            "configuration::list": self._list,
        }

    def store(self, entry_id: str, value: object) -> None:
        """Put a value there as if it had been before; nobody is told."""
        self._store(entry_id, value)

    def change(self, entry_id: str, value: object) -> dict[str, Any]:
        """Put a value there, and give the event that tells of it, which is left to the caller to announce."""
        old = self._store(entry_id, value)
        event = _event(UPDATED, self.entries[entry_id], old)
        self.events.append(event)
        return event

    def answer(self, function_id: str, data: object) -> object:
        """The result of a function.

        Raises:
            InvocationFailed: It has none; the code says why.
        """
        data = {} if data is None else data
        if not isinstance(data, dict):
            raise InvocationFailed("invocation_failed", "the payload is not an object")
        name = data.get("id")
        if function_id != "configuration::list" and not (isinstance(name, str) and _ID.fullmatch(name)):
            raise InvocationFailed("INVALID_ID", f"the id {name!r} does not match {_ID.pattern}")
        if not isinstance(data.get("schema", {}), dict):
            raise InvocationFailed("SCHEMA_INVALID", "the schema is not an object")
        return self.functions[function_id](data)

    def _store(self, entry_id: str, value: object) -> object:
        new: dict[str, Any] = {"id": entry_id, "name": entry_id, "description": "", "schema": {}, "value": None}
        entry = self.entries.setdefault(entry_id, new)
        old, entry["value"] = entry["value"], value
        return old

    def _register(self, data: dict[str, Any]) -> dict[str, Any]:
        known = self.entries.get(data["id"])
        entry = self._described(data)
        if "initial_value" in data:
            entry["value"] = data["initial_value"]
        self._tell(UPDATED if known else REGISTERED, entry, known["value"] if known else None)
        return dict(entry)

    def _ensure(self, data: dict[str, Any]) -> dict[str, Any]:
        known = self.entries.get(data["id"])
        entry = self._described(data)
        if entry["value"] is None:
            entry["value"] = data.get("initial_value")
        if entry != known:
            self._tell(UPDATED if known else REGISTERED, entry, known["value"] if known else None)
        return dict(entry)

    def _get(self, data: dict[str, Any]) -> dict[str, Any]:
        value = self._entry(data, "NOT_FOUND")["value"]
        return {"id": data["id"], "value": value if data.get("raw") else self._filled(value)}

    def _set(self, data: dict[str, Any]) -> dict[str, Any]:
        entry = self._entry(data, "NOT_REGISTERED")
        old, entry["value"] = entry["value"], data.get("value")
        self._tell(UPDATED, entry, old)
        return {"old_value": old, "new_value": entry["value"]}

    def _list(self, _: dict[str, Any]) -> dict[str, Any]:
        shown = [{name: entry[name] for name in ("id", *FIELDS) if name in entry} for entry in self.entries.values()]
        return {"configurations": shown}

    def _entry(self, data: dict[str, Any], code: str) -> dict[str, Any]:
        try:
            return self.entries[data["id"]]
        except KeyError:
            raise InvocationFailed(code, f"there is no configuration {data['id']}") from None

    def _described(self, data: dict[str, Any]) -> dict[str, Any]:
        """The entry with what is said of it now, and the value that it has."""
        value = self.entries.get(data["id"], {}).get("value")
        entry = {"id": data["id"], **{name: data[name] for name in FIELDS if name in data}, "value": value}
        self.entries[data["id"]] = entry
        return entry

    def _tell(self, event_type: str, entry: dict[str, Any], old: object) -> None:
        event = _event(event_type, entry, old)
        self.events.append(event)
        self._announce(event)

    def _filled(self, value: object) -> object:
        if isinstance(value, dict):
            return {name: self._filled(part) for name, part in value.items()}
        if isinstance(value, list):
            return [self._filled(part) for part in value]
        return _PLACEHOLDER.sub(self._variable, value) if isinstance(value, str) else value

    def _variable(self, found: re.Match[str]) -> str:
        value = self.variables.get(found[1], found[2])
        if value is None:
            raise InvocationFailed("EXPAND_FAILED", f"the variable {found[1]} is not set, and has no default")
        return value


def listens(trigger: Trigger, event: dict[str, Any]) -> bool:
    """Whether a trigger asks for an event; without a list of kinds it asks for all."""
    config = trigger.config if isinstance(trigger.config, dict) else {}
    kinds = config.get("event_types", [event["event_type"]])
    return (
        trigger.trigger_type == TRIGGER_TYPE
        and config.get("configuration_id", event["id"]) == event["id"]
        and event["event_type"] in kinds
    )


def _event(event_type: str, entry: dict[str, Any], old: object) -> dict[str, Any]:
    described = {name: entry[name] for name in ("id", *FIELDS) if name in entry}
    values = {"old_value": old, "new_value": entry["value"]}
    return {"type": TRIGGER_TYPE, "event_type": event_type, **described, **values}
