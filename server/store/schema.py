"""The database's tables, of the rows in `server.store.rows`.

A change here needs a migration; a test compares the two.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    func,
    select,
    text,
    true,
)

HEAD = "0013"
"""The migration that leads to this schema."""

METADATA = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

PLAYERS = Table(
    "players",
    METADATA,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("token_hash", String, nullable=False),
    Column("created", Double, nullable=False),
    Column("seen", Double, nullable=False, server_default="0"),
    Column("sat", Boolean, nullable=False, server_default=true()),
    Index(None, "token_hash", unique=True),
)

# A table that somebody owns is written to by that node alone, as long as the node has this epoch.
# `changed` is the transaction that wrote the row last, by its number in PostgreSQL; in SQLite 0.
TABLES = Table(
    "tables",
    METADATA,
    Column("code", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("phase", String, nullable=False),
    Column("due", Double),
    Column("seq", BigInteger, nullable=False),
    Column("created", Double, nullable=False),
    Column("summary", Text, nullable=False),
    Column("owner", String),
    Column("owner_epoch", BigInteger),
    Column("changed", BigInteger, nullable=False, server_default="0"),
    Index(None, "phase"),
    Index(None, "changed"),
)

SEATS = Table(
    "seats",
    METADATA,
    Column("table_code", ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("player", String, primary_key=True),
    Index(None, "player"),
    sqlite_with_rowid=False,
)

NAMED = text("command IS NOT NULL AND kind <> 'act'")
"""Entries that are found by the command that wrote them, whatever table it was for."""

# Kept by row number, not by key: entries of many tables arrive together, and this way they share
# a page instead of each rewriting the last page of its own table (half the cost of a move).
ENTRIES = Table(
    "entries",
    METADATA,
    Column("table_code", ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String, nullable=False),
    Column("time", Double, nullable=False),
    Column("body", Text, nullable=False),
    Column("player", String),
    Column("client", String),
    Column("command", BigInteger),
    # Moves are most of all entries and are looked up in their table's log, so they stay out.
    Index(
        None,
        "player",
        "client",
        "command",
        unique=True,
        sqlite_where=NAMED,
        postgresql_where=NAMED,
    ),
)

ANSWERS = Table(
    "answers",
    METADATA,
    Column("player", String, primary_key=True),
    Column("client", String, primary_key=True),
    Column("command", BigInteger, primary_key=True, autoincrement=False),
    Column("answer", Text, nullable=False),
    Column("time", Double, nullable=False),
    sqlite_with_rowid=False,
)

RESULTS = Table(
    "results",
    METADATA,
    Column("table_code", ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("match", Integer, primary_key=True, autoincrement=False),
    Column("game", String, nullable=False),
    Column("finished", Double, nullable=False),
    Column("body", Text, nullable=False),
    Index(None, "finished"),
    sqlite_with_rowid=False,
)

REVIEWS = Table(
    "reviews",
    METADATA,
    Column("table_code", ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("match", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", String, primary_key=True),
    Column("made", Double, nullable=False),
    Column("body", Text, nullable=False),
    sqlite_with_rowid=False,
)

# A table's game names the digest; many tables of one file share one text.
DESCRIPTIONS = Table(
    "descriptions",
    METADATA,
    Column("digest", String, primary_key=True),
    Column("text", Text, nullable=False),
)

# What nodes that share a database brought from their folders: a row for each file and who brought
# it, of which the latest of a name is on offer.
HOSTED_GAMES = Table(
    "hosted_games",
    METADATA,
    Column("name", String, primary_key=True),
    Column("source", String, primary_key=True),
    Column("digest", String, nullable=False),
    Column("rules_digest", String, nullable=False),
    Column("brought", Double, nullable=False),
    Column("text", Text, nullable=False),
    Column("rules", Text, nullable=False),
)

FORGOTTEN = Table(
    "forgotten_commands",
    METADATA,
    Column("player", String, primary_key=True),
    Column("client", String, primary_key=True),
    Column("command", BigInteger, nullable=False),
    Column("time", Double, nullable=False),
    sqlite_with_rowid=False,
)

# One row. `deleted` are the entries that are gone with their tables; `commits` counts in SQLite the
# commits that added no entry (with the numbers of the entries these tell how far it has come), and
# in PostgreSQL all. There `owner` is the one server that may write.
DATABASE_INFO = Table(
    "database_info",
    METADATA,
    Column("identity", String, primary_key=True),
    Column("commits", BigInteger, nullable=False),
    Column("deleted", BigInteger, nullable=False),
    Column("owner", String),
)

# The processes that share a database in PostgreSQL, one row each for ever: an epoch never comes
# again. `expires` is by the clock of the database, and negative once the node has ended; `commits`
# counts the transactions of the node; only a node with `has_tables` is given any.
NODES = Table(
    "nodes",
    METADATA,
    Column("name", String, primary_key=True),
    Column("epoch", BigInteger, nullable=False),
    Column("expires", Double, nullable=False),
    Column("commits", BigInteger, nullable=False),
    Column("has_tables", Boolean, nullable=False),
    Column("address", String, nullable=False),
    Column("started", Double, nullable=False),
)

NODE_REQUESTS = Table(
    "node_requests",
    METADATA,
    Column("id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("asked_by", String, nullable=False),
    Column("node", String),
    Column("epoch", BigInteger),
    Column("body", Text, nullable=False),
    Column("time", Double, nullable=False),
    Column("changed", BigInteger, nullable=False, server_default="0"),
    Index(None, "changed"),
)

NODE_ANSWERS = Table(
    "node_answers",
    METADATA,
    Column("request", ForeignKey("node_requests.id", ondelete="CASCADE"), primary_key=True),
    Column("node", String, primary_key=True),
    Column("body", Text, nullable=False),
    sqlite_with_rowid=False,
)

BANS = Table(
    "bans",
    METADATA,
    Column("kind", String, primary_key=True),
    Column("subject", String, primary_key=True),
    Column("until", Double),
    Column("reason", Text, nullable=False),
    Column("created", Double, nullable=False),
    sqlite_with_rowid=False,
)

# A player's first token stands in `players`. A row for it here tells how its device is called.
DEVICES = Table(
    "devices",
    METADATA,
    Column("token_hash", String, primary_key=True),
    Column("player", String, nullable=False),
    Column("device", String, nullable=False),
    Column("name", String, nullable=False),
    Column("created", Double, nullable=False),
    Column("seen", Double, nullable=False),
    Index(None, "player"),
    sqlite_with_rowid=False,
)

# What a player's clients keep with the server; only they read it.
PREFERENCES = Table(
    "preferences",
    METADATA,
    Column("player", ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("kept", Text, nullable=False),
    sqlite_with_rowid=False,
)

DEVICE_CODES = Table(
    "device_codes",
    METADATA,
    Column("code_hash", String, primary_key=True),
    Column("player", String, nullable=False),
    Column("until", Double, nullable=False),
    Column("token_hash", String, nullable=False),
    Index(None, "player"),
    Index(None, "token_hash"),
    sqlite_with_rowid=False,
)

LAST_SEQ = (
    select(func.coalesce(func.max(ENTRIES.c.seq), 0))
    .where(ENTRIES.c.table_code == TABLES.c.code)
    .scalar_subquery()
)
"""In a query of tables, the number of a table's last entry: it has as many, without a gap."""

SEATED = select(SEATS.c.player).where(SEATS.c.player == PLAYERS.c.id).exists()
"""In a query of players, whether one has a seat at an open table."""
