"""The database of tables, their logs, answers, results and players.

store, reader                           what the event loop uses: writes that report, reads
writer, transaction                     the one thread that commits for all tables
rows, schema, inserts, bulk, lookups    what is stored, and the statements that do it
deletions, migrations                   what goes, and databases of older versions
opening, database, files, postgresql    SQLite's file, or PostgreSQL
claim, file_watch                       whether the file is still ours and whole (ADR 15)
last_state, health                      how far it has come, and whether it stores
counted_writes                          what becomes of a commit whose answer is lost
ownership                               one server on a database in PostgreSQL (ADR 23)
nodes, lease, lease_keeper, lease_rows  several nodes on it (ADR 28)
membership, node_writes, takeover       what a node owns, writes and takes over
shared_tables                           the tables of all nodes
"""

from server.store.errors import (
    BadDatabase,
    DatabaseInUse,
    DatabaseLost,
    NewerDatabase,
    NoDatabase,
    NodeFenced,
    NotOwner,
    StoreClosed,
    StoreConflict,
    StoreDamaged,
    StoreError,
    StoreOverloaded,
    StoreUnavailable,
)
from server.store.last_state import moment
from server.store.lease import LeaseState, NodeListener
from server.store.nodes import LeaseTimes, NodeDetails, NodeRow, Owner
from server.store.opening import DatabaseFound
from server.store.rows import (
    CLOSED,
    AnswerKey,
    AnswerRow,
    BanKey,
    BanRow,
    Deletion,
    DescriptionRow,
    DeviceCodeRow,
    DeviceRow,
    EntryRow,
    ForgottenAnswers,
    GivenTable,
    HostedFile,
    HostedGame,
    HostedKey,
    NodeAnswer,
    NodeRequest,
    PlayerRow,
    PreferencesRow,
    RedeemedCode,
    ResultRow,
    ReviewRow,
    Seats,
    TableRow,
    Write,
)
from server.store.shared_tables import Changes, SharedTable
from server.store.store import Store

__all__ = [
    "CLOSED",
    "AnswerKey",
    "AnswerRow",
    "BadDatabase",
    "BanKey",
    "BanRow",
    "Changes",
    "DatabaseFound",
    "DatabaseInUse",
    "DatabaseLost",
    "Deletion",
    "DescriptionRow",
    "DeviceCodeRow",
    "DeviceRow",
    "EntryRow",
    "ForgottenAnswers",
    "GivenTable",
    "HostedFile",
    "HostedGame",
    "HostedKey",
    "LeaseState",
    "LeaseTimes",
    "NewerDatabase",
    "NoDatabase",
    "NodeAnswer",
    "NodeDetails",
    "NodeFenced",
    "NodeListener",
    "NodeRequest",
    "NodeRow",
    "NotOwner",
    "Owner",
    "PlayerRow",
    "PreferencesRow",
    "RedeemedCode",
    "ResultRow",
    "ReviewRow",
    "Seats",
    "SharedTable",
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
