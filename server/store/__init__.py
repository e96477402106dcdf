"""Tables, their logs, answers, results and players, kept in a database."""

from server.store.errors import (
    BadDatabase,
    DatabaseInUse,
    DatabaseLost,
    NewerDatabase,
    NoDatabase,
    StoreClosed,
    StoreConflict,
    StoreDamaged,
    StoreError,
    StoreOverloaded,
    StoreUnavailable,
)
from server.store.last_state import moment
from server.store.opening import Found
from server.store.rows import (
    CLOSED,
    AnswerKey,
    AnswerRow,
    BanKey,
    BanRow,
    Deletion,
    DescriptionRow,
    EntryRow,
    Forgotten,
    PlayerRow,
    ResultRow,
    TableRow,
    Write,
)
from server.store.store import Store

__all__ = [
    "CLOSED",
    "AnswerKey",
    "AnswerRow",
    "BadDatabase",
    "BanKey",
    "BanRow",
    "DatabaseInUse",
    "DatabaseLost",
    "Deletion",
    "DescriptionRow",
    "EntryRow",
    "Forgotten",
    "Found",
    "NewerDatabase",
    "NoDatabase",
    "PlayerRow",
    "ResultRow",
    "Store",
    "StoreClosed",
    "StoreConflict",
    "StoreDamaged",
    "StoreError",
    "StoreOverloaded",
    "StoreUnavailable",
    "TableRow",
    "Write",
    "moment",
]
