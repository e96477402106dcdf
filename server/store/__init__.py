"""Tables, their logs, answers, results and players, kept in a database."""

from server.store.errors import (
    BadDatabase,
    DatabaseInUse,
    NewerDatabase,
    StoreClosed,
    StoreConflict,
    StoreError,
    StoreOverloaded,
    StoreUnavailable,
)
from server.store.rows import (
    CLOSED,
    AnswerRow,
    EntryRow,
    PlayerRow,
    ResultRow,
    TableRow,
    Write,
)
from server.store.store import Store

__all__ = [
    "CLOSED",
    "AnswerRow",
    "BadDatabase",
    "DatabaseInUse",
    "EntryRow",
    "NewerDatabase",
    "PlayerRow",
    "ResultRow",
    "Store",
    "StoreClosed",
    "StoreConflict",
    "StoreError",
    "StoreOverloaded",
    "StoreUnavailable",
    "TableRow",
    "Write",
]
