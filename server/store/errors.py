"""The errors of the database, as one small tree.

    StoreError                 something could not be read or written
    ├── StoreConflict          this write contradicts what is stored; others are not concerned
    │   └── NotOwner           it is for a table that this node does not own
    ├── StoreUnavailable       nothing can be written or read now: full, locked, read-only, gone
    │   ├── DatabaseLost       it is not the one that was opened, lacks something, or has another
    │   │                      server; final
    │   └── NodeFenced         others may own the tables of this node; final
    ├── StoreDamaged           what is stored cannot be read: pages of the file are wrong
    ├── StoreOverloaded        too much is waiting to be written
    ├── StoreClosed            the store is closed
    ├── NoDatabase             there was a database, and it is gone or empty
    ├── BadDatabase            the URL, or the file behind it, is no database of ours
    ├── NewerDatabase          the database was written by a newer version of the program
    └── DatabaseInUse          another server has it open

Each carries a stable ``code``; the words are for people and may change.
"""

from typing import Any

from sqlalchemy.exc import DatabaseError, DBAPIError, IntegrityError, OperationalError


class StoreError(Exception):
    """The database could not be read or written."""

    code = "store_error"


class StoreConflict(StoreError):
    """One write contradicts what is stored; other writes are not affected."""

    code = "store_conflict"


class NotOwner(StoreConflict):
    """A write for a table that this node does not own."""

    code = "not_owner"


class StoreUnavailable(StoreError):
    """Nothing can be written or read now: the disk is full, locked, read-only or gone."""

    code = "store_unavailable"


class DatabaseLost(StoreUnavailable):
    """The database was replaced, lacks something, or has another server. Final."""

    code = "database_lost"


class NodeFenced(StoreUnavailable):
    """The lease of this node is over: others may own its tables. Final."""

    code = "node_fenced"


class StoreDamaged(StoreError):
    """Stored rows cannot be read: pages of the file are wrong."""

    code = "store_damaged"


class NoDatabase(StoreError):
    """There was a database, and it is gone or empty."""

    code = "no_database"


class StoreOverloaded(StoreError):
    """Too many writes wait."""

    code = "store_overloaded"


class StoreClosed(StoreError):
    """The store is closed."""

    code = "store_closed"


class BadDatabase(StoreError):
    """The URL, or the file behind it, is no database of this program."""

    code = "bad_database"


class NewerDatabase(StoreError):
    """A newer version of the program wrote the database."""

    code = "newer_database"


class DatabaseInUse(StoreError):
    """Another server has the database open."""

    code = "database_in_use"


def is_deadlock(error: Exception) -> bool:
    """Whether a transaction was refused because another one waited for it in turn.

    It had no effect, and may be repeated. SQLite has one writer, and so no such error.
    """
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) == "40P01"


def store_error(error: Exception) -> StoreError:
    """Return our error for an `error` of the driver, without the values bound to a statement.

    The values may be hidden cards, and the message ends up in a log.
    """
    if isinstance(error, StoreError):
        return error
    if not isinstance(error, DBAPIError):
        return StoreError(f"the write cannot be stored: {type(error).__name__}")
    # SQLite's errors have no such state.
    state = getattr(error.orig, "sqlstate", None)
    return _kind(error, state)(_words(error, state))


def _kind(error: DBAPIError, state: str | None) -> type[StoreError]:
    if isinstance(error, IntegrityError):
        return StoreConflict
    if error.connection_invalidated or isinstance(error, OperationalError):
        return StoreUnavailable
    if state is not None and (state in _UNAVAILABLE or state[:2] in _UNAVAILABLE):
        return StoreUnavailable
    if state in _DAMAGED or (isinstance(error, DatabaseError) and "malformed" in str(error.orig)):
        return StoreDamaged
    return StoreError


_UNAVAILABLE = ("08", "25006", "40", "42501", "42703", "42P01", "53", "55", "57", "58")
"""States of PostgreSQL, or their classes, that concern all writes: no connection, a standby or a
role that only reads, a deadlock, a missing column or table, no room, a lock, an administrator, the
disk."""

_DAMAGED = ("XX001", "XX002")

# fmt: off
_SAY_NO_VALUE = (
    "08", "0A", "23", "25", "28", "3D", "40", "42", "53", "54", "55", "57", "58", "XX",
)
# fmt: on
"""Classes of states whose message says what is wrong without a value of a row. Others quote one
(22), or say whatever somebody's trigger says (P0)."""

_BY_OTHERS = "pl_exec.c"
"""Where PostgreSQL says that an error was raised by somebody's function, under any state."""


def _words(error: DBAPIError, state: str | None) -> str:
    """Return the driver's message without values: PostgreSQL quotes whole rows in its details."""
    # What the driver raised; each has its own attributes.
    found: Any = error.orig
    if not hasattr(found, "diag"):
        return str(found)
    if state is None:
        # Not from the database: the connection, which holds no rows, or a value that it refused.
        if isinstance(error, OperationalError):
            return " ".join(str(found).split())
        return f"the write cannot be stored: {type(found).__name__}"
    said = found.diag.message_primary
    if not said or not state.startswith(_SAY_NO_VALUE) or found.diag.source_file == _BY_OTHERS:
        return f"the database refuses a value ({type(found).__name__})"
    return str(said)
