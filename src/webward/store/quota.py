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
from webward.store.database import Database
from webward.store.days import day_of, end_of, zone_of
from webward.store.failure import broken

if TYPE_CHECKING:
    import sqlite3

    from webward.config import StoreSettings
    from webward.ports import Clock
    from webward.store.opening import Opened

FILE_NAME = "quota.sqlite3"
MOST_UNITS = 2**53  # what every language holds exactly; two of them are still far below SQLite's own limit
LAST_DAY = date.max.toordinal() - 1  # the last that ends
PURGED_ROWS = 500  # at once: whoever takes meanwhile waits for no more than these

_NAME = re.compile(r"[a-z][a-z0-9-]{0,63}\Z")

_TABLES = (
    f"""CREATE TABLE usage (
        resource TEXT NOT NULL, user BLOB NOT NULL,
        day INTEGER NOT NULL CHECK (day BETWEEN 1 AND {LAST_DAY}), used INTEGER NOT NULL CHECK (used >= 0),
        PRIMARY KEY (resource, user)
    ) STRICT, WITHOUT ROWID""",
    "CREATE TABLE latest (resource TEXT PRIMARY KEY, day INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    # An index on the days would give the latest as well, but be written anew with every take.
    """CREATE TRIGGER day_begun AFTER INSERT ON usage
        WHEN new.day > coalesce((SELECT day FROM latest WHERE resource = new.resource), 0)
        BEGIN INSERT INTO latest VALUES (new.resource, new.day)
        ON CONFLICT (resource) DO UPDATE SET day = excluded.day; END""",
    """CREATE TRIGGER day_ended AFTER UPDATE ON usage WHEN new.day > old.day
        BEGIN UPDATE latest SET day = new.day WHERE resource = new.resource; END""",
)
_LATEST = "(SELECT day FROM latest WHERE resource = :resource)"
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
_STALE = f"""
    SELECT user, day FROM usage WHERE resource = :resource AND user > :after AND day < {_LATEST}
    ORDER BY user LIMIT {PURGED_ROWS}"""  # noqa: S608 - constants
_PURGE = "DELETE FROM usage WHERE resource = ? AND user = ? AND day = ?"  # unless it was renewed meanwhile


class SqliteQuota:
    """Implements `ports.Quota` in a file that any number of processes of one machine share.

    Args:
        settings: Of the store.
        clock: Tells the day.
    """

    def __init__(self, settings: StoreSettings, clock: Clock) -> None:
        self._database = Database(FILE_NAME, _TABLES, settings, erases=False)
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
        if not 0 < day <= LAST_DAY:
            raise broken()
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
            after = b""
            while rows := connection.execute(_STALE, {"resource": name, "after": after}).fetchall():
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany(_PURGE, [(name, user, day) for user, day in rows])
                connection.execute("COMMIT")
                after = rows[-1][0]

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
    timezone: object = resource.timezone
    if not isinstance(name, str) or not _NAME.match(name):
        raise InvalidInput("the name of a resource is lower-case letters, digits and hyphens, at most 64")
    if not isinstance(timezone, str):
        raise InvalidInput("timezone must be the name of a time zone")
    _require_units("daily_limit", resource.daily_limit)


def _require_units(name: str, units: object) -> None:
    if isinstance(units, bool) or not isinstance(units, int) or not 0 <= units <= MOST_UNITS:
        raise InvalidInput(f"{name} must be a whole number from 0 to 2**53")
