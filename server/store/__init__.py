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
    DescriptionRow,
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
    "DescriptionRow",
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
