"""The errors of the database, as one small tree.

    StoreError                 something could not be read or written
    ├── StoreConflict          this write contradicts what is stored; others are not concerned
    ├── StoreUnavailable       nothing can be written or read now: full, locked, read-only, gone
    │   └── DatabaseLost       the file is not the one that was opened, or was cut; final
    ├── StoreDamaged           what is stored cannot be read: pages of the file are wrong
    ├── StoreOverloaded        too much is waiting to be written
    ├── StoreClosed            the store is closed
    ├── NoDatabase             there was a database, and it is gone or empty
    ├── BadDatabase            the URL, or the file behind it, is no database of ours
    ├── NewerDatabase          the database was written by a newer version of the program
    └── DatabaseInUse          another server has it open

Each carries a stable ``code``; the words are for people and may change.
"""

from sqlalchemy.exc import DatabaseError, DBAPIError, IntegrityError, OperationalError


class StoreError(Exception):
    """The database could not be read or written."""

    code = "store_error"


class StoreConflict(StoreError):
    """One write contradicts what is stored; other writes are not affected."""

    code = "store_conflict"


class StoreUnavailable(StoreError):
    """Nothing can be written or read now: the disk is full, locked, read-only or gone."""

    code = "store_unavailable"


class DatabaseLost(StoreUnavailable):
    """The file is not the one that was opened, or was cut. Final."""

    code = "database_lost"


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


def store_error(error: Exception) -> StoreError:
    """`error` of the driver as one of ours; values bound to a statement are left out of the words.

    They may be hidden cards, and the words end up in a log.
    """
    if isinstance(error, StoreError):
        return error
    if not isinstance(error, DBAPIError):
        return StoreError(f"the write cannot be stored: {type(error).__name__}")
    kind: type[StoreError] = StoreError
    if isinstance(error, IntegrityError):
        kind = StoreConflict
    elif isinstance(error, OperationalError):
        kind = StoreUnavailable
    elif isinstance(error, DatabaseError) and "malformed" in str(error.orig):
        kind = StoreDamaged
    return kind(str(error.orig))
