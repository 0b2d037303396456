"""Counters for each user and resource, in one row that knows its day.

The day of a resource is the latest that anybody has taken in, and never goes back: a clock that is set back gives
nobody a second allowance, since what is taken then counts for the later day.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any

from webward.errors import InvalidInput
from webward.model import Decision, Resource
from webward.store.database import Checkpoint, Database
from webward.store.days import day_of, end_of, zone_of

if TYPE_CHECKING:
    import sqlite3

    from webward.config import StoreSettings
    from webward.ports import Clock
    from webward.store.opening import Opened

FILE_NAME = "quota.sqlite3"
MOST_UNITS = 2**53  # what every language holds exactly; two of them are still far below SQLite's own limit
LAST_DAY = date.max.toordinal() - 1  # the last that ends
CHECKPOINT = Checkpoint(changes=250, mode="PASSIVE")  # a change is one or two pages of 4 KiB
PURGED_ROWS = 500  # at once: whoever takes meanwhile waits for no more than these

_NAME = re.compile(r"[a-z][a-z0-9-]{0,63}\Z")

_TABLES = (
    f"""CREATE TABLE usage (
        resource TEXT NOT NULL, user BLOB NOT NULL, day INTEGER NOT NULL CHECK (day BETWEEN 1 AND {LAST_DAY}),
        used INTEGER NOT NULL CHECK (used >= 0),
        PRIMARY KEY (resource, user)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX usage_by_day ON usage (resource, day)",
)
_LATEST = "(SELECT max(day) FROM usage WHERE resource = :resource)"
_TODAY = f"max(:day, coalesce({_LATEST}, :day))"
_TAKE = f"""
    INSERT INTO usage (resource, user, day, used)
    SELECT :resource, :user, {_TODAY}, :amount WHERE :amount <= :limit
    ON CONFLICT (resource, user) DO UPDATE SET
        used = CASE WHEN day < excluded.day THEN excluded.used ELSE used + excluded.used END, day = excluded.day
    WHERE CASE WHEN day < excluded.day THEN excluded.used ELSE used + excluded.used END <= :limit
    RETURNING day, used"""
_LOOK = f"""
    SELECT {_TODAY},
    (SELECT used FROM usage WHERE resource = :resource AND user = :user AND day >= {_TODAY})"""  # noqa: S608 - constants
_PURGE = f"""
    DELETE FROM usage WHERE resource = :resource AND user IN (
        SELECT user FROM usage WHERE resource = :resource AND day < {_LATEST} LIMIT {PURGED_ROWS}
    )"""  # noqa: S608 - constants


class SqliteQuota:
    """Implements `ports.Quota` in a file that any number of processes of one machine share.

    Args:
        settings: Of the store.
        clock: Tells the day.
    """

    def __init__(self, settings: StoreSettings, clock: Clock) -> None:
        self._database = Database(FILE_NAME, _TABLES, settings, CHECKPOINT)
        self._clock = clock
        self._days: dict[str, int] = {}  # of each resource, the latest that was seen

    async def take(self, user: str, resource: Resource, amount: int = 1) -> Decision:
        """Take units of a resource, all of them or none; see `ports.Quota`."""
        _require_units("amount", amount)
        _require_resource(resource)
        zone, now = zone_of(resource.timezone), self._clock.now()
        values: dict[str, Any] = {
            "resource": resource.name,
            "day": day_of(now, zone),
            "amount": amount,
            "limit": resource.daily_limit,
        }

        def work(opened: Opened) -> tuple[int, int, bool]:
            return _taken(opened.connection, {**values, "user": opened.hashes.of("user", user)})

        day, used, allowed = await self._database.run(work, is_short=True)
        if self._days.get(resource.name, 0) < day:
            self._purge(resource.name)
        self._days[resource.name] = day
        return Decision(allowed=allowed, used=used, limit=resource.daily_limit, resets_at=end_of(day, zone, now))

    async def close(self) -> None:
        """Close the file."""
        await self._database.close()

    def _purge(self, name: str) -> None:
        """Remove the rows of earlier days."""

        def work(connection: sqlite3.Connection) -> None:
            while connection.execute(_PURGE, {"resource": name}).rowcount:
                pass

        self._database.later(work)


def _taken(connection: sqlite3.Connection, values: dict[str, Any]) -> tuple[int, int, bool]:
    """The day, the units used in it, and whether they were free."""
    rows = connection.execute(_TAKE, values).fetchall() if values["amount"] else []
    if rows:
        ((day, used),) = rows
        return day, used, True
    ((day, used),) = connection.execute(_LOOK, values).fetchall()
    used = used or 0
    return day, used, not values["amount"] and used <= values["limit"]


def _require_resource(resource: object) -> None:
    if not isinstance(resource, Resource):
        raise InvalidInput("resource must be a webward.model.Resource")
    name: object = resource.name
    if not isinstance(name, str) or not _NAME.match(name):
        raise InvalidInput("the name of a resource is lower-case letters, digits and hyphens, at most 64")
    _require_units("daily_limit", resource.daily_limit)


def _require_units(name: str, units: object) -> None:
    if isinstance(units, bool) or not isinstance(units, int) or not 0 <= units <= MOST_UNITS:
        raise InvalidInput(f"{name} must be a whole number from 0 to 2**53")
