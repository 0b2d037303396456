"""Counters for each user and resource, in one row that knows its day.

The day of a resource is the latest that anybody has taken in, and never goes back: a clock that is set back gives
nobody a second allowance, since what is taken then counts for the later day.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from webward.errors import InvalidInput
from webward.model import Decision, Resource
from webward.model.quota import require_units
from webward.store.database import Database
from webward.store.days import day_of, end_of, zone_of
from webward.store.failure import broken

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime, tzinfo

    from webward.config import StoreSettings
    from webward.ports import Clock
    from webward.store.opening import Opened

FILE_NAME = "quota.sqlite3"
LAST_DAY = date.max.toordinal() - 1  # the last that ends
PURGED_ROWS = 500  # at once: whoever takes meanwhile waits for no more than these

# The row without a user holds the latest day of its resource: an index would be written anew with every take.
_TABLES = (
    f"""CREATE TABLE usage (
        resource TEXT NOT NULL, user BLOB NOT NULL,
        day INTEGER NOT NULL CHECK (day BETWEEN 1 AND {LAST_DAY}), used INTEGER NOT NULL CHECK (used >= 0),
        PRIMARY KEY (resource, user)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TRIGGER day_begun AFTER INSERT ON usage WHEN new.user <> x''
        BEGIN INSERT INTO usage VALUES (new.resource, x'', new.day, 0)
        ON CONFLICT (resource, user) DO UPDATE SET day = excluded.day WHERE day < excluded.day; END""",
    """CREATE TRIGGER day_ended AFTER UPDATE ON usage WHEN new.day > old.day AND new.user <> x''
        BEGIN UPDATE usage SET day = new.day WHERE resource = new.resource AND user = x'' AND day < new.day; END""",
)
# Parameters: 1 resource, 2 user, 3 today, 4 amount, 5 limit.
_LATEST = "(SELECT day FROM usage WHERE resource = ?1 AND user = x'')"
_TODAY = f"max(?3, coalesce({_LATEST}, ?3))"
_TAKE = f"""
    INSERT INTO usage (resource, user, day, used) SELECT ?1, ?2, {_TODAY}, ?4 WHERE ?4 <= ?5
    ON CONFLICT (resource, user) DO UPDATE SET
        used = CASE WHEN day < excluded.day THEN excluded.used ELSE used + excluded.used END, day = excluded.day
    WHERE CASE WHEN day < excluded.day THEN excluded.used ELSE used + excluded.used END <= ?5
    RETURNING day, used"""
_LOOK = f"SELECT {_TODAY}, (SELECT used FROM usage WHERE resource = ?1 AND user = ?2 AND day >= {_TODAY})"  # noqa: S608 - constants
_STALE = f"""
    SELECT user, day FROM usage WHERE resource = ?1 AND user > ?2 AND day < {_LATEST}
    ORDER BY user LIMIT {PURGED_ROWS}"""  # noqa: S608 - constants
_PURGE = "DELETE FROM usage WHERE resource = ? AND user = ? AND day = ?"  # unless it was renewed meanwhile


class _Today(NamedTuple):
    """The day of a time zone that an instant was in."""

    zone: tzinfo
    seen: datetime
    day: int
    ends: datetime


class SqliteQuota:
    """Implements `ports.Quota` in a file that any number of processes of one machine share.

    Args:
        settings: Of the store.
        clock: Tells the day.
    """

    def __init__(self, settings: StoreSettings, clock: Clock) -> None:
        self._database = Database(FILE_NAME, _TABLES, settings, erases=False)
        self._clock = clock
        self._todays: dict[str, _Today] = {}  # of each time zone
        self._begun: dict[str, int] = {}  # of each resource, the latest day that was seen

    async def take(self, user: str, resource: Resource, amount: int = 1) -> Decision:
        """Take units of a resource, all of them or none; see `ports.Quota`."""
        require_units("amount", amount)
        if not isinstance(resource, Resource):
            raise InvalidInput("resource must be a webward.model.Resource")
        name, limit = resource.name, resource.daily_limit
        today = self._today(resource.timezone)

        def work(opened: Opened) -> tuple[int, int, bool]:
            return _taken(opened.connection, (name, opened.hashes.of("user", user), today.day, amount, limit))

        day, used, allowed = await self._database.run(work, is_short=True)
        if day == today.day:
            ends = today.ends
        elif 0 < day <= LAST_DAY:
            ends = end_of(day, today.zone, today.seen)
        else:
            raise broken()
        if self._begun.get(name, 0) < day:
            self._begun[name] = day
            self._purge(name)
        return Decision(allowed=allowed, used=used, limit=limit, resets_at=ends)

    async def close(self) -> None:
        """Close the file."""
        await self._database.close()

    def _today(self, timezone: str) -> _Today:
        now, known = self._clock.now(), self._todays.get(timezone)
        if known is None or not known.seen <= now < known.ends:
            zone = zone_of(timezone)
            day = day_of(now, zone)
            known = self._todays[timezone] = _Today(zone, now, day, end_of(day, zone, now))
        return known

    def _purge(self, name: str) -> None:
        """Remove the rows of earlier days."""

        def work(connection: sqlite3.Connection) -> None:
            after = b""  # the row without a user stays
            while rows := connection.execute(_STALE, (name, after)).fetchall():
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany(_PURGE, [(name, user, day) for user, day in rows])
                connection.execute("COMMIT")
                after = rows[-1][0]

        self._database.later(work)


def _taken(connection: sqlite3.Connection, values: tuple[str, bytes, int, int, int]) -> tuple[int, int, bool]:
    """The day, the units used in it, and whether they were free."""
    *_, amount, limit = values
    if amount:
        for day, used in connection.execute(_TAKE, values).fetchall():
            return day, used, True
    ((day, used),) = connection.execute(_LOOK, values[:3]).fetchall()
    used = used or 0
    return day, used, not amount and used <= limit
